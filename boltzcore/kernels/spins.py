"""Fields and Gibbs sampling of machines with visible units only, -1 and +1."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, turns_on
from boltzcore.kernels.vector import exp64

LANES = 16  # rows that run side by side


@kernel
def fields(x, M, b, out):
    """Set out (n, d) = xM + b for rows x, (n, d)."""
    for i in range(x.shape[0]):
        row = out[i]
        for j in range(b.size):
            row[j] = b[j]
        for k in range(b.size):
            value, coupled = x[i, k], M[k]
            for j in range(b.size):
                row[j] += value * coupled[j]


@kernel
def gibbs(M, b, x, stream, begin, sweeps):
    """Rows x (n, d), int8, after `sweeps` more sweeps of Gibbs sampling: each unit in turn, given all others.

    stream : a `random.Stream`; row i of x draws as row first_row + i. begin : sweeps before these
    """
    n, d = x.shape
    root = root_key(stream.seed, stream.purpose, stream.step)
    state, field = np.empty((d, LANES)), np.empty(LANES)
    lows, highs = np.empty(LANES, np.uint32), np.empty(LANES, np.uint32)
    for first in range(0, n, LANES):
        live = min(LANES, n - first)
        for i in range(LANES):
            lows[i], highs[i] = row_key(root, stream.first_row + first + i)
            for j in range(d):
                state[j, i] = x[first + min(i, live - 1), j]
        for t in range(begin, begin + sweeps):
            for j in range(d):
                for i in range(LANES):
                    field[i] = b[j]
                for k in range(d):
                    coupling, other = M[j, k], state[k]
                    for i in range(LANES):
                        field[i] += coupling * other[i]
                own = state[j]
                for i in range(LANES):
                    own[i] = 1.0 if turns_on(exp64(-2.0 * field[i]), t * d + j, lows[i], highs[i]) else -1.0
        for i in range(live):
            for j in range(d):
                x[first + i, j] = np.int8(state[j, i])
