"""Log-linear models by sums over all states, in numpy (Takabatake and Akaho, eq. 3 to 5 and 7).

A table has a number for each state x, or for each term y, at sum_i x_i prod_{k<i} |X_k|.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from boltzcore.reference.draws import Array

Sizes = Sequence[int]  # |X_i| of each variable


def local_functions(size: int) -> Array:
    """Return phi_j(l) of a variable with `size` values, an array (size, size): eq. 4 for a power of two, else eq. 5."""
    if size & (size - 1):
        phi = 2.0 * np.eye(size) - 1.0
        phi[0] = 1.0
        return phi
    H = np.ones((1, 1))
    while len(H) < size:
        H = np.block([[H, H], [H, -H]])
    return H


def duals(p: Array, sizes: Sizes) -> Array:
    """Return <Phi_y>_p for each term y (section 2.2.2)."""
    return _along_each_axis(p, map(local_functions, sizes))


def probabilities(theta: Array, sizes: Sizes) -> Array:
    """Return p_theta(x) for each state x (eq. 3)."""
    log_weight = _along_each_axis(theta, (local_functions(size).T for size in sizes))
    weight = np.exp(log_weight - log_weight.max())
    return weight / weight.sum()


def prices(sizes: Sizes, N: float) -> Array:
    """Return r_y for each term y (eq. 7); N is the number of rows."""
    n = len(sizes)
    return (np.log(N) / 2 + _sum_over_variables(sizes, [np.log(n * max(1, c - 1)) for c in sizes])) / N


def orders(sizes: Sizes) -> Array:
    """Return the number of variables that each term y depends on."""
    return _sum_over_variables(sizes, [1] * len(sizes))


def _along_each_axis(table: Array, matrices: Iterable[Array]) -> Array:
    """Multiply along variable 0, which varies fastest and comes to vary slowest, then along the next."""
    for matrix in matrices:
        table = (matrix @ table.reshape(-1, len(matrix)).T).ravel()
    return table


def _sum_over_variables(sizes: Sizes, costs: Sequence[float]) -> Array:
    """Return the sum of the costs of all i with y_i != 0, for each term y."""
    total = np.zeros(1)
    for size, cost in zip(sizes, costs, strict=True):
        total = np.add.outer(cost * (np.arange(size) > 0), total).ravel()
    return total
