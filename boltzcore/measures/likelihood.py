"""Likelihoods: exact where enumeration reaches, and what can be said without log Z."""

import numpy as np

from boltzcore.data.examples import Dataset, Examples
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle


def log_likelihood(model: RBM, rows: Dataset, *, seed: int = 0, step: int = 0, tick: Tick = idle) -> dict[str, float]:
    """Exact mean log-likelihood of training and test rows, nats per example; empty where enumeration is out of reach."""
    if not model.enumerable:
        return {}
    log_z = model.log_partition(tick=tick)
    splits = {"train": rows.train, "test": rows.test}
    return {f"{name}_log_likelihood": float(-model.free_energy(split.v, tick=tick).mean() - log_z) for name, split in splits.items()}


def free_energy_gap(model: RBM, rows: Dataset, *, seed: int = 0, step: int = 0, tick: Tick = idle) -> dict[str, float]:
    """Mean log-likelihood of training rows minus that of held-out rows, nats: log Z cancels.

    Held out are the validation rows, or the test rows where there are none. It grows as a model
    overfits (Ping, Liu and Ihler 2016, section 3.2).
    """
    held_out = rows.validation or rows.test
    return {"free_energy_gap": float(model.free_energy(held_out.v, tick=tick).mean() - model.free_energy(rows.train.v, tick=tick).mean())}


def base_rate_log_likelihood(train: Examples, rows: Examples) -> float:
    """Mean log-likelihood in nats of rows under independent units whose rates are the training means.

    Rates are smoothed as (on + 1) / (n + 2). Where rows are gray the expectation over their drawing is taken.
    """
    n = len(train)
    rate = (train.mean() * n + 1) / (n + 2)
    mean = rows.mean()
    return float(np.sum(mean * np.log(rate) + (1 - mean) * np.log1p(-rate)))
