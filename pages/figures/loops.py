"""Small machines with loops, in which belief propagation may fail to converge."""

import numpy as np

from boltzcore.inference import Inference
from boltzcore.inference.beliefs import Beliefs
from boltzcore.models import RBM

UNITS = 6  # visible, and as many hidden ones
SCALES = (1.0, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 4.0, 6.0, 8.0)  # factors of the weights
LONG = 200  # iterations after which it counts as not converging


def rounds(scale: float, damping: float, seed: int) -> Beliefs:
    """Run belief propagation in an RBM whose weights are normal draws times `scale`, with biases that leave every unit
    undecided: for `LONG` iterations unless it converges.
    """
    W = scale * np.random.default_rng(seed).standard_normal((UNITS, UNITS))
    b, c = -W.sum(axis=1) / 2, -W.sum(axis=0) / 2
    model = RBM(*(each.astype(np.float32) for each in (W, b, c)))
    return Inference(iterations=LONG, damping=damping).infer(model)
