"""Sums over lanes: each lane by itself, then its upper half onto its lower one, bit for bit."""

import numpy as np
import pytest

from boltzcore.kernels import kernel, simd


@kernel(cache=False)
def sum_of(a, n):
    return simd.sum_lanes(a, np.int64(simd.LANES), n)


@kernel(cache=False)
def sum_in_double(a, n):
    return simd.sum_lanes_in_double(a, np.int64(simd.LANES), n)


@kernel(cache=False)
def products(a, n):
    return simd.sum_products(a, np.int64(simd.LANES), a, np.int64(0), n)


@kernel(cache=False)
def above_one(a, n):
    return simd.multiply_above_one(a, np.int64(simd.LANES), n)


def folded(lanes, combine):
    while len(lanes) > 1:
        lanes = combine(lanes[: len(lanes) // 2], lanes[len(lanes) // 2 :])
    return lanes[0]


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_sums_over_lanes(n):
    a = np.random.default_rng(n).normal(size=(n + 1) * simd.LANES).astype(np.float32)
    rows, before = a[simd.LANES :].reshape(n, simd.LANES), a[: n * simd.LANES].reshape(n, simd.LANES)
    lanes, doubles, squares, factors = (
        np.zeros(simd.LANES, np.float32),
        np.zeros(simd.LANES),
        np.zeros(simd.LANES, np.float32),
        np.ones(simd.LANES),
    )
    for row, earlier in zip(rows, before, strict=True):
        lanes, doubles, squares, factors = (
            lanes + row,
            doubles + row,
            squares + row * earlier,
            factors * (1.0 + row.astype(np.float64)),
        )
    assert sum_of(a, n) == folded(lanes, np.add)
    assert sum_in_double(a, n) == folded(doubles, np.add)
    assert products(a, n) == folded(squares, np.add)
    assert above_one(a, n) == folded(factors, np.multiply)
