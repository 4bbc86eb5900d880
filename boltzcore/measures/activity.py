"""How much the hidden units of an RBM are in use."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.kernels import rows as kernels
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle

LOW, HIGH = 0.01, 0.99  # a unit that is on less or more often than that tells next to nothing of its row
BLOCK = 256


def mean_activity(model: RBM, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
    """(n_hidden,) mean of p(h = 1 | v) over rows v of 0/1."""
    rows = model.check_rows(v)
    W = kernels.blank(model.n_visible, model.n_hidden)
    W[:, : model.n_hidden] = model.W
    total = np.zeros(model.n_hidden)
    for i in range(0, len(rows), BLOCK):
        part = np.array(rows[i : i + BLOCK], np.uint8)
        fields = kernels.blank(len(part), model.n_hidden)
        kernels.hidden_fields(W, model.c, part, fields)
        sums = np.zeros(model.n_hidden, np.float32)
        kernels.probabilities(fields, model.n_hidden, np.float32(1), fields, sums)
        total += sums
        tick(i / len(rows))
    return total / len(rows)


def always_off(activity: NDArray) -> NDArray[np.bool_]:
    """Which units have a mean activity under 0.01."""
    return activity < LOW


def always_on(activity: NDArray) -> NDArray[np.bool_]:
    """Which units have a mean activity above 0.99."""
    return activity > HIGH


def hidden_activity(
    model: RBM,
    rows: Dataset,
    *,
    seed: int = 0,
    step: int = 0,
    annealing: Annealing = USUAL,
    inference: Inference | None = None,
    tick: Tick = idle,
) -> dict[str, float]:
    """Mean activity of all hidden units over training rows, and how many are dead: always off, or always on."""
    activity = mean_activity(model, rows.train.v, tick=tick)
    return {
        "hidden_activity": float(activity.mean()),
        "dead_units": float((always_off(activity) | always_on(activity)).sum()),
    }
