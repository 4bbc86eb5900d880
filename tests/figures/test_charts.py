"""Curves and histograms."""

import dataclasses
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from boltzcore.data import load
from boltzcore.figures import charts, drawing, naming, palette, reading
from boltzcore.figures.drawing import Along
from boltzcore.runs.training import Record


def records(n: int = 11, *, start: float = -26.0, end: float = -18.0) -> list[Record]:
    level = np.linspace(start, end, n)
    values = [
        {
            "train_log_likelihood": y + 0.5,
            "test_log_likelihood": y,
            "free_energy_gap": 0.1 * i,
            "reconstruction_error": 0.2,
        }
        for i, y in enumerate(level)
    ]
    return [Record(90 * i, float(i), 90 * i * 3, 0.5 * i, v) for i, v in enumerate(values)]


def drawn(known: list[Record] | None = None, *, name: str = "CD-1, η 0.05") -> naming.Curve:
    return naming.Curve(records() if known is None else known, "CD", "solid", name)


def estimates(n: int = 11, *, spread: float = 1.0, **missing: object) -> list[Record]:
    """Records of a model that is too large to enumerate."""
    level = np.linspace(-200.0, -100.0, n)
    keys = ("train_log_likelihood_ais", "test_log_likelihood_ais")
    values = [
        {
            f"{key}{end}": y + shift
            for key in keys
            for end, shift in (("", 0.0), ("_low", -spread), ("_high", 2 * spread))
        }
        for y in level
    ]
    return [Record(90 * i, float(i), 90 * i * 3, 0.5 * i, v | {"free_energy_gap": 0.1}) for i, v in enumerate(values)]


def line(figure: drawing.Figure, name: str) -> dict:
    return next(trace for trace in figure["data"] if trace["name"] == name)


def texts(figure: drawing.Figure) -> list[str]:
    return [a["text"] for a in figure["layout"]["annotations"]]


