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
    model: RBM, previous: Mapping[str, NDArray] | None, *, seed: int, step: int, steps: int = STEPS, tick: Tick = idle
) -> NDArray[np.uint8]:
    """(40, steps, n_visible): where each particle is after each of `steps` Gibbs transitions from `previous`, or from
    coin flips at first.
    """
    start = first_particles(model, previous, seed)
    return gibbs_path(model, start, steps, seed=seed, step=step, purpose=streams.PARTICLES, tick=tick)


def moved_particles(
    model: InfiniteRBM,
    previous: Mapping[str, NDArray] | None,
    *,
    seed: int,
    step: int,
    steps: int = STEPS,
    tick: Tick = idle,
) -> NDArray[np.uint8]:
    """(40, n_visible) such chains of a machine whose hidden units count any number: Metropolis-Hastings steps."""
    v, _ = metropolis(
        model,
        first_particles(model, previous, seed),
        steps,
        seed=seed,
        step=step,
        purpose=streams.PARTICLES,
        tick=tick,
    )
    return v


def first_particles(model: Model, previous: Mapping[str, NDArray] | None, seed: int) -> NDArray[np.uint8]:
    """The states that chains go on from: those of the observation before, or coin flips at first."""
    if previous:
        return previous["particles"]
    return streams.generator(seed, streams.PARTICLES).integers(0, 2, (CHAINS, model.n_visible), np.uint8)


def particles(
    model: RBM, previous: Mapping[str, NDArray] | None, *, seed: int, step: int, tick: Tick = idle
) -> dict[str, NDArray[np.uint8]]:
    """{"particles": (40, n_visible)}: ten more Gibbs steps from `previous`, or from coin flips at first."""
    return {"particles": np.ascontiguousarray(particle_path(model, previous, seed=seed, step=step, tick=tick)[:, -1])}
