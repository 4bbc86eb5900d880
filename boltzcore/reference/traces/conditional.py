"""The next update of a learner of a conditional RBM by its reference."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import GIBBS, SAMPLE, generator
from boltzcore.learners.conditional import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    Conditional,
    ConditionalCD,
    ConditionalLR,
    ConditionalState,
    MeanFieldMLE,
)
from boltzcore.reference.conditional import (
    CRBMArrays,
    Expect,
    contrastive_divergence,
    crbm_update,
    logistic_regression_update,
    loss_augmented_prediction,
    mean_field_marginals,
    perceptron_loss,
    sum_product_beliefs,
)
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Arrays
from boltzcore.reference.trace import Phase, UpdateTrace, check_size, follow
from boltzcore.ticks import Tick

OF_BATCH = ("difference", "error")  # phases of the whole batch, without numbers of a single row
ENDS = 4  # number of first and of last iterations whose messages are stored
NAMES = {"to_v": "to_v_W", "to_h": "to_h_W"}  # names of the matrices on the page


@follow.register(ConditionalLR | ConditionalCD | CDPercLoss | MeanFieldMLE | BeliefPropagationMLE | LSSVM | MSSVM)
def _(learner: Conditional, state: ConditionalState, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    batches, model = learner.checked_batches(state, data), state.model
    v, x = (each.astype(float) for each in batches.pairs(state.count))
    taken = UpdateTrace("conditional", [model], row, len(v))
    check_size(8 * (model.W.size + model.W_vx.size + model.W_hx.size), "An update of a model of this size")
    theta = CRBMArrays(*(getattr(model, name).astype(float) for name in CRBMArrays._fields))
    if isinstance(learner, ConditionalLR):
        update = logistic_regression_update(theta, v, x, rate=learner.rate)
    else:
        expect = _expect(learner, state, v, int(state.epochs(batches.length)) + 1)
        update = crbm_update(theta, v, x, expect, rate=learner.rate)

    def shown(kind: str, arrays: Arrays) -> Arrays | None:
        if kind in OF_BATCH or "row" not in arrays:
            return arrays if kind in OF_BATCH else {name: array[row] for name, array in arrays.items()}
        if arrays["row"] != row:
            return None
        _drop_messages(taken.phases)
        return {NAMES.get(name, name): array for name, array in arrays.items() if name != "row"}

    return taken.add_phases(update, shown, tick)


def _expect(learner: Conditional, state: ConditionalState, v: Array, epoch: int) -> Expect:
    """Return the expectations of a learner for the rows v of a mini-batch."""
    draws = Draws(state.seed, GIBBS, state.count)
    match learner:
        case ConditionalCD():
            return partial(contrastive_divergence, draws=draws, K=learner.K)
        case CDPercLoss():
            start = generator(state.seed, SAMPLE, state.count).random(v.shape, dtype=np.float32)
            return partial(perceptron_loss, draws=draws, start=start, K=learner.K)
    iterations = learner.iterations_in(epoch)
    numbers = state.model.W.size * iterations * len(v) // 3
    check_size(numbers, f"An update of {len(v)} rows with up to {iterations} iterations")
    infer: Any = {
        "mean field": mean_field_marginals,
        "sum-product": sum_product_beliefs,
        "max-product": partial(loss_augmented_prediction, kind="max"),
        "mixed-product": partial(loss_augmented_prediction, kind="mixed"),
    }[learner.predicts]
    return partial(infer, iterations=iterations, tolerance=learner.tolerance)


def _drop_messages(phases: list[Phase]) -> None:
    """Drop the messages of an iteration that no longer is among the first or the last."""
    if sum(phase.kind == "iteration" for phase in phases) >= 2 * ENDS:
        old = phases[-ENDS]
        phases[-ENDS] = Phase(old.kind, old.at, {name: old.arrays[name] for name in old.arrays.keys() - NAMES.values()})
