"""What learners with exchanges share: their fields, their chains, and what an estimate of log Z along a ladder says."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels.elementwise import log_in_double, softplus_in_double
from boltzcore.learners.batches import Minibatches, MinibatchLearner, rows_of_a_batch
from boltzcore.models import RBM
from boltzcore.parameters import parameter

FAMILIES = 10  # of chains that never meet: their spread is the error of an estimate
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


def estimate(value: float, influence: NDArray[np.float64]) -> LogPartition:
    """An estimate with three standard errors, from how much each family of chains pulls it up."""
    n = len(influence)
    error = 3 * math.sqrt(n / (n - 1) * math.fsum((influence * influence).tolist()))
    return LogPartition(value, value - error, value + error, np.array([value]))


def info_of(found: LogPartition) -> dict[str, float]:
    """An estimate as figures."""
    return {LOG_Z: found.value, LOW: found.low, HIGH: found.high}
