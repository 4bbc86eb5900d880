"""exp, log and friends, whose SIMD forms all kernels share, against numpy's in float64; arrays of any layout."""

import numpy as np
import pytest
from scipy.special import expit

from boltzcore.kernels import elementwise, kernel
from boltzcore.kernels.vector import log32


@kernel(cache=False)
def _log32(x, out):
    for i in range(x.size):
        out[i] = log32(x[i])


def log_in_single(x):
    out = np.empty_like(x)
    _log32(x, out)
    return out


@pytest.mark.parametrize(
    ("function", "exact", "x", "relative", "absolute"),
    [
        (elementwise.exp, np.exp, np.linspace(-87, 88, 100_001, dtype=np.float32), 4e-7, 0),
        (elementwise.exp_in_double, np.exp, np.linspace(-700, 700, 100_001), 1e-13, 0),
        (elementwise.sigmoid, expit, np.linspace(-80, 80, 100_001, dtype=np.float32), 1e-6, 0),
        (elementwise.log_in_double, np.log, np.exp(np.linspace(-700, 700, 100_001)), 3e-13, 3e-13),
        (log_in_single, np.log, np.exp(np.linspace(-87, 87, 100_001)).astype(np.float32), 3e-7, 3e-7),
        (elementwise.softplus_in_double, lambda x: np.logaddexp(0, x), np.linspace(-800, 800, 10_001), 1e-13, 1e-15),
        (elementwise.softplus_in_double, lambda x: np.logaddexp(0, x), np.linspace(-1, 1, 10_001), 1e-13, 1e-15),
    ],
)
def test_over_the_whole_range(function, exact, x, relative, absolute):
    np.testing.assert_allclose(function(x), exact(x.astype(np.float64)), rtol=relative, atol=absolute)


@pytest.mark.parametrize("layout", [lambda x: x, lambda x: x.T, lambda x: x[::2, 1:], lambda x: x[0, 0]])
def test_arrays_of_any_layout(layout):
    x = layout(np.linspace(0.1, 20, 60).reshape(6, 10).astype(np.float32))
    found = elementwise.exp(x)
    assert (found.dtype, found.shape) == (np.float32, x.shape)
    assert found == pytest.approx(np.exp(x.astype(np.float64)), rel=4e-7)


def test_hyperbolic_tangents_and_their_inverse_are_exact_near_nought_and_far_out():
    near, far = np.linspace(-1, 1, 9_999), np.linspace(-400, 400, 9_999)
    x = np.concatenate([near, far])
    np.testing.assert_allclose(elementwise.tanh_in_double(x), np.tanh(x), rtol=0, atol=1e-15)
    y = np.concatenate([near[1:-1], 1 - np.logspace(-9, -1, 999), np.logspace(-9, -1, 999) - 1])
    np.testing.assert_allclose(elementwise.atanh_in_double(y), np.arctanh(y), rtol=0, atol=3e-15)


def test_exponentials_saturate_without_overflow():
    assert np.isfinite(elementwise.exp(np.array([-1e6, 1e6, -88, 89], np.float32))).all()
    assert np.isfinite(elementwise.exp_in_double(np.array([-1e6, 1e6]))).all()
