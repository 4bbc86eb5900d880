"""Compiles every kernel by tiny work through the public faces, what a newcomer meets first in front."""

import dataclasses
import time
from collections.abc import Callable, Iterator

import numpy as np

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference import annealed_importance_sampling, belief_propagation, complete
from boltzcore.learners import CD, PCD, SSD, BeliefPropagationMLE, CDPercLoss, ConditionalCD
from boltzcore.models import CRBM, RBM, CRBMSetup, RBMSetup
from boltzcore.registry import MODELS
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Schedule
from boltzcore.runs.training import train


def _first_preset() -> None:
    """What the app trains first: a small model, its exact log-likelihood, its fantasy particles."""
    recipe = dataclasses.replace(next(iter(PRESETS.values())).recipe, schedule=Schedule(length=1, unit="updates"))
    for step in train(recipe):
        MODELS[recipe.model.name].observe(step.state, None, rows=recipe.data.load(), seed=0)


def _large_model() -> None:
    """An RBM as wide as MNIST with more weights than the kernels of small models take."""
    v = load("digits").train.epoch(0, 0).v[:8]
    data = Examples(np.tile(v, (1, 13))[:, :784].copy())
    model = RBMSetup(hidden=64).initial(data.mean(), seed=0)
    for learner in (CD(batch_size=4), PCD(batch_size=4)):
        state = learner.start(model, data, seed=0)
        MODELS["rbm"].observe(learner.advance(state, data), None, rows=Dataset(data, None, data), seed=0)


def _spectral() -> None:
    """The singular values of a gradient, in a small and in a large model."""
    v = load("bars-and-stripes").train.v
    for rows, hidden in ((v, 4), (np.tile(v, (1, 30)), 64)):
        model = RBMSetup(hidden=hidden).initial(rows.mean(axis=0), seed=0)
        SSD().advance(SSD().start(model, rows, seed=0), rows)


def _annealing() -> None:
    """The likelihood of a model too large to enumerate."""
    model = RBMSetup(hidden=26).initial(np.full(26, 0.5), seed=0)
    annealed_importance_sampling(model, chains=2, temperatures=3)


def _blank_crbm() -> CRBM:
    return CRBMSetup(hidden=2).initial(np.full(4, 0.5), seed=0)


def _restoring() -> None:
    """What an image is corrupted and restored with: one image and many, and the plain RBM's completion."""
    v = np.zeros((2, 4), np.uint8)
    for kind in ("flip", "salt", "patch"):
        x = Corruption(kind=kind, size=1).apply(v, (2, 2), seed=0)
    model = _blank_crbm()
    for inputs in (x[0], x):
        belief_propagation(model, inputs, iterations=1)
    complete(RBM(model.W, model.b_v, model.b_h), v[0], v[0] > 0, chains=1, burn_in=1, steps=1)


def _conditional() -> None:
    """What learners of conditional models add: pairwise beliefs, and chains with biases of their own."""
    v = np.zeros((4, 4), np.uint8)
    data, model = Examples(v, x=v), _blank_crbm()
    for learner in (BeliefPropagationMLE(batch_size=0), ConditionalCD(batch_size=0), CDPercLoss(batch_size=0)):
        learner.advance(learner.start(model, data, seed=0), data)


def _gray_pixels() -> None:
    """Pixels drawn anew each epoch."""
    Examples(np.zeros((2, 4), np.uint8), gray=True).epoch(0, 0)


TRAINING, RESTORING, CONDITIONAL = "small RBMs and the exact log-likelihood", "belief propagation", "conditional RBMs"
WORK: tuple[tuple[str, Callable[[], None]], ...] = (
    (TRAINING, _first_preset),
    (RESTORING, _restoring),
    (CONDITIONAL, _conditional),
    ("large RBMs", _large_model),
    ("annealed importance sampling", _annealing),
    ("gray pixels", _gray_pixels),
    ("spectral descent", _spectral),
)
NEEDED = {
    "rbm": TRAINING,
    "crbm": CONDITIONAL,
}  # by model, the piece without which its training would wait for a compiler


def warm_up() -> Iterator[tuple[str, float]]:
    """Do each piece of work, yielding (its title, seconds taken)."""
    for title, work in WORK:
        began = time.perf_counter()
        work()
        yield title, time.perf_counter() - began
