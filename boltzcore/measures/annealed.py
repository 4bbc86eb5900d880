"""Forward annealing that several measures of one model share."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference.annealing import Particles, annealed
from boltzcore.measures.measure import MeasureContext
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from boltzcore.ticks import Tick

_KEY = "annealed"


def base_of(rows: Dataset, context: MeasureContext) -> NDArray[np.float64] | None:
    """(n_visible,) log-odds that chains start from; None for coin flips."""
    return base_rate_odds(rows.train.mean()) if context.annealing.start == "base rate" else None


def annealed_particles(model: RBM, rows: Dataset, context: MeasureContext, tick: Tick) -> Particles:
    """Annealing of full effort from the base to the model, taken once for all measures that share a context."""
    kept = context.shared
    if kept is not None and _KEY in kept:
        found: Particles = kept[_KEY]
        return found
    how = context.annealing
    made = annealed(
        model,
        chains=how.chains,
        temperatures=how.temperatures,
        base=base_of(rows, context),
        seed=context.seed,
        step=context.step,
        tick=tick,
    )
    if kept is not None:
        kept[_KEY] = made
    return made
