"""Reading images as digits by the nearest of many."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.digit_pictures import NONE, RIGHT, read_digits


def test_handwriting_that_was_kept_apart_is_read_as_often_as_is_told():
    held = load("mnist-small", binarise="threshold")
    read = read_digits(held.test.v)
    assert (read == held.labels["test"]).mean() == pytest.approx(RIGHT, abs=0.01)
    assert (read == NONE).mean() <= 0.01


def test_a_training_digit_is_itself_and_noise_is_none():
    held = load("mnist-small", binarise="threshold")
    assert read_digits(held.train.v[:1]) == held.labels["train"][0]
    assert (read_digits(np.random.default_rng(0).random((20, 784)) < 0.15) == NONE).all()
