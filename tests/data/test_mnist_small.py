"""The sample of MNIST that comes with the project: its rows, its splits, and what is said where it is absent."""

import hashlib

import numpy as np
import pytest

from boltzcore import home
from boltzcore.data import DATASETS, DataUnavailable, load
from boltzcore.home import asset

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


def test_the_rows_are_mnists(gray, data_folder):
    whole = load("mnist")
    order, test_order = (np.random.RandomState(0).permutation(n) for n in (60_000, 10_000))
    drawn = {
        "train": (whole.train, "train", order[:6_000]),
        "validation": (whole.train, "train", order[6_000:7_000]),
        "test": (whole.test, "test", test_order[:1_000]),
    }
    for split, (published, file, rows) in drawn.items():
        np.testing.assert_array_equal(getattr(gray, split).v, published.v[rows])
        np.testing.assert_array_equal(gray.labels[split], whole.labels[file][rows])


def test_the_ways_to_0_and_1(gray):
    cut, once = load("mnist-small", binarise="threshold", threshold=200), load("mnist-small", binarise="once")
    for split in SPLITS:
        of = getattr(gray, split).v
        np.testing.assert_array_equal(getattr(cut, split).v, of > 200)
        drawn = getattr(once, split).v
        assert not drawn[of == 0].any()
        assert drawn[of == 255].all()
        assert drawn.mean() == pytest.approx(of.mean() / 255, abs=0.002)
        np.testing.assert_array_equal(once.labels[split], gray.labels[split])


def test_it_is_small_and_says_where_it_is_from():
    assert asset("mnist-small.npz").stat().st_size <= 1_500_000
    told = asset("mnist-small.txt").read_text(encoding="utf-8")
    assert all(name in told for name in ("LeCun", "Cortes", "Burges", "NIST", "CC BY-SA 3.0", "RandomState(0)"))


def test_without_the_assets_it_is_said_where_it_is(bare, monkeypatch):
    monkeypatch.setattr(home, "ASSETS", bare)
    assert not DATASETS["mnist-small"]().at_hand()
    with pytest.raises(DataUnavailable) as told:
        load("mnist-small")
    assert str(told.value) == ("mnist-small.npz comes with the project, in its folder assets, and is not there.")
