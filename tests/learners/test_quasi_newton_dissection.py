"""A run of L-BFGS taken apart: its looks held against the model that they are of."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import RandomFVBM
from boltzcore.learners import PairwiseExact, PseudoLikelihoodLBFGS
from boltzcore.learners.lbfgs import CONVERGED, PATH_POINTS, SHORT, info_after
from boltzcore.models import FVBM, FVBMSetup, LogLinearSetup
from boltzcore.models.fvbm import spins
from tests.learners.test_pairwise import functions, pairwise_terms, rows

PAIRS = np.triu_indices(4, 1)


def of_pseudo_likelihood():
    data = RandomFVBM(d=4, n=300).load().train
    return PseudoLikelihoodLBFGS(iterations=12), FVBMSetup().initial(data, seed=3), data


def of_likelihood():
    data = rows((3, 2, 4))
    return PairwiseExact(iterations=60, tolerance=1e-9), LogLinearSetup().initial(data, seed=0), data


def apart(made):
    learner, model, data = made()
    state = learner.start(model, data, seed=3)
    before = state.copy()
    taken, after = learner.trace_update(state, data), learner.advance(state, data)
    assert (state.count, state.work) == (before.count, before.work)
    assert (taken.after.count, taken.after.work, taken.after.done) == (after.count, after.work, after.done)
    return taken, after, data


@pytest.mark.parametrize("made", [of_pseudo_likelihood, of_likelihood])
def test_it_tells_the_way_of_the_update(made):
    taken, after, _ = apart(made)
    *looks, last = taken.phases
    iterations = [int(look.arrays["iteration"]) for look in looks]
    assert iterations == sorted(iterations)
    assert (iterations[0], iterations[-1]) == (0, len(last.arrays["curve"]) - 1)
    assert len(looks) <= PATH_POINTS
    assert_array_equal(last.arrays["curve"][iterations], [look.arrays["value"] for look in looks])
    assert (np.diff(last.arrays["curve"]) >= -1e-12).all()
    assert last.arrays["done"] == after.done
    assert last.arrays["short"] == after.info.get(SHORT, 0.0)
    for look in looks:
        told = look.arrays
        assert_allclose(told["slope"], told["data"] - told["model"], atol=1e-15)
    assert np.abs(looks[-1].arrays["slope"]).max() < 0.1 * np.abs(looks[0].arrays["slope"]).max()


def test_of_the_pseudo_likelihood_it_tells_each_column_given_the_others():
    taken, after, data = apart(of_pseudo_likelihood)
    x = spins(data.v).astype(float)
    for look in taken.phases[:-1]:
        model = FVBM.from_theta(look.arrays["theta"], 4)
        expected = np.tanh(x @ model.M + model.b)
        pairs = x.T @ expected / len(x)
        assert_allclose(look.arrays["value"], model.log_pseudo_likelihood(data.v).mean(), rtol=1e-10)
        assert_allclose(look.arrays["model"][:4], expected.mean(axis=0), atol=1e-10)
        assert_allclose(look.arrays["model"][4:], (pairs + pairs.T)[PAIRS], atol=1e-10)
        assert_allclose(look.arrays["data"][4:], 2 * (x.T @ x / len(x))[PAIRS], atol=1e-10)
    assert_array_equal(FVBM.from_theta(taken.phases[-2].arrays["theta"], 4).theta, after.model.theta)


def test_of_the_likelihood_it_tells_the_expectation_of_each_term():
    taken, after, data = apart(of_likelihood)
    sizes = (3, 2, 4)
    phi = functions(sizes)[pairwise_terms(sizes)]
    of_data = np.bincount(after.model.layout.index(data.v), minlength=24) / len(data)
    for look in taken.phases[:-1]:
        theta = look.arrays["theta"]
        p = np.exp(theta @ phi)
        assert_allclose(look.arrays["model"], phi @ p / p.sum(), atol=1e-10)
        assert_allclose(look.arrays["data"], phi @ of_data, atol=1e-10)
        assert_allclose(look.arrays["value"], theta @ phi @ of_data - np.log(p.sum()), atol=1e-10)
    assert_allclose(theta, after.model.values, atol=0)


@pytest.mark.parametrize("made", [of_pseudo_likelihood, of_likelihood])
@pytest.mark.parametrize(("status", "left", "short"), [(0, 1e-13, False), (2, 8.6e-9, True), (0, 1e-9, True)])
def test_a_search_that_ends_short_of_its_tolerance_does_not_say_that_it_has_converged(made, status, left, short):
    """Where its search along a line fails, or nothing more is gained in float64."""
    learner, model, data = made()
    learner = learner.changed(tolerance=1e-12)
    state = learner.start(model, data, seed=0)
    found = SimpleNamespace(status=status, jac=np.array([-left, 0.0]))
    state = dataclasses.replace(state, info=info_after(state.info, found, learner.tolerance))
    told = f"short of the tolerance 1e-12: a derivative of {left:.2g} is left" if short else CONVERGED
    assert told in learner.why_ended(state)


def test_a_training_tells_how_it_ended():
    """At a tolerance that float64 can hardly reach: whichever way it ends, the sentence is true of the model."""
    learner, model, data = of_likelihood()
    learner = learner.changed(tolerance=1e-12)
    state = learner.start(model, data, seed=0)
    while not state.done:
        state = learner.advance(state, data)
    slope = learner.trace_update(state, data).phases[0].arrays["slope"]
    assert (SHORT in state.info) == bool(np.abs(slope).max() > 1e-12)
    assert state.info.get(SHORT, 0.0) < 1e-6
