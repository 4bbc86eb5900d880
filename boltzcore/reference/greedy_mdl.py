"""A step of the greedy search in plain numpy (Takabatake and Akaho, Algorithms 1 and 2)."""

from typing import NamedTuple

import numpy as np

from boltzcore.reference.draws import Array
from boltzcore.reference.log_linear import Sizes, duals, probabilities
from boltzcore.reference.rbm import Phases

MARGIN = 1e-9  # margin of duals from -1 and 1


class Moves(NamedTuple):
    """Candidates: the terms y, their new parameters, and the changes of the KL divergence and of the cost."""

    y: Array
    value: Array
    kl: Array
    cost: Array


def greedy_update(
    theta: Array, used: Array, sizes: Sizes, data: Array, r: Array, allowed: Array, *, epsilon: float
) -> Phases:
    """Yield the phases of one step; "chosen" has the new parameters.

    cost = KL(p_data || p_theta) + sum_y r_y over the terms in use (eq. 7). The paper allows all terms.

    Parameters
    ----------
    theta, used : arrays (states,)
        Parameters before the step, and True for each term in use.
    sizes : sequence of int
        |X_i| of each variable.
    data, r : arrays (states,)
        Duals of the data (section 2.2.2), and the price of each term.
    allowed : array (states,)
        True for each term that may be appended.
    epsilon : float
        Threshold of the search.

    Phases: "present", "candidates", "chosen" or "over".
    """
    dual = inside(duals(probabilities(theta, sizes), sizes))

    def moves(y: Array, value: Array, of_term: Array | float) -> Moves:
        kl = kl_change(dual[y], inside(np.tanh(value - theta[y] + np.arctanh(dual[y]))), data[y])  # eq. 16
        return Moves(y, value, kl, kl + of_term)

    y = np.flatnonzero(used)
    adjust = moves(y, best_value(theta[y], dual[y], data[y]), 0.0)
    remove = moves(y, np.zeros(len(y)), -r[y])
    if len(y):
        yield "present", {"term": y, "value": theta[y], "adjusting": adjust.cost, "removing": remove.cost}

    allowed = allowed & ~used
    y = np.flatnonzero(allowed & (r - (dual - data) ** 2 / (1 - dual**2) < 0))  # eq. 21
    append = moves(y, best_value(theta[y], dual[y], data[y]), r[y])
    append = Moves(*(each[np.argsort(append.cost, kind="stable")] for each in append))
    found = {"term": append.y, "gain": -append.kl, "price": append.cost - append.kl}
    yield "candidates", {**found, "dual": dual[append.y], "data": data[append.y], "skipped": allowed.sum() - len(y)}

    every = Moves(*map(np.concatenate, zip(adjust, remove, append, strict=True)))
    if not len(every.y) or -every.cost.min() < epsilon:
        yield "over", {"threshold": np.array(epsilon)}
        return
    k = every.cost.argmin()
    y, is_removed = every.y[k], len(adjust.y) <= k < len(adjust.y) + len(remove.y)
    found = {"term": y, "step": every.value[k] - theta[y], "kl": every.kl[k], "change": every.cost[k]}
    theta, used = theta.copy(), used.copy()
    theta[y], used[y] = every.value[k], not is_removed
    yield "chosen", {**found, "dual": dual[y], "data": data[y], "theta": theta, "used": used}


def best_value(theta: Array, dual: Array, data: Array) -> Array:
    """Return the parameter values with the smallest cost (eq. 16): the dual is that of the data."""
    return theta + np.arctanh(inside(data)) - np.arctanh(dual)


def kl_change(dual: Array, target: Array, data: Array) -> Array:
    """Return the change of the KL divergence by a step along one parameter, from its dual to the target (eq. 19)."""
    up, down = (1 + dual) / (1 + target), (1 - dual) / (1 - target)
    return (1 + data) / 2 * np.log(up) + (1 - data) / 2 * np.log(down)


def inside(dual: Array) -> Array:
    """Clip duals to a margin from -1 and 1."""
    return np.clip(dual, MARGIN - 1, 1 - MARGIN)
