"""A curve shows the reliability of its estimates."""

import pytest

from boltzcore.training.loop import Record
from pages.figures import charts, estimate_quality, measurements
from pages.figures.curves import TrainingCurves
from pages.figures.naming import Curve

KEY = measurements.ESTIMATE.train
SURE = {KEY: -100.0, f"{KEY}_low": -101.0, f"{KEY}_high": -99.0, measurements.COUNTING: 40.0}
NO_END = {name: value for name, value in SURE.items() if not name.endswith("_high")} | {measurements.COUNTING: 7.0}
FEW = NO_END | {measurements.COUNTING: 1.2}


def gap(value, reach=0.5):
    name = estimate_quality.REVERSE
    return SURE | {name: value, f"{name}_low": value - reach, f"{name}_high": value + reach}


@pytest.mark.parametrize(
    ("values", "known"),
    [
        (SURE, estimate_quality.FULL),
        (NO_END, estimate_quality.FADED),
        (FEW, estimate_quality.HOLLOW),
        (gap(2.0), estimate_quality.FADED),
        (gap(2.0, reach=3.0), estimate_quality.FULL),
        (gap(-8.0), estimate_quality.FULL),  # the chains miss something: annealing forward has found it
    ],
)
def test_chains_that_count_and_annealing_back_say_what_an_estimate_is_worth(values, known):
    assert estimate_quality.reliability(values, KEY) == known
    exact = measurements.EXACT.train
    assert estimate_quality.reliability({exact: -3.0}, exact) == estimate_quality.FULL


def curve(*values):
    records = [Record(i, float(i), i, 0.0, {**each, KEY: -100.0 + i}) for i, each in enumerate(values)]
    return Curve(records, "CD", "solid", "CD-1")


def test_what_is_in_doubt_is_faded_and_what_is_worth_nothing_hollow():
    curves = TrainingCurves(curve(SURE, SURE, NO_END, FEW))
    _, faded, believed, hollow = charts.likelihood(curves, upper_bound=0.0)["data"]
    assert faded["opacity"] < 0.5
    assert faded["y"] == [-100.0, -99.0, -98.0, -97.0]
    assert faded["customdata"][3].endswith("; 1 effective chain")
    assert believed["y"] == [-100.0, -99.0, None, None]
    assert "opacity" not in believed
    assert (hollow["x"], hollow["y"], hollow["marker"]["symbol"]) == ([3.0], [-97.0], "circle-open")
    assert believed["hoverinfo"] == hollow["hoverinfo"] == "skip"
