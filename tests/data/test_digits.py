"""The 8 x 8 digits, gray images as 0/1 rows (anew each epoch, once, or by threshold), and images read as digits."""

import hashlib

import numpy as np
import pytest
from sklearn.datasets import load_digits

from boltzcore.data import Examples, load
from boltzcore.data.digit_pictures import NONE, RIGHT, read_digits


@pytest.fixture(scope="module")
def published() -> tuple[np.ndarray, np.ndarray]:
    bunch = load_digits()
    return bunch.data.astype(int), bunch.target


def test_every_digit_is_in_one_split_with_its_label(published):
    images, labels = published
    data = load("digits", binarise="each epoch")
    assert [len(split) for split in (data.train, data.validation, data.test)] == [1297, 250, 250]
    rows = np.concatenate([np.c_[split.v, data.labels[name]] for name, split in data.splits.items()])
    expected = np.c_[np.rint(255 * images / 16).astype(int), labels]
    np.testing.assert_array_equal(np.unique(rows, axis=0, return_counts=True)[0], np.unique(expected, axis=0))
    assert len(rows) == len(expected)


@pytest.mark.parametrize(("threshold", "least"), [(0, 1), (127, 8)])
def test_threshold_is_on_above(published, threshold, least):
    """Of the published 0..16, on the scale of 0..255."""
    gray = load("digits", binarise="each epoch")
    cut = load("digits", threshold=threshold)
    np.testing.assert_array_equal(cut.train.v, gray.train.v > threshold)
    assert sum(split.v.sum() for split in (cut.train, cut.validation, cut.test)) == (published[0] >= least).sum()


def test_once_is_one_fixed_draw_with_the_right_rates():
    gray, once = load("digits", binarise="each epoch"), load("digits", binarise="once")
    p = gray.train.v / 255
    sd = np.sqrt((p * (1 - p)).sum())
    assert abs(once.train.v.sum() - p.sum()) < 4 * sd
    assert (once.train.v[gray.train.v == 0] == 0).all()
    assert (once.train.v[gray.train.v == 255] == 1).all()
    assert once.train.epoch(3, seed=5).v is once.train.v
    train, test = once.train.v[:250] - gray.train.v[:250] / 255, once.test.v - gray.test.v / 255
    noise = train.ravel(), test.ravel()
    assert abs(np.corrcoef(*noise)[0, 1]) < 4 / np.sqrt(noise[0].size)  # no split repeats the other's draws


def test_a_pixel_is_on_as_often_as_its_gray_says():
    grays, n = np.array([0, 1, 64, 128, 200, 254, 255], np.uint8), 20_000
    rows = Examples(np.tile(grays, (n, 1)), levels=256)
    first, second = (rows.epoch(e, seed=0).v.astype(float) for e in range(2))
    np.testing.assert_allclose(first.mean(axis=0), grays / 255, atol=4 * 0.5 / np.sqrt(n))
    assert not first[:, 0].any()
    assert first[:, -1].all()
    pairs = np.corrcoef(np.c_[first[:, 2:5], second[:, 3]].T) - np.eye(4)
    assert np.abs(pairs).max() < 5 / np.sqrt(n)
    np.testing.assert_allclose(rows.mean(), grays / 255)


def test_handwriting_that_was_kept_apart_is_read_as_often_as_is_stated():
    held = load("mnist-small", binarise="threshold")
    read = read_digits(held.test.v)
    assert (read == held.labels["test"]).mean() == pytest.approx(RIGHT, abs=0.01)
    assert (read == NONE).mean() <= 0.01


def test_a_training_digit_is_itself_and_noise_is_none():
    held = load("mnist-small", binarise="threshold")
    assert read_digits(held.train.v[:1]) == held.labels["train"][0]
    assert (read_digits(np.random.default_rng(0).random((20, 784)) < 0.15) == NONE).all()


SPLITS = {"train": 6_000, "validation": 1_000, "test": 1_000}


def test_the_rows_of_the_sample_of_mnist_are_these_and_no_others():
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
