"""The smallest Boltzmann machine that shows everything: three units, all of whose states are counted out."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

UNITS = 3
STATES = tuple(product((0, 1), repeat=UNITS))  # in the order of binary numbers
PAIRS = tuple(combinations(range(UNITS), 2))


@dataclass(frozen=True)
class ThreeUnits:
    """E(x) = -sum_i b_i x_i - sum_{i<j} w_ij x_i x_j over x in {0, 1}^3; p(x) = exp(-E(x)) / Z.

    b : a bias for each unit; w : a coupling for each of `PAIRS`
    """

    b: tuple[float, ...] = (0.0, 0.0, 0.0)
    w: tuple[float, ...] = (0.0, 0.0, 0.0)

    @cached_property
    def energies(self) -> NDArray[np.float64]:
        """Of `STATES`, in their order."""
        x = np.array(STATES, float)
        return -x @ np.array(self.b) - np.stack([x[:, i] * x[:, j] for i, j in PAIRS], axis=1) @ np.array(self.w)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Of `STATES`, in their order."""
        shares: NDArray[np.float64] = np.exp(self.energies.min() - self.energies)
        return shares / shares.sum()

    def unnormalised(self, state: int) -> float:
        """Return exp(-E), the unnormalised probability, of the state of this number in `STATES`."""
        return float(np.exp(-self.energies[state]))
