"""Sweeps over the parameters of a fully visible Boltzmann machine, one after the other, that raise its
log-pseudo-likelihood.

The quantity per row and column j is the odds ratio e**(-2 x_j eta_j), with eta_j = m_j'x + b_j, so that
p(x_j | the others) = 1 / (1 + odds), and the derivative of its logarithm in eta_j is 2 x_j odds / (1 + odds). A step
of m_jk moves x_j eta_j and x_k eta_k alike, by the step times x_j x_k: the odds of both are multiplied by one factor,
and no exponential is taken of any row until the next sweep.

Odds are kept within e**-299 and e**299. A row beyond has a probability of 0 or 1 up to rounding; only a sweep that
moves it from there to near 1 differs from the paper's, and the next one starts from its true odds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp64, log64

LANES = 32  # rows that are summed side by side, each separately, and then added in order
COLUMNS = 512  # factors, each at most 2, that are multiplied before the logarithm of their product is taken
BLOCK = 512  # rows whose fields are summed together: they stay in the fastest cache
_LEAST, _MOST = 1e-130, 1e130  # odds: no product of two overflows


class Table(NamedTuple):
    """Rows to learn from, columns together.

    x : (d, n) -1 or +1; weight : (n,) of each row; n a multiple of LANES, filled up with rows of weight 0
    total : what the weights add up to
    """

    x: NDArray[np.float64]
    weight: NDArray[np.float64]
    total: float


def table(spins: NDArray, weight: NDArray) -> Table:
    """Return the rows (n, d) of -1 and +1, with the weight of each, in the form for kernels."""
    n, d = spins.shape
    x, filled = np.ones((d, -(-n // LANES) * LANES)), np.zeros(-(-n // LANES) * LANES)
    x[:, :n], filled[:n] = spins.T, weight
    return Table(x, filled, float(weight.sum()))


@kernel(inline="always")
def _sum_lanes(lanes):
    total = 0.0
    for i in range(LANES):
        total += lanes[i]
    return total


class Odds(NamedTuple):
    """Odds of each row under some parameters.

    ratio : (d, n) odds against each column's value, given the others
    product : (n,) buffer for products of 1 + odds, whose logarithm is taken once for many columns
    """

    ratio: NDArray[np.float64]
    product: NDArray[np.float64]


@kernel
def fill_odds(table, M, b, odds, j):
    """Fill row j of odds.ratio and return its part of the log-pseudo-likelihood, which is the sum over all j.

    The field is recomputed from the parameters: nothing is carried from sweep to sweep.
    """
    d, n = table.x.shape
    field, lanes = np.empty(BLOCK), np.zeros(LANES)
    for start in range(0, n, BLOCK):
        rows = min(BLOCK, n - start)
        sums = field[:rows]
        sums[:] = b[j]
        for k in range(d):
            if k != j:
                m, other = M[j, k], table.x[k, start : start + rows]
                for i in range(rows):
                    sums[i] += m * other[i]
        for first in range(0, rows, LANES):
            at, eta = start + first, sums[first : first + LANES]
            own, weight = table.x[j, at : at + LANES], table.weight[at : at + LANES]
            out, product = odds.ratio[j, at : at + LANES], odds.product[at : at + LANES]
            for i in range(LANES):
                log_odds = -2.0 * own[i] * eta[i]
                smaller = exp64(-abs(log_odds))
                kept = max(smaller, _LEAST)
                out[i] = 1.0 / kept if log_odds > 0.0 else kept
                product[i] *= 1.0 + smaller
                lanes[i] -= weight[i] * max(log_odds, 0.0)
    found = _sum_lanes(lanes)
    if j % COLUMNS == COLUMNS - 1 or j == d - 1:
        lanes[:] = 0.0
        for first in range(0, n, LANES):
            product, weight = odds.product[first : first + LANES], table.weight[first : first + LANES]
            for i in range(LANES):
                lanes[i] -= weight[i] * log64(product[i])
                product[i] = 1.0
        found += _sum_lanes(lanes)
    return found


@kernel
def step_bias(table, odds, b, mu, j):
    """One step of b_j: mu / n times the derivative of the log-pseudo-likelihood (Nguyen and Wood 2016, eq. 4.1)."""
    n, lanes = table.weight.size, np.zeros(LANES)
    for first in range(0, n, LANES):
        own, a = table.x[j, first : first + LANES], odds.ratio[j, first : first + LANES]
        weight = table.weight[first : first + LANES]
        for i in range(LANES):
            lanes[i] += weight[i] * own[i] * (2.0 * a[i] / (1.0 + a[i]))
    step = mu * _sum_lanes(lanes) / table.total
    b[j] += step
    up, down = exp64(-2.0 * step), exp64(2.0 * step)
    for first in range(0, n, LANES):
        own, a = table.x[j, first : first + LANES], odds.ratio[j, first : first + LANES]
        for i in range(LANES):
            a[i] = min(max(a[i] * (up if own[i] > 0.0 else down), _LEAST), _MOST)


@kernel
def step_couplings(table, odds, M, mu, j, first, last):
    """One step each of m_jk for first <= k < last: mu / 2n times the derivative (Nguyen and Wood 2016, eq. 4.2)."""
    n = table.weight.size
    for k in range(first, last):
        lanes = np.zeros(LANES)
        for at in range(0, n, LANES):
            x_j, x_k = table.x[j, at : at + LANES], table.x[k, at : at + LANES]
            a, c = odds.ratio[j, at : at + LANES], odds.ratio[k, at : at + LANES]
            weight = table.weight[at : at + LANES]
            for i in range(LANES):
                # a / (1 + a) + c / (1 + c), with one division
                share = (a[i] + c[i] + 2.0 * a[i] * c[i]) / ((1.0 + a[i]) * (1.0 + c[i]))
                lanes[i] += weight[i] * (x_j[i] * x_k[i]) * share
        step = mu * _sum_lanes(lanes) / table.total
        M[j, k] += step
        M[k, j] = M[j, k]
        up, down = exp64(-2.0 * step), exp64(2.0 * step)
        for at in range(0, n, LANES):
            x_j, x_k = table.x[j, at : at + LANES], table.x[k, at : at + LANES]
            a, c = odds.ratio[j, at : at + LANES], odds.ratio[k, at : at + LANES]
            for i in range(LANES):
                factor = up if x_j[i] * x_k[i] > 0.0 else down
                a[i] = min(max(a[i] * factor, _LEAST), _MOST)
                c[i] = min(max(c[i] * factor, _LEAST), _MOST)


@kernel
def sweeps(table, odds, M, b, mu, tau, before, most):
    """Take up to `most` sweeps of M and b in place, until one changes the log-pseudo-likelihood by less than tau.

    before : the log-pseudo-likelihood of M and b, for which `odds` are filled
    Returns (number of sweeps, the log-pseudo-likelihood, its change by the last sweep); `odds` are updated.
    """
    d = b.size
    change = np.inf
    for done in range(1, most + 1):
        for j in range(d):
            step_bias(table, odds, b, mu, j)
        for j in range(d - 1):
            step_couplings(table, odds, M, mu, j, j + 1, d)
        now = 0.0
        for j in range(d):
            now += fill_odds(table, M, b, odds, j)
        change, before = now - before, now
        if abs(change) < tau:
            return done, before, change
    return most, before, change
