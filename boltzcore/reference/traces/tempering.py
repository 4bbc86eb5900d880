"""The next update of PCD with parallel tempering, and of parallel trajectory tempering, by their references."""

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import EXCHANGE, GIBBS
from boltzcore.learners.tempering.base import Tempering
from boltzcore.learners.tempering.parallel import TemperedPCD, TemperedState
from boltzcore.learners.tempering.trajectory import TrajectoryTempering
from boltzcore.learners.tempering.trajectory_update import TrajectoryState
from boltzcore.models import RBM
from boltzcore.parameters import whole
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases
from boltzcore.reference.tempering import Ladder, pt_update
from boltzcore.reference.trace import Phase, UpdateTrace, check_size, trace
from boltzcore.reference.trajectory_tempering import Trajectory
from boltzcore.ticks import Tick, idle

OF_CHAINS = ("v", "states", "D", "u", "accepted")  # arrays whose second axis is that of the chains
SHOWN = (*OF_CHAINS, "lower", "acceptance", "data_W", "model_W", "W")  # of all that a reference yields


@trace.register
def _(
    learner: TemperedPCD, state: TemperedState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
) -> UpdateTrace:
    minibatch = minibatch_of(learner, state, data)
    swaps, gibbs = (Draws(state.seed, purpose, state.count) for purpose in (EXCHANGE, GIBBS))
    ladder = Ladder(learner.ladder().astype(float), state.base.astype(float), swaps)
    v = state.chains.reshape(learner.temperatures, learner.chains, -1)
    parameters = _parameters(state.model)
    phases = pt_update(*parameters, ladder, minibatch, v, gibbs, rate=learner.rate, K=learner.K)
    return _traced(learner, state, phases, row, len(minibatch), tick)


@trace.register
def _(
    learner: TrajectoryTempering, state: TrajectoryState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
) -> UpdateTrace:
    minibatch, trajectory = minibatch_of(learner, state, data), trajectory_of(learner, state)
    return _traced(learner, state, trajectory.update(minibatch), row, len(minibatch), tick)


def trajectory_of(learner: TrajectoryTempering, state: TrajectoryState) -> Trajectory:
    """Return what the reference of parallel trajectory tempering goes on from."""
    copy, carried = state.copy(), {field.name for field in dataclasses.fields(state)}
    named = {each.name: getattr(copy, each.name) for each in dataclasses.fields(Trajectory) if each.name in carried}
    models = {"model": _parameters(state.model), "frozen_model": _parameters(state.checkpoint)}
    return Trajectory(**{**named, **models, "base": state.base.astype(float), "settings": learner})


def _traced(
    learner: Tempering, state: TemperedState | TrajectoryState, update: Phases, row: int, rows: int, tick: Tick
) -> UpdateTrace:
    """Return a row of the mini-batch and the chain of this number, modulo their number, through an update."""
    row, chain = whole("row", row, 0, rows - 1), row % learner.chains
    models, phases = [state.model], []
    for kind, arrays in update:
        tick(0.0)
        if kind == "data":
            arrays = {"v": arrays["v"][row]}
        if kind in ("new", "back"):
            before, model = models[-1], RBM(*(arrays[name].astype(np.float32) for name in "Wbc"))
            arrays = {"W": model.W - before.W} if kind == "new" else {}
            models.append(model)
        phases.append(Phase(kind, len(models) - 1, _of_chain(arrays, chain)))
    return UpdateTrace("tempering", tuple(phases), tuple(models), row=row, rows=rows)


def _of_chain(arrays: Mapping[str, Array], chain: int) -> dict[str, Array]:
    shown = {
        name: array[:, chain] if name in OF_CHAINS and array.ndim > 1 else array
        for name, array in arrays.items()
        if name in SHOWN
    }
    return {name: array.astype(np.float32) if array.dtype == float else array for name, array in shown.items()}


def minibatch_of(learner: Tempering, state: TemperedState | TrajectoryState, data: Examples | NDArray) -> Array:
    """Return the rows of the next update; ValueError if learner, state and data do not belong together."""
    batch = learner.checked_batches(state, data).batch(state.count)
    draws = len(state.chains) * learner.K * learner.values().get("sweeps", 1) * sum(state.model.W.shape)
    check_size(7 * state.model.W.size + draws, "An update")
    return batch


def _parameters(model: RBM) -> tuple[Array, Array, Array]:
    return model.W.astype(float), model.b.astype(float), model.c.astype(float)
