"""Compilation of every kernel by tiny work through the public interfaces, starting with what a newcomer meets first."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from boltzcore.data import load
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Examples
from boltzcore.home import replace_file
from boltzcore.inference import belief_propagation, complete
from boltzcore.kernels.cache import FOLDER, tidy
from boltzcore.learners import SSD
from boltzcore.models import RBM, RBMSetup
from boltzcore.registry import MODELS
from boltzcore.training.recipe import Recipe
from boltzcore.warm import Piece, blank_crbm, compiles


@compiles("Spectral descent", 3)
def _spectral() -> None:
    """Compute the singular values of a gradient, in a small and in a large model."""
    v = load("bars-and-stripes").train.v
    for rows, hidden in ((v, 4), (np.tile(v, (1, 30)), 64)):
        model = RBMSetup(hidden=hidden).initial(Examples(rows), seed=0)
        SSD().advance(SSD().start(model, rows, seed=0), rows)


@compiles("Belief propagation", 16)
def _restore() -> None:
    """Corrupt and restore images: one image and many, and the plain RBM's completion."""
    v = np.zeros((2, 4), np.uint8)
    for kind in ("flip", "salt", "patch"):
        x = Corruption(kind=kind, size=1).apply(v, (2, 2), seed=0)
    model = blank_crbm()
    for inputs in (x[0], x):
        belief_propagation(model, inputs, iterations=1)
    complete(RBM(model.W, model.b_v, model.b_h), v[0], v[0] > 0, chains=1, burn_in=1, steps=1)


RESTORING = _restore.title
# in its order: the first model's large trainings, the restoration of images, then the rest
_first, *_others = (model.warm for model in MODELS.values() if model.warm)
WORK = (*_first[:2], _restore, *_first[2:], *(piece for pieces in _others for piece in pieces), _spectral)
TITLES = tuple(piece.title for piece in WORK)
KERNELS = sum(piece.kernels for piece in WORK)  # approximate number of kernels in all pieces


def needed(recipe: Recipe) -> str | None:
    """Return the title of the last piece that a training waits for; None if it needs no kernel."""
    last = max((TITLES.index(piece.title) for stage in recipe.stages for piece in _last(stage)), default=None)
    return None if last is None else TITLES[last]


def _last(stage: Recipe) -> tuple[Piece, ...]:
    """Return the last of its model's pieces that a stage needs; empty if there is none."""
    pieces, there = stage.entry.warm, stage.data.load_at_hand()
    n_visible = 0 if there is None else there.train.n_visible
    return next(((piece,) for piece in pieces if piece.enough(stage.model, stage.learner, n_visible)), pieces[-1:])


def count_before(piece: str) -> int:
    """Return the approximate number of kernels compiled up to and including this piece."""
    return sum(each.kernels for each in WORK[: TITLES.index(piece) + 1])


def count_compiled() -> int:
    """Return the number of compiled kernels of this code on this machine, by signatures."""
    return sum(1 for _ in FOLDER.rglob("*.nbc"))


def find_missing() -> tuple[str, ...]:
    """Return the titles of the pieces that were never run with these kernels on this machine."""
    return tuple(piece.title for piece in WORK if not _mark(piece).exists())


def _mark(piece: Piece) -> Path:
    """Return the file next to the compiled kernels that marks a piece as done."""
    name = re.sub(r"\W+", "-", piece.title.lower())
    return FOLDER / f"{name}.{piece.kernels}.done"


def warm_up(titles: Sequence[str] = TITLES) -> Iterator[tuple[str, float]]:
    """Run the pieces with these titles, yielding (title, seconds taken)."""
    tidy()
    for piece in WORK:
        if piece.title in titles:
            began = time.perf_counter()
            piece.work()
            with suppress(OSError), replace_file(_mark(piece)):  # otherwise it is run once more
                pass
            yield piece.title, time.perf_counter() - began
