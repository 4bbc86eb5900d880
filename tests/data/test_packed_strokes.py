"""Drawings as text for a link: the same again, and nothing else is taken."""

import base64

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from boltzcore.data.strokes import DIGITS, LINKED, SIDE, Stroke, packed, plain_strokes, strokes_from, unpacked

places = some.lists(some.tuples(some.integers(0, SIDE), some.integers(0, SIDE)), min_size=1, max_size=40)
strokes = some.builds(lambda width, at: Stroke(float(width), np.array(at, float)), some.integers(1, 120), places)


def text_of(*content: int) -> str:
    return base64.urlsafe_b64encode(bytes(content)).rstrip(b"=").decode()


@settings(max_examples=30)
@given(some.lists(strokes, max_size=8))
def test_a_drawing_comes_back_as_it_was(drawing):
    text = packed(drawing)
    assert text.replace("-", "").replace("_", "").isalnum()
    assert plain_strokes(unpacked(text)) == plain_strokes(drawing)
    assert packed(unpacked(text)) == text


@settings(max_examples=30)
@given(some.text("ABCDabcd0189_-", max_size=80).map("AQ".__add__))
def test_whatever_stands_in_a_link_is_a_drawing_that_a_pad_takes_or_refused(text):
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
        text_of(2, 24, 1, 0, 0),  # a version to come
        text_of(1, 121, 1, 0, 0),
        text_of(1, 24, 1, 0xB2, 0x04, 0),  # right of the pad, at 281
        text_of(1, 24, 0xFF, 0xFF, 0xFF, 0x7F, 0, 0),  # more points than there are
        "A" * (LINKED + 1),
        "AQ\n",
    ],
)
def test_what_is_no_drawing_is_refused(text):
    with pytest.raises(ValueError, match="drawing"):
        unpacked(text)
    with pytest.raises(ValueError, match="link"):
        packed([Stroke(24.0, np.array([(x % SIDE, SIDE * (x % 2)) for x in range(2_500)], float))])
