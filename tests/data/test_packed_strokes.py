"""Drawings as text for a link: the same again, and nothing else is taken."""

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from boltzcore.data.strokes import DIGITS, LINKED, SIDE, Stroke, packed, plain_strokes, strokes_from, unpacked

places = some.lists(some.tuples(some.integers(0, SIDE), some.integers(0, SIDE)), min_size=1, max_size=40)
strokes = some.builds(lambda width, at: Stroke(float(width), np.array(at, float)), some.integers(1, 120), places)


def text_of(*numbers: int) -> str:
    content = zlib.compress(np.array(numbers, "<i2").tobytes())
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@settings(max_examples=30)
@given(some.lists(strokes, max_size=8))
def test_a_drawing_comes_back_as_it_was(drawing):
    text = packed(drawing)
    assert text.replace("-", "").replace("_", "").isalnum()
    assert plain_strokes(unpacked(text)) == plain_strokes(drawing)
    assert packed(unpacked(text)) == text


@settings(max_examples=30)
@given(some.lists(some.integers(-9, 130), max_size=12))
def test_whatever_stands_in_a_link_is_a_drawing_that_a_pad_takes_or_refused(numbers):
    text = text_of(*numbers)
    try:
        strokes = unpacked(text)
    except ValueError:
        return
    assert len(strokes_from(plain_strokes(strokes))) == len(strokes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        packed(DIGITS[3])[:-4],
        text_of(24, 1, 0),
        text_of(24, -1, 0, 0),
        text_of(121, 1, 0, 0),
        text_of(24, 1, SIDE + 1, 0),
        text_of(24, 2, 0, 0),
        text_of(*[24, 1, 0, 0] * 30_000),
        "A" * (LINKED + 1),
        "AQ\n",
    ],
)
def test_what_is_no_drawing_is_refused(text):
    with pytest.raises(ValueError, match="drawing"):
        unpacked(text)
    with pytest.raises(ValueError, match="link"):
        packed([Stroke(24.0, np.random.default_rng(0).integers(0, SIDE, (2_500, 2)).astype(float))])
