"""The share of a model's samples that are rows of its data."""

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.inference import gibbs
from boltzcore.kernels import random as streams
from boltzcore.models import CRBM, LogLinear, Model

SAMPLES, STEPS, INPUTS = 1_000, 200, 40
MOST = 10**10  # multiplications of all Gibbs steps, of which large models take fewer


def memorised(model: Model, dataset: Dataset, n: int = SAMPLES) -> float:
    """Return the share of n samples that are exactly a row of a split. Of a log-linear model they are exact, else Gibbs
    chains from coin flips; of a conditional one they are given the inputs of 40 training rows.
    """
    if isinstance(model, CRBM):
        inputs = dataset.train.epoch(0, 0).head(INPUTS).x
        return float(np.mean([memorised(model.given(x), dataset, n // INPUTS) for x in inputs]))  # type: ignore[union-attr]
    if isinstance(model, LogLinear):
        drawn = model.sample(n, 0)
    else:
        start = streams.generator(0, streams.PARTICLES).integers(0, 2, (n, dataset.train.n_visible), np.uint8)
        size = sum(getattr(model, name).size for name in model.ARRAYS)
        drawn = np.maximum(gibbs(model, start, max(10, min(STEPS, MOST // (n * size))), seed=0), 0)  # spins, too
    rows = {row.tobytes() for split in dataset.splits.values() for row in split.v}
    return float(np.mean([row.tobytes() in rows for row in drawn.astype(dataset.train.v.dtype)]))
