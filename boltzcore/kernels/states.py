"""All states of a fully visible Boltzmann machine: the low bits of a state's index run side by side."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.elementwise import sum_in_order

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


def log_weights_of_low(M, b):
    """Return x'Mx/2 + b'x for every state, (2**n,), in the order of the indices: bit i is set if unit i is +1."""
    out = sum_in_order([each for i in range(len(b)) for each in (-b[i], *M[i, :i])])[None]  # for the state of all -1
    for i in range(len(b)):
        # the units above i are all -1 in the states so far
        field = sum_in_order([b[i], *-np.delete(M[i], i)])[None]
        for j in range(i):
            field = np.concatenate([field, field + 2.0 * M[i, j]])
        out = np.concatenate([out, out + 2.0 * field])
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


def moments(p):
    """Return the sums of p(s) x_i, (n,), and of p(s) x_i x_j, (n, n), over the states s, (2**n,)."""
    x = p[:, None] * _units(len(p)).T
    return np.cumsum(x, axis=0)[-1], crossed(x)


def crossed(means):
    """Return the sums over the states s of n units, (2**n, n_low), of means[s] times each unit, (n, n_low)."""
    units = _units(len(means))
    sums = [np.cumsum(unit[:, None] * means, axis=0)[-1] for unit in units]  # in the order of the states
    return np.reshape(sums, (len(units), means.shape[1]))


def _units(n_states):
    """Return each unit, -1 or +1, in all states, (n, 2**n)."""
    bits = np.arange(n_states.bit_length() - 1)
    return np.where(np.arange(n_states) >> bits[:, None] & 1, 1.0, -1.0)
