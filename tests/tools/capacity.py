"""Count of random patterns that a Hopfield network stores, measured against the theory of infinitely many units.

python -m tests.tools.capacity [--networks 100]

Recall starts at a stored pattern, at temperature 0; a bit is wrong where it ends elsewhere. Theory: Amit, Gutfreund and
Sompolinsky 1985, replica-symmetric, at temperature 0.
"""

import argparse
import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from boltzcore.inference import recall
from boltzcore.learners import Hebbian
from boltzcore.models import FVBM

WRONG = 0.01  # share of bits


def network(units: int, patterns: int, seed: int) -> tuple[FVBM, NDArray[np.int8]]:
    """Return a network that has stored random patterns, and these as rows of spins."""
    x = np.random.default_rng((units, patterns, seed)).choice(np.array([-1, 1], np.int8), (patterns, units))
    state = Hebbian().start(FVBM(np.zeros((units, units)), np.zeros(units)), x, seed=0)
    return Hebbian().advance(state, x, updates=patterns).model, x


def measured(units: int, patterns: int, networks: int) -> float:
    """Return the share of wrong bits after recall, over all patterns of some networks."""
    wrong = []
    for seed in range(networks):
        model, x = network(units, patterns, seed)
        wrong += [(recall(model, row, seed=k).path[-1] != row).mean() for k, row in enumerate(x)]
    return float(np.mean(wrong))


def capacity(units: int, networks: int) -> int:
    """Return the most patterns that are stored at a share of wrong bits of at most `WRONG`."""
    low, high = 1, units // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if measured(units, middle, networks) <= WRONG else (low, middle)
    return low


def expected(load: float) -> float:
    """Return the share of wrong bits at a load of patterns a unit, for infinitely many units.

    With y = m / sqrt(2 load r) the overlap m = erf(y) solves y (sqrt(2 load) + 2 / sqrt(pi) e**(-y**2)) = erf(y); the
    largest y counts, and none but 0 is left beyond a load of .138.
    """
    y = np.linspace(1e-3, 10, 100_000)
    above = erf(y) - y * (math.sqrt(2 * load) + 2 / math.sqrt(math.pi) * np.exp(-(y**2))) > 0
    return float((1 - erf(y[above].max())) / 2) if above.any() else 0.5


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", type=int, default=100)
    networks = parser.parse_args().networks
    print("units  patterns  load   wrong, %  in theory, %")
    for units in (64, 256):
        for load in (0.08, 0.1, 0.125, 0.138, 0.15, 0.17, 0.2):
            patterns = round(load * units)
            wrong, theory = (100 * each for each in (measured(units, patterns, networks), expected(patterns / units)))
            print(f"{units:5}  {patterns:8}  {patterns / units:.3f}  {wrong:8.2f}  {theory:12.2f}")
        most = capacity(units, networks)
        print(f"{units} units store {most} patterns at {WRONG:.0%} wrong bits: {most / units:.3f} a unit")
