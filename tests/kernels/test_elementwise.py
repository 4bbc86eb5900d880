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
