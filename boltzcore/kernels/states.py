"""Every state of a fully visible Boltzmann machine: the low bits of a state's index run side by side."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp64

LOW = 10  # bits of an index that run along a row of states


class Split(NamedTuple):
    """A machine's units in two parts, the low bits of a state's index and the high ones.

    low : (2**n_low,) x'Mx/2 + b'x of the low units' states alone
    cross : (n_high, n_low) couplings between the parts
    M, b : (n_high, n_high), (n_high,) of the high units
    """

    low: NDArray[np.float64]
    cross: NDArray[np.float64]
    M: NDArray[np.float64]
    b: NDArray[np.float64]


@kernel
def log_weights_of_low(M, b):
    """(2**n,) x'Mx/2 + b'x for every state, in the order of the indices: bit i is set where unit i is +1."""
    n = b.size
    out = np.empty(1 << n)
    out[0] = 0.0
    for i in range(n):
        out[0] -= b[i]
        for j in range(i):
            out[0] += M[i, j]
    field = np.empty(1 << n)
    for i in range(n):
        half = 1 << i
        # the units above i are all -1 in the states that are there already
        field[0] = b[i]
        for j in range(n):
            if j != i:
                field[0] -= M[i, j]
        for j in range(i):
            width = 1 << j
            for s in range(width):
                field[width + s] = field[s] + 2.0 * M[i, j]
        for s in range(half):
            out[half + s] = out[s] + 2.0 * field[s]
    return out


@kernel
def log_weights(split, first, out):
    """Fill `out` (rows, 2**n_low) with x'Mx/2 + b'x for the high units' states first, first + 1, ..."""
    low, cross, M, b = split
    n_high, n_low = cross.shape
    field, x = np.empty(n_low), np.empty(n_high)
    for q in range(out.shape[0]):
        own = 0.0
        for h in range(n_high):
            x[h] = 1.0 if ((first + q) >> h) & 1 else -1.0
        for h in range(n_high):
            own += b[h] * x[h]
            for g in range(h):
                own += M[h, g] * x[h] * x[g]
        for i in range(n_low):
            field[i] = 0.0
        for h in range(n_high):
            for i in range(n_low):
                field[i] += cross[h, i] * x[h]
        row = out[q]
        row[0] = own
        for i in range(n_low):
            row[0] -= field[i]
        for i in range(n_low):
            width = 1 << i
            lower, upper = row[:width], row[width : 2 * width]
            for s in range(width):
                upper[s] = lower[s] + 2.0 * field[i]
        for s in range(low.size):
            row[s] += low[s]


class Sums(NamedTuple):
    """What marginals are made of, of states summed over so far.

    low : (2**n_low,) probability of each state of the low units; high : (2**n_high,) of the high ones
    means : (2**n_high, n_low) sums of p x_i of the low units for each state of the high ones
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    means: NDArray[np.float64]


@kernel
def add_up(rows, log_z, first, sums):
    """Add the states of `rows`, as `log_weights` gives them from `first` on, to the sums; `rows` is overwritten."""
    n_low = sums.means.shape[1]
    for q in range(rows.shape[0]):
        row = rows[q]
        for s in range(row.size):
            row[s] = exp64(row[s] - log_z)
            sums.low[s] += row[s]
        for i in range(n_low - 1, -1, -1):
            width = 1 << i
            lower, upper = row[:width], row[width : 2 * width]
            down, up = 0.0, 0.0
            for s in range(width):
                down += lower[s]
                up += upper[s]
                lower[s] += upper[s]
            sums.means[first + q, i] = up - down
        sums.high[first + q] = row[0]


@kernel
def moments(p):
    """(n,), (n, n): sums of p(s) x_i and of p(s) x_i x_j over the states s, (2**n,)."""
    n = 0
    while 1 << n < p.size:
        n += 1
    first, second = np.zeros(n), np.zeros((n, n))
    x = np.empty(n)
    for s in range(p.size):
        for i in range(n):
            x[i] = p[s] if (s >> i) & 1 else -p[s]
            first[i] += x[i]
        for i in range(n):
            for j in range(n):
                second[i, j] += x[j] if (s >> i) & 1 else -x[j]
    return first, second


@kernel
def crossed(means):
    """(n_high, n_low) sums over the states s of the high units, (2**n_high, n_low), of means[s] times each unit."""
    n_high = 0
    while 1 << n_high < means.shape[0]:
        n_high += 1
    out = np.zeros((n_high, means.shape[1]))
    for s in range(means.shape[0]):
        for h in range(n_high):
            sign = 1.0 if (s >> h) & 1 else -1.0
            for i in range(means.shape[1]):
                out[h, i] += sign * means[s, i]
    return out
