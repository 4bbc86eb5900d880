"""What learners with exchanges share: their fields, their chains, and what an estimate of log Z along a ladder says."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import bennett
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double
from boltzcore.learners.batches import Minibatches, MinibatchLearner, rows_of_a_batch
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle

Floats = NDArray[np.float64]
FAMILIES = 10  # of chains that never meet: their spread is the error of an estimate
OVERLAP = 5.0  # effective samples that neighbours share: from here on intervals of exact samples hold in 98 % of cases
UNBOUNDED = 1e100  # influence of families if there is no interval: finite, so that a checkpoint holds it
LOG_Z, LOW, HIGH = "ladder_log_z", "ladder_log_z_low", "ladder_log_z_high"
ACCEPTED = "swaps_accepted"


@dataclass(frozen=True)
class Tempering(MinibatchLearner):
    """The base of learners whose chains go on from update to update and are exchanged."""

    family: ClassVar[str] = "CD"

    chains: int = parameter(
        100,
        low=FAMILIES,
        high=10_000,
        scale="log",
        symbol="C",
        help="Chains of the model that the model term of the gradient averages over.",
    )
    K: int = parameter(
        1,
        low=1,
        high=100,
        scale="log",
        symbol="K",
        help="Gibbs steps of each chain after an exchange.",
        live=True,
        label="Gibbs steps",
    )

    @abstractmethod
    def checked_batches(self, state: Any, data: Examples | NDArray, updates: int = 1) -> Minibatches:
        """Return the mini-batches of a training; ValueError if state and data do not belong together."""

    @abstractmethod
    def log_partition(self, state: Any, *, tick: Tick = idle) -> LogPartition | None:
        """log Z of a State's model along its ladder, with three standard errors; None where no way leads to it yet."""

    def estimates(self, state: Any, *, tick: Tick = idle) -> dict[str, float]:
        """log Z along the ladder and the ends of its interval, which are left out if it has none."""
        if (found := self.log_partition(state, tick=tick)) is None:
            return {}
        ends = {LOW: found.low, HIGH: found.high}
        return {LOG_Z: found.value} | {name: end for name, end in ends.items() if math.isfinite(end)}

    def _largest(self, batches: Minibatches) -> int:
        """Rows of the larger of mini-batch and chains."""
        return max(batches.size, self.chains)

    def _batch(self, rows: int) -> int:
        return rows_of_a_batch(rows, self.batch_size)

    def _check_chains(self, model: RBM, data: Examples, chains: NDArray[np.uint8], count: int) -> None:
        """ValueError where a State's chains are not those that these fields and data ask for."""
        wanted = (count, data.n_visible)
        if chains.shape != wanted or model.n_visible != wanted[1]:
            raise ValueError(
                f"This State goes on with {len(chains)} chains of {model.n_visible} visible units; the data and fields "
                f"given ask for {wanted[0]} of {wanted[1]}."
            )


def free_log_partition(base: NDArray[np.float32], n_hidden: int) -> float:
    """log Z of independent visible units of these log-odds, with hidden units that are on half of the time."""
    return math.fsum(softplus_in_double(base).tolist()) + n_hidden * float(log_in_double(np.array([2.0]))[0])


def log_ratio(forward: Floats, backward: Floats, weights: Floats, n_chains: int, influence: Floats) -> float:
    """log Z1 / Z0 of neighbouring rungs, as `bennett.ratio` has it; adds to the influence of each family, which becomes
    `UNBOUNDED` if the rungs overlap too little for an interval.
    """
    own = np.zeros(FAMILIES)
    value, effective = bennett.ratio(forward, backward, weights, n_chains, FAMILIES, own)
    influence += own if effective >= OVERLAP else UNBOUNDED
    return float(value)


def estimate(value: float, influence: Floats) -> LogPartition:
    """An estimate with three standard errors, from how much each family pulls it up; no interval if `UNBOUNDED`."""
    n, squares = len(influence), math.fsum((influence * influence).tolist())
    error = 3 * math.sqrt(n / (n - 1) * squares) if influence.max() < UNBOUNDED else math.inf
    return LogPartition(value, value - error, value + error, np.array([value]))
