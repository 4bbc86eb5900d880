"""Fantasy particles: chains that continue from one observation of a model to the next."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.gibbs import gibbs
from boltzcore.kernels import random as streams
from boltzcore.models.base import Model
from boltzcore.ticks import Tick, idle

CHAINS, STEPS = 40, 10


def particles(
    model: Model, previous: Mapping[str, NDArray] | None, *, seed: int, step: int, steps: int = STEPS, tick: Tick = idle
) -> dict[str, NDArray]:
    """Return {"particles": (40, n_visible)}: more Gibbs steps from `previous`, or from random bits at first."""
    size, purpose = (CHAINS, model.n_visible), streams.PARTICLES
    start = previous["particles"] if previous else streams.generator(seed, purpose).integers(0, 2, size, np.uint8)
    return {"particles": gibbs(model, start, steps, seed=seed, step=step, purpose=purpose, tick=tick)}
