"""The next sweep of BSLM or gradient ascent by its reference, and P_n along a parameter."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.learners.pseudo_likelihood import BSLM, CachedRows, GradientAscent, Sweeping, SweepState
from boltzcore.models import FVBM
from boltzcore.parameters import Refusal
from boltzcore.reference.bslm import bslm_update
from boltzcore.reference.draws import Array
from boltzcore.reference.rbm import Arrays
from boltzcore.reference.trace import UpdateTrace, follows
from boltzcore.ticks import Tick

MOST_NUMBERS = 2**23  # parameters times columns: 64 MB
MOST_WORK = 40_000_000  # parameters times distinct rows: a few seconds
_EIGHTHS = np.arange(-8, 27)  # of the step to the top of the parabola: points of a curve


@follows(BSLM, GradientAscent)
def _(learner: Sweeping, state: SweepState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """row : of the distinct rows, in the order of `Examples.distinct`."""
    CachedRows.from_data(state.model, data)
    x, weight = (each.astype(float) for each in distinct_spins(data))
    (n, d), taken = x.shape, UpdateTrace("coordinate", [state.model], row, len(x))
    steps = d * (d + 1) // 2
    if steps * d > MOST_NUMBERS or steps * n > MOST_WORK:
        why = f"its {steps:,} parameters on {n:,} distinct rows are too many"
        raise Refusal(f"A sweep over {d:,} columns cannot be shown step by step: {why}.", "data")

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
    """Return P_n along the parameter that moves in a phase, less P_n before it moves, in nats.

    Returns
    -------
    at : (35,) values of the parameter, from as far behind it as the top of the parabola is ahead to 3.25 times as far
    climb : (2, 35) P_n there, and the parabola
    gained : () P_n where the step leads
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
    """Return biases and couplings as the phase of this index begins."""
    b, M = taken.models[0].b.copy(), taken.models[0].M.copy()
    for phase in taken.phases[1:index]:
        j, k = (int(phase.arrays.get(name, -1)) for name in ("j", "k"))
        if k < 0:
            b[j] = phase.arrays["after"]
        else:
            M[j, k] = M[k, j] = phase.arrays["after"]
    return b, M
