"""Reconstruction error: cheap and common, but not a likelihood."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boltzcore.data.examples import Dataset
from boltzcore.measures.measure import Figures, MeasureContext, measure
from boltzcore.models import RBM

BLOCK = 1000


@measure(
    {"reconstruction_error": "per visible unit"},
    lower=True,
    about="The mean absolute difference, per visible unit, between test rows and their reconstruction. It is not a "
    "likelihood: it can get better while the likelihood gets worse.",
)
def reconstruction_error(model: RBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the mean absolute difference of test rows and their mean-field reconstruction, per unit, in [0, 1].

    It is not a likelihood: both can fall at the same time.
    """
    v, weight, total = rows.test.v, rows.test.weight, 0.0
    for i in range(0, len(v), BLOCK):
        block = v[i : i + BLOCK]
        off = np.abs(block - reconstruction(model, block))
        total += float(off.sum() if weight is None else weight[i : i + BLOCK] @ off.sum(axis=1))
        context.tick(i / len(v))
    return {"reconstruction_error": total / (rows.test.total * model.n_visible)}


def reconstruction(model: RBM, v: NDArray) -> NDArray[np.float64]:
    """Return the mean-field reconstruction of rows v, (n, n_visible): the probability of each visible unit given hidden
    units at their probabilities p(h = 1 | v), without sampling.
    """
    return expit(model.visible_field(expit(model.hidden_field(v))))