FIGURES = {
    "likelihood": charts.likelihood(drawn(), along=Along(budget=1800), base_rate=-26.1, best=900),
    "patterns": charts.likelihood(drawn(), along=Along(budget=1800), base_rate=-26.1, upper_bound=-3.0),
    "before the first record": charts.likelihood(drawn([]), along=Along(budget=1800)),
    "one record": charts.likelihood(drawn(records(1)), along=Along(budget=1800), base_rate=-26.1),
    "estimate": charts.likelihood(drawn(estimates()), along=Along(budget=1800), base_rate=-206.0),
    "pinned": charts.likelihood(drawn(), pinned=[drawn(records(21))], along=Along(budget=900)),
    "not finite": charts.likelihood(drawn([Record(0, 0.0, 0, 0.0, {"test_log_likelihood": float("nan")})])),
    "activity": charts.hidden_activity([0.5, 0.001, 0.999, 0.2, 0.003], family="CD"),
    "autocorrelation": charts.chain_autocorrelation(0.8 ** np.arange(26), family="DCP"),
    "gap": charts.free_energy_gap(records(), family="CD", along=Along(budget=1800)),
    "reconstruction": charts.reconstruction_error(records(), family="CD", along=Along(budget=1800)),
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_plotly_takes_every_figure_and_json_holds_it(figure):
    go.Figure(json.loads(json.dumps(figure, allow_nan=False)))


def test_values_are_those_measured():
    held_out = line(FIGURES["likelihood"], "test")
    assert held_out["y"] == [r.values["test_log_likelihood"] for r in records()]


@pytest.mark.parametrize(("axis", "last"), [("epochs", 10.0), ("updates", 900.0), ("work", 2700.0), ("seconds", 5.0)])
def test_the_axis_may_be_epochs_updates_transitions_or_seconds(axis, last):
    figure = charts.likelihood(drawn(), along=Along(axis=axis, work="Gibbs steps", budget=1800))
    assert line(figure, "test")["x"][-1] == last
    assert figure["layout"]["xaxis"]["title"]["text"] == drawing.axis_titles("Gibbs steps")[axis]


@pytest.mark.parametrize(("axis", "end"), [("epochs", 20.0), ("updates", 1800.0), ("work", 5400.0)])
def test_the_axis_reaches_the_end_of_the_training(axis, end):
    figure = charts.likelihood(drawn(), along=Along(axis=axis, budget=1800))
    assert figure["layout"]["xaxis"]["range"] == [0.0, end]


def test_limits_hold_base_rate_bound_and_curve():
    low, high = FIGURES["patterns"]["layout"]["yaxis"]["range"]
    assert low <= -26.1
    assert high >= -3.0


def test_a_crash_is_cut_off_instead_of_flattening_the_rest():
    low, high = charts.likelihood(drawn(records(end=-5000.0)), along=Along(budget=1800), base_rate=-26.1)["layout"][
        "yaxis"
    ]["range"]
    assert low > -100
    assert low < -26.1 < high


def test_a_model_without_exact_likelihood_has_an_empty_chart_and_still_a_base_rate():
    bare = [Record(r.count, r.epoch, r.work, r.seconds, {"free_energy_gap": 0.1}) for r in records()]
    figure = charts.likelihood(drawn(bare), along=Along(budget=1800), base_rate=-200.0)
    assert figure["data"] == []
    assert "base rate \N{MINUS SIGN}200.00" in texts(figure)


def test_long_trainings_are_thinned_and_keep_first_and_last():
    many = records(20_001)
    x = line(charts.likelihood(drawn(many), along=Along(budget=90 * 20_000)), "test")["x"]
    assert len(x) <= 1001
    assert (x[0], x[-1]) == (0.0, 20_000.0)


def test_a_histogram_counts_every_weight_in_the_colours_of_the_tiles():
    figure = charts.weight_histogram([-9.0, -1.0, 0.0, 1.0, 9.0], 2.0, "Weights")
    bars = figure["data"][0]
    assert sum(bars["y"]) == 5
    assert bars["marker"]["color"][0] == palette.rgb(palette.rdbu(41)[0])
    assert figure["layout"]["xaxis"]["range"] == [-2.0, 2.0]


def validated() -> list[Record]:
    return [
        dataclasses.replace(r, values=r.values | {"validation_log_likelihood": -20.0 - i})
        for i, r in enumerate(records())
    ]


def test_the_ring_says_which_rows_judge_and_lies_on_their_line():
    for shown, name, y in ((records(), "best, training", -17.5), (validated(), "best, validation", -30.0)):
        ring = line(charts.likelihood(drawn(shown), best=900), name)
        assert (ring["x"], ring["y"]) == ([10.0], [y])


def test_the_upper_bound_is_the_entropy_of_the_patterns():
    assert charts.upper_bound(load("bars-and-stripes", D=3)) == pytest.approx(-np.log(14))
    assert charts.upper_bound(load("bars-and-stripes", D=3, process=True)) == pytest.approx(-2.599, abs=1e-3)


def test_an_estimate_is_a_line_in_a_shaded_interval():
    figure = FIGURES["estimate"]
    band, test = line(figure, "interval"), line(figure, "test")
    assert figure["data"][0] is band
    assert test["y"] == list(np.linspace(-200.0, -100.0, 11))
    assert band["fill"] == "toself"
    assert (min(band["y"]), max(band["y"])) == (-201.0, -98.0)
    assert test["customdata"][0] == " (-201.00 to -198.00)"


def test_an_end_of_an_interval_that_is_not_known_reaches_to_the_edge_of_the_chart():
    known = estimates()
    for record in known:
        del record.values["test_log_likelihood_ais_high"]
    figure = charts.likelihood(drawn(known), along=Along(budget=1800))
    assert max(line(figure, "interval")["y"]) == figure["layout"]["yaxis"]["range"][1]
    assert line(figure, "test")["customdata"][0] == " (-201.00 to ?)"


def test_units_are_drawn_in_rising_order_and_dead_ones_marked_and_counted():
    figure = FIGURES["activity"]
    bars, off, on = figure["data"]
    assert bars["y"] == [0.001, 0.003, 0.2, 0.5, 0.999]
    assert bars["customdata"] == [2, 5, 4, 1, 3]
    assert (off["x"], off["customdata"]) == ([1.0, 2.0], [2, 5])
    assert (on["x"], on["customdata"]) == ([5.0], [3])
    assert texts(figure) == ["× 2 always off, 1 always on"]


def test_a_pseudo_likelihood_is_drawn_as_such_where_it_is_asked_for_and_one_line_is_enough_for_the_same_rows():
    both = [
        dataclasses.replace(r, values=r.values | {"train_log_pseudo_likelihood": -9.0 + i / 10})
        for i, r in enumerate(records())
    ]
    figure = charts.likelihood(drawn(both), which=reading.PSEUDO, alike=True, base_rate=-10.0)
    assert [trace["name"] for trace in figure["data"]] == ["all rows"]
    assert line(figure, "all rows")["y"][-1] == -8.0
