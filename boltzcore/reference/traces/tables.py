"""The next update of a learner of a table by its reference: BSLM, gradient ascent, Hebb's rule, GreedyMDL,
PairwisePCD.
"""

import itertools
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.data.spins import distinct_spins
from boltzcore.kernels.random import GIBBS
from boltzcore.learners.base import CachedState
from boltzcore.learners.hebbian import Hebbian, PatternRows
from boltzcore.learners.log_linear.greedy import GreedyMDL, GreedyState, rows_of
from boltzcore.learners.log_linear.pairwise import ChainsState, PairwisePCD
from boltzcore.learners.pseudo_likelihood import BSLM, CachedRows, GradientAscent, Sweeping
from boltzcore.models import FVBM
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, check_columns
from boltzcore.reference.bslm import bslm_update
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.greedy_mdl import greedy_update
from boltzcore.reference.hebbian import hebbian_update
from boltzcore.reference.log_linear import duals, prices
from boltzcore.reference.pairwise_pcd import pairwise_pcd_update
from boltzcore.reference.rbm import Arrays
from boltzcore.reference.trace import UpdateTrace, check_size, follow
from boltzcore.ticks import Tick

_EIGHTHS = np.arange(-8, 27)  # points of a curve, in eighths of the step to the top of the parabola
CANDIDATES = 10  # candidates shown of a step
TABLES = 20  # tables of a step with a number for each state
OF_CHAINS = ("x", "field", "p", "u", "on")  # arrays with a number, or a row, for each chain
MATRICES = ("theta", "data", "model", "slope")


@follow.register(BSLM | GradientAscent)
def _(learner: Sweeping, state: CachedState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """Return the trace; `row` counts the distinct rows, in the order of `Examples.distinct`."""
    CachedRows.from_data(state.model, data)
    x, weight = (each.astype(float) for each in distinct_spins(data))
    (n, d), taken = x.shape, UpdateTrace("coordinate", [state.model], row, len(x))
    steps = d * (d + 1) // 2
    check_size(steps * (12 * d + 2 * n), f"A sweep over {d:,} columns and {n:,} distinct rows")

    log_p = np.zeros(d)  # the terms of P_n, by column
    for kind, arrays in bslm_update(state.model.M, state.model.b, x, weight, mu=learner.step):
        tick(0.0)
        moving = [arrays[name] for name in ("j", "k") if name in arrays]
        for j in moving or range(d):
            log_p[j] = -weight @ np.logaddexp(0, -2 * x[:, j] * arrays["eta"][:, j])
        shown: Arrays = {name: arrays[name] for name in ("j", "k", "before", "after") if name in arrays}
        if moving:
            sign = x[:, moving].prod(axis=1)
            shown["pulls"] = np.array([arrays["slope"][sign == each].sum() for each in (1, -1)])
            shown["curvature"] = len(moving) * weight.sum()
        else:
            shown["x"] = x[row]
        taken.add(kind, {"log_odds": -2 * x[row] * arrays["eta"][row], "reached": log_p.sum(), **shown})
    taken.models.append(FVBM(arrays["M"], arrays["b"]))
    return taken


def climb(taken: UpdateTrace, data: Examples | NDArray, index: int) -> Mapping[str, Array]:
    """Return P_n along the parameter that moves in a phase, minus P_n before the move, in nats.

    Returns
    -------
    at : (35,) values of the parameter, from as far behind it as the top of the parabola is ahead to 3.25 times as far
    climb : (2, 35) P_n at these values, and the parabola
    gained : () P_n at the end of the step
    """
    phase = taken.phases[index].arrays
    x, weight = distinct_spins(data)
    moving = [int(phase[name]) for name in ("j", "k") if name in phase]
    b, M = _parameters(taken, index)
    sign, log_odds = x[:, moving].prod(axis=1), [-2.0 * x[:, j] * (b[j] + x @ M[j]) for j in moving]

    def gain(step: float) -> float:
        change = np.expm1(-2.0 * step * sign)  # softplus(a + s) - softplus(a) without cancellation
        return -sum(float(weight @ np.log1p((1 + np.tanh(a / 2)) / 2 * change)) for a in log_odds)

    slope, curvature = float(phase["pulls"].sum()), float(phase["curvature"])
    steps = (slope / curvature or 1.0) / 8.0 * _EIGHTHS
    return {
        "at": phase["before"] + steps,
        "climb": np.array([[gain(step) for step in steps], slope * steps - curvature / 2.0 * steps**2]),
        "gained": np.array(gain(float(phase["after"] - phase["before"]))),
    }


def parameters_after(taken: UpdateTrace, index: int) -> Array:
    """Return (d + d (d - 1) / 2,) biases, then couplings, after the phase of this index."""
    b, M = _parameters(taken, index + 1)
    return np.concatenate([b, M[np.triu_indices(len(b), 1)]])


def _parameters(taken: UpdateTrace, index: int) -> tuple[Array, Array]:
    """Return biases and couplings at the start of the phase with this index."""
    b, M = taken.models[0].b.copy(), taken.models[0].M.copy()
    for phase in taken.phases[1:index]:
        j, k = (int(phase.arrays.get(name, -1)) for name in ("j", "k"))
        if k < 0:
            b[j] = phase.arrays["after"]
        else:
            M[j, k] = M[k, j] = phase.arrays["after"]
    return b, M


@follow.register(Hebbian)
def _(learner: Hebbian, state: CachedState, data: Examples | NDArray, _row: int, tick: Tick) -> UpdateTrace:
    taken, patterns = UpdateTrace("hebbian", [state.model]), PatternRows.from_data(state.model, data)
    if state.stage_count >= len(patterns.x):
        taken.add("over", {})
        return taken
    x, weight = patterns.x[state.stage_count], patterns.weight[state.stage_count]
    for kind, arrays in hebbian_update(state.model.M, x, weight):
        tick(0.0)
        if kind == "new":
            shown = {name: _in_order_of_theta(arrays[name]) for name in ("change", "M")}
            taken.add(kind, shown, FVBM(arrays["M"], state.model.b))
        else:
            taken.add(kind, arrays)
    return taken


@follow.register(GreedyMDL)
def _(learner: GreedyMDL, state: GreedyState, data: Examples | NDArray, _row: int, tick: Tick) -> UpdateTrace:
    model, rows, sizes = state.model, rows_of(state, data, tick), state.model.layout.cardinalities
    check_columns(model.cardinalities, rows)
    numbers = max(model.n_states, max(sizes) ** 2)  # the local functions of a variable are a square matrix
    check_size(TABLES * numbers, f"A step over {model.n_states:,} states")
    v, share = rows.shares()
    theta, used, p_data = np.zeros(model.n_states), np.zeros(model.n_states, np.bool_), np.zeros(model.n_states)
    theta[model.terms], used[model.terms] = model.values, True
    p_data[model.layout.index(v)] = share
    r = learner.price * prices(sizes, rows.total)
    allowed = np.arange(model.n_states) > 0 if model.n_terms < MOST_TERMS else np.zeros(model.n_states, np.bool_)

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


@follow.register(PairwisePCD)
def _(learner: PairwisePCD, state: ChainsState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """Return the trace; `row` counts the chains."""
    taken, rows = UpdateTrace("sampled", [state.model], row, len(state.chains)), examples(data)
    check_columns(state.model.cardinalities, rows)
    theta, draws = of_codes(state.model), Draws(state.seed, GIBBS, state.count)
    v, share = rows.shares()
    for kind, arrays in pairwise_pcd_update(theta, v.astype(float), share, state.chains > 0, draws, rate=learner.rate):
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
