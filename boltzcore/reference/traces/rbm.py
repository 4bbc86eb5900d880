"""The next update of a learner of an RBM by its reference: contrastive learning, PT and trajectory tempering."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import EXCHANGE, GIBBS
from boltzcore.learners import (
    CD,
    CSDCP,
    PCD,
    SDCP,
    SSD,
    CenteredGradient,
    TemperedPCD,
    TrajectoryTempering,
)
from boltzcore.learners.contrastive import Contrastive, ContrastiveState
from boltzcore.reference.contrastive import cd_update, csdcp_update, ssd_update
from boltzcore.reference.draws import Array, Draws, parameters
from boltzcore.reference.rbm import Arrays, Phases, Step
from boltzcore.reference.tempering import pt_update
from boltzcore.reference.trace import UpdateTrace, check_size, follow
from boltzcore.reference.trajectory_tempering import trajectory_of, trajectory_update
from boltzcore.ticks import Tick

OF_ROWS = ("data", "start", "hidden", "visible", "end")  # phases with the numbers of each row
OF_CHAINS = ("v", "states", "D", "u", "accepted")  # arrays of tempering whose second axis is the chain


@follow.register(CD | PCD | CenteredGradient | SDCP | CSDCP | SSD)
def _(learner: Contrastive, state: ContrastiveState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    batches = learner.checked_batches(state, data)
    batch, step = batches.batch(state.count), Step.of_update(learner, state, batches.length)
    taken = UpdateTrace("contrastive", [state.model], row, len(batch))
    numbers = (7 * learner.inner_steps + 2) * state.model.W.size
    check_size(numbers, f"An update of {learner.inner_steps} inner steps on {state.model.W.size:,} weights")

    def shown(kind: str, arrays: Arrays) -> Arrays:
        chain = row * learner.copies
        return {name: array[chain] for name, array in arrays.items()} if kind in OF_ROWS else arrays

    return taken.add_phases(_contrastive(learner, state, np.repeat(batch, learner.copies, axis=0), step), shown, tick)


def _contrastive(learner: Contrastive, state: ContrastiveState, minibatch: Array, step: Step) -> Phases:
    theta, draws = parameters(state.model), Draws(state.seed, GIBBS, state.count)
    match learner:
        case SSD():
            return ssd_update(theta, minibatch, draws, step=step, K=learner.K)
        case CenteredGradient() | CSDCP():
            offsets = state.mu.astype(float), state.lambda_.astype(float)
            return csdcp_update(theta, offsets, minibatch, draws, learner, step)
        case _:
            chains, K, d = state.chains if learner.persistent else minibatch, learner.gibbs_steps, learner.inner_steps
            return cd_update(theta, minibatch, chains, draws, step=step, K=K, d=d)


@follow.register(TemperedPCD | TrajectoryTempering)
def _(
    learner: TemperedPCD | TrajectoryTempering, state: Any, data: Examples | NDArray, row: int, tick: Tick
) -> UpdateTrace:
    """Return the trace of an update with a row of the mini-batch and the chain with the same number (modulo C)."""
    batches = learner.checked_batches(state, data)
    minibatch = batches.batch(state.count)
    taken = UpdateTrace("tempering", [state.model], row, len(minibatch))
    n_chains = learner.chains * (learner.temperatures if isinstance(learner, TemperedPCD) else 1)
    check_size(7 * state.model.W.size + n_chains * learner.K * sum(state.model.W.shape), "An update")

    def shown(kind: str, arrays: Arrays) -> Arrays:
        if kind == "data":
            return {"v": arrays["v"][row]}
        return {name: a[:, row % learner.chains] if name in OF_CHAINS else a for name, a in arrays.items()}

    if isinstance(learner, TrajectoryTempering):
        phases = trajectory_update(trajectory_of(state, learner, batches.length), minibatch)
        return taken.add_phases(phases, shown, tick)
    gibbs, swaps = (Draws(state.seed, purpose, state.count) for purpose in (GIBBS, EXCHANGE))
    v, base = state.chains.reshape(learner.temperatures, learner.chains, -1), state.base.astype(float)
    step = Step.of_update(learner, state, batches.length)
    phases = pt_update(parameters(state.model), minibatch, v, base, gibbs, swaps, learner, step)
    return taken.add_phases(phases, shown, tick)
