"""The next update of a learner of a conditional RBM by its reference."""

from functools import partial, singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels.random import GIBBS, SAMPLE, generator
from boltzcore.learners.conditional.base import Conditional, ConditionalState
from boltzcore.learners.conditional.inferring import BeliefPropagationMLE, Inferring, MaxMargin, MeanFieldMLE
from boltzcore.learners.conditional.regression import ConditionalLR
from boltzcore.learners.conditional.sampling import CDPercLoss, ConditionalCD
from boltzcore.models import CRBM
from boltzcore.parameters import Refusal, whole
from boltzcore.reference.conditional import CRBMArrays, crbm_update, logistic_regression_update
from boltzcore.reference.conditional_expectations import (
    contrastive_divergence,
    loss_augmented_prediction,
    mean_field_marginals,
    perceptron_loss,
    sum_product_beliefs,
)
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases
from boltzcore.reference.trace import Phase, UpdateTrace, check_size, trace
from boltzcore.ticks import Tick, idle

OF_BATCH = ("difference", "error", "new")  # phases without numbers of a single row
ENDS = 4  # iterations, first and last, whose messages are kept
MOST_WORK = 300_000_000  # weights times iterations times rows: some ten seconds
NAMES = {"to_v": "to_v_W", "to_h": "to_h_W"}  # matrices as the page fetches them


@singledispatch
def update_of(learner: Any, state: ConditionalState, theta: CRBMArrays, v: Array, x: Array, epoch: int) -> Phases:
    """Return the reference update of a learner on the rows of a mini-batch."""
    raise NotImplementedError


@update_of.register
def _(learner: ConditionalLR, state: ConditionalState, theta: CRBMArrays, v: Array, x: Array, epoch: int) -> Phases:
    return logistic_regression_update(theta, v, x, rate=learner.rate)


@update_of.register
def _(learner: ConditionalCD, state: ConditionalState, theta: CRBMArrays, v: Array, x: Array, epoch: int) -> Phases:
    expect = partial(contrastive_divergence, draws=Draws(state.seed, GIBBS, state.count), K=learner.K)
    return crbm_update(theta, v, x, expect, rate=learner.rate)


@update_of.register
def _(learner: CDPercLoss, state: ConditionalState, theta: CRBMArrays, v: Array, x: Array, epoch: int) -> Phases:
    draws = Draws(state.seed, GIBBS, state.count)
    start = generator(state.seed, SAMPLE, state.count).random(v.shape, dtype=np.float32)
    rounded = learner.candidates == "rounded"
    expect = partial(perceptron_loss, draws=draws, start=start, K=learner.K, rounded=rounded)
    return crbm_update(theta, v, x, expect, rate=learner.rate)


@update_of.register
def _(learner: Inferring, state: ConditionalState, theta: CRBMArrays, v: Array, x: Array, epoch: int) -> Phases:
    iterations = learner.iterations_in(epoch)
    if (work := theta.W.size * iterations * len(v)) > MOST_WORK:
        most = f"{work:,} messages, more than the {MOST_WORK:,} that can be shown"
        raise Refusal(f"An update of {len(v)} rows with up to {iterations} iterations has {most}.", "data")
    expect = partial(_expectation_of(learner), iterations=iterations, tolerance=learner.tolerance)
    return crbm_update(theta, v, x, expect, rate=learner.rate)


def _expectation_of(learner: Inferring) -> Any:
    if isinstance(learner, MaxMargin):
        return partial(loss_augmented_prediction, kind=learner.predicts.removesuffix("-product"))
    return {MeanFieldMLE: mean_field_marginals, BeliefPropagationMLE: sum_product_beliefs}[type(learner)]


@trace.register
def _(
    learner: Conditional, state: ConditionalState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
) -> UpdateTrace:
    batches, model = learner.checked_batches(state, data), state.model
    v, x = (each.astype(float) for each in batches.pairs(state.count))
    row = whole("row", row, 0, len(v) - 1)
    check_size(8 * (model.W.size + model.W_vx.size + model.W_hx.size), "An update of a model of this size")

    theta = CRBMArrays(*(getattr(model, name).astype(float) for name in CRBMArrays._fields))
    models, phases = [model], list[Phase]()
    for kind, arrays in update_of(learner, state, theta, v, x, state.count // batches.length + 1):
        tick(0.0)
        if "row" in arrays:
            if arrays["row"] != row:
                continue
            arrays = {NAMES.get(name, name): array for name, array in arrays.items() if name != "row"}
            _drop_messages(phases)
        elif kind not in OF_BATCH:
            arrays = {name: np.asarray(array[row]) for name, array in arrays.items()}
        if kind == "new":
            models.append(CRBM(*(arrays[name].astype(np.float32) for name in CRBMArrays._fields)))
            arrays = {name: getattr(models[1], name) - getattr(model, name) for name in arrays}
        shown = {name: array.astype(np.float32) if array.dtype == float else array for name, array in arrays.items()}
        phases.append(Phase(kind, len(models) - 1, shown))
    return UpdateTrace("conditional", tuple(phases), tuple(models), row=row, rows=len(v))


def _drop_messages(phases: list[Phase]) -> None:
    """Drop the messages of the iteration that is neither among the first nor, once one more follows, among the last."""
    if sum(phase.kind == "iteration" for phase in phases) >= 2 * ENDS:
        old = phases[-ENDS]
        phases[-ENDS] = Phase(old.kind, old.at, {name: old.arrays[name] for name in old.arrays.keys() - NAMES.values()})
