"""Comparison of chains with their model: reverse annealing from them against annealing towards the model.

Forward annealing finds the modes that can be reached from independent pixels, reverse annealing measures those that the
chains are in. If the chains miss much of the model, reverse annealing gives too small a log Z.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.inference.annealing import AnnealingSettings, Particles, anneal, reverse_annealed_importance_sampling
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.models import RBM
from boltzcore.parameters import check_arguments, whole
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle, portion

STILL = 1e-12  # variances below this are rounding
# Thresholds of a verdict, chosen on models with a known distribution (`python -m tests.tools.light`): chi-squares up to
# which chains are sound and from which they are not; missing nats, and missing nats beyond chance; width of an interval
# in nats
SOUND, UNSOUND, MISSED, LOST, WIDE = 3.5, 5.0, 0.5, 2.0, 1.5
EXPLAINED = 0.15  # nats: particles that miss a seventh of the model may explain a difference of the means
REVERSED = 2**62  # added to the step of a stream, so that reverse annealing draws other numbers


@dataclass(frozen=True, eq=False)
class Gap:
    """Measures of how far chains are from equilibrium.

    value : log Z by reverse annealing from the chains, minus log Z by forward annealing, nats: near 0 at equilibrium
    low, high : its interval of three standard errors; an end is infinite if one of the two estimates has none
    chi_square : squared difference of the hidden units' means over chains and over forward annealing's particles,
        divided by its variance and averaged over the units: about 1 at equilibrium

    >>> import numpy as np
    >>> from boltzcore.inference import equilibrium_gap, gibbs
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.full((6, 3), 0.5), np.zeros(6), np.zeros(3))
    >>> gap = equilibrium_gap(rbm, gibbs(rbm, np.zeros((100, 6)), 100, seed=1))
    >>> gap.low < 0 < gap.high
    True
    """

    value: float
    low: float
    high: float
    chi_square: float


@check_arguments
def equilibrium_gap(
    rbm: RBM,
    chains: ArrayLike,
    *,
    particles: int = 100,
    forward: Particles | None = None,
    tick: Tick = idle,
    **settings: Any,
) -> Gap:
    """Compare chains (n, n_visible) of 0/1 with their model. At most `particles` evenly spaced chains are annealed.

    forward : the forward annealing from the same base, if it is already known
    settings : temperatures, base, seed and step, as in `annealed_importance_sampling`
    Raises Refusal naming the argument, its value and what is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import equilibrium_gap, verdict_on
    >>> from boltzcore.models import RBM
    >>> two_modes = RBM(np.full((12, 4), 4.0), np.full(12, -8.0), np.full(4, -24.0))
    >>> verdict_on(equilibrium_gap(two_modes, np.ones((100, 12)))).word  # all chains in one of them
    'not at equilibrium'
    """
    particles = whole("particles", particles, 2, 1_000_000)
    rows = rbm.check_states(chains, "chains")
    if len(rows) < 2:
        raise Refusal(f"chains must be at least 2 rows, not {len(rows)}.", "chains")
    if forward is None:
        forward = anneal(rbm, AnnealingSettings(particles, **settings), portion(tick, 0, 0.5))
    some = rows[np.linspace(0, len(rows) - 1, min(particles, len(rows))).astype(np.int64)]
    apart = settings | {"step": settings.get("step", 0) + REVERSED}
    back = reverse_annealed_importance_sampling(rbm, some, tick=portion(tick, 0.5, 0.5), **apart)
    estimate, value = forward.log_z, back.value - forward.log_z.value
    down = math.hypot(back.value - back.low, estimate.high - estimate.value)
    up = math.hypot(back.high - back.value, estimate.value - estimate.low)
    return Gap(value, value - down, value + up, chi_square(rbm, rows, forward))


def chi_square(rbm: RBM, chains: NDArray, forward: Particles) -> float:
    """Return `Gap.chi_square`. Hidden units that never vary, in chains or particles, are ignored."""
    weights = exp_in_double(forward.log_z.log_weights - forward.log_z.log_weights.max())
    weights /= weights.sum()
    ours, theirs = (1 / (1 + exp_in_double(-rbm.hidden_field(v))) for v in (chains, forward.v))
    spread = ours.var(axis=0, ddof=1)
    mean = weights @ theirs
    # few effective particles underestimate their variance: use at least that of as many chains
    of_particles = np.maximum(weights**2 @ (theirs - mean) ** 2, spread * (weights**2).sum())
    difference, variance = ours.mean(axis=0) - mean, spread / len(chains) + of_particles
    moving = (variance > STILL) | (difference**2 > STILL)
    if not moving.any():
        return 0.0
    return float(np.mean(difference[moving] ** 2 / np.maximum(variance[moving], STILL)))


@dataclass(frozen=True)
class Verdict:
    """Verdict on whether chains are at equilibrium.

    word : "at equilibrium", "not at equilibrium" or "inconclusive"
    sentence : its consequence
    """

    word: str
    sentence: str


AT = Verdict(
    "at equilibrium", "No sign that the chains differ from the model: samples seem to show what it has learnt."
)
NOT = Verdict("not at equilibrium", "The chains differ from the model: samples do not show what it has learnt.")
UNSURE = Verdict("inconclusive", "The chains may or may not be at equilibrium: the signs are weak or disagree.")


def misses(gap: Gap) -> bool:
    """Return True if log Z by reverse annealing shows that chains miss a part of the model."""
    return gap.value <= -LOST or (gap.value <= -MISSED and gap.high < 0)


def differs(gap: Gap, chi_square: float = UNSOUND) -> bool:
    """Return True if the means of hidden units differ because of the chains, and not because of the particles."""
    return gap.chi_square >= chi_square and gap.low <= 0 and gap.value < EXPLAINED


@check_arguments
def verdict_on(gap: Gap) -> Verdict:
    """Return the verdict on chains from their gap; `python -m tests.tools.light` measures its error rate.

    Chains are not at equilibrium if the means of hidden units are far from those of the particles, or log Z by reverse
    annealing is too small. They are if both are near and the interval is narrow enough. With a gap above 0 the
    particles miss what the chains have found, so neither their log Z nor their means are a reference.

    >>> from boltzcore.inference import Gap, verdict_on
    >>> verdict_on(Gap(value=-6.1, low=-7.0, high=-5.2, chi_square=43.0)).word
    'not at equilibrium'
    """
    if differs(gap) or misses(gap):
        return NOT
    if gap.low > 0 or gap.chi_square > SOUND or gap.high - gap.low > WIDE or abs(gap.value) > MISSED:
        return UNSURE
    return AT
