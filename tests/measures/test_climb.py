"""The first record at 90 % of the climb."""

import numpy as np
import pytest

from boltzcore.measures.merit import climb, flattened
from boltzcore.training.loop import Record


@pytest.mark.parametrize(
    ("values", "at"),
    [
        ([-10.0, -5.0, -1.0, 0.0], 2),  # -10 + 0.9 * 10 is -1
        ([-10.0, -5.0, -1.1, 0.0], 3),
        ([-4.0, -2.0, -3.0, -2.0], 1),  # the first at the best, though it falls later
        ([-10.0, -1.0, -20.0, 0.0, -9.0], 1),
        ([-3.0, -2.0], 1),
        ([-3.0, -3.0], None),
        ([-3.0, -4.0, -5.0], None),
        ([-3.0], None),
        ([], None),
    ],
)
def test_the_first_value_at_nine_tenths_of_the_climb(values, at):
    assert climb(values) == at


def test_records_without_the_figure_are_passed_over():
    values = [{"other": 1.0}, {"test": -10.0}, {}, {"test": -0.5}, {"test": 0.0}, *[{}] * 3]
    records = [Record(10 * i, float(i), 30 * i, 0.1 * i, each) for i, each in enumerate(values)]
    assert flattened(records, "test").count == 30
    assert flattened(records, "other") is None
    assert flattened([], "test") is None


UPDATES = np.arange(0, 1001, 10)
TOP = {  # what is reached in the end, where the curve levels out: 90 % of it
    "line": (UPDATES / 1000, None),
    "root": (np.sqrt(UPDATES / 1000), None),
    "steeper and steeper": ((UPDATES / 1000) ** 2, None),
    "decays to its top": (1 - np.exp(-UPDATES / 100), 230),
    "decays slowly": (1 - np.exp(-UPDATES / 400), None),
    "plateau, then a climb": (1 / (1 + np.exp(-(UPDATES - 300) / 20)), 340),
    "rises, then falls": (np.where(UPDATES < 200, UPDATES / 200, 1 - (UPDATES - 200) / 400), 180),
}


@pytest.mark.parametrize("curve", TOP)
@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_a_climb_is_told_only_where_it_is_over(curve, noise):
    values, at = TOP[curve]
    moved = values + noise * np.random.default_rng(0).normal(size=len(values))
    pairs = zip(UPDATES, moved, strict=True)
    records = [Record(int(count), 0.0, 0, 0.0, {"test": float(value)}) for count, value in pairs]
    found = flattened(records, "test")
    assert (found and found.count) == (at and pytest.approx(at, abs=80 if noise else 10))
