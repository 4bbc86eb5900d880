"""The first record at 90 % of the climb."""

import pytest

from boltzcore.measures.merit import climb


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
