"""The smallest Boltzmann machine that shows everything: three units, all of whose states are counted out."""

from collections.abc import Sequence
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
        return -_functions() @ np.array([*self.b, *self.w])

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Of `STATES`, in their order."""
        weights: NDArray[np.float64] = np.exp(self.energies.min() - self.energies)
        return weights / weights.sum()

    def weight(self, state: int) -> float:
        """exp(-E) of the state of this number in `STATES`."""
        return float(np.exp(-self.energies[state]))

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """(6,): how often each unit is on, then how often both units of each pair are."""
        means: NDArray[np.float64] = self.probabilities @ _functions()
        return means

    def log_likelihood(self, shares: Sequence[float]) -> float:
        """Mean log p(x) in nats over states that come with these shares, in the order of `STATES`."""
        log_partition = np.log(np.exp(self.energies.min() - self.energies).sum()) - self.energies.min()
        return float(-np.asarray(shares) @ self.energies - log_partition)

    def chain(self, length: int, seed: int) -> NDArray[np.float64]:
        """The share of `STATES` among as many states of a Gibbs chain: each flips one unit, drawn given the others."""
        random, at, counts = np.random.default_rng(seed), 0, np.zeros(len(STATES))
        for unit, draw in zip(random.integers(UNITS, size=length), random.random(length), strict=True):
            bit = 1 << (UNITS - 1 - unit)
            on, off = self.probabilities[at | bit], self.probabilities[at & ~bit]
            at = at | bit if draw < on / (on + off) else at & ~bit
            counts[at] += 1
        return counts / length

    def uphill(self, shares: Sequence[float], rate: float) -> "ThreeUnits":
        """One step of gradient ascent: means of the data pull parameters up, those of the model push down."""
        moved = np.array([*self.b, *self.w]) + rate * (np.asarray(shares) @ _functions() - self.means)
        return ThreeUnits(tuple(moved[:UNITS].tolist()), tuple(moved[UNITS:].tolist()))


def largest_gap(machine: ThreeUnits, shares: Sequence[float]) -> float:
    """The largest difference between the shares of states in a sample and their probabilities."""
    return float(np.abs(np.asarray(shares) - machine.probabilities).max())


def _functions() -> NDArray[np.float64]:
    """(8, 6): the units of each state, then whether both units of each pair are on."""
    states = np.array(STATES, dtype=float)
    return np.hstack([states, np.stack([states[:, i] * states[:, j] for i, j in PAIRS], axis=1)])
