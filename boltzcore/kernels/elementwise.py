"""exp, log and friends over whole arrays: numpy's own differ in rounding between processors."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp32, exp64, log64, sigmoid32, softplus64


def _over_arrays(dtype: type[np.floating]) -> Callable[[Callable[..., None]], Callable[..., Any]]:
    """Compile a loop over flat `x` and `out` as a function of an array of any shape, or a number, of this type."""

    def decorate(loop: Callable[..., None]) -> Callable[..., Any]:
        compiled = kernel(loop)

        @functools.wraps(loop)
        def function(x: Any) -> Any:
            x = np.array(x, dtype, order="C")
            out = np.empty_like(x)
            compiled(x.reshape(-1), out.reshape(-1))
            return out

        return function

    return decorate


@_over_arrays(np.float32)
def exp(x, out):
    """Return e**x in float32, x clipped to [-87, 88]."""
    for k in range(x.size):
        out[k] = exp32(x[k])


@_over_arrays(np.float32)
def sigmoid(x, out):
    """Return 1 / (1 + e**-x) in float32."""
    for k in range(x.size):
        out[k] = sigmoid32(x[k])


@_over_arrays(np.float64)
def exp_in_double(x, out):
    """Return e**x in float64, x clipped to [-708, 709]."""
    for k in range(x.size):
        out[k] = exp64(x[k])


@_over_arrays(np.float64)
def log_in_double(x, out):
    """Return natural logarithms in float64 of positive normal numbers."""
    for k in range(x.size):
        out[k] = log64(x[k])


@_over_arrays(np.float64)
def softplus_in_double(x, out):
    """Return log(1 + e**x) in float64."""
    for k in range(x.size):
        out[k] = softplus64(x[k])


@_over_arrays(np.float64)
def tanh_in_double(x, out):
    """Return hyperbolic tangents in float64, to an absolute 1e-15."""
    for k in range(x.size):
        out[k] = 1.0 - 2.0 / (exp64(2.0 * x[k]) + 1.0)


@_over_arrays(np.float64)
def atanh_in_double(x, out):
    """Return inverse hyperbolic tangents in float64 of numbers within (-1, 1), to an absolute 2e-15."""
    for k in range(x.size):
        out[k] = 0.5 * log64((1.0 + x[k]) / (1.0 - x[k]))


def sum_in_order(x: NDArray[np.float64]) -> np.float64:
    """Return the sum of x (n,) in sequence: numpy's own sums use another order."""
    return np.cumsum(x)[-1]
