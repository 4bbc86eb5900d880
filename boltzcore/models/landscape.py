"""Free energies of all states of a few binary visible units, with hidden units summed out."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.kernels.enumeration import log_sum_exp

MOST = 12  # largest number of visible units: 4,096 states
MOST_HIDDEN = 256  # largest number of hidden units
M = TypeVar("M", bound=Any)


@dataclass(frozen=True, eq=False)
class Landscape:
    """All 2**n states of n visible units, 0 or 1.

    free_energies : (2**n,) float64, nats; in a state's index unit 0 is the lowest bit
    """

    free_energies: NDArray[np.float64]

    @property
    def n_visible(self) -> int:
        return len(self.free_energies).bit_length() - 1

    @cached_property
    def log_partition(self) -> float:
        """log Z in nats."""
        return float(log_sum_exp(-self.free_energies[None]))

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Probability e**-F / Z of each state, (2**n,)."""
        return exp_in_double(-self.free_energies - self.log_partition)


def at_temperature(model: M, temperature: float) -> M:
    """Return an FVBM or RBM with all energies divided by a temperature: e**(-E / T) / Z.

    >>> import numpy as np
    >>> from boltzcore.models import FVBM
    >>> at_temperature(FVBM(np.array([[0, 1], [1, 0]]), np.zeros(2)), 2.0).M.tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    return type(model)(*(getattr(model, name) / temperature for name in model.ARRAYS))
