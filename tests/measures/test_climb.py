"""The first record at 90 % of the climb."""

import pytest

from boltzcore.measures.climb import climb, climbed
from boltzcore.runs.training import Record


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


def test_the_share_may_be_another():
    assert climb([-10.0, -5.0, -1.0, 0.0], share=0.5) == 1
    assert climb([-10.0, -5.0, -1.0, 0.0], share=1.0) == 3


def test_rounding_hides_no_climb():
    assert climb([-1e9, -0.1, -0.1 + 1e-12], share=1.0) is not None


def test_records_without_the_figure_are_passed_over():
    values = [{"other": 1.0}, {"test": -10.0}, {}, {"test": -0.5}, {"test": 0.0}]
    records = [Record(10 * i, float(i), 30 * i, 0.1 * i, each) for i, each in enumerate(values)]
    assert climbed(records, "test").count == 30
    assert climbed(records, "other") is None
    assert climbed([], "test") is None
