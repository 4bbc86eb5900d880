"""The next update of a contrastive learner by its reference: CD, PCD, centred gradient, S-DCP, CS-DCP, SSD."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import GIBBS
from boltzcore.learners.contrastive import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient, Contrastive, ContrastiveState
from boltzcore.reference.centred import csdcp_update
from boltzcore.reference.contrastive import cd_update
from boltzcore.reference.dc_programming import sdcp_update
from boltzcore.reference.draws import Array, Draws, parameters
from boltzcore.reference.rbm import Phases
from boltzcore.reference.spectral import ssd_update
from boltzcore.reference.trace import UpdateTrace, check_size, follows
from boltzcore.ticks import Tick

OF_ROWS = ("data", "start", "hidden", "visible", "end")  # phases with the numbers of each row


@follows(CD, PCD, CenteredGradient, SDCP, CSDCP, SSD)
def _(learner: Contrastive, state: ContrastiveState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    batch = learner.checked_batches(state, data).batch(state.count)
    taken = UpdateTrace("contrastive", [state.model], row, len(batch))
    numbers = (7 * learner.inner_steps + 2) * state.model.W.size
    check_size(numbers, f"An update of {learner.inner_steps} inner steps on {state.model.W.size:,} weights")
    for kind, arrays in _update(learner, state, np.repeat(batch, learner.copies, axis=0)):
        tick(0.0)
        if kind == "new":
            taken.add_step(kind, arrays)
        elif kind in OF_ROWS:
            taken.add(kind, {name: array[row * learner.copies] for name, array in arrays.items()})
        else:
            taken.add(kind, arrays)
    return taken


def _update(learner: Contrastive, state: ContrastiveState, minibatch: Array) -> Phases:
    """Return the reference update of a learner on the rows of a mini-batch."""
    theta, draws = parameters(state.model), Draws(state.seed, GIBBS, state.count)
    match learner:
        case SSD():
            return ssd_update(*theta, minibatch, draws, rate=learner.rate, K=learner.K)
        case CenteredGradient() | CSDCP():
            return csdcp_update(
                *theta,
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
        case SDCP():
            return sdcp_update(*theta, minibatch, draws, rate=learner.rate, d=learner.d, K_prime=learner.K_prime)
        case CD():
            chains = state.chains if learner.persistent else minibatch
            return cd_update(*theta, minibatch, chains, draws, rate=learner.rate, K=learner.K)
    raise AssertionError(f"{type(learner).__name__} is followed by no case.")
