"""Sums over all states of a small layer of an RBM."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp64, log64, softplus64

LANES = 8  # low bits of a state that run side by side: 256 states
SAFE = 600.0  # a product of factors stays below e**SAFE before its logarithm is taken


def low_tables(weights):
    """(n_other, lanes) fields of the low bits' states: sum over the units that are on of their weights.

    weights : (n_low, n_other). The low `n_low` bits of a state run along the lanes.
    """
    out = np.zeros((weights.shape[1], 1))
    for of_unit in weights:
        out = np.concatenate([out, out + of_unit[:, None]], axis=1)
    return out


class Low(NamedTuple):
    """The low bits of a state, which run along the lanes: all of their states are tabled.

    fields, odds : (n_other, lanes) fields of the other layer of `low_tables`, and their exponentials
    bias : (lanes,) the low bits' own bias term
    """

    fields: NDArray[np.float64]
    odds: NDArray[np.float64]
    bias: NDArray[np.float64]


class High(NamedTuple):
    """High bits of a state: their weights (n_high, n_other) and biases (n_high,)."""

    weights: NDArray[np.float64]
    bias: NDArray[np.float64]


class Other(NamedTuple):
    """The other layer: its biases (n_other,), the largest |field| that each of its units can have, infinite for those
    that do not count once, and how often each counts.
    """

    bias: NDArray[np.float64]
    reach: NDArray[np.float64]
    counts: NDArray[np.float64]


@kernel
def log_weights(low, high, other, first, out):
    """Fill `out` (n, lanes) with log sum over the other layer of e**-E for high states first, first + 1, ...

    low, high, other : a `Low`, a `High` and an `Other`
    Each unit of the other layer contributes a factor 1 + e**field: a product that is taken into its
    logarithm before it could overflow; units of infinite reach, or whose field could overflow by itself, go by
    softplus.
    """
    low_fields, low_odds, low_bias = low
    high_weights, high_bias = high
    other_bias, reach, counts = other
    n_other, lanes = low_fields.shape
    field = np.empty(n_other)
    product = np.empty(lanes)
    for q in range(out.shape[0]):
        state = first + q
        own = 0.0
        for i in range(n_other):
            field[i] = other_bias[i]
        for j in range(high_bias.size):
            if (state >> j) & 1:
                own += high_bias[j]
                for i in range(n_other):
                    field[i] += high_weights[j, i]
        total = out[q]
        for s in range(lanes):
            total[s] = low_bias[s] + own
            product[s] = 1.0
        held = 0.0
        for i in range(n_other):
            if reach[i] + 1.0 > SAFE:
                for s in range(lanes):
                    total[s] += counts[i] * softplus64(low_fields[i, s] + field[i])
                continue
            if held + reach[i] + 1.0 > SAFE:
                for s in range(lanes):
                    total[s] += log64(product[s])
                    product[s] = 1.0
                held = 0.0
            held += reach[i] + 1.0
            odds = exp64(field[i])
            for s in range(lanes):
                product[s] *= 1.0 + odds * low_odds[i, s]
        if held > 0.0:
            for s in range(lanes):
                total[s] += log64(product[s])


@kernel
def log_sum_exp(values):
    """Return the log of the sum of e**value over all of a 2-D array."""
    top = values[0, 0]
    for q in range(values.shape[0]):
        for s in range(values.shape[1]):
            top = max(top, values[q, s])
    sums = np.zeros(values.shape[1])  # a column by itself: additions in one order, whatever the vectors
    for q in range(values.shape[0]):
        for s in range(values.shape[1]):
            sums[s] += exp64(values[q, s] - top)
    total = 0.0
    for s in range(sums.size):
        total += sums[s]
    return top + log64(total)
