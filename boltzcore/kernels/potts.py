"""Gibbs sampling and log-weights of the Potts model: rows of codes, whose values lie one after another in h and J."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, unit, word
from boltzcore.kernels.vector import exp64


@kernel
def log_weights(J, h, first, x, out):
    """out (n,) = sum_i h_i(x_i) + sum_{i<j} J_ij(x_i, x_j) of rows x, (n, d) codes."""
    d = first.size
    at = np.empty(d, np.int64)
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(d):
            at[j] = first[j] + x[i, j]
            total += h[at[j]]
            coupled = J[at[j]]
            for k in range(j):
                total += coupled[at[k]]
        out[i] = total


@kernel
def gibbs(J, h, first, x, stream, begin, sweeps):
    """Rows x (n, d) of codes after `sweeps` more sweeps of Gibbs sampling: each column in turn, given all others.

    first : (d,) place in h of each column's first value. stream : a `random.Stream`; row i of x draws as row
    first_row + i. begin : sweeps before these
    """
    d, size = first.size, h.size
    root = root_key(stream.seed, stream.purpose, stream.step)
    field, at = np.empty(size), np.empty(d, np.int64)
    for i in range(x.shape[0]):
        low, high = row_key(root, stream.first_row + i)
        for j in range(d):
            at[j] = first[j] + x[i, j]
        for t in range(begin, begin + sweeps):
            for a in range(size):
                field[a] = h[a]
            for j in range(1, d):  # of later columns: earlier ones are added as they are drawn
                coupled = J[at[j]]
                for a in range(first[j]):
                    field[a] += coupled[a]
            for j in range(d):
                start, end = first[j], first[j + 1] if j + 1 < d else size
                top = field[start]
                for a in range(start + 1, end):
                    top = max(top, field[a])
                for a in range(start, end):
                    field[a] = exp64(field[a] - top)
                for a in range(start + 1, end):
                    field[a] += field[a - 1]
                mark = np.float64(unit(word(t * d + j, low, high))) * field[end - 1]
                chosen = start
                while field[chosen] <= mark:
                    chosen += 1
                at[j] = chosen
                coupled = J[chosen]
                for a in range(end, size):
                    field[a] += coupled[a]
        for j in range(d):
            x[i, j] = at[j] - first[j]
