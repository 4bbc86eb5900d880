"""The charts of the papers' figures and tables: of any rows of a study, over the paper's values, read aloud too."""

import json
from typing import Any

import pytest

from boltzcore.papers import conditional_tasks, log_linear, pseudo_likelihood, stored
from boltzcore.papers.charts import CHARTS
from boltzcore.papers.charts.plots import PAPER
from boltzcore.papers.exhibits import EXHIBITS
from pages.exhibits.charts import frame
from pages.figures.frame import Chart

AIS = "test_log_likelihood_ais"
ALL = [(key, study) for key, of in CHARTS.items() for study in of]


def rows_of(study: str) -> list[dict[str, Any]]:
    """The rows of a stored result of a study."""
    return [dict(row) for row in next(iter(stored.results(study).values())).rows]


def plots_of(key, study, rows):
    return [plot for row in CHARTS[key][study].draw(rows) for plot in row]


def test_each_of_the_eighteen_is_drawn_from_each_of_its_studies():
    assert {(each.paper, each.label): set(each.studies) for each in EXHIBITS} == {
        key: set(of) for key, of in CHARTS.items()
    }


@pytest.mark.parametrize(("key", "study"), ALL)
def test_its_rows_are_drawn_with_words_and_a_table(key, study):
    rows = rows_of(study)
    plots = plots_of(key, study, rows)
    assert plots
    assert len({plot.title for plot in plots}) == len(plots)
    drawn = frame(CHARTS[key][study].draw(rows))
    for item in drawn.items:
        panel = item.panel()
        assert isinstance(panel.content, Chart)
        json.dumps(panel.content.figure, allow_nan=False)
        assert any(value is not None for trace in panel.content.figure["data"] for value in trace["x"])
        assert panel.content.alt.startswith(panel.title)
        assert panel.about
    for plot in plots:
        assert plot.table
        assert all(row.keys() == plot.table[0].keys() for row in plot.table)


@pytest.mark.parametrize(("key", "study"), ALL)
def test_a_study_that_is_under_way_is_drawn_as_far_as_it_is(key, study):
    rows = rows_of(study)
    for made in (0, 1, 2, len(rows) // 2):
        for item in frame(CHARTS[key][study].draw(rows[:made])).items:
            json.dumps(item.panel().content.figure, allow_nan=False)


def test_the_papers_values_are_drawn_beside_ours():
    (everywhere, changed), task = (
        plots_of(("5", "Table 1"), "crbm-noise-10", rows_of("crbm-noise-10")),
        conditional_tasks.TASKS["crbm-noise-10"],
    )
    for k, plot in enumerate((everywhere, changed)):
        expected = {method: pair[k] for method, pair in task.reported.items()}
        assert {method: value for (method, _), value in plot.values[PAPER].items()} == expected
    errors = plots_of(("1", "Figure 1"), "bslm-figure-1", rows_of("bslm-figure-1"))[-1]
    assert {category: value for (category, _), value in errors.values[PAPER].items()} == {
        f"d = {d}": value for d, value in pseudo_likelihood.REPORTED.items()
    }
    rows = rows_of("fsll-table-1")
    plots = [
        plot for label in ("Table 1 and figure 3", "Figure 4") for plot in plots_of(("4", label), "fsll-table-1", rows)
    ]
    for plot, figure in zip(plots, log_linear.Reported._fields, strict=True):
        assert plot.values[PAPER] == {of: getattr(each, figure) for of, each in log_linear.REPORTED.items()}


def test_a_training_that_has_diverged_is_drawn_up_to_there():
    rows = [{**row, AIS: None} if row["epoch"] == 10 else row for row in rows_of("dcp-spectral")]
    (plot,) = plots_of(("2", "Figure 5"), "dcp-spectral", rows)
    assert all(each.y[-1] is None and each.last is not None for each in plot.series)
    json.dumps(plot.figure, allow_nan=False)
    assert plots_of(("2", "Table 1"), "dcp-starts", [{**row, AIS: None} for row in rows_of("dcp-starts")[:3]]) == []
