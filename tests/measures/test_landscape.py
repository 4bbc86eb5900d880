"""Heights, valleys and laws of small machines against sums state by state, and long chains against these."""

import itertools

import numpy as np
import pytest

from boltzcore.inference import gibbs
from boltzcore.measures.landscape import heights, overlap_cells, states_of, valleys
from boltzcore.models import FVBM
from boltzcore.models.landscape import at_temperature
from tests.models import exact
from tests.models.test_fvbm import machine
from tests.tools.capacity import network

TEMPERATURES = (0.05, 0.5, 1.0, 3.0)


def weights(model, temperature):
    """{row: e**(-E / T), hidden units summed over} by the definition of each model."""
    found = {}
    for row in itertools.product((0, 1), repeat=model.n_visible):
        v = np.array(row, float)
        if isinstance(model, FVBM):
            x = 2 * v - 1
            energies = [-(x @ model.M @ x / 2 + model.b @ x)]
        else:
            hidden = itertools.product((0, 1), repeat=model.n_hidden)
            energies = [-(v @ model.W @ h + model.b @ v + model.c @ h) for h in map(np.array, hidden)]
        found[row] = np.exp(-(np.array(energies) + 20) / temperature).sum()
    return found


@pytest.mark.parametrize("temperature", TEMPERATURES)
@pytest.mark.parametrize("model", [machine(7, 7, 1.0), exact.random_rbm(7, 3, seed=7)], ids=["FVBM", "RBM"])
def test_heights_are_minus_t_log_of_the_summed_probability_over_the_overlaps(model, temperature):
    patterns = np.array([[1, 0, 1, 1, 0, 0, 1], [1, 1, 0, 1, 0, 1, 0]])
    by_hand = weights(model, temperature)
    total, sums = sum(by_hand.values()), {}
    for row, weight in by_hand.items():
        a, b = (np.array(row) == patterns).sum(axis=1)
        sums[a, b] = sums.get((a, b), 0) + weight
    landscape = at_temperature(model, temperature).landscape()
    found = heights(landscape.free_energies, overlap_cells(patterns), temperature)
    assert {divmod(cell, 8) for cell in np.flatnonzero(np.isfinite(found)).tolist()} == set(sums)
    for (a, b), weight in sums.items():
        assert found[8 * a + b] == pytest.approx(-temperature * np.log(weight / total), abs=1e-4)
    rows = np.array(list(by_hand))
    law = np.array(list(by_hand.values())) / total
    assert np.abs(landscape.probabilities[states_of(rows)] - law).sum() < 1e-5


def test_heights_are_finite_where_probabilities_are_too_small_to_be_numbers():
    found = heights(np.array([0.0, 900.0, 2_000.0, 2_000.0]), np.array([0, 1, 2, 2]), 0.1)
    np.testing.assert_allclose(found, [0, 90, 200 - 0.1 * np.log(2)])


def test_valleys_are_the_states_that_no_change_of_one_unit_lowers():
    model = machine(7, 7, 1.0)
    free = model.landscape().free_energies
    by_hand = [k for k in range(2**7) if all(free[k ^ 1 << i] > free[k] for i in range(7))]
    assert valleys(free).tolist() == by_hand
    assert not len(valleys(np.zeros(8)))  # level ground has none
    stored, x = network(16, 2, seed=3)
    assert set(states_of(np.vstack([x, -x])).tolist()) <= set(valleys(stored.landscape(16).free_energies).tolist())


def test_patterns_of_too_many_units_are_refused():
    with pytest.raises(ValueError, match="20"):
        overlap_cells(np.ones((2, 21)))


@pytest.mark.parametrize(("temperature", "mixes"), [(2.0, True), (1.0, True), (0.2, False)])
def test_long_chains_come_to_the_exact_law_over_the_overlaps_unless_they_are_too_cold(temperature, mixes):
    model, x = network(16, 2, seed=3)
    cells, tempered = overlap_cells(x), at_temperature(model, temperature)
    law = np.exp(-heights(tempered.landscape(16).free_energies, cells, temperature) / temperature)
    chains, counts = np.tile(x[:1], (500, 1)), np.zeros(len(law))
    for step in range(200):
        chains = gibbs(tempered, chains, 2, seed=5, step=step)
        counts += np.bincount(cells[states_of(chains)], minlength=len(law)) * (step >= 20)
    found = np.abs(counts / counts.sum() - law).sum() / 2
    assert found < 0.02 if mixes else found > 0.5
