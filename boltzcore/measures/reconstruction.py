"""Reconstruction error: cheap, familiar, and not a likelihood."""

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle

BLOCK = 1000


def reconstruction_error(
    model: RBM,
    rows: Dataset,
    *,
    seed: int = 0,
    step: int = 0,
    annealing: Annealing = USUAL,
    inference: Inference | None = None,
    tick: Tick = idle,
) -> dict[str, float]:
    """Mean absolute difference of test rows and their mean-field reconstruction, per visible unit, in [0, 1].

    Not a likelihood: it can fall while the likelihood falls too.
    """
    v, total = rows.test.v, 0.0
    for i in range(0, len(v), BLOCK):
        part = v[i : i + BLOCK]
        back = _sigmoid(model.visible_field(_sigmoid(model.hidden_field(part))))
        total += float(np.abs(part - back).sum())
        tick(i / len(v))
    return {"reconstruction_error": total / v.size}


def _sigmoid(x: np.ndarray) -> np.ndarray:
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))
