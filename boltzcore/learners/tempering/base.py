"""The base of learners with exchanges, and estimates of log Z along a ladder of models."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import bennett
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double
from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.batches import MinibatchLearner
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle

Floats = NDArray[np.float64]
FAMILIES = 10  # groups of chains that never meet, whose spread is the error of an estimate
OVERLAP = 5.0  # least effective samples shared by neighbours, at which intervals hold in 98 % of cases
UNBOUNDED = 1e100  # influence if there is no interval: finite, so that a checkpoint holds it
LOG_Z, LOW, HIGH = "ladder_log_z", "ladder_log_z_low", "ladder_log_z_high"
ACCEPTED = "swaps_accepted"


@dataclass(frozen=True)
class Tempering(MinibatchLearner):
    """The base of learners with persistent chains that are exchanged."""

    chains: int = parameter(
        100,
        low=FAMILIES,
        high=10_000,
        scale="log",
        symbol="C",
        help="Chains of the model that the model term of the gradient averages over.",
    )
    K: int = gibbs_steps_field(1, "Gibbs steps of each chain after an exchange.", high=100)

    @abstractmethod
    def log_partition(self, state: Any, *, tick: Tick = idle) -> LogPartition | None:
        """Return log Z of a State's model along its ladder, with three standard errors; None without a ladder."""


def ladder_figures(learner: Tempering, state: Any, *, tick: Tick = idle) -> dict[str, float]:
    """Return log Z along the ladder and the ends of its interval, without ends that are not finite."""
    if (found := learner.log_partition(state, tick=tick)) is None:
        return {}
    ends = {LOW: found.low, HIGH: found.high}
    return {LOG_Z: found.value} | {name: end for name, end in ends.items() if math.isfinite(end)}


def free_log_partition(base: NDArray[np.float32], n_hidden: int) -> float:
    """Return log Z of independent visible units of these log-odds, with hidden units that are on half of the time."""
    return math.fsum(softplus_in_double(base).tolist()) + n_hidden * float(log_in_double(np.array([2.0]))[0])


def log_ratio(forward: Floats, backward: Floats, weights: Floats, n_chains: int, influence: Floats) -> float:
    """Return log Z1 / Z0 of neighbouring rungs by `bennett.ratio`, and add to the influence of each family.

    The influence becomes `UNBOUNDED` if the rungs overlap too little for an interval.
    """
    own = np.zeros(FAMILIES)
    value, effective = bennett.ratio(forward, backward, weights, n_chains, FAMILIES, own)
    influence += own if effective >= OVERLAP else UNBOUNDED
    return float(value)


def estimate(value: float, influence: Floats) -> LogPartition:
    """Return an estimate with three standard errors from the influence of each family; no interval if `UNBOUNDED`."""
    n, squares = len(influence), math.fsum((influence * influence).tolist())
    error = 3 * math.sqrt(n / (n - 1) * squares) if influence.max() < UNBOUNDED else math.inf
    return LogPartition(value, value - error, value + error, np.array([value]))
