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


def test_a_perfect_guess_has_no_error():
    assert pixel_errors(TRUTH, SEEN, TRUTH) == (0.0, 0.0)


def test_where_nothing_changed_there_is_no_share_of_it():
    errors = pixel_errors(TRUTH, TRUTH, GUESS)
    assert errors.all == pytest.approx(0.3)
    assert math.isnan(errors.changed)


def test_images_and_number_types_do_not_matter():
    cube = [array.reshape(2, 5, 1) for array in (TRUTH.astype(bool), SEEN.astype(np.float32), GUESS.astype(int))]
    assert (
        pixel_errors(*cube)
        == pixel_errors(TRUTH, SEEN, GUESS)
        == pixel_errors(TRUTH.ravel(), SEEN.ravel(), GUESS.ravel())
    )


def test_bad_input_is_named():
    with pytest.raises(
        ValueError, match=r"must have one shape and at least one pixel, not \(2, 5\), \(1, 5\) and \(2, 5\)"
    ):
        pixel_errors(TRUTH, SEEN[:1], GUESS)
    with pytest.raises(ValueError, match="at least one pixel"):
        pixel_errors([], [], [])
    with pytest.raises(ValueError, match="guess must hold only 0 and 1"):
        pixel_errors(TRUTH, SEEN, GUESS * 0.7)
    with pytest.raises(ValueError, match="seen must hold only 0 and 1"):
        pixel_errors(TRUTH, SEEN + 1, GUESS)
