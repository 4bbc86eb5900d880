"""Curves and histograms."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.learners.base import State
from boltzcore.plotting import drawing, palette
from boltzcore.training.loop import Record
from boltzcore.training.presets import PRESETS
from pages.figures import charts, measurements, naming
from pages.figures.curves import TrainingCurves
from pages.figures.frame import ViewInputs
from pages.figures.time_axis import Along
from tests.figures.checks import check_figure, line
from tests.figures.test_model_curves import FIGURES as OF_MODELS


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


def drawn(known: list[Record] | None = None, **more: Any) -> TrainingCurves:
    curve = naming.Curve(records() if known is None else known, "CD", "solid", "CD-1, η 0.05")
    return TrainingCurves(curve, **{"along": Along(budget=1800)} | more)


def estimates(n: int = 11, *, spread: float = 1.0) -> list[Record]:
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


FIGURES = {
    "likelihood": charts.likelihood(drawn(best=900), base_rate=-26.1),
    "patterns": charts.likelihood(drawn(), base_rate=-26.1, upper_bound=-3.0),
    "before the first record": charts.likelihood(drawn([])),
    "one record": charts.likelihood(drawn(records(1)), base_rate=-26.1),
    "estimate": charts.likelihood(drawn(estimates()), base_rate=-206.0),
    "pinned": charts.likelihood(drawn(pinned=[drawn(records(21)).curve])),
    "not finite": charts.likelihood(drawn([Record(0, 0.0, 0, 0.0, {"test_log_likelihood": float("nan")})])),
    "activity": charts.hidden_activity([0.5, 0.001, 0.999, 0.2, 0.003], family="CD"),
    "gap": charts.free_energy_gap(drawn()),
    "reconstruction": charts.reconstruction_error(drawn()),
}


@pytest.mark.parametrize("figure", [*FIGURES.values(), *OF_MODELS.values()], ids=[*FIGURES, *OF_MODELS])
def test_a_figure_is_valid_for_plotly_and_json(figure):
    check_figure(figure)


@pytest.mark.parametrize(
    ("axis", "last", "end"),
    [("epochs", 10.0, 20.0), ("updates", 900.0, 1800.0), ("work", 2700.0, 5400.0), ("seconds", 5.0, None)],
)
def test_the_axis_is_in_epochs_updates_transitions_or_seconds_up_to_the_end_of_the_training(axis, last, end):
    figure = charts.likelihood(drawn(along=Along(axis, "Gibbs steps", 1800)))
    test, shown = line(figure, "test"), figure["layout"]["xaxis"]
    assert test["x"][-1] == last
    assert test["y"] == [r.values["test_log_likelihood"] for r in records()]
    assert shown["title"]["text"] == drawing.axis_titles("Gibbs steps")[axis]
    assert end is None or shown["range"] == [0.0, end]


def test_limits_hold_base_rate_bound_and_curve_but_not_a_crash():
    low, high = FIGURES["patterns"]["layout"]["yaxis"]["range"]
    assert low <= -26.1 < -3.0 <= high
    crashed = charts.likelihood(drawn(records(end=-5000.0)), base_rate=-26.1)
    low, high = crashed["layout"]["yaxis"]["range"]
    assert -100 < low < -26.1 < high


def test_long_trainings_are_thinned_and_keep_first_and_last():
    many = records(20_001)
    x = line(charts.likelihood(drawn(many, along=Along(budget=90 * 20_000))), "test")["x"]
    assert len(x) <= 1001
    assert (x[0], x[-1]) == (0.0, 20_000.0)


def test_a_histogram_counts_every_weight_in_the_colours_of_the_tiles():
    figure = charts.weight_histogram([-9.0, -1.0, 0.0, 1.0, 9.0], 2.0, "Weights")
    bars = figure["data"][0]
    assert sum(bars["y"]) == 5
    assert bars["marker"]["color"][0] == palette.rgb(palette.rdbu(41)[0])
    assert figure["layout"]["xaxis"]["range"] == [-2.0, 2.0]
    many = charts.weight_histogram(np.zeros(20_000), 2.0, "Weights")["layout"]
    assert many["margin"]["l"] > figure["layout"]["margin"]["l"]  # for numbers like 20,000
    assert many["xaxis"]["minexponent"] == many["yaxis"]["minexponent"]  # both in full


@pytest.mark.parametrize(("judge", "y"), [("training", -17.5), ("validation", -30.0)])
def test_the_best_model_is_marked_on_the_line_of_the_rows_that_judge(judge, y):
    more = {"validation_log_likelihood": -30.0} if judge == "validation" else {}
    shown = [dataclasses.replace(r, values=r.values | more) for r in records()]
    ring = line(charts.likelihood(drawn(shown, best=900)), f"best, {judge}")
    assert (ring["x"], ring["y"]) == ([10.0], [y])


def test_the_upper_bound_is_the_entropy_of_the_patterns():
    assert charts.upper_bound(load("bars-and-stripes", D=3)) == pytest.approx(-np.log(14))
    assert charts.upper_bound(load("bars-and-stripes", D=3, process=True)) == pytest.approx(-2.599, abs=1e-3)


@pytest.mark.parametrize("known", [True, False])
def test_an_estimate_is_a_line_in_its_interval_and_an_unknown_end_reaches_the_edge_of_the_chart(known):
    shown = estimates()
    for record in shown if not known else ():
        del record.values["test_log_likelihood_ais_high"]
    figure = charts.likelihood(drawn(shown), base_rate=-206.0)
    band, test = line(figure, "interval"), line(figure, "test")
    assert figure["data"][0] is band  # under the curves
    assert test["y"] == list(np.linspace(-200.0, -100.0, 11))
    edge = figure["layout"]["yaxis"]["range"][1]
    assert (min(band["y"]), max(band["y"])) == (-201.0, -98.0 if known else edge)
    assert (band["y"][0], band["y"][-1]) == (-198.0 if known else edge, -201.0)  # high, then low
    assert test["customdata"][0] == (" (-201.00 to -198.00)" if known else " (-201.00 to ?)")


def test_units_are_drawn_in_rising_order_and_dead_ones_marked_and_counted():
    figure = FIGURES["activity"]
    bars, off, on = figure["data"]
    assert bars["y"] == pytest.approx([0.1, 0.3, 20.0, 50.0, 99.9])  # percent
    assert bars["customdata"] == [2, 5, 4, 1, 3]
    assert (off["x"], off["customdata"]) == ([1.0, 2.0], [2, 5])
    assert (on["x"], on["customdata"]) == ([5.0], [3])


def test_a_pseudo_likelihood_is_one_line_if_all_splits_hold_the_same_rows():
    shown = [Record(i, i, i, i, {"train_log_pseudo_likelihood": -9.0 + i / 10}) for i in range(11)]
    figure = charts.likelihood(drawn(shown), which=measurements.PSEUDO, alike=True, base_rate=-10.0)
    assert [trace["name"] for trace in figure["data"]] == ["all rows"]
    assert line(figure, "all rows")["y"][-1] == -8.0


@pytest.mark.parametrize(
    ("name", "count", "status", "end"),
    [
        *(("ising-terms", count, "running", end) for count, end in ((0, 10), (40, 100), (81, 200), (9_000, 10_000))),
        ("ising-terms", 81, "finished", 81),
        *(("handwriting", count, "running", end) for count, end in ((0, 10), (12, 50), (200, 200))),
        ("plateau", 3, "running", PRESETS["plateau"].recipe.schedule.length),
    ],
)
def test_an_axis_grows_if_a_rule_ends_the_training_and_is_fixed_if_the_schedule_does(name, count, status, end):
    recipe = PRESETS[name].recipe
    snapshot = Snapshot(status, state=State(None, count, 0, 0), budget=recipe.schedule.length)
    assert ViewInputs.from_snapshot(snapshot, recipe).along.budget == end
