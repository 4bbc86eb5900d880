"""The 8 x 8 digits, and gray images as 0/1 rows: anew each epoch, once, or by threshold."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from boltzcore.data import Examples, load


@pytest.fixture(scope="module")
def published() -> tuple[np.ndarray, np.ndarray]:
    bunch = load_digits()
    return bunch.data.astype(int), bunch.target


def test_every_digit_is_in_one_split_with_its_label(published):
    images, labels = published
    data = load("digits", binarise="each epoch")
    assert [len(split) for split in (data.train, data.validation, data.test)] == [1297, 250, 250]
    rows = np.concatenate(
        [np.c_[getattr(data, split).v, data.labels[split]] for split in ("train", "validation", "test")]
    )
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
