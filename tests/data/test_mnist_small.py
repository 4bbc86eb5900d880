"""The sample of MNIST that comes with the project: its rows and its splits."""

import hashlib

import numpy as np

from boltzcore.data import load

SPLITS = {"train": 6_000, "validation": 1_000, "test": 1_000}


def test_the_rows_are_these_and_no_others():
    data = load("mnist-small")
    assert data.shape == (28, 28)
    assert {split: getattr(data, split).v.shape for split in SPLITS} == {split: (n, 784) for split, n in SPLITS.items()}
    assert data.train.gray
    digest = hashlib.sha256()
    for split in SPLITS:
        digest.update(getattr(data, split).v.tobytes())
    for split in SPLITS:
        digest.update(data.labels[split].tobytes())
        assert (np.bincount(data.labels[split], minlength=10) > 0.07 * SPLITS[split]).all()
    assert digest.hexdigest() == "7bc567038d20326dff276e9f6cc4bf058770f455f56c654e3a36f3dd058f26ea"
