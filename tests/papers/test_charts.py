"""The charts of the papers' figures and tables: of any rows of a study, over the paper's values, read aloud too."""

import json
from typing import Any

import pytest

from boltzcore.papers import log_linear, pseudo_likelihood, stored
from boltzcore.papers.conditional import TASKS
from boltzcore.papers.exhibits import EXHIBITS
from boltzcore.papers.plots import PAPER
from pages.exhibits.charts import frame
from pages.figures.frame import Chart

AIS = "test_log_likelihood_ais"
ALL = [pytest.param(each, study, id=f"{each.paper} {each.label} {study}") for each in EXHIBITS for study in each.charts]


def rows_of(study: str) -> list[dict[str, Any]]:
    """The rows of a stored result of a study."""
    return [dict(row) for row in next(iter(stored.results(study).values())).rows]


def plots_of(paper, label, study, rows):
    (exhibit,) = (each for each in EXHIBITS if (each.paper, each.label) == (paper, label))
    return [plot for row in exhibit.charts[study](rows) for plot in row]


@pytest.mark.parametrize(("exhibit", "study"), ALL)
def test_its_rows_are_drawn_with_words_as_far_as_they_are_made(exhibit, study):
    made = rows_of(study)
    rows = exhibit.charts[study](made)
    plots = [plot for row in rows for plot in row]
    assert plots
    assert len({plot.title for plot in plots}) == len(plots)
    for count in (0, 1, 2, len(made) // 2):
        for item in frame(exhibit.charts[study](made[:count])).items:
            json.dumps(item.panel().content.figure, allow_nan=False)
    for item in frame(rows).items:
        panel = item.panel()
        assert isinstance(panel.content, Chart)
        json.dumps(panel.content.figure, allow_nan=False)
        assert any(value is not None for trace in panel.content.figure["data"] for value in trace["x"])
        assert panel.content.alt.startswith(panel.title)
        assert panel.about


def of_paper(plot):
    """The values of the paper in a chart of points, in the order in which they are drawn."""
    (drawn,) = (trace for trace in plot.figure["data"] if trace["name"] == PAPER)
    return dict(zip(drawn["customdata"], drawn["x"], strict=True))


def test_the_papers_values_are_drawn_over_ours():
    plots = plots_of("5", "Table 1", "crbm-noise-10", rows_of("crbm-noise-10"))
    assert list(map(of_paper, plots)) == list(TASKS["crbm-noise-10"].errors.values())
    errors = plots_of("1", "Figure 1", "bslm-figure-1", rows_of("bslm-figure-1"))[-1]
    assert of_paper(errors) == {f"d = {d}": value for d, value in pseudo_likelihood.REPORTED.items()}
    rows = rows_of("fsll-table-1")
    plots = [
        plot for label in ("Table 1 and figure 3", "Figure 4") for plot in plots_of("4", label, "fsll-table-1", rows)
    ]
    for plot, figure in zip(plots, log_linear.Reported._fields, strict=True):
        assert of_paper(plot) == {", ".join(of): getattr(each, figure) for of, each in log_linear.REPORTED.items()}


def test_a_training_that_has_diverged_is_drawn_up_to_there():
    rows = [{**row, AIS: None} if row["epoch"] == 10 else row for row in stored.load("dcp-spectral", "quick").rows]
    (plot,) = plots_of("2", "Figure 5", "dcp-spectral", rows)
    assert all(each["y"][-1] is None and None not in each["y"][:-1] for each in plot.figure["data"])
    json.dumps(plot.figure, allow_nan=False)
