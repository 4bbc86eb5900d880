"""Equilibrium gap of a learner's chains, and the forward annealing that it shares with the likelihood."""

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference import equilibrium
from boltzcore.inference.annealing import AnnealingSettings, Particles, anneal
from boltzcore.inference.equilibrium import Gap, Verdict, verdict_on
from boltzcore.inference.gibbs import gibbs
from boltzcore.measures.measure import Figures, MeasureContext, measure
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from boltzcore.ticks import Tick, portion

BACK = 400  # largest number of temperatures of reverse annealing: enough for chains near their model
CHAINS, STEPS = 100, 100  # chains that start at training rows, if a model has no chains of its own, and their steps


@measure(
    {
        "equilibrium_gap": "nats",
        "equilibrium_gap_low": "nats",
        "equilibrium_gap_high": "nats",
        "equilibrium_chi_square": "",
    },
    uses=("annealing",),
    title="equilibrium gap",
    about="Whether the learner's chains are at equilibrium: log Z by annealing back from the chains, minus log Z by "
    "annealing towards the model. It is near 0 at equilibrium, and negative if the chains miss much of the model. The "
    "reduced chi-square of the hidden units' means, about 1 at equilibrium, is more sensitive. Measured for learners "
    "with persistent chains, at full measurements.",
)
def equilibrium_gap(model: RBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the gap with its interval of three standard errors, nats, and the chi-square of hidden means, from
    `inference.equilibrium_gap`; {} without chains or with one, and at records that are not in full.

    Reverse annealing takes at most 400 temperatures. Forward annealing is shared with the likelihood's estimate, if
    there is one. Simpler checks fail: the drift of the chains' free energy over a few steps cannot see modes that
    chains never reach, and chains from other starts differ long after either is useful.
    """
    if context.chains is None or len(context.chains) < 2 or not context.in_full:
        return {}
    return figures_of(gap_of(model, rows, context, context.chains, min(BACK, context.annealing.temperatures)))


def gap_of(model: RBM, rows: Dataset, context: MeasureContext, chains: NDArray[np.uint8], back: int) -> Gap:
    """Return the gap of chains, with `back` temperatures of reverse annealing."""
    return equilibrium.equilibrium_gap(
        model,
        chains,
        particles=context.annealing.chains,
        temperatures=back,
        base=base_rate_odds(rows.train.mean()),
        seed=context.seed,
        step=context.step,
        forward=annealed_particles(model, rows, context, portion(context.tick, 0, 0.5)),
        tick=portion(context.tick, 0.5, 0.5),
    )


def figures_of(gap: Gap) -> Figures:
    """Return the figures of `equilibrium_gap`, omitting infinite ends."""
    ends = {"equilibrium_gap_low": gap.low, "equilibrium_gap_high": gap.high, "equilibrium_chi_square": gap.chi_square}
    return {"equilibrium_gap": gap.value} | {name: value for name, value in ends.items() if math.isfinite(value)}


def annealed_particles(model: RBM, rows: Dataset, context: MeasureContext, tick: Tick) -> Particles:
    """Return annealing from the base to the model, computed once for all measures that share a context."""
    shared = {} if context.shared is None else context.shared
    if "annealed" not in shared:
        how = context.annealing
        settings = AnnealingSettings(
            how.chains, how.temperatures, base_rate_odds(rows.train.mean()), context.seed, context.step
        )
        shared["annealed"] = anneal(model, settings, tick)
    found: Particles = shared["annealed"]
    return found


def verdict_in(values: Mapping[str, float]) -> Verdict | None:
    """Return the verdict on chains from the figures of a record; None if it has none."""
    value, chi_square = values.get("equilibrium_gap"), values.get("equilibrium_chi_square")
    if value is None or chi_square is None:
        return None
    low, high = values.get("equilibrium_gap_low", -math.inf), values.get("equilibrium_gap_high", math.inf)
    return verdict_on(Gap(value, low, high, chi_square))


def chains_from_rows(model: RBM, rows: Dataset, context: MeasureContext) -> NDArray[np.uint8]:
    """Return chains (at most 100, n_visible) that start at training rows, after 100 Gibbs steps."""
    begin = rows.train.spread(CHAINS).v
    found: NDArray[np.uint8] = gibbs(model, begin, STEPS, seed=context.seed, step=context.step, tick=context.tick)
    return found
