"""The next update of PCD with parallel tempering, and of parallel trajectory tempering, by their references."""

from typing import Any

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import EXCHANGE, GIBBS
from boltzcore.learners.tempering.parallel import TemperedPCD
from boltzcore.learners.tempering.trajectory import TrajectoryTempering
from boltzcore.reference.draws import Array, Draws, parameters
from boltzcore.reference.rbm import Phases
from boltzcore.reference.tempering import pt_update
from boltzcore.reference.trace import UpdateTrace, check_size, follows
from boltzcore.reference.trajectory_tempering import trajectory_of, trajectory_update
from boltzcore.ticks import Tick

OF_CHAINS = ("v", "states", "D", "u", "accepted")  # arrays whose second axis is that of the chains


@follows(TemperedPCD, TrajectoryTempering)
def _(
    learner: TemperedPCD | TrajectoryTempering,
    state: Any,
    data: Examples | NDArray,
    row: int,
    tick: Tick,
) -> UpdateTrace:
    """Return a row of the mini-batch and the chain of this number, modulo their number, through an update."""
    minibatch = learner.checked_batches(state, data).batch(state.count)
    taken = UpdateTrace("tempering", [state.model], row, len(minibatch))
    n_chains = learner.values().get("temperatures", 1) * learner.chains
    draws = n_chains * learner.K * sum(state.model.W.shape)
    check_size(7 * state.model.W.size + draws, "An update")
    for kind, arrays in _update(learner, state, minibatch):
        tick(0.0)
        if kind in ("new", "back"):
            taken.add_step(kind, arrays)
        elif kind == "data":
            taken.add(kind, {"v": arrays["v"][row]})
        else:
            chain = row % learner.chains
            taken.add(kind, {name: each[:, chain] if name in OF_CHAINS else each for name, each in arrays.items()})
    return taken


def _update(learner: TemperedPCD | TrajectoryTempering, state: Any, minibatch: Array) -> Phases:
    """Return the reference update of a learner on the rows of a mini-batch."""
    if isinstance(learner, TrajectoryTempering):
        return trajectory_update(trajectory_of(state, learner), minibatch)
    gibbs, swaps = (Draws(state.seed, purpose, state.count) for purpose in (GIBBS, EXCHANGE))
    v = state.chains.reshape(learner.temperatures, learner.chains, -1)
    betas, base = learner.ladder().astype(float), state.base.astype(float)
    theta = parameters(state.model)
    return pt_update(*theta, minibatch, v, gibbs, swaps, betas=betas, base=base, rate=learner.rate, K=learner.K)
