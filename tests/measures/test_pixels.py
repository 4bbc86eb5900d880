"""Pixel errors: All and Changed by hand, and their edges."""

import math

import numpy as np
import pytest

from boltzcore.measures.pixels import pixel_errors

TRUTH = np.array([[1, 1, 0, 0, 1], [0, 0, 0, 1, 1]], np.uint8)
SEEN = np.array([[0, 1, 0, 1, 1], [0, 0, 1, 1, 0]], np.uint8)  # four pixels changed
GUESS = np.array([[1, 1, 0, 1, 0], [0, 0, 0, 1, 0]], np.uint8)  # three wrong, two of them among the changed


def test_both_shares_by_hand():
    errors = pixel_errors(TRUTH, SEEN, GUESS)
    assert errors.all == pytest.approx(0.3)
    assert errors.changed == pytest.approx(0.5)


def test_doing_nothing_leaves_every_changed_pixel_wrong():
    assert pixel_errors(TRUTH, SEEN, SEEN) == (pytest.approx(0.4), 1.0)


def test_where_nothing_changed_there_is_no_share_of_it():
    errors = pixel_errors(TRUTH, TRUTH, GUESS)
    assert errors.all == pytest.approx(0.3)
    assert math.isnan(errors.changed)


@pytest.mark.parametrize(
    "arrays", [(TRUTH, SEEN[:1], GUESS), ([], [], []), (TRUTH, SEEN, GUESS * 0.7), (TRUTH, SEEN + 1, GUESS)]
)
def test_bad_input_is_refused(arrays):
    with pytest.raises(ValueError, match=r"must h(ave|old)"):
        pixel_errors(*arrays)
