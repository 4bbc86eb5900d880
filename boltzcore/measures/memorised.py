"""The share of a model's samples that are exactly rows of the data: what tells whether showing samples shows rows."""

from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference import gibbs
from boltzcore.kernels import random as streams
from boltzcore.models import CRBM, LogLinear, Model

SAMPLES = 1_000
STEPS, MOST_WORK = 500, 10**10  # Gibbs steps of each chain, fewer where all would take more multiplications than this
_INPUTS = 40  # of a conditional model


def memorised(model: Model, dataset: Dataset, *, seed: int = 0) -> float:
    """Return the share of 1,000 samples of a model that are rows of its data, in any split.

    Samples are exact of a log-linear model; of others they come from chains that begin with coin flips, of a
    conditional model given the inputs of training rows.
    """
    rows = {row.tobytes() for split in dataset.splits.values() for row in split.v}
    drawn = _drawn(model, dataset, seed).astype(dataset.train.v.dtype)
    return float(np.mean([row.tobytes() in rows for row in drawn]))


@singledispatch
def _drawn(model: Any, dataset: Dataset, seed: int, n: int = SAMPLES) -> NDArray:
    """(n, n_visible) codes."""
    weights = sum(getattr(model, name).size for name in model.ARRAYS)
    start = streams.generator(seed, streams.PARTICLES).integers(0, 2, (n, model.n_visible), np.uint8)
    return np.maximum(gibbs(model, start, max(10, min(STEPS, MOST_WORK // (n * weights))), seed=seed), 0)


@_drawn.register
def _of_table(model: LogLinear, dataset: Dataset, seed: int) -> NDArray:
    return model.sample(SAMPLES, seed)


@_drawn.register
def _of_inputs(model: CRBM, dataset: Dataset, seed: int) -> NDArray:
    inputs = dataset.train.epoch(0, seed).head(_INPUTS).x
    assert inputs is not None
    each = -(-SAMPLES // len(inputs))
    return np.concatenate([_drawn(model.given(x), dataset, seed + i, each) for i, x in enumerate(inputs)])
