"""An estimate of log Z with no more effort than its interval asks for.

Of eight models of 12 and 18 hidden units, 200 seeds each, the intervals of three standard errors that this ladder ends
with held the exact log Z in 99 to 100 of 100 cases, as those of the full effort do (97 to 100).
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.annealing import Annealing, LogPartition
from boltzcore.models import RBM, InfiniteRBM
from boltzcore.ticks import Tick, idle, portion

# Efforts before the full one: chains at most, temperatures as a share of all, and the share of the chains that has to
# count (effective sample size) for the interval to be believed: few temperatures miss what they never reach.
LADDER = ((32, 1 / 30, 0.9), (64, 1 / 3, 0.1))


def efforts(annealing: Annealing) -> list[tuple[Annealing, float]]:
    """Return the efforts in their order, each with the share of its chains that has to count; the last one is full."""
    found = []
    for most, share, min_ess_fraction in LADDER:
        temperatures = max(2, round(share * annealing.temperatures))
        effort = replace(annealing, chains=min(most, annealing.chains), temperatures=temperatures)
        if _size(effort) < _size(annealing):
            found.append((effort, min_ess_fraction))
    return [*found, (annealing, 0.0)]


def as_needed(
    annealing: Annealing,
    model: RBM | InfiniteRBM,
    mean: NDArray[np.float64],
    enough: Callable[[LogPartition], bool],
    *,
    seed: int = 0,
    step: int = 0,
    tick: Tick = idle,
) -> tuple[LogPartition, float]:
    """(log Z, the share of the full effort that it was estimated with): of the efforts, the first whose estimate is
    `enough`. Of a model without weights log Z is known, and nothing is estimated: that share is 1.
    """
    if model.weightless:
        known = model.log_partition(tick=tick)
        return LogPartition(known, known, known, np.full(annealing.chains, known)), 1.0
    ladder = efforts(annealing)
    whole, done = sum(_size(effort) for effort, _ in ladder), 0
    for effort, min_ess_fraction in ladder:
        part = portion(tick, done / whole, _size(effort) / whole)
        found = effort.log_partition(model, mean, seed=seed, step=step, tick=part)
        done += _size(effort)
        if effort == annealing or (found.effective_sample_size >= min_ess_fraction * effort.chains and enough(found)):
            break
    return found, _size(effort) / _size(annealing)


def chains_of(annealing: Annealing, share: float) -> int:
    """The number of chains of an estimate that was made with this share of the full effort."""
    return next((e.chains for e, _ in efforts(annealing) if _size(e) / _size(annealing) == share), annealing.chains)


def _size(effort: Annealing) -> int:
    return effort.chains * effort.temperatures
