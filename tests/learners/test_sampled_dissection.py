"""A step by chains taken apart: its draws, means and parameters held against a plain account of them."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import BarsAndStripes
from boltzcore.learners import PairwisePCD
from boltzcore.learners.log_linear.pairwise import as_fvbm
from boltzcore.learners.walkthrough.sampled import of_codes
from boltzcore.models import FVBM, LogLinearSetup

LEARNER = PairwisePCD(rate=0.3, chains=7)
D, CHAIN = 9, 4
PAIRS = list(itertools.combinations(range(D), 2))


@pytest.fixture(scope="module")
def step():
    data = BarsAndStripes().load().train
    state = LEARNER.start(LogLinearSetup().initial(data, seed=2), data, seed=2)
    state = LEARNER.advance(state, data, updates=30)
    return state, LEARNER.trace_update(state, data, row=CHAIN), data


def of(taken, kind):
    return [phase.arrays for phase in taken.phases if phase.kind == kind]


def weight(theta, x):
    """log of the weight of codes."""
    return theta[:D] @ x + sum(t * x[i] * x[j] for t, (i, j) in zip(theta[D:], PAIRS, strict=True))


def test_parameters_of_codes_are_of_the_same_law():
    draws = np.random.default_rng(0)
    M = np.triu(draws.normal(size=(D, D)), 1)
    machine = FVBM(M + M.T, draws.normal(size=D))
    x = draws.integers(0, 2, (2, D))
    log_p = machine.log_likelihood(2 * x - 1)
    theta = of_codes(machine)
    assert weight(theta, x[0]) - weight(theta, x[1]) == pytest.approx(log_p[0] - log_p[1])


def test_each_unit_is_drawn_from_what_the_others_are_by_then(step):
    state, taken, _ = step
    (start,), (begin,), units = of(taken, "start"), of(taken, "data"), of(taken, "unit")
    x = start["x"].astype(float)
    assert_array_equal(x, (state.chains[CHAIN] + 1) / 2)
    for i, unit in enumerate(units):
        assert_array_equal(unit["x"], x)
        field = weight(begin["theta"], np.where(np.arange(D) == i, 1, x)) - weight(
            begin["theta"], np.where(np.arange(D) == i, 0, x)
        )
        assert unit["unit"] == i
        assert_allclose(unit["field"], field, atol=1e-12)
        assert_allclose(unit["p"], 1 / (1 + np.exp(-field)))
        x[i] = unit["u"][0] < unit["p"][0]
        assert unit["on"] == x[i]
    assert_array_equal(x, (taken.after.chains[CHAIN] + 1) / 2)
    assert len(units) == D


def test_parameters_move_by_the_means_of_data_less_those_of_all_chains(step):
    _, taken, data = step

    def means(codes):
        return np.concatenate([codes.mean(axis=0), [np.mean(codes[:, i] * codes[:, j]) for i, j in PAIRS]])

    (difference,), (begin,), (new,) = of(taken, "difference"), of(taken, "data"), of(taken, "new")
    assert_allclose(difference["data"], means(data.v.astype(float)), atol=1e-12)
    assert_allclose(difference["model"], means((taken.after.chains + 1) / 2), atol=1e-12)
    assert_allclose(difference["slope"], difference["data"] - difference["model"], atol=1e-12)
    assert_allclose(new["theta"] - begin["theta"], LEARNER.rate * difference["slope"], atol=1e-12)
    assert_allclose(new["theta"], of_codes(as_fvbm(taken.after.model, taken.after.given)), atol=1e-12)


def test_a_chain_that_is_none_is_refused(step):
    state, _, data = step
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 6, not 7"):
        LEARNER.trace_update(state, data, row=7)
