"""How much the hidden units of an RBM are in use."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Dataset
from boltzcore.kernels import rows as kernels
from boltzcore.measures.measure import SHARE, Figures, How, measure
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle

LOW, HIGH = 0.01, 0.99  # a unit that is on less or more often than that tells next to nothing of its row
BLOCK = 256


def mean_activity(model: RBM, v: ArrayLike, weight: NDArray | None = None, *, tick: Tick = idle) -> NDArray[np.float64]:
    """(n_hidden,) mean of p(h = 1 | v) over rows v of 0/1, by the (n,) weights of the rows where they have any."""
    rows = model.check_rows(v)
    W = kernels.blank(model.n_visible, model.n_hidden)
    W[:, : model.n_hidden] = model.W
    total = np.zeros(model.n_hidden)
    for i in range(0, len(rows), BLOCK):
        block = np.array(rows[i : i + BLOCK], np.uint8)
        fields = kernels.blank(len(block), model.n_hidden)
        kernels.hidden_fields(W, model.c, block, fields)
        sums = np.zeros(model.n_hidden, np.float32)
        kernels.probabilities(fields, model.n_hidden, np.float32(1), fields, sums)
        total += sums if weight is None else weight[i : i + BLOCK] @ fields[:, : model.n_hidden]
        tick(i / len(rows))
    return total / (len(rows) if weight is None else weight.sum())


def always_off(activity: NDArray) -> NDArray[np.bool_]:
    """Which units have a mean activity under 0.01."""
    return activity < LOW


def always_on(activity: NDArray) -> NDArray[np.bool_]:
    """Which units have a mean activity above 0.99."""
    return activity > HIGH


@measure({"hidden_activity": SHARE, "dead_units": "units"})
def hidden_activity(model: RBM, rows: Dataset, how: How) -> Figures:
    """Mean activity of all hidden units over training rows, and how many are dead: always off, or always on."""
    activity = mean_activity(model, rows.train.v, rows.train.weight, tick=how.tick)
    dead = always_off(activity) | always_on(activity)
    return {"hidden_activity": float(activity.mean()), "dead_units": float(dead.sum())}
