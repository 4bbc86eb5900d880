"""What a page draws of a training beside its parameters: arrays made from a State, outside the record."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.particles import particle_path
from boltzcore.learners.base import State
from boltzcore.measures.activity import mean_activity
from boltzcore.measures.chains import autocorrelation
from boltzcore.ticks import Tick, idle

SHOWN = 12  # held-out images that a conditional model restores
STEPS, LAGS = 50, 25  # Gibbs transitions of each particle from look to look, and the lags that they tell of


def observe_rbm(
    state: State,
    previous: Mapping[str, NDArray] | None,
    *,
    rows: Dataset | None = None,
    inference: Inference | None = None,
    seed: int,
    tick: Tick = idle,
) -> Mapping[str, NDArray]:
    """A look at an RBM.

    particles : (40, n_visible) uint8, chains carried on from the previous look
    autocorrelation : (26,) of these chains, over lags, in Gibbs transitions
    activity : (n_hidden,) mean of p(h = 1 | v) over the training rows, left out where there are none
    """
    path = particle_path(state.model, previous, seed=seed, step=state.count, steps=STEPS, tick=tick)
    seen: dict[str, NDArray] = {
        "particles": np.ascontiguousarray(path[:, -1]),
        "autocorrelation": autocorrelation(path, LAGS),
    }
    return seen if rows is None else seen | {"activity": mean_activity(state.model, rows.train.v, tick=tick)}


def observe_crbm(
    state: State,
    previous: Mapping[str, NDArray] | None,
    *,
    rows: Dataset | None = None,
    inference: Inference | None = None,
    seed: int,
    tick: Tick = idle,
) -> Mapping[str, NDArray]:
    """A look at a conditional RBM: the same few validation images (test images where there are none) each time; empty
    without rows.

    clean, seen : (12, n_visible) uint8 images and their corrupted copies
    restored : (12, n_visible) float32 belief that a pixel is on
    residuals : (12, iterations) float32 of the inference, nan once it has stopped
    """
    if rows is None or inference is None:
        return {}
    few = (rows.validation or rows.test).head(SHOWN)
    if few.x is None:
        return {}
    beliefs = inference.infer(state.model, few.x, tick=tick)
    return {"clean": few.v, "seen": few.x, "restored": beliefs.v, "residuals": beliefs.residuals}
