"""BSLM in plain numpy (Nguyen and Wood 2016, eq. 2.4 and 2.7), and gradient ascent of one parameter at a time."""

import numpy as np

from boltzcore.reference.draws import Array
from boltzcore.reference.rbm import Phases


def bslm_update(M: Array, b: Array, x: Array, weight: Array, *, mu: float = 1.0) -> Phases:
    """Yield the phases of one sweep; the last phase has the new parameters.

    P_n = sum_i sum_j [x_ij eta_ij - log cosh eta_ij - log 2], with eta_ij = b_j + sum_k m_jk x_ik, is increased along
    one parameter after the other: b_1 to b_d, then m_jk in lexicographic order, each after all earlier steps. With
    mu = 1 a step goes to the top of a parabola that touches P_n from below: BSLM. Any other mu is gradient ascent
    (eq. 4.1 and 4.2).

    Parameters
    ----------
    M, b : arrays (d, d), (d,)
        Couplings, symmetric with a zero diagonal, and biases before the sweep.
    x : array (rows, d) of -1 and +1
    weight : array (rows,)
        Number of occurrences of each row; n is their sum.
    mu : float
        Step size.

    Phases: "rows", "bias", "coupling", with `eta` (rows, d), `M` and `b` after the step; of a step also the columns `j`
    (and `k`), the parameter `before` and `after` it and, for each row, its term of the derivative of P_n before it,
    `slope` (rows,).
    """
    M, b, n = M.copy(), b.copy(), weight.sum()
    eta = b + x @ M
    yield "rows", {"eta": eta, "M": M, "b": b}

    for j in np.arange(len(b)):
        slope = weight * (x[:, j] - np.tanh(eta[:, j]))
        step = mu / n * slope.sum()  # eq. 2.4
        found = {"j": j, "slope": slope, "before": b[j], "after": b[j] + step}
        b[j] += step
        eta[:, j] += step
        yield "bias", {**found, "eta": eta, "M": M, "b": b}

    for j, k in np.transpose(np.triu_indices(len(b), 1)):
        x_j, x_k = x[:, j], x[:, k]
        slope = weight * (2 * x_j * x_k - x_k * np.tanh(eta[:, j]) - x_j * np.tanh(eta[:, k]))
        step = mu / (2 * n) * slope.sum()  # eq. 2.7
        found = {"j": j, "k": k, "slope": slope, "before": M[j, k], "after": M[j, k] + step}
        M[j, k] = M[k, j] = M[j, k] + step
        eta[:, j] += step * x_k
        eta[:, k] += step * x_j
        yield "coupling", {**found, "eta": eta, "M": M, "b": b}
