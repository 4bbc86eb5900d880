"""The sample of MNIST that comes with the project: its rows, its splits, and what is said where it is absent."""

import hashlib

import numpy as np
import pytest

from boltzcore.data import load

SPLITS = {"train": 6_000, "validation": 1_000, "test": 1_000}


@pytest.fixture(scope="module")
def gray():
    return load("mnist-small")


def test_splits_shape_and_labels(gray):
    assert gray.shape == (28, 28)
    for split, n in SPLITS.items():
        examples = getattr(gray, split)
        assert examples.gray
        assert examples.v.dtype == np.uint8
        assert examples.v.shape == (n, 784)
        assert len(gray.labels[split]) == n
        counts = np.bincount(gray.labels[split])
        assert len(counts) == 10
        assert (counts > 0.07 * n).all()


def test_the_rows_are_these_and_no_others(gray):
    told = hashlib.sha256()
    for split in SPLITS:
        told.update(getattr(gray, split).v.tobytes())
    for split in SPLITS:
        told.update(gray.labels[split].tobytes())
    assert told.hexdigest() == "7bc567038d20326dff276e9f6cc4bf058770f455f56c654e3a36f3dd058f26ea"
    rows = np.concatenate([getattr(gray, split).v for split in SPLITS])
    assert len(np.unique(rows, axis=0)) == len(rows)
