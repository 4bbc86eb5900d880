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
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.greedy_mdl import greedy_update
from boltzcore.reference.log_linear import duals, orders, prices
from boltzcore.reference.pairwise_pcd import pairwise_pcd_update
from boltzcore.reference.trace import UpdateTrace, check_size, follows
from boltzcore.ticks import Tick

CANDIDATES = 10  # shown of a step
TABLES = 20  # of a step, with a number for each state
OF_CHAINS = ("x", "field", "p", "u", "on")  # arrays with a number, or a row, for each chain
MATRICES = ("theta", "data", "model", "slope")


@follows(GreedyMDL)
def _(learner: GreedyMDL, state: GreedyState, data: Examples | NDArray, _row: int, tick: Tick) -> UpdateTrace:
    check_advance(learner, state, 1)
    model, rows, sizes = state.model, examples(data).distinct(), state.model.layout.cardinalities
    check_columns(model, rows)
    numbers = max(model.n_states, max(sizes) ** 2)  # the local functions of a variable are a square matrix
    check_size(TABLES * numbers, f"A step over {model.n_states:,} states")
    assert rows.weight is not None
    theta, used, p_data = np.zeros(model.n_states), np.zeros(model.n_states, np.bool_), np.zeros(model.n_states)
    theta[model.terms], used[model.terms] = model.values, True
    p_data[model.layout.index(rows.v)] = rows.weight / rows.total
    r, order = learner.price * prices(sizes, rows.total), orders(sizes)
    allowed = (order > 0) & (order <= (learner.order or len(sizes))) & (model.n_terms < MOST_TERMS)

    taken, after = UpdateTrace("greedy", [model]), model.theta
    for kind, arrays in greedy_update(theta, used, sizes, duals(p_data, sizes), r, allowed, epsilon=learner.threshold):
        tick(0.0)
        if kind == "candidates":
            few = {name: each[:CANDIDATES] if each.ndim else each for name, each in arrays.items()}
            taken.add(kind, few | {"looked": len(arrays["term"])})
        elif kind == "chosen":
            y = int(arrays["term"])
            after[y] = float(arrays["theta"][y])
            if not arrays["used"][y]:
                del after[y]
            taken.add(kind, {name: each for name, each in arrays.items() if name not in ("theta", "used")})
        else:
            taken.add(kind, arrays)
    taken.models.append(LogLinear(model.cardinalities, after))
    return taken


@follows(PairwisePCD)
def _(learner: PairwisePCD, state: ChainsState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """row : of the chains."""
    check_advance(learner, state, 1)
    taken, rows = UpdateTrace("sampled", [state.model], row, len(state.chains)), examples(data).distinct()
    check_columns(state.model, rows)
    assert rows.weight is not None
    theta, draws = of_codes(state.model), Draws(state.seed, GIBBS, state.count)
    v, chains = rows.v.astype(float), state.chains > 0
    for kind, arrays in pairwise_pcd_update(theta, v, rows.weight, chains, draws, rate=learner.rate):
        tick(0.0)
        one = {name: array[row] if name in OF_CHAINS else array for name, array in arrays.items()}
        shown = {name: _in_order_of_theta(array) if name in MATRICES else array for name, array in one.items()}
        taken.add(kind, shown, model_of_codes(arrays["theta"]) if kind == "new" else None)
    return taken


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
