"""Figures of "Restore"."""

import numpy as np
import pytest

from pages.figures import restoration as figures
from tests.figures.checks import pixels


def test_a_digit_is_drawn_in_squares_as_bright_as_pixels_are_probable():
    drawn = pixels(figures.digit([0.0, 0.5, 0.75, 1.0], (2, 2), scale=3))
    assert drawn.shape == (6, 6, 3)
    assert np.ptp(drawn, axis=2).max() == 0
    squares = drawn[..., 0].reshape(2, 3, 2, 3)
    assert (squares == squares[:, :1, :, :1]).all()
    assert squares[:, 0, :, 0].ravel().tolist() == pytest.approx([0, 127.5, 191, 255], abs=1.5)


def test_only_pixels_in_doubt_have_a_colour_and_brighter_ones_are_more_probable():
    doubtful = [True, True, False, False]
    drawn = pixels(figures.digit([0.1, 0.9, 0.1, 0.9], (2, 2), doubtful=doubtful, scale=1)).reshape(4, 3)
    assert np.ptp(drawn, axis=1).tolist() == [pytest.approx(np.ptp(drawn[0])), pytest.approx(np.ptp(drawn[1])), 0, 0]
    assert np.ptp(drawn[:2], axis=1).min() > 50
    assert (drawn[1] > drawn[0]).all()


def test_lost_pixels_are_hatched_and_neither_black_nor_white():
    drawn = pixels(figures.digit([0.0, 1.0, 0.0, 1.0], (2, 2), lost=[True, True, False, False]))
    colours = [
        {tuple(each) for each in drawn[y:, x:][:16, :16].reshape(-1, 3).tolist()} for y in (0, 16) for x in (0, 16)
    ]
    assert colours[0] == colours[1]
    assert colours[2:] == [{(0, 0, 0)}, {(255, 255, 255)}]
    assert len(colours[0]) == 2
    assert not colours[0] & {(0, 0, 0), (255, 255, 255)}


def test_residuals_are_drawn_on_a_logarithmic_axis_that_holds_them_and_the_tolerance():
    figure = figures.residuals(np.float32([0.5, 0.02, 0.0004]), 0.001, at=2)
    line, shown = figure["data"]
    assert (line["x"], line["y"]) == ([1, 2, 3], pytest.approx([0.5, 0.02, 0.0004]))
    assert (shown["x"], shown["y"]) == ([2], pytest.approx([0.02]))
    axis, (level,) = figure["layout"]["yaxis"], figure["layout"]["shapes"]
    assert axis["range"][0] < np.log10(0.0004) < np.log10(0.5) < axis["range"][1]
    assert (axis["type"], level["y0"], level["y1"]) == ("log", 0.001, 0.001)
