"""Derivatives of the log-pseudo-likelihood P_n of a fully visible Boltzmann machine (Nguyen and Wood 2016, eq. 2.1).

P_n is a logistic regression: with the design matrix A, whose row (i, j) is x_ij times the derivatives of eta_ij =
m_j'x_i + b_j in the parameters, P_n = sum_ij w_i log sigmoid(2 (A theta)_ij). A is never formed; the functions below
multiply by it.

Parameters theta, (q,) with q = d(d+1)/2: b_1..b_d, then m_12, m_13, .., m_(d-1)d. Rows x are (n, d) float64 of -1 and
+1, their weights (n,) float64. Sums over rows come from BLAS: their last digits differ from machine to machine.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boltzcore.ticks import Tick, idle

_VALUES = 2**19  # values in a block of rows between two ticks

Array = NDArray[np.float64]


def count(d: int) -> int:
    """Return the number of parameters of a machine of d units."""
    return d * (d + 1) // 2


def flatten(M: Array, b: Array) -> Array:
    """Return theta (q,) of a machine."""
    return np.concatenate([b, M[np.triu_indices(len(b), 1)]])


def unflatten(theta: Array, d: int) -> tuple[Array, Array]:
    """Return M (d, d) and b (d,) of theta."""
    M = np.zeros((d, d))
    M[np.triu_indices(d, 1)] = theta[d:]
    return M + M.T, theta[:d].copy()


def places(d: int) -> NDArray[np.int64]:
    """Return the index of m_jk in theta, (d, d), with that of b_j on the diagonal."""
    place = np.diag(np.arange(d))
    place[np.triu_indices(d, 1)] = np.arange(d, count(d))
    return np.maximum(place, place.T)


def margins(x: Array, M: Array, b: Array) -> Array:
    """Return A theta, x_ij eta_ij, (n, d): half the log-odds of each spin's value, given the others of its row."""
    return x * (x @ M + b)


def gradient(x: Array, weight: Array, M: Array, b: Array) -> Array:
    """Return the gradient of P_n, (q,), nats."""
    return design_transposed(x, _slopes(x, M, b) * weight[:, None])


def hessian(x: Array, weight: Array, M: Array, b: Array, tick: Tick = idle) -> Array:
    """Return the second derivatives of P_n, (q, q), nats; negative definite if a maximiser exists."""
    odds = 2.0 * margins(x, M, b)
    return -design_gram(x, 4.0 * expit(odds) * expit(-odds) * weight[:, None], tick)


def score_products(x: Array, weight: Array, M: Array, b: Array, tick: Tick = idle) -> Array:
    """Return sum_rows weight score score', (q, q), with score the gradient of a row's own term."""
    d = x.shape[1]
    first, second = np.triu_indices(d, 1)
    out = np.zeros((count(d), count(d)))
    rows = max(1, _VALUES // count(d))
    for i in range(0, len(x), rows):
        part = x[i : i + rows]
        slopes = part * _slopes(part, M, b)
        scores = np.hstack([slopes, slopes[:, first] * part[:, second] + slopes[:, second] * part[:, first]])
        scores *= np.sqrt(weight[i : i + rows, None])
        out += scores.T @ scores
        tick(i / len(x))
    return out


def design_transposed(x: Array, y: Array) -> Array:
    """Return A'y, (q,), for a value y of each spin, (n, d)."""
    signed = y * x
    products = signed.T @ x
    return flatten(products + products.T, signed.sum(axis=0))


def design_gram(x: Array, y: Array, tick: Tick = idle) -> Array:
    """Return A' diag(y) A, (q, q), for a value y of each spin, (n, d)."""
    n, d = x.shape
    place = places(d)
    out = np.zeros((count(d), count(d)))
    rows = max(1, _VALUES // d)
    for i in range(0, n, rows):
        part, values = x[i : i + rows], y[i : i + rows]
        for j in range(d):
            block = (part * values[:, j, None]).T @ part
            block[j] = block[:, j] = values[:, j] @ part
            block[j, j] = values[:, j].sum()
            out[np.ix_(place[j], place[j])] += block
            tick((i + len(part) * j / d) / n)
    return out


def _slopes(x: Array, M: Array, b: Array) -> Array:
    """Return d log sigmoid(2 margin) / d margin, (n, d): 1 - x_ij tanh(eta_ij), without cancellation."""
    return np.asarray(2.0 * expit(-2.0 * margins(x, M, b)))
