"""Completion by clamped Gibbs sampling, against listing the states that agree with what is known."""

import numpy as np
import pytest

from boltzcore.inference import complete
from tests.models import exact


@pytest.mark.parametrize("known", [[True, False, False, True, True, False], [False] * 6], ids=["some", "none"])
@pytest.mark.parametrize(("burn_in", "steps"), [(40, 1), (20, 20)])
def test_completions_are_as_frequent_as_the_known_units_imply(known, burn_in, steps):
    rbm, known = exact.random_rbm(6, 4, 1.5, seed=4), np.array(known)
    v = np.array([1, 0, 1, 0, 1, 1])
    p, V = exact.visible_probabilities(rbm), exact.states(6)
    p = p * (V[:, known] == v[known]).all(axis=1)
    found = complete(rbm, v, known, chains=4000, burn_in=burn_in, steps=steps, seed=3)
    often = (found.rows[:, None] == V[None]).all(axis=2).mean(axis=0)
    # as if the steps of a chain were one draw: five standard deviations
    for estimate, wanted in ((found.mean, p @ V / p.sum()), (often, p / p.sum())):
        assert np.abs(estimate - wanted).max() < 5 * 0.5 / np.sqrt(4000)
    assert np.array_equal(found.mean[known], v[known])
    assert (found.rows[:, known] == v[known]).all()


def test_chains_start_at_the_given_values():
    """Weights too strong to leave a state: what is unknown stays where it was."""
    rbm = exact.random_rbm(2, 1, 0.0)
    rbm.W[:], rbm.b[:], rbm.c[:] = 100, -50, -100
    known = np.array([False, False])
    for v in ([0, 0], [1, 1]):
        assert complete(rbm, v, known, chains=50, burn_in=20, steps=5).mean.tolist() == v
    rbm.W[:] = 1e7  # nothing that is known changes, however strong the weights are
    assert complete(rbm, [0, 1], ~known, chains=2, burn_in=2, steps=1).mean.tolist() == [0, 1]
