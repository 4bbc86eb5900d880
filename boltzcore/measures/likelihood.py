"""Likelihoods: exact where enumeration reaches, estimated where not, and what can be said without log Z."""

import math

import numpy as np

from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle


def log_likelihood(
    model: RBM,
    rows: Dataset,
    *,
    seed: int = 0,
    step: int = 0,
    annealing: Annealing = USUAL,
    inference: Inference | None = None,
    tick: Tick = idle,
) -> dict[str, float]:
    """Mean log-likelihood of training and test rows, nats per example: exact, or an estimate by annealed importance
    sampling.

    Exact figures are train_log_likelihood and test_log_likelihood. Where enumeration is out of reach, these names end
    in _ais; with _low and _high behind that come the ends of the interval of three standard errors of log Z's estimate
    (an infinite end is left out), and ais_effective_sample_size is told. AIS tends to too small a log Z, and so to too
    high a likelihood.
    """
    splits = {"train": rows.train, "test": rows.test}
    if model.enumerable:
        log_z = model.log_partition(tick=tick)
        return {
            f"{name}_log_likelihood": float(-model.free_energy(split.v, tick=tick).mean() - log_z)
            for name, split in splits.items()
        }
    found = annealing.log_partition(model, rows.train.mean(), seed=seed, step=step, tick=tick)
    figures = {}
    for name, split in splits.items():
        key, unnormalised = f"{name}_log_likelihood_ais", float(-model.free_energy(split.v, tick=tick).mean())
        for end, log_z in (("", found.value), ("_low", found.high), ("_high", found.low)):
            if not math.isinf(log_z):
                figures[key + end] = unnormalised - log_z
    return figures | {"ais_effective_sample_size": found.effective_sample_size}


def free_energy_gap(
    model: RBM,
    rows: Dataset,
    *,
    seed: int = 0,
    step: int = 0,
    annealing: Annealing = USUAL,
    inference: Inference | None = None,
    tick: Tick = idle,
) -> dict[str, float]:
    """Mean log-likelihood of training rows minus that of held-out rows, nats: log Z cancels.

    Held out are the validation rows, or the test rows where there are none. It grows as a model
    overfits (Ping, Liu and Ihler 2016, section 3.2).
    """
    held_out = rows.validation or rows.test
    return {
        "free_energy_gap": float(
            model.free_energy(held_out.v, tick=tick).mean() - model.free_energy(rows.train.v, tick=tick).mean()
        )
    }


def base_rate_log_likelihood(train: Examples, rows: Examples, *, pseudocount: float = 1.0) -> float:
    """Mean log-likelihood in nats of rows under independent units whose rates are the training means.

    pseudocount : rates are smoothed as (on + pseudocount) / (n + 2 pseudocount), so that held-out rows may hold what
        training rows do not; 0 gives the best that independent units can do on rows of the training data themselves
    Where rows are gray the expectation over their drawing is taken.
    """
    n = len(train)
    rate = (train.mean() * n + pseudocount) / (n + 2 * pseudocount)
    mean = rows.mean()
    on, off = np.where(mean > 0, rate, 1.0), np.where(mean < 1, 1 - rate, 1.0)  # what never occurs costs nothing
    return float(np.sum(mean * np.log(on) + (1 - mean) * np.log(off)))
