"""The SIMD forms of exp, log and friends against numpy's in float64."""

import numpy as np
import pytest

from boltzcore.kernels import kernel, vector


def over(function, dtype):
    """`function` of each element, compiled as a loop like those that use it."""

    @kernel(cache=False)
    def loop(x, out):
        for i in range(x.size):
            out[i] = function(x[i])

    def run(x):
        x = np.asarray(x, dtype)
        out = np.empty_like(x)
        loop(x, out)
        return out

    return run


@pytest.mark.parametrize(
    ("function", "exact", "dtype", "low", "high", "tolerance"),
    [
        (vector.exp32, np.exp, np.float32, -87, 88, 4e-7),
        (vector.exp64, np.exp, np.float64, -700, 700, 1e-13),
        (vector.sigmoid32, lambda x: 1 / (1 + np.exp(-x)), np.float32, -80, 80, 1e-6),
    ],
)
def test_relative_error(function, exact, dtype, low, high, tolerance):
    x = np.linspace(low, high, 100_001).astype(dtype)
    wanted = exact(x.astype(np.float64))
    assert np.abs(over(function, dtype)(x) / wanted - 1).max() < tolerance


@pytest.mark.parametrize(
    ("function", "dtype", "low", "high", "tolerance"),
    [(vector.log64, np.float64, -700, 700, 3e-13), (vector.log32, np.float32, -87, 88, 3e-7)],
)
def test_logarithms_over_the_whole_range(function, dtype, low, high, tolerance):
    x = np.exp(np.linspace(low, high, 100_001)).astype(dtype)
    exact = np.log(x.astype(np.float64))
    assert (np.abs(over(function, dtype)(x) - exact) / np.maximum(1, np.abs(exact))).max() < tolerance


def test_softplus_far_out_and_near_zero():
    x = np.concatenate([np.linspace(-800, 800, 10_001), np.linspace(-1, 1, 10_001)])
    assert np.allclose(over(vector.softplus64, np.float64)(x), np.logaddexp(0, x), rtol=1e-13, atol=1e-15)


def test_exponentials_saturate_without_overflow():
    assert np.isfinite(over(vector.exp32, np.float32)([-1e6, 1e6, -88, 89])).all()
    assert np.isfinite(over(vector.exp64, np.float64)([-1e6, 1e6])).all()
