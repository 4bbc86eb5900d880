"""Activity of the hidden units of an RBM."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from boltzcore.data.examples import Dataset
from boltzcore.kernels import rows as kernels
from boltzcore.measures.measure import SHARE, Figures, MeasureContext, measure
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle

LOW, HIGH = 0.01, 0.99  # a unit with a mean beyond these has almost no information on a row
BLOCK = 256


def mean_activity(model: RBM, v: ArrayLike, weight: NDArray | None = None, *, tick: Tick = idle) -> NDArray[np.float64]:
    """Return the mean of p(h = 1 | v) over rows v of 0/1, (n_hidden,), with (n,) weights if given."""
    total, n = np.zeros(model.n_hidden), 0
    for part, sums in _blocks(model, v, tick):
        total += sums if weight is None else weight[n : n + len(part)] @ part
        n += len(part)
    return total / (n if weight is None else weight.sum())


def activities(model: RBM, v: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float32]:
    """Return p(h = 1 | v) of rows v of 0/1, (n, n_hidden)."""
    return np.concatenate([part for part, _ in _blocks(model, v, tick)])


def _blocks(model: RBM, v: ArrayLike, tick: Tick) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Yield (p(h = 1 | v) of some rows, (n_hidden,) their sums), block by block."""
    rows = model.check_rows(v)
    W = kernels.blank(model.n_visible, model.n_hidden)
    W[:, : model.n_hidden] = model.W
    for i in range(0, len(rows), BLOCK):
        block = np.array(rows[i : i + BLOCK], np.uint8)
        fields = kernels.blank(len(block), model.n_hidden)
        kernels.hidden_fields(W, model.c, block, fields)
        sums = np.zeros(model.n_hidden, np.float32)
        kernels.probabilities(fields, model.n_hidden, np.float32(1), fields, sums)
        tick(i / len(rows))
        yield fields[:, : model.n_hidden], sums


def always_off(activity: NDArray) -> NDArray[np.bool_]:
    """Return True for units with a mean activity below 0.01, (n_hidden,)."""
    return activity < LOW


def always_on(activity: NDArray) -> NDArray[np.bool_]:
    """Return True for units with a mean activity above 0.99, (n_hidden,)."""
    return activity > HIGH


def covariances(model: RBM, v: ArrayLike, unit: int) -> NDArray[np.float64]:
    """Return the mean of (v_i - <v_i>)(p_j - <p_j>) over rows v of 0/1, (n_visible,), with p_j = p(h_j = 1 | v).

    The gradient of the log-likelihood in W_ij is <v_i p_j>_data - <v_i p_j>_model, each a covariance plus the product
    of two means. The covariances show what is learnt of patterns; the products of means, which the biases soon
    equalise, differ by the noise of a mini-batch, and would hide it. Raises IndexError if there is no such unit.
    """
    rows = np.asarray(v, np.float64)
    p = expit(rows @ model.W[:, unit].astype(np.float64) + float(model.c[unit]))
    found: NDArray[np.float64] = (rows - rows.mean(axis=0)).T @ (p - p.mean()) / len(rows)
    return found


@measure(
    {"hidden_activity": SHARE, "dead_units": "units"},
    about="The mean activity of the hidden units over the training rows, and the number of dead units, which are "
    "nearly always off or nearly always on.",
)
def hidden_activity(model: RBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the mean activity of hidden units over training rows, and the number always off or always on."""
    activity = mean_activity(model, rows.train.v, rows.train.weight, tick=context.tick)
    dead = always_off(activity) | always_on(activity)
    return {"hidden_activity": float(activity.mean()), "dead_units": float(dead.sum())}
