"""The next update of a log-linear learner by its reference: GreedyMDL, PairwisePCD."""

import itertools

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.kernels.random import GIBBS
from boltzcore.learners.base import check_advance
from boltzcore.learners.log_linear.greedy import GreedyMDL, GreedyState
from boltzcore.learners.log_linear.pairwise import ChainsState, PairwisePCD
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, check_columns
from boltzcore.parameters import whole
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.greedy_mdl import greedy_update
from boltzcore.reference.log_linear import duals, orders, prices
from boltzcore.reference.pairwise_pcd import pairwise_pcd_update
from boltzcore.reference.trace import Phase, UpdateTrace, check_size, trace
from boltzcore.ticks import Tick, idle

CANDIDATES = 10  # shown of a step
TABLES = 20  # of a step, with a number for each state
OF_CHAINS = ("x", "field", "p", "u", "on")  # arrays with a number, or a row, for each chain
MATRICES = ("theta", "data", "model", "slope")


@trace.register
def _(
    learner: GreedyMDL, state: GreedyState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
) -> UpdateTrace:
    """row : without effect, a step treats all rows alike."""
    check_advance(learner, state, 1)
    model, rows, sizes = state.model, examples(data), state.model.layout.cardinalities
    check_columns(model, rows)
    numbers = max(model.n_states, max(sizes) ** 2)  # the local functions of a variable are a square matrix
    check_size(TABLES * numbers, f"A step over {model.n_states:,} states")
    theta, used, p_data = np.zeros(model.n_states), np.zeros(model.n_states, np.bool_), np.zeros(model.n_states)
    theta[model.terms], used[model.terms] = model.values, True
    distinct = rows.distinct()
    assert distinct.weight is not None
    p_data[model.layout.index(distinct.v)] = distinct.weight / distinct.total
    order = orders(sizes)
    steps = greedy_update(
        theta,
        used,
        sizes,
        duals(p_data, sizes),
        learner.price * prices(sizes, rows.total),
        (order > 0) & (order <= (learner.order or len(sizes))) & (model.n_terms < MOST_TERMS),
        epsilon=learner.threshold,
        penalty=learner.penalty,
    )
    phases, after = [], model.theta
    for kind, arrays in steps:
        tick(0.0)
        shown = dict(arrays)
        if kind == "candidates":
            shown = {name: each[:CANDIDATES] if each.ndim else each for name, each in arrays.items()}
            shown["looked"] = np.array(len(arrays["term"]))
        elif kind == "chosen":
            y, theta, used = int(shown["term"]), shown.pop("theta"), shown.pop("used")
            after[y] = float(theta[y])
            if not used[y]:
                del after[y]
        phases.append(Phase(kind, 0, shown))
    return UpdateTrace("greedy", tuple(phases), (model, LogLinear(model.cardinalities, after)))


@trace.register
def _(
    learner: PairwisePCD, state: ChainsState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
) -> UpdateTrace:
    """row : of the chains."""
    check_advance(learner, state, 1)
    row, rows = whole("row", row, 0, len(state.chains) - 1), examples(data).distinct()
    check_columns(state.model, rows)
    assert rows.weight is not None
    theta, draws = of_codes(state.model), Draws(state.seed, GIBBS, state.count)
    codes, phases = rows.v.astype(float), []
    for kind, arrays in pairwise_pcd_update(theta, codes, rows.weight, state.chains > 0, draws, rate=learner.rate):
        tick(0.0)
        theta = arrays.get("theta", theta)
        one = {name: array[row] if name in OF_CHAINS else array for name, array in arrays.items()}
        shown = {name: _in_order_of_theta(array) if name in MATRICES else array for name, array in one.items()}
        phases.append(Phase(kind, int(kind == "new"), {name: np.array(array) for name, array in shown.items()}))
    models = state.model, model_of_codes(theta)
    return UpdateTrace("sampled", tuple(phases), models, row=row, rows=len(state.chains))


def of_codes(model: LogLinear) -> Array:
    """Return theta (d, d) of eq. 1 for a model of binary variables and terms of one and two of them.

    The function of a term is prod_i (1 - 2 x_i).
    """
    theta = np.zeros((model.n_visible, model.n_visible))
    for digits, value in zip(model.digits(), model.values, strict=True):
        i, j = (columns := np.flatnonzero(digits))[[0, -1]]
        theta[columns, columns] -= 2 * value
        if i != j:
            theta[i, j] = theta[j, i] = 4 * value
    return theta


def model_of_codes(theta: Array) -> LogLinear:
    """Return the model with these parameters of eq. 1: the inverse of `of_codes`, with all terms."""
    d, pairs = len(theta), theta / 4
    single = -(np.diag(theta) / 2 + pairs.sum(axis=1) - np.diag(pairs))
    terms = {1 << i: single[i] for i in range(d)}
    terms |= {1 << i | 1 << j: pairs[i, j] for i, j in itertools.combinations(range(d), 2)}
    return LogLinear([2] * d, terms)


def _in_order_of_theta(matrix: Array) -> Array:
    """Return the diagonal, then the upper triangle."""
    return np.concatenate([np.diag(matrix), matrix[np.triu_indices(len(matrix), 1)]])
