"""Digits as pen strokes, and what a browser may tell of them."""

import numpy as np
import pytest

from boltzcore.data.digit_pictures import normalise
from boltzcore.data.strokes import (
    DIGITS,
    POINTS,
    SIDE,
    Stroke,
    bounding_box,
    coverage,
    draw,
    plain_strokes,
    scale,
    strokes_from,
)


def test_a_stroke_is_white_on_black_as_wide_as_its_pen():
    ink = draw([Stroke(20.0, np.array([(40.0, 140.0), (240.0, 140.0)]))])
    assert ink.shape == (140, 140)
    assert ink.dtype == np.uint8
    assert (ink[:, 70] > 127).sum() == pytest.approx(10, abs=1)
    assert ink[70, 15] == 255
    assert not ink[:, :10].any()


def test_a_drawing_is_scaled_to_one_size_and_its_pen_keeps_its_width():
    for times, place in ((0.2, 200.0), (1.0, 0.0), (1.3, -30.0)):
        (line,) = scale([Stroke(14.0, times * np.array([(100.0, 60.0), (110.0, 160.0)]) + place)])
        assert line.width == 14
        assert np.ptp(line.points, axis=0).tolist() == pytest.approx([18.6, 186])
        assert line.points.mean(axis=0).tolist() == pytest.approx([SIDE / 2, SIDE / 2])
    assert scale([]) == []
    with pytest.raises(ValueError, match="larger"):
        scale([Stroke(24.0, np.array([(50.0, 50.0), (62.0, 73.0)]))])


def test_touched_are_the_pixels_that_are_mostly_covered():
    mask = coverage([Stroke(SIDE / 7, np.array([(0.0, SIDE / 2), (SIDE, SIDE / 2)]))], 28)
    assert mask.shape == (28, 28)
    assert mask.any(axis=1).nonzero()[0].tolist() == [12, 13, 14, 15]
    assert mask[13].all()


def test_strokes_are_read_back_and_points_outside_the_pad_move_to_its_edge():
    np.testing.assert_equal(strokes_from(plain_strokes(DIGITS[8])), DIGITS[8])
    (stroke,) = strokes_from([{"width": 5, "points": [-50, 10, 900, 20]}])
    assert stroke.points.tolist() == [[0, 10], [SIDE, 20]]


@pytest.mark.parametrize(
    "drawing",
    [
        "<script>",
        [{}] * 1001,
        [5],
        *([{"width": width, "points": [1, 1]}] for width in (1e9, float("nan"))),
        *([{"width": 5, "points": points}] for points in ([], [1, 2, 3], [1, "2"], [1, float("inf")], [1, 10**400])),
        [{"width": 5, "points": [1] * (2 * POINTS + 2)}],
    ],
    ids=range(11),
)
def test_what_is_no_drawing_is_refused(drawing):
    with pytest.raises(ValueError, match=r"\.$"):
        strokes_from(drawing)


def test_the_digits_of_ours_are_ten_that_all_differ_and_look_as_mnists_do():
    made = [normalise(draw(strokes)) > 127 for strokes in DIGITS]
    assert len(made) == 10
    for one in range(10):
        assert 0.03 < made[one].mean() < 0.3
        assert all((made[one] != made[other]).mean() > 0.05 for other in range(one))


def test_the_last_stroke_is_the_box_that_is_cut_out():
    assert bounding_box([]) is None
    both = [Stroke(1.0, np.array([(0.0, 0.0)])), Stroke(1.0, np.array([(140.0, 70.0), (28.0, 280.0)]))]
    assert bounding_box(both) == (0.1, 0.25, 0.5, 1.0)
