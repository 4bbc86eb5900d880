"""The next update of a contrastive learner by its reference: CD, PCD, centred gradient, S-DCP, CS-DCP, SSD."""

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import GIBBS
from boltzcore.learners.contrastive.base import Contrastive, ContrastiveState
from boltzcore.learners.contrastive.cd import CD
from boltzcore.learners.contrastive.centred import CenteredGradient
from boltzcore.learners.contrastive.dc_programming import CSDCP, SDCP
from boltzcore.learners.contrastive.spectral import SSD
from boltzcore.models import RBM
from boltzcore.parameters import whole
from boltzcore.reference.centred import csdcp_update
from boltzcore.reference.contrastive import cd_update
from boltzcore.reference.dc_programming import sdcp_update
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases
from boltzcore.reference.spectral import ssd_update
from boltzcore.reference.trace import Phase, UpdateTrace, check_size, trace
from boltzcore.ticks import Tick, idle

OF_ROWS = ("data", "start", "hidden", "visible", "end")  # phases with the numbers of each row


@singledispatch
def update_of(learner: Any, state: ContrastiveState, minibatch: Array, draws: Draws) -> Phases:
    """Return the reference update of a learner on the rows of a mini-batch."""
    raise NotImplementedError


@update_of.register
def _(learner: CD, state: ContrastiveState, minibatch: Array, draws: Draws) -> Phases:
    chains = state.chains if learner.persistent else minibatch
    return cd_update(*_parameters(state), minibatch, chains, draws, rate=learner.rate, K=learner.K)


@update_of.register
def _(learner: SSD, state: ContrastiveState, minibatch: Array, draws: Draws) -> Phases:
    return ssd_update(*_parameters(state), minibatch, draws, rate=learner.rate, K=learner.K)


@update_of.register
def _(learner: SDCP, state: ContrastiveState, minibatch: Array, draws: Draws) -> Phases:
    return sdcp_update(*_parameters(state), minibatch, draws, rate=learner.rate, d=learner.d, K_prime=learner.K_prime)


@update_of.register(CenteredGradient)
@update_of.register(CSDCP)
def _(learner: Any, state: ContrastiveState, minibatch: Array, draws: Draws) -> Phases:
    return csdcp_update(
        *_parameters(state),
        state.mu.astype(float),
        state.lambda_.astype(float),
        minibatch,
        draws,
        rate=learner.rate,
        d=learner.inner_steps,
        K_prime=learner.gibbs_steps,
        nu_mu=learner.nu_mu,
        nu_lambda=learner.nu_lambda,
    )


def _parameters(state: ContrastiveState) -> tuple[Array, Array, Array]:
    model = state.model
    return model.W.astype(float), model.b.astype(float), model.c.astype(float)


@trace.register
def _(
    learner: Contrastive, state: ContrastiveState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
) -> UpdateTrace:
    batches = learner.checked_batches(state, data)
    rows, order, sizes = batches.updates(state.count, 1)
    row = whole("row", row, 0, int(sizes[0]) - 1)
    numbers = (7 * learner.inner_steps + 2) * state.model.W.size
    check_size(numbers, f"An update of {learner.inner_steps} inner steps on {state.model.W.size:,} weights")

    minibatch = rows[np.repeat(order[0, : sizes[0]], learner.copies)]
    models, phases = [state.model], []
    for kind, arrays in update_of(learner, state, minibatch, Draws(state.seed, GIBBS, state.count)):
        tick(0.0)
        if kind in OF_ROWS:
            arrays = {name: array[row * learner.copies] for name, array in arrays.items()}
        if kind == "new":
            before, model = models[-1], RBM(*(arrays[name].astype(np.float32) for name in "Wbc"))
            arrays = {name: getattr(model, name) - getattr(before, name) for name in "Wbc"}
            models.append(model)
        shown = {name: array.astype(np.float32) if array.dtype == float else array for name, array in arrays.items()}
        phases.append(Phase(kind, len(models) - 1, shown))
    return UpdateTrace("contrastive", tuple(phases), tuple(models), row=row, rows=int(sizes[0]))
