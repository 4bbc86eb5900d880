"""Fantasy particles: chains that go on from one observation of a model to the next."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.gibbs import gibbs
from boltzcore.kernels import random as streams
from boltzcore.models import RBM
from boltzcore.models.base import Model

CHAINS, STEPS = 40, 10


def start_of_particles(model: Model, previous: Mapping[str, NDArray] | None, seed: int) -> NDArray[np.uint8]:
    """Return the (40, n_visible) "particles" of the previous observation; without one, coin flips."""
    if previous:
        return previous["particles"]
    return streams.generator(seed, streams.PARTICLES).integers(0, 2, (CHAINS, model.n_visible), np.uint8)


def particles(
    model: RBM, previous: Mapping[str, NDArray] | None, *, seed: int, step: int
) -> dict[str, NDArray[np.uint8]]:
    """Return {"particles": (40, n_visible)}: ten more Gibbs steps from `previous`, or from coin flips at first."""
    start = start_of_particles(model, previous, seed)
    return {"particles": gibbs(model, start, STEPS, seed=seed, step=step, purpose=streams.PARTICLES)}
