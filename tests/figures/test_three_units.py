"""Three units: their law."""

import numpy as np
from numpy.testing import assert_allclose

from pages.figures.three_units import PAIRS, STATES, ThreeUnits

MACHINE = ThreeUnits((0.5, -0.3, 0.1), (1.2, -0.7, 0.4))


def test_the_law_is_that_of_a_boltzmann_machine_by_hand():
    energies = [
        -sum(b * unit for b, unit in zip(MACHINE.b, x, strict=True))
        - sum(w * x[i] * x[j] for w, (i, j) in zip(MACHINE.w, PAIRS, strict=True))
        for x in STATES
    ]
    assert_allclose(MACHINE.energies, energies, atol=1e-15)
    weights = np.exp(-np.array(energies))
    assert_allclose(MACHINE.probabilities, weights / weights.sum(), rtol=1e-12)
    assert np.isfinite(ThreeUnits(w=(800.0, -800.0, 0.0)).probabilities).all()
