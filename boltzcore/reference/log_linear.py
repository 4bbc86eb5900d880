"""Log-linear models by sums over all states, in numpy (Takabatake and Akaho, eq. 3 to 5 and 7).

A table has a number for each state x, or for each term y, at sum_i x_i prod_{k<i} |X_k|.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.linalg import hadamard

from boltzcore.reference.draws import Array

Sizes = Sequence[int]  # |X_i| of each variable


def local_functions(size: int) -> Array:
    """Return phi_j(l) of a variable with `size` values, (size, size): eq. 4 for a power of two, otherwise eq. 5."""
    if size & (size - 1):
        phi = 2.0 * np.eye(size) - 1.0
        phi[0] = 1.0
        return phi
    return hadamard(size, float)


def duals(p: Array, sizes: Sizes) -> Array:
    """Return <Phi_y>_p for each term y (section 2.2.2)."""
    return _along_each_axis(p, map(local_functions, sizes))


def probabilities(theta: Array, sizes: Sizes) -> Array:
    """Return p_theta(x) for each state x (eq. 3)."""
    log_weight = _along_each_axis(theta, (local_functions(size).T for size in sizes))
    weight = np.exp(log_weight - log_weight.max())
    return weight / weight.sum()


def prices(sizes: Sizes, N: float) -> Array:
    """Return r_y for each term y (eq. 7), for its value and for all i with y_i != 0; N is the number of rows."""
    r = np.full(1, np.log(N) / 2)
    for size in sizes:
        r = np.add.outer(np.log(len(sizes) * max(1, size - 1)) * (np.arange(size) > 0), r).ravel()
    return r / N


def _along_each_axis(table: Array, matrices: Iterable[Array]) -> Array:
    """Multiply along variable 0, which varies fastest and then moves to the slowest axis, then along the next."""
    for matrix in matrices:
        table = (matrix @ table.reshape(-1, len(matrix)).T).ravel()
    return table
