"""Forward annealing that several measures of one model share, and as much of it as an interval asks for."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference.annealing import Particles, annealed, most_temperatures
from boltzcore.measures.measure import MeasureContext
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from boltzcore.ticks import Tick

# Temperatures that an interval is tried with at first, and at most: of fewer it is now and then narrow by chance.
FIRST, MOST = 300, 1_000_000
SAFE, LEAST, LARGEST = 1.5, 2.0, 10.0  # more than an interval's width asks for; how many times as many come next
COUNTING = 0.1  # share of the chains that has to count: the interval of fewer is not to be believed
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


def within(model: RBM, rows: Dataset, context: MeasureContext, reach: float) -> MeasureContext:
    """The context with as many temperatures as it takes until the interval of log Z reaches no farther than so many
    nats, and a tenth of the chains counts; with 1,000,000, or as many as the model allows, whether it does or not.

    The last estimate is left in its `shared`, so that a measure does not make it again. The width of an interval falls
    with the square root of the temperatures; each estimate is made of more of them than the one before.
    """
    most = min(MOST, most_temperatures(model.n_visible + model.n_hidden))
    temperatures = min(FIRST, most)
    while True:
        tried = replace(context, annealing=replace(context.annealing, temperatures=temperatures), shared={})
        found = annealed_particles(model, rows, tried, context.tick).log_z
        far = max(found.high - found.value, found.value - found.low)
        counts = found.effective_sample_size >= COUNTING * len(found.log_weights)
        if temperatures == most or (far <= reach and counts):
            return tried
        more = SAFE * (far / reach) ** 2 if math.isfinite(far) and counts else LARGEST
        temperatures = min(most, round(temperatures * min(max(more, LEAST), LARGEST)))
