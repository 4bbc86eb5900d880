"""The updates of contrastive learning: CD, PCD, S-DCP and their centred forms (Upadhya and Sastry 2017, Algorithms 1
to 4).

An update has d inner steps (d = 1 but for S-DCP). With p = p(h = 1 | v) and theta_0 the parameters before it:

    data term      D = <v p'>_data under theta_0, held through all inner steps
    inner step l   each chain takes K Gibbs steps under theta_l; they start at the mini-batch (CD, S-DCP), or go on
                   from the update before (PCD)
                   M_l = <v p'>_model, the mean over the chains
                   theta_(l+1) = theta_l + eta (D - M_l), and likewise the biases by <v> and <p>

With centred gradients v - mu and p - lambda take the place of v and p (Algorithm 4), the offsets sliding towards the
means of the mini-batch; spectral descent replaces the step of W by its sharp operator. With k chains for each row,
chains that start at the mini-batch start at one that holds each row k times, one after the other: D stays as it is.
"""

from typing import TYPE_CHECKING

import numpy as np

from boltzcore.kernels import lanes
from boltzcore.kernels import random as streams
from boltzcore.kernels.ascent import ascend, slide
from boltzcore.kernels.machine import Machine
from boltzcore.kernels.simd import LANES
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.contrastive.blocks import Workspace
from boltzcore.models import RBM
from boltzcore.ticks import Tick, portion

if TYPE_CHECKING:
    from boltzcore.learners.contrastive.base import Contrastive, ContrastiveState

SMALL = 2_048  # weights up to which rows of the batch as lanes are quicker than rows of the weight matrix
MULTIPLICATIONS_A_CALL = 30_000_000  # in one compiled call of such lanes, some milliseconds


def run(
    learner: "Contrastive",
    state: "ContrastiveState",
    batches: Minibatches,
    updates: int,
    tick: Tick,
) -> RBM:
    """The model so many updates after a State, whose chains and offsets are changed in place."""
    work = multiplications(len(state.chains), state.model) * learner.transitions
    small = state.model.W.size <= SMALL and work <= 10 * MULTIPLICATIONS_A_CALL
    return (run_small if small else run_large)(learner, state, batches, updates, tick)


def run_large(
    learner: "Contrastive",
    state: "ContrastiveState",
    batches: Minibatches,
    updates: int,
    tick: Tick,
) -> RBM:
    """The algorithm step by step, rows in blocks (`blocks.Workspace`); chains and offsets go on in place."""
    d, K = learner.inner_steps, learner.gibbs_steps
    space = Workspace.from_model(state.model, len(state.chains), state.mu, state.lambda_)
    slides, rate = np.array(learner.slides, np.float32), np.float32(learner.rate)
    for update in range(state.count, state.count + updates):
        of_update = portion(tick, (update - state.count) / updates, 1 / updates)
        v, order, sizes = batches.updates(update, 1)
        minibatch = v[np.repeat(order[0, : sizes[0]], learner.copies)]
        chains = state.chains if learner.persistent else state.chains[: len(minibatch)]
        if not learner.persistent:
            chains[:] = minibatch
        stream = streams.Stream(np.uint64(state.seed), streams.GIBBS, update, 0)
        space.set_data_term(minibatch, portion(of_update, 0, 0))
        for inner in range(d):
            at_minibatch = inner == 0 and not learner.persistent
            of_inner = portion(of_update, inner / d, 1 / d)
            space.set_model_term(chains, at_minibatch, stream, inner * K, K, of_inner)
            of_update((inner + 1) / d)
            slide(space.data, space.model, slides, inner == 0)
            ascend(space.machine, space.data, space.model, learner.spectral or None, rate)
    return space.rbm()


def run_small(
    learner: "Contrastive",
    state: "ContrastiveState",
    batches: Minibatches,
    updates: int,
    tick: Tick,
) -> RBM:
    """Many updates of a small RBM in one compiled call, rows of the mini-batch side by side as lanes.

    The same algorithm as `run_large`, and the same numbers; `kernels.lanes.contrastive` has it step for step.
    """
    model, d, K = state.model, learner.inner_steps, learner.gibbs_steps
    machine = Machine(model.W.copy(), np.empty(model.W.shape[::-1], np.float32), model.b.copy(), model.c.copy())
    kept = lanes.Kept(state.chains, state.mu, state.lambda_)
    slides, rate = np.array(learner.slides, np.float32), np.float32(learner.rate)
    algorithm = lanes.Algorithm(learner.persistent, learner.spectral or None, d, K, slides, rate)
    at_once = max(1, MULTIPLICATIONS_A_CALL // (multiplications(len(state.chains), model) * (d * (K + 1) + 1)))
    done = 0
    while done < updates:
        tick(done / updates)
        rows, order, sizes = batches.updates(state.count + done, min(at_once, updates - done))
        some = lanes.Updates(rows, np.repeat(order, learner.copies, axis=1), sizes * learner.copies)
        stream = streams.Stream(np.uint64(state.seed), streams.GIBBS, state.count + done, 0)
        lanes.contrastive(machine, kept, some, algorithm, stream)
        done += len(some.order)
    return RBM(machine.W, machine.b, machine.c)


def multiplications(n_rows: int, model: RBM) -> int:
    """The cost of a Gibbs step of so many rows, in multiplications: whole lanes of rows, and units that have to be
    drawn.
    """
    return -(-n_rows // LANES) * LANES * (model.W.size + 16 * sum(model.W.shape))
