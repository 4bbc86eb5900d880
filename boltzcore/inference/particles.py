"""Fantasy particles: chains that go on from one observation of a model to the next."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.fractional import metropolis
from boltzcore.inference.gibbs import gibbs_path
from boltzcore.kernels import random as streams
from boltzcore.models import RBM, InfiniteRBM, Model
from boltzcore.ticks import Tick, idle

CHAINS, STEPS = 40, 10


def particle_path(
    model: RBM, previous: Mapping[str, NDArray] | None, *, seed: int, step: int, steps: int, tick: Tick = idle
) -> NDArray[np.uint8]:
    """Return (40, steps, n_visible) where particles are after each of `steps` Gibbs transitions.

    They start from the "particles" of the previous observation; without one, from coin flips.
    """
    start = _start(model, previous, seed)
    return gibbs_path(model, start, steps, seed=seed, step=step, purpose=streams.PARTICLES, tick=tick)


def moved_particles(
    model: InfiniteRBM,
    previous: Mapping[str, NDArray] | None,
    *,
    seed: int,
    step: int,
    steps: int,
    tick: Tick = idle,
) -> NDArray[np.uint8]:
    """Return (40, n_visible) such particles of an infinite RBM after Metropolis-Hastings steps."""
    start = _start(model, previous, seed)
    return metropolis(model, start, steps, seed=seed, step=step, purpose=streams.PARTICLES, tick=tick)[0]


def particles(
    model: RBM, previous: Mapping[str, NDArray] | None, *, seed: int, step: int, tick: Tick = idle
) -> dict[str, NDArray[np.uint8]]:
    """Return {"particles": (40, n_visible)}: ten more Gibbs steps from `previous`, or from coin flips at first."""
    path = particle_path(model, previous, seed=seed, step=step, steps=STEPS, tick=tick)
    return {"particles": np.ascontiguousarray(path[:, -1])}


def _start(model: Model, previous: Mapping[str, NDArray] | None, seed: int) -> NDArray[np.uint8]:
    if previous:
        return previous["particles"]
    return streams.generator(seed, streams.PARTICLES).integers(0, 2, (CHAINS, model.n_visible), np.uint8)
