"""Observations of a model during training: arrays that a page draws next to its parameters, outside the records."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.clusters import Mixture
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference.particles import particles
from boltzcore.inference.samples import exact_rows
from boltzcore.learners.base import State
from boltzcore.learners.batches import evenly_spaced
from boltzcore.learners.contrastive import Contrastive, ContrastiveState
from boltzcore.measures.activity import mean_activity
from boltzcore.measures.measure import MeasureContext
from boltzcore.measures.reconstruction import reconstruction
from boltzcore.models import RBM

SHOWN = 12  # number of held-out images that a conditional model restores
STEPS = 50  # Gibbs transitions of each particle between observations

Observation = Mapping[str, NDArray]
UPDATED = 512  # largest number of rows of a mini-batch, and of chains, of the latest update
ENUMERATED, DRAWN = 12, 1_000  # largest number of hidden units for exact rows, and number of rows
# (state, the previous observation or None, the measured rows or None, context) -> the observation
Observe = Callable[[State, Observation | None, Dataset | None, MeasureContext], Observation]


def observe_rbm(
    state: State, previous: Observation | None, rows: Dataset | None, context: MeasureContext
) -> Observation:
    """Observe an RBM or an infinite RBM.

    particles : (40, n_visible) uint8, chains continued from the previous observation
    expected : (40, n_visible) float32 mean-field reconstruction of these particles, in [0, 1], if the data are gray,
        of an RBM
    activity : (n_hidden,) mean of p(h = 1 | v) over the training rows, omitted without rows or units
    shares : (3, clusters + 1) shares of each cluster, and of none, in the training rows, the learner's chains (nan if
        it has none) and 1,000 rows drawn exactly from the model, if the data have clusters and the model is an RBM with
        at most 12 hidden units
    """
    model, is_rbm = state.model, isinstance(state.model, RBM)
    observed = particles(model, previous, seed=context.seed, step=context.step, steps=STEPS, tick=context.tick)
    if is_rbm and context.gray:
        observed["expected"] = reconstruction(model, observed["particles"]).astype(np.float32)
    if rows is not None and (is_rbm or model.n_units):
        train, truth = rows.train, rows.truth
        once = model if is_rbm else model.once()
        observed["activity"] = mean_activity(once, train.v, train.weight, tick=context.tick)
        if is_rbm and isinstance(truth, Mixture) and model.n_hidden <= ENUMERATED:
            drawn = truth.shares_of(exact_rows(model, DRAWN, context.seed))
            chains = np.full_like(drawn, np.nan) if context.chains is None else truth.shares_of(context.chains)
            observed["shares"] = np.array([truth.shares_of(train.v), chains, drawn])
    return observed


def observe_crbm(
    state: State, previous: Observation | None, rows: Dataset | None, context: MeasureContext
) -> Observation:
    """Observe a conditional RBM on the same few validation images (test images if there are none) each time.

    clean, seen : (12, n_visible) uint8 images and their corrupted copies
    restored : (12, n_visible) float32 belief that a pixel is on
    Empty without rows, inputs or an inference.
    """
    if rows is None or context.inference is None:
        return {}
    few = (rows.validation or rows.test).head(SHOWN)
    if few.x is None:
        return {}
    beliefs = context.inference.infer(state.model, few.x, tick=context.tick)
    return {"clean": few.v, "seen": few.x, "restored": beliefs.v}


def observe_update(learner: Contrastive, state: ContrastiveState, data: Examples | NDArray) -> Observation:
    """Observe the rows and chains that gave the gradient of the latest update, with the parameters after it.

    batch : (n, n_visible) uint8, at most 512 rows of its mini-batch, evenly spaced; before the first update of a stage
        those of the next one, without the other arrays
    dreams, or reconstructions : (n, n_visible) uint8, ends of as many chains: dreams for persistent chains,
        reconstructions, the first of each row, for chains that start at the mini-batch
    """
    batch = learner.checked_batches(state, data).batch(state.count - bool(state.stage_count))
    places = evenly_spaced(len(batch), UPDATED)
    rows = batch[places]
    if not state.stage_count:
        return {"batch": rows}
    persistent = learner.persistent
    chosen = evenly_spaced(len(state.chains), UPDATED) if persistent else np.multiply(places, learner.copies)
    return {"batch": rows, "dreams" if persistent else "reconstructions": state.chains[chosen]}
