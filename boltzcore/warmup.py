"""Compiles every kernel by tiny work through the public faces, what a newcomer meets first in front."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference import annealed_importance_sampling, belief_propagation, complete
from boltzcore.learners import CD, PCD, SSD
from boltzcore.looks import look_at_rbm
from boltzcore.measures import How
from boltzcore.models import RBM, RBMSetup
from boltzcore.registry import MODELS
from boltzcore.warm import blank_crbm


def _large_rbm() -> None:
    """An RBM as wide as MNIST with more weights than the kernels of small models take."""
    v = load("digits").train.epoch(0, 0).v[:8]
    data = Examples(np.tile(v, (1, 13))[:, :784].copy())
    model = RBMSetup(hidden=64).initial(data, seed=0)
    for learner in (CD(batch_size=4), PCD(batch_size=4)):
        state = learner.start(model, data, seed=0)
        look_at_rbm(learner.advance(state, data), None, Dataset(data, None, data), How())


def _spectral() -> None:
    """The singular values of a gradient, in a small and in a large model."""
    v = load("bars-and-stripes").train.v
    for rows, hidden in ((v, 4), (np.tile(v, (1, 30)), 64)):
        model = RBMSetup(hidden=hidden).initial(Examples(rows), seed=0)
        SSD().advance(SSD().start(model, rows, seed=0), rows)


def _annealing() -> None:
    """The likelihood of a model too large to enumerate."""
    model = RBMSetup(hidden=26).initial(Examples(np.tile([[0, 1]], (2, 13))), seed=0)
    annealed_importance_sampling(model, chains=2, temperatures=3)


def _restoring() -> None:
    """What an image is corrupted and restored with: one image and many, and the plain RBM's completion."""
    v = np.zeros((2, 4), np.uint8)
    for kind in ("flip", "salt", "patch"):
        x = Corruption(kind=kind, size=1).apply(v, (2, 2), seed=0)
    model = blank_crbm()
    for inputs in (x[0], x):
        belief_propagation(model, inputs, iterations=1)
    complete(RBM(model.W, model.b_v, model.b_h), v[0], v[0] > 0, chains=1, burn_in=1, steps=1)


def _gray_pixels() -> None:
    """Pixels drawn anew each epoch."""
    Examples(np.zeros((2, 4), np.uint8), levels=256).epoch(0, 0)


def _work() -> Iterator[tuple[str, Callable[[], None]]]:
    """Each piece's title and what does it: the first model's, what restores images, then the other models'."""
    first, *others = ((model.title, model.warm) for model in MODELS.values() if model.warm is not None)
    yield first
    yield RESTORING, _restoring
    yield from others
    yield "Large RBMs", _large_rbm
    yield "Annealed importance sampling", _annealing
    yield "Gray pixels", _gray_pixels
    yield "Spectral descent", _spectral


RESTORING = "Belief propagation"
WORK: tuple[tuple[str, Callable[[], None]], ...] = tuple(_work())
FIRST = WORK[0][0]  # the piece that a newcomer meets first


def needed(model: str) -> str | None:
    """The piece without which a training of this model would wait for a compiler; None where there is none."""
    found = MODELS[model]
    return found.title if found.warm is not None else None


def warm_up() -> Iterator[tuple[str, float]]:
    """Do each piece of work, yielding (its title, seconds taken)."""
    for title, work in WORK:
        began = time.perf_counter()
        work()
        yield title, time.perf_counter() - began
