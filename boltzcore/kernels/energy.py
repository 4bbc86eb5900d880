"""Free energies of an RBM's visible states, in float64."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import softplus64

f8 = np.float64


@kernel
def _sum(values):
    """The sum of values, their upper half added to the lower one until one is left: an order that no vector width
    changes.
    """
    n = values.size
    while n > 1:
        half = n // 2
        for k in range(half):
            values[k] += values[n - half + k]
        n -= half
    return values[0] if values.size > 0 else 0.0


@kernel
def _of_fields(v, b, fields, out):
    own, soft = np.empty(b.shape[1]), np.empty(fields.shape[1])
    for s in range(v.shape[0]):
        for i in range(own.size):
            own[i] = f8(v[s, i]) * f8(b[s, i])
        for j in range(soft.size):
            soft[j] = softplus64(f8(fields[s, j]))
        out[s] = -_sum(own) - _sum(soft)


@kernel
def _of_model(v, W, b, c, counts, out):
    own, fields = np.empty(b.size), np.empty(c.size)
    for s in range(v.shape[0]):
        for j in range(c.size):
            fields[j] = f8(c[j])
        for i in range(b.size):
            own[i] = f8(v[s, i]) * f8(b[i])
            if v[s, i] != 0:
                for j in range(c.size):
                    fields[j] += f8(v[s, i]) * f8(W[i, j])
        for j in range(c.size):
            fields[j] = counts[j] * softplus64(fields[j])
        out[s] = -_sum(own) - _sum(fields)


def free_energy(v, b, fields):
    """(rows,) -log sum_h e**-E(v, h) of rows v with visible biases b, (rows, n_visible) each, from their hidden fields
    (rows, n_hidden).
    """
    out = np.empty(len(v))
    _of_fields(np.ascontiguousarray(v, np.float32), np.ascontiguousarray(b), np.ascontiguousarray(fields), out)
    return out


def free_energy_of_model(v, W, b, c, counts=None):
    """(rows,) -log sum_h e**-E(v, h) of rows v (rows, n_visible) from 0 to 1 under the RBM with these parameters.

    counts : (n_hidden,) how often each hidden unit counts, any real number; once where None
    """
    out = np.empty(len(v))
    # 0/1 and what lies between are compiled for apart
    counts = np.ones(len(c)) if counts is None else counts
    _of_model(np.array(v, np.uint8 if v.dtype.kind in "bui" else np.float64, order="C"), W, b, c, counts, out)
    return out
