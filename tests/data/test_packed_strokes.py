"""Drawings as text for a link: the same again, and nothing else is taken."""

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from boltzcore.data.strokes import DIGITS, LINKED, SIDE, Stroke, pack, plain_strokes, strokes_from, unpack
from boltzcore.quoting import Refusal

places = some.lists(some.tuples(some.integers(0, SIDE), some.integers(0, SIDE)), min_size=1, max_size=40)
strokes = some.builds(lambda width, at: Stroke(float(width), np.array(at, float)), some.integers(1, 120), places)


def text_of(value: object) -> str:
    content = zlib.compress(json.dumps(value).encode())
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@settings(max_examples=30)
@given(some.lists(strokes, max_size=8))
def test_a_drawing_comes_back_as_it_was(drawing):
    text = pack(drawing)
    assert text.replace("-", "").replace("_", "").isalnum()
    assert plain_strokes(unpack(text)) == plain_strokes(drawing)
    assert pack(unpack(text)) == text


VALUES = some.recursive(some.none() | some.integers() | some.floats() | some.text(), some.lists, max_leaves=12)


@settings(max_examples=60)
@given(VALUES | some.lists(some.lists(some.integers(-9, 130), max_size=12), max_size=3))
def test_whatever_stands_in_a_link_is_a_drawing_that_a_pad_takes_or_refused(value):
    try:
        strokes = unpack(text_of(value))
    except Refusal:
        return
    assert len(strokes_from(plain_strokes(strokes))) == len(strokes)


@pytest.mark.parametrize(
    "text",
    [
        "",
        pack(DIGITS[3])[:-4],
        text_of([[24, 1, 0, 0]]),
        text_of([[24]]),
        text_of([[121, 1, 0]]),
        text_of([24, 1, 0]),
        text_of([[24, 1, 0]] * 30_000),
        base64.urlsafe_b64encode(zlib.compress(b"[" * 100_000)).rstrip(b"=").decode(),
        "A" * (LINKED + 1),
        "AQ\n",
    ],
)
def test_what_is_no_drawing_is_refused(text):
    with pytest.raises(ValueError, match="drawing"):
        unpack(text)
    with pytest.raises(ValueError, match="link"):
        pack([Stroke(24.0, np.random.default_rng(0).integers(0, SIDE, (2_500, 2)).astype(float))])
