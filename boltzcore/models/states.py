"""Exact sums over every state of a fully visible Boltzmann machine, in blocks that can be interrupted."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import enumeration, states
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.ticks import Tick, idle, portion

LIMIT = 25  # largest number of units
BLOCK = 2_000_000  # states between two ticks: some milliseconds


def log_weights(M: NDArray, b: NDArray, tick: Tick = idle) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield blocks of x'Mx/2 + b'x over all states, as (number of the first row, (rows, 2**n_low)); unit i of a state
    is +1 if bit i of its index is set, and indices run along the rows. The array is reused by the next block.
    """
    n_low = min(len(b), states.LOW)
    low = states.log_weights_of_low(np.ascontiguousarray(M[:n_low, :n_low]), b[:n_low].copy())
    cross, high = np.ascontiguousarray(M[n_low:, :n_low]), np.ascontiguousarray(M[n_low:, n_low:])
    split = states.Split(low, cross, high, b[n_low:].copy())
    rows = 1 << (len(b) - n_low)
    out = np.empty((max(1, min(rows, BLOCK // low.size)), low.size))
    for first in range(0, rows, len(out)):
        part = out[: rows - first]
        states.log_weights(split, first, part)
        tick(min(1.0, (first + len(out)) / rows))
        yield first, part


def log_partition(M: NDArray, b: NDArray, tick: Tick = idle) -> float:
    """Return log Z in nats."""
    parts = np.array([[enumeration.log_sum_exp(block) for _, block in log_weights(M, b, tick)]])
    return float(enumeration.log_sum_exp(parts))


def marginals(M: NDArray, b: NDArray, tick: Tick = idle) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the means of the units, (n,), and of their products, (n, n), the units being -1 and +1."""
    log_z = log_partition(M, b, portion(tick, 0.0, 0.4))
    n_low = min(len(b), states.LOW)
    rows = 1 << (len(b) - n_low)
    low, high, means = np.zeros(1 << n_low), np.empty(rows), np.empty((rows, n_low))
    for first, block in log_weights(M, b, portion(tick, 0.4, 0.6)):
        p, part = exp_in_double(block - log_z), slice(first, first + len(block))
        low = np.cumsum([low, *p], axis=0)[-1]  # sum in the order of the states, like all sums here
        for i in reversed(range(n_low)):
            down, up = p[:, : 1 << i], p[:, 1 << i : 2 << i]
            means[part, i] = np.cumsum(up, axis=1)[:, -1] - np.cumsum(down, axis=1)[:, -1]
            down += up
        high[part] = p[:, 0]
    mean, second = np.empty(len(b)), np.empty((len(b), len(b)))
    mean[:n_low], second[:n_low, :n_low] = states.moments(low)
    mean[n_low:], second[n_low:, n_low:] = states.moments(high)
    second[n_low:, :n_low] = states.crossed(means)
    second[:n_low, n_low:] = second[n_low:, :n_low].T
    return mean, second
