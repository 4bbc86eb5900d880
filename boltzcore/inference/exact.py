"""Rows of a small RBM, drawn from it exactly."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import random as streams
from boltzcore.models import RBM


def exact_rows(model: RBM, n: int, seed: int) -> NDArray[np.uint8]:
    """(n, n_visible) rows drawn from a model, exactly: hidden states by enumeration, then pixels given them."""
    states = np.arange(2**model.n_hidden)
    h = (states[:, None] >> np.arange(model.n_hidden) & 1).astype(np.float64)
    fields = h @ model.W.T.astype(np.float64) + model.b
    weights = h @ model.c + np.logaddexp(0, fields).sum(axis=1)
    p = np.exp(weights - weights.max())
    generator = streams.generator(seed, streams.TRUTH)
    chosen = generator.choice(len(p), n, p=p / p.sum())
    return (generator.random((n, model.n_visible)) < 1 / (1 + np.exp(-fields[chosen]))).astype(np.uint8)
