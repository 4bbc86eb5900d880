"""Reading images as digits by the nearest of many."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.measures.digits import FARTHEST, NONE, RIGHT, read_digits


def test_handwriting_that_was_kept_apart_is_read_as_often_as_is_told():
    held = load("mnist-small", binarise="threshold")
    read = read_digits(held.test.v)
    assert (read == held.labels["test"]).mean() == pytest.approx(RIGHT, abs=0.01)
    assert (read == NONE).mean() <= 0.01


def test_a_training_digit_is_itself_and_what_is_far_from_all_is_none():
    held = load("mnist-small", binarise="threshold")
    first, far = held.train.v[:1].copy(), held.train.v[:1].copy()
    assert read_digits(first) == held.labels["train"][0]
    blank = np.flatnonzero(~held.train.v.any(axis=0))  # pixels that no training digit has on
    far[0, blank[: FARTHEST + 1]] = 1
    assert len(blank) > FARTHEST
    assert read_digits(far) == NONE
