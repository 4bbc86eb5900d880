"""Streams: numbers that a plain transcription gives too, uniform, independent, never two alike."""

import numpy as np
import pytest

from boltzcore.kernels import random as streams
from boltzcore.kernels.random import uniforms

MASK = (1 << 64) - 1


def mix64(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def stream_words(seed, purpose, step, row, n):
    """The first n words in Python's whole numbers."""
    root = mix64(
        (
            mix64(mix64(seed + 0x9E3779B97F4A7C15 & MASK) ^ (purpose * 0xD1342543DE82EF95 & MASK))
            + step * 0x9E3779B97F4A7C15
        )
        & MASK
    )
    key = mix64(root ^ mix64((row + 0x632BE59BD9B4E019) & MASK))
    words = []
    for i in range(n):
        x = (i * 0x9E3779B9 + (key & 0xFFFFFFFF)) & 0xFFFFFFFF
        x = ((x ^ (x >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
        x = ((x ^ (x >> 15)) + (key >> 32)) & 0xFFFFFFFF
        x = ((x ^ (x >> 13)) * 0x846CA68B) & 0xFFFFFFFF
        words.append(x ^ (x >> 16))
    return np.array(words, np.uint64)


@pytest.mark.parametrize("name", [(0, 1, 0, 0), (2**53, 4, 123_456_789, 59_999), (7, 3, 1, 2)])
def test_words_are_those_of_the_plain_transcription(name):
    wanted = ((stream_words(*name, 100) >> np.uint64(9)).astype(np.float64) + 0.5) / 2**23
    assert np.array_equal(uniforms(*name, 100), wanted.astype(np.float32))
    assert np.array_equal(uniforms(*name, 30, first=20), wanted[20:50].astype(np.float32))


def test_normal_numbers_are_those_of_the_polar_method_in_plain_numpy():
    words = stream_words(3, streams.INITIAL, 2, 1, 40).astype(np.float64)
    pairs = ((words - 2147483647.5) / 2147483648.0).reshape(-1, 2)
    x, y = next(pair for pair in pairs if 0 < (pair**2).sum() < 1)
    stretch = np.sqrt(-2 * np.log(x * x + y * y) / (x * x + y * y))
    found = streams.normal((5,), 2.0, 3, streams.INITIAL, 2)
    assert found[2:4] == pytest.approx([2 * stretch * x, 2 * stretch * y], rel=1e-6)
    assert found.dtype == np.float32
