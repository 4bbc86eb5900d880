"""Bars & Stripes, Shifting Bar and parity against what is known of them."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.data.patterns import BarsAndStripes, ShiftingBar


def entropy(v: np.ndarray) -> float:
    """Of the distribution that gives each row the same weight, nats."""
    share = np.unique(v, axis=0, return_counts=True)[1] / len(v)
    return float(-(share * np.log(share)).sum())


@pytest.mark.parametrize("D", [2, 3, 10])
def test_bars_and_stripes_are_all_images_of_whole_lines(D):
    data = load("bars-and-stripes", D=D)
    images = data.train.v.reshape(-1, D, D)
    assert len(np.unique(data.train.v, axis=0)) == len(images) == 2 ** (D + 1) - 2
    rows = (images == images[:, :, :1]).all(axis=(1, 2))
    columns = (images == images[:, :1, :]).all(axis=(1, 2))
    assert (rows | columns).all()
    assert entropy(data.train.v) == pytest.approx(np.log(2 ** (D + 1) - 2))
    assert data.shape == (D, D)


def test_the_process_counts_the_uniform_images_twice():
    plain, drawn = load("bars-and-stripes"), load("bars-and-stripes", process=True)
    for value in (0, 1):
        assert (drawn.train.v == value).all(axis=1).sum() == 2
    assert len(drawn.train) == 16
    np.testing.assert_array_equal(np.unique(plain.train.v, axis=0), np.unique(drawn.train.v, axis=0))
    assert -entropy(drawn.train.v) == pytest.approx(-2.599, abs=5e-4)  # the best log-likelihood, as in the paper


@pytest.mark.parametrize(("N", "B"), [(9, 1), (12, 5), (2, 1)])
def test_shifting_bar_is_every_shift_of_one_bar(N, B):
    data = load("shifting-bar", N=N, B=B)
    bar = np.arange(N) < B
    np.testing.assert_array_equal(data.train.v, [np.roll(bar, shift) for shift in range(N)])
    assert entropy(data.train.v) == pytest.approx(np.log(N))
    assert data.shape == (1, N)


@pytest.mark.parametrize("n", [2, 5])
def test_parity_is_every_row_with_an_even_number_of_bits_on(n):
    data = load("parity", n=n)
    assert data.train.v.shape == (2 ** (n - 1), n)
    assert len(np.unique(data.train.v, axis=0)) == 2 ** (n - 1)
    assert not (data.train.v.sum(axis=1) % 2).any()
    assert data.shape is None
    assert (load("parity", n=n, copies=25).train.distinct().weight == 25).all()


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("copies", lambda: load("parity", n=16, copies=33)),
        ("B", lambda: ShiftingBar(N=9, B=9)),
        ("D", lambda: BarsAndStripes(D=11)),
    ],
)
def test_what_would_be_too_large_is_refused(field, make):
    with pytest.raises(ValueError, match=f"^{field} must be "):
        make()
