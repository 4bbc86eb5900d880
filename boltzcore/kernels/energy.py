"""Free energies of an RBM's visible states, in float64."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.elementwise import softplus_in_double

f8 = np.float64


@kernel
def _fields(v, W, c, out):
    for s in range(v.shape[0]):
        row = out[s]
        for j in range(c.size):
            row[j] = f8(c[j])
        for i in range(v.shape[1]):
            if v[s, i] != 0:
                for j in range(c.size):
                    row[j] += f8(v[s, i]) * f8(W[i, j])


def _sum(values):
    """(rows,) the sums of rows, their upper half added to the lower one until one is left: an order that no vector
    width changes. `values` are overwritten.
    """
    n = values.shape[1]
    while n > 1:
        values[:, : n // 2] += values[:, n - n // 2 : n]
        n -= n // 2
    return values[:, :1].sum(axis=1)


@np.errstate(invalid="ignore", over="ignore")  # if parameters have overflowed, the measure is also not finite
def free_energy(v, b, fields, counts=1.0):
    """Return -log sum_h e**-E(v, h) of rows v, (rows,), with visible biases b, (rows, n_visible) each or one for all,
    from their hidden fields (rows, n_hidden).

    counts : (n_hidden,) multiplicity of each hidden unit, any real number
    """
    return -_sum(np.asarray(v, f8) * np.asarray(b, f8)) - _sum(counts * softplus_in_double(fields))


def free_energy_of_model(v, W, b, c, counts=1.0):
    """Return `free_energy` of rows v (rows, n_visible) from 0 to 1 under the RBM with these parameters."""
    fields = np.empty((len(v), len(c)))
    # 0/1 and intermediate values are compiled separately
    v = np.array(v, np.uint8 if v.dtype.kind in "bui" else f8, order="C")
    _fields(v, W, c, fields)
    return free_energy(v, b, fields, counts)
