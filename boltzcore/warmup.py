"""Compiles every kernel by tiny work through the public faces, what a newcomer meets first in front."""

import time
from collections.abc import Iterator

import numpy as np

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Examples
from boltzcore.inference import belief_propagation, complete
from boltzcore.kernels.kept import KEPT, tidy
from boltzcore.learners import SSD
from boltzcore.models import RBM, RBMSetup
from boltzcore.registry import MODELS
from boltzcore.warm import Piece, blank_crbm, compiles


@compiles(3)
def _spectral() -> None:
    """The singular values of a gradient, in a small and in a large model."""
    v = load("bars-and-stripes").train.v
    for rows, hidden in ((v, 4), (np.tile(v, (1, 30)), 64)):
        model = RBMSetup(hidden=hidden).initial(Examples(rows), seed=0)
        SSD().advance(SSD().start(model, rows, seed=0), rows)


@compiles(16)
def _restoring() -> None:
    """What an image is corrupted and restored with: one image and many, and the plain RBM's completion."""
    v = np.zeros((2, 4), np.uint8)
    for kind in ("flip", "salt", "patch"):
        x = Corruption(kind=kind, size=1).apply(v, (2, 2), seed=0)
    model = blank_crbm()
    for inputs in (x[0], x):
        belief_propagation(model, inputs, iterations=1)
    complete(RBM(model.W, model.b_v, model.b_h), v[0], v[0] > 0, chains=1, burn_in=1, steps=1)


def _work() -> Iterator[tuple[str, Piece]]:
    """Each piece's title and what does it: the first model's, what restores images, then the other models'."""
    first, *others = ((model.title, model.warm) for model in MODELS.values() if model.warm is not None)
    yield first
    yield RESTORING, _restoring
    yield from others
    yield "Spectral descent", _spectral


RESTORING = "Belief propagation"
WORK: tuple[tuple[str, Piece], ...] = tuple(_work())
FIRST = WORK[0][0]  # the piece that a newcomer meets first


def needed(model: str) -> str | None:
    """The piece without which a training of this model would wait for a compiler; None where there is none."""
    found = MODELS[model]
    return found.title if found.warm is not None else None


def compiled() -> int:
    """How many kernels of this code this machine keeps compiled by now, a signature each."""
    return sum(1 for _ in KEPT.rglob("*.nbc"))


def warm_up() -> Iterator[tuple[str, float]]:
    """Do each piece of work, yielding (its title, seconds taken)."""
    tidy()
    for title, work in WORK:
        began = time.perf_counter()
        work()
        yield title, time.perf_counter() - began
