"""Reconstruction error: cheap, familiar, and not a likelihood."""

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
    """Mean absolute difference of test rows and their mean-field reconstruction, per visible unit, in [0, 1].

    Not a likelihood: it can fall while the likelihood falls too.
    """
    v, weight, total = rows.test.v, rows.test.weight, 0.0
    for i in range(0, len(v), BLOCK):
        block = v[i : i + BLOCK]
        off = np.abs(block - reconstruction(model, block))
        total += float(off.sum() if weight is None else weight[i : i + BLOCK] @ off.sum(axis=1))
        context.tick(i / len(v))
    return {"reconstruction_error": total / (rows.test.total * model.n_visible)}


def reconstruction(model: RBM, v: NDArray) -> NDArray[np.float64]:
    """(n, n_visible) mean-field reconstruction of rows v: how probable each visible unit is to be on where each hidden
    unit is, not on or off, but as far on as it is probable given v.
    """
    return expit(model.visible_field(expit(model.hidden_field(v))))
