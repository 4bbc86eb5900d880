"""exp, log and friends over whole arrays: numpy's own are other routines, of other roundings, on other processors."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp32, exp64, log64, sigmoid32, softplus64


@kernel
def _exp(x, out):
    for k in range(x.size):
        out[k] = exp32(x[k])


@kernel
def _sigmoid(x, out):
    for k in range(x.size):
        out[k] = sigmoid32(x[k])


@kernel
def _exp64(x, out):
    for k in range(x.size):
        out[k] = exp64(x[k])


@kernel
def _log64(x, out):
    for k in range(x.size):
        out[k] = log64(x[k])


@kernel
def _tanh64(x, out):
    for k in range(x.size):
        out[k] = 1.0 - 2.0 / (exp64(2.0 * x[k]) + 1.0)


@kernel
def _atanh64(x, out):
    for k in range(x.size):
        out[k] = 0.5 * log64((1.0 + x[k]) / (1.0 - x[k]))


@kernel
def _softplus64(x, out):
    for k in range(x.size):
        out[k] = softplus64(x[k])


def exp(x):
    """e**x in float32, x taken into [-87, 88]."""
    return _over(_exp, x, np.float32)


def sigmoid(x):
    """1 / (1 + e**-x) in float32."""
    return _over(_sigmoid, x, np.float32)


def exp_in_double(x):
    """e**x in float64, x taken into [-708, 709]."""
    return _over(_exp64, x, np.float64)


def log_in_double(x):
    """Natural logarithms in float64 of positive normal numbers."""
    return _over(_log64, x, np.float64)


def softplus_in_double(x):
    """log(1 + e**x) in float64."""
    return _over(_softplus64, x, np.float64)


def tanh_in_double(x):
    """Hyperbolic tangents in float64, to an absolute 1e-15."""
    return _over(_tanh64, x, np.float64)


def atanh_in_double(x):
    """Inverse hyperbolic tangents in float64 of numbers within (-1, 1), to an absolute 2e-15."""
    return _over(_atanh64, x, np.float64)


def _over(compiled, x, dtype):
    x = np.array(x, dtype, order="C")
    out = np.empty_like(x)
    compiled(x.reshape(-1), out.reshape(-1))
    return out
