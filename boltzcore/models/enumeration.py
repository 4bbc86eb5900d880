"""Exact sums over all states of the smaller layer of an RBM, in blocks that can be interrupted."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import enumeration as kernels
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.ticks import Tick, idle

LIMIT = 25  # largest number of units of the smaller layer
BLOCK = 5_000_000  # factors between two ticks: some milliseconds


def log_weights(
    weights: NDArray, bias: NDArray, other_bias: NDArray, tick: Tick = idle, counts: NDArray | None = None
) -> Iterator[NDArray[np.float64]]:
    """Yield blocks of log sum_other e**-E for every state of the other layer, in the order of the states' indices.

    weights : (n, n_other); bias : (n,); other_bias : (n_other,). In a state's index unit 0 is the lowest bit.
    counts : (n_other,) multiplicity of each unit of the other layer, any number from 0; None for 1 each
    Yields consecutive float64 arrays (k, lanes); the array is reused by the next block.
    """
    weights, bias, other_bias = (np.asarray(a, np.float64) for a in (weights, bias, other_bias))
    n = len(bias)
    n_low = min(n, kernels.LANES)
    fields = kernels.low_tables(np.ascontiguousarray(weights[:n_low]))
    low_bias = kernels.low_tables(np.ascontiguousarray(bias[:n_low, None]))[0]
    reach = np.abs(weights).sum(axis=0) + np.abs(other_bias) if counts is None else np.full(len(other_bias), np.inf)
    odds = exp_in_double(np.minimum(fields, kernels.SAFE))
    low = kernels.Low(fields, odds, low_bias)
    other = kernels.Other(other_bias, reach, np.ones(len(reach)) if counts is None else np.asarray(counts, np.float64))
    high = kernels.High(np.ascontiguousarray(weights[n_low:]), bias[n_low:])
    states = 1 << (n - n_low)
    block = max(1, min(states, BLOCK // max(1, fields.size)))
    out = np.empty((block, fields.shape[1]))
    for first in range(0, states, block):
        part = out[: min(block, states - first)]
        kernels.log_weights(low, high, other, first, part)
        tick(min(1.0, (first + block) / states))
        yield part


def log_partition(weights: NDArray, bias: NDArray, other_bias: NDArray, tick: Tick = idle) -> float:
    """Return log Z in nats, by summing over all 2**n states of the layer of `bias`."""
    parts = np.array([[kernels.log_sum_exp(block) for block in log_weights(weights, bias, other_bias, tick)]])
    return float(kernels.log_sum_exp(parts))
