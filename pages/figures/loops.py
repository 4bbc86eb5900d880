"""Small machines whose loops belief propagation goes round in."""

import numpy as np

from boltzcore.inference import Inference
from boltzcore.inference.beliefs import Beliefs
from boltzcore.models import RBM

UNITS = 6  # visible, and as many hidden ones
SCALES = (1.0, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 4.0, 6.0, 8.0)  # factors of the weights
LONG = 200  # iterations after which it does not come to rest any more


def rounds(scale: float, damping: float, seed: int) -> Beliefs:
    """Belief propagation in an RBM whose weights are normal draws times `scale`, with biases that leave every unit
    undecided: without an end before `LONG` iterations unless it comes to rest.
    """
    W = scale * np.random.default_rng(seed).standard_normal((UNITS, UNITS))
    b, c = -W.sum(axis=1) / 2, -W.sum(axis=0) / 2
    model = RBM(*(each.astype(np.float32) for each in (W, b, c)))
    return Inference(iterations=LONG, damping=damping).infer(model)


def first_unrest(seed: int) -> float | None:
    """The least of `SCALES` at which it does not come to rest; None if it does at all of them."""
    return next((scale for scale in SCALES if not rounds(scale, 0.0, seed).converged), None)
