"""exp, log and friends over arrays of any shape and layout."""

import numpy as np
import pytest

from boltzcore.kernels import elementwise


@pytest.mark.parametrize(
    ("function", "exact", "dtype", "tolerance"),
    [
        (elementwise.exp, np.exp, np.float32, 4e-7),
        (elementwise.sigmoid, lambda x: 1 / (1 + np.exp(-x)), np.float32, 1e-6),
        (elementwise.exp_in_double, np.exp, np.float64, 1e-13),
        (elementwise.log_in_double, np.log, np.float64, 1e-13),
        (elementwise.softplus_in_double, lambda x: np.logaddexp(0, x), np.float64, 1e-13),
    ],
)
@pytest.mark.parametrize("layout", [lambda x: x, lambda x: x.T, lambda x: x[::2, 1:], lambda x: x[0, 0]])
def test_over_arrays(function, exact, dtype, tolerance, layout):
    x = layout(np.linspace(0.1, 20, 60).reshape(6, 10).astype(dtype))
    found = function(x)
    assert found.dtype == dtype
    assert found.shape == x.shape
    assert found == pytest.approx(exact(x.astype(np.float64)), rel=tolerance)


def test_hyperbolic_tangents_and_their_inverse_are_exact_near_nought_and_far_out():
    near, far = np.linspace(-1, 1, 9_999), np.linspace(-400, 400, 9_999)
    x = np.concatenate([near, far])
    np.testing.assert_allclose(elementwise.tanh_in_double(x), np.tanh(x), rtol=0, atol=1e-15)
    y = np.concatenate([near[1:-1], 1 - np.logspace(-9, -1, 999), np.logspace(-9, -1, 999) - 1])
    np.testing.assert_allclose(elementwise.atanh_in_double(y), np.arctanh(y), rtol=0, atol=3e-15)
