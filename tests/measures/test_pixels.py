"""Pixel errors: All and Changed by hand, and their edges."""

import numpy as np
import pytest

from boltzcore.measures.pixels import pixel_errors

TRUTH = np.array([[1, 1, 0, 0, 1], [0, 0, 0, 1, 1]], np.uint8)
SEEN = np.array([[0, 1, 0, 1, 1], [0, 0, 1, 1, 0]], np.uint8)  # four pixels changed
GUESS = np.array([[1, 1, 0, 1, 0], [0, 0, 0, 1, 0]], np.uint8)  # three wrong, two of them among the changed


@pytest.mark.parametrize(
    ("seen", "guess", "shares"), [(SEEN, GUESS, (0.3, 0.5)), (SEEN, SEEN, (0.4, 1)), (TRUTH, GUESS, (0.3, np.nan))]
)
def test_both_shares_by_hand(seen, guess, shares):
    assert tuple(pixel_errors(TRUTH, seen, guess)) == pytest.approx(shares, nan_ok=True)


@pytest.mark.parametrize(
    "arrays", [(TRUTH, SEEN[:1], GUESS), ([], [], []), (TRUTH, SEEN, GUESS * 0.7), (TRUTH, SEEN + 1, GUESS)]
)
def test_bad_input_is_refused(arrays):
    with pytest.raises(ValueError, match=r"must h(ave|old)"):
        pixel_errors(*arrays)
