"""The sampler leaves the model's distribution as it is, and reaches it."""

import numpy as np
import pytest

from boltzcore.inference import gibbs
from boltzcore.inference.particles import particles
from tests.models import exact


@pytest.mark.parametrize("steps", [1, 3])
def test_steps_from_each_state_have_the_enumerated_transition_probabilities(steps):
    rbm, n = exact.random_rbm(4, 3, seed=2), 20_000
    after = gibbs(rbm, np.repeat(exact.states(4), n, axis=0), steps, seed=3)
    p = np.linalg.matrix_power(exact.gibbs_kernel(rbm), steps)
    counts = np.array([np.bincount(v @ [8, 4, 2, 1], minlength=16) for v in np.split(after, 16)])
    assert ((counts - n * p) ** 2 / (n * p)).sum() < 16 * 15 + 5 * np.sqrt(2 * 16 * 15)


def test_rows_do_not_depend_on_their_company():
    rbm, v = exact.random_rbm(20, 7), np.zeros((700, 20))
    assert np.array_equal(gibbs(rbm, v, 3, seed=5)[:9], gibbs(rbm, v[:9], 3, seed=5))


def test_particles_go_on_from_the_previous_look():
    rbm = exact.random_rbm(9, 4)
    first = particles(rbm, None, seed=1, step=10)
    again = particles(rbm, first, seed=1, step=20)["particles"]
    assert again.shape == (40, 9)
    assert set(np.unique(again)) <= {0, 1}
    assert np.array_equal(again, particles(rbm, first, seed=1, step=20)["particles"])
