"""Three units: their law, their chain and the climb of their likelihood."""

import numpy as np
from numpy.testing import assert_allclose

from pages.figures.three_units import PAIRS, STATES, ThreeUnits

MACHINE = ThreeUnits((0.5, -0.3, 0.1), (1.2, -0.7, 0.4))
SHARES = (0.4, 0.0, 0.1, 0.0, 0.0, 0.1, 0.0, 0.4)


def test_the_law_is_that_of_a_boltzmann_machine_by_hand():
    energies = [
        -sum(b * unit for b, unit in zip(MACHINE.b, x, strict=True))
        - sum(w * x[i] * x[j] for w, (i, j) in zip(MACHINE.w, PAIRS, strict=True))
        for x in STATES
    ]
    assert_allclose(MACHINE.energies, energies, atol=1e-15)
    weights = np.exp(-np.array(energies))
    assert_allclose(MACHINE.probabilities, weights / weights.sum(), rtol=1e-12)
    assert_allclose(MACHINE.log_likelihood(SHARES), SHARES @ np.log(weights / weights.sum()), rtol=1e-12)
    assert np.isfinite(ThreeUnits(w=(800.0, -800.0, 0.0)).log_likelihood(SHARES))


def test_the_chain_comes_to_the_law():
    error = 4 * np.sqrt(MACHINE.probabilities / 20_000 * 4)  # neighbours in a chain are not independent
    assert (np.abs(MACHINE.chain(20_000, 1) - MACHINE.probabilities) < error).all()


def test_a_step_uphill_goes_along_the_slope_of_the_likelihood():
    small = 1e-6
    moved = MACHINE.uphill(SHARES, small)
    steps = np.array([*moved.b, *moved.w]) - [*MACHINE.b, *MACHINE.w]
    for k, step in enumerate(steps):
        theta = np.array([*MACHINE.b, *MACHINE.w])
        theta[k] += 1e-5
        there = ThreeUnits(tuple(theta[:3]), tuple(theta[3:])).log_likelihood(SHARES)
        assert_allclose(step / small, (there - MACHINE.log_likelihood(SHARES)) / 1e-5, atol=1e-4)
