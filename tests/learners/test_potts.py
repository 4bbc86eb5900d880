"""Learners of Potts models against plain numpy, sums over all states and the fully visible machine."""

import numpy as np
import pytest
from scipy.special import softmax

from boltzcore.data import Examples
from boltzcore.kernels.random import GIBBS
from boltzcore.learners import PottsPCD, PottsPseudoLikelihood, PseudoLikelihoodLBFGS
from boltzcore.models import FVBMSetup, Potts, PottsSetup
from boltzcore.reference.draws import Draws
from boltzcore.reference.potts_pcd import potts_pcd_update
from tests.models.test_potts import potts, states
from tests.runs.toys import refused


def rows(levels, n: int, seed: int = 0, deviation: float = 0.5) -> Examples:
    """Rows of a Potts model that couples neighbours alone."""
    law, rng = potts(levels, seed, deviation), np.random.default_rng(seed)
    gone = np.abs(law.of_value[:, None] - law.of_value) > 1
    x = states(levels)
    return Examples(
        x[rng.choice(len(x), n, p=np.exp(Potts(levels, law.h, law.J * ~gone).log_likelihood(x)))], levels=tuple(levels)
    )


def fitted(learner, data, setup=PottsSetup):
    state = learner.start(setup().initial(data, seed=0), data, seed=0)
    while not state.done:
        state = learner.advance(state, data)
        assert state.count < 50
    return state


def proximal_gradient(data: Examples, price: float, decay: float) -> tuple[np.ndarray, np.ndarray]:
    """h and J of the minimum by FISTA with restarts, in the zero-sum gauge, slow and plain."""
    of, x = np.repeat(np.arange(data.n_visible), data.levels), data.v
    ones = np.hstack([np.eye(size)[x[:, j]] for j, size in enumerate(data.levels)])
    own = of[:, None] == of
    centred, rate = np.eye(len(of)) - own / np.array(data.levels)[of], 0.4
    theta = ahead = np.zeros((len(of), len(of) + 1))  # h is the first column
    t = 1.0
    for _ in range(10_000):
        eta = ones @ ahead[:, 1:] + ahead[:, 0]
        rest = np.hstack([softmax(eta[:, of == i], axis=1) for i in range(data.n_visible)]) - ones
        pairs = ones.T @ rest / len(x)
        step = np.column_stack([centred @ rest.mean(axis=0), centred @ (~own * (pairs + pairs.T)) @ centred])
        new = ahead - rate * (step + decay * ahead)
        norms = np.sqrt(own @ np.square(new[:, 1:]) @ own)
        new[:, 1:] *= np.maximum(0, 1 - rate * price / np.maximum(norms, 1e-300))
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        if ((ahead - new) * (new - theta)).sum() > 0:
            after = 1.0
        ahead, change = new + (t - 1) / after * (new - theta), np.abs(new - theta).max()
        theta, t = new, after
        if change < 1e-11:
            break
    return theta[:, 0], theta[:, 1:]


@pytest.mark.parametrize(("price", "decay"), [(0.0, 0.03), (0.02, 0.003), (0.08, 0.003)])
def test_the_maximum_is_that_of_proximal_gradient_steps(price, decay):
    data = rows((3, 2, 4, 2), 200)
    h, J = proximal_gradient(data, price, decay)
    model = fitted(PottsPseudoLikelihood(price=price, decay=decay, tolerance=1e-9), data).model
    assert np.abs(model.h - h).max() < 1e-6
    assert np.abs(model.J - J).max() < 1e-6
    assert np.array_equal(model.J == 0, J == 0)
    if price == 0.08:
        pairs = model.strengths()[np.triu_indices(4, 1)]
        assert 0 < (pairs == 0).sum() < 6


def test_of_two_values_without_a_price_it_is_the_fully_visible_machine():
    data = rows((2,) * 5, 500)
    model = fitted(PottsPseudoLikelihood(price=0.0, decay=0.0, tolerance=1e-9), data).model
    machine = fitted(PseudoLikelihoodLBFGS(), data, FVBMSetup).model
    assert np.abs(model.J[1::2, 1::2] - machine.M).max() < 1e-6
    assert np.abs(model.h[1::2] - machine.b).max() < 1e-6


def test_values_that_never_meet_have_finite_couplings_or_are_refused():
    apart = Examples(np.array([[0, 0], [1, 1], [1, 1], [0, 0], [2, 0]]), levels=(4, 2))  # and one that never occurs
    for fields in ({}, {"price": 0.0}):
        assert np.abs(fitted(PottsPseudoLikelihood(**fields), apart).model.J).max() < 20
    two = Examples(np.array([[0, 0], [1, 1], [1, 1]]))
    for data in (apart, two):
        with refused("decay"):
            fitted(PottsPseudoLikelihood(price=0.0, decay=0.0), data)


def test_a_start_from_another_gauge_leads_to_the_same_maximum():
    data, learner = rows((3, 2, 4), 300), PottsPseudoLikelihood(tolerance=1e-9)
    state = learner.advance(learner.start(potts((3, 2, 4), 5), data, seed=0), data, updates=30)
    assert state.done
    assert np.abs(state.model.J - fitted(learner, data).model.J).max() < 1e-6


@pytest.mark.parametrize("levels", [(3, 2, 4), (2, 2, 2, 2)])
def test_each_update_by_chains_is_that_of_the_reference(levels):
    data, learner = rows(levels, 200), PottsPCD(rate=0.3, chains=30)
    state = learner.start(PottsSetup().initial(data, seed=1), data, seed=1)
    v, share = data.shares()
    for _ in range(5):
        before, state = state, learner.advance(state, data)
        draws = Draws(before.seed, GIBBS, before.count)
        model = before.model
        phases = dict(potts_pcd_update(model.h, model.J, model.first, v, share, before.chains, draws, rate=0.3))
        assert np.array_equal(phases["chains"]["x"], state.chains)
        assert np.abs(phases["new"]["h"] - state.model.h).max() < 1e-12
        assert np.abs(phases["new"]["J"] - state.model.J).max() < 1e-12


def test_chains_come_to_the_maximum_of_the_likelihood():
    levels = (3, 2, 3)
    data, learner = rows(levels, 400), PottsPCD(rate=0.3, chains=2_000)
    state = learner.start(PottsSetup().initial(data, seed=1), data, seed=1)
    state = learner.advance(learner.advance(state, data, updates=300), data, updates=1)
    x = states(levels)
    p, at = np.exp(state.model.log_likelihood(x)), state.model.first + x
    ones = np.zeros((len(x), state.model.n_values))
    np.put_along_axis(ones, at, 1.0, axis=1)
    assert np.abs((ones.T * p) @ ones - state.given.expected).max() < 0.02  # the exact gradient
