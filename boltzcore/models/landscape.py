"""Every state of a few units that are off or on, hidden ones summed out: its free energy, and what adds up to that."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.kernels.enumeration import log_sum_exp

MOST = 12  # visible units: 4,096 states
MOST_HIDDEN = 256  # hidden units, whose terms are listed one by one


@dataclass(frozen=True, eq=False)
class Landscape:
    """All 2**n states v of n visible units, 0 or 1, and the terms that the free energy of each adds up from, in nats:

    -F(v) = sum_i b_i v_i + sum_k theta_k Phi_k(v) + sum_j counts_j log(1 + e**(c_j + sum_i w_ji v_i))

    free_energies : (2**n,) float64, F of each; in a state's index unit 0 is the lowest bit
    b : (n,) what each unit that is on adds
    parts, theta : (k, n) bool, (k,) terms of units together, Phi_k the product of 2 v_i - 1, -1 or +1, over those in
        row k of `parts`
    units, counts : (h, n + 1), (h,) hidden units, whose weights w_j stand before their bias c_j, and how often each
        counts
    """

    free_energies: NDArray[np.float64]
    b: NDArray[np.float64]
    parts: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 1), np.bool_))
    theta: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    units: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 1)))
    counts: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def n_visible(self) -> int:
        return len(self.b)

    @cached_property
    def log_partition(self) -> float:
        """log Z, nats."""
        return float(log_sum_exp(-self.free_energies[None]))

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """(2**n,) e**-F / Z of each state."""
        return exp_in_double(-self.free_energies - self.log_partition)
