"""What a page draws of a training beside its parameters: arrays made from a State, outside the record."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.particles import particle_path
from boltzcore.learners.base import State
from boltzcore.measures.activity import mean_activity
from boltzcore.measures.chains import autocorrelation
from boltzcore.ticks import Tick, idle

STEPS, LAGS = 50, 25  # Gibbs transitions of each particle from look to look, and the lags that they tell of


def observe_rbm(state: State, previous: Mapping[str, NDArray] | None, *, rows: NDArray | None = None, seed: int, tick: Tick = idle) -> Mapping[str, NDArray]:
    """A look at an RBM.

    particles : (40, n_visible) uint8, chains carried on from the previous look
    autocorrelation : (26,) of these chains, over lags, in Gibbs transitions
    activity : (n_hidden,) mean of p(h = 1 | v) over `rows`, left out where there are none
    """
    path = particle_path(state.model, previous, seed=seed, step=state.count, steps=STEPS, tick=tick)
    seen: dict[str, NDArray] = {"particles": np.ascontiguousarray(path[:, -1]), "autocorrelation": autocorrelation(path, LAGS)}
    return seen if rows is None else seen | {"activity": mean_activity(state.model, rows, tick=tick)}
