"""How a run of L-BFGS ends: converged, or short of its tolerance."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from boltzcore.learners import PairwiseExact, PseudoLikelihoodLBFGS
from boltzcore.learners.lbfgs import residual
from boltzcore.models import FVBMSetup, LogLinearSetup
from boltzcore.reference import has_reference
from tests.learners.test_pairwise import functions, pairwise_terms, rows

SIZES = (3, 2, 4)


@pytest.mark.parametrize(("kind", "setup"), [(PseudoLikelihoodLBFGS, FVBMSetup()), (PairwiseExact, LogLinearSetup())])
@pytest.mark.parametrize(("status", "left", "is_short"), [(0, 1e-13, False), (2, 8.6e-9, True), (0, 1e-9, True)])
def test_a_search_that_ends_short_of_its_tolerance_does_not_say_that_it_has_converged(
    kind, setup, status, left, is_short
):
    """Its search along a line fails, or nothing more is gained in float64."""
    learner, data = kind(tolerance=1e-12), rows((2, 2, 2))
    state = learner.start(setup.initial(data, seed=0), data, seed=0)
    found = SimpleNamespace(status=status, jac=np.array([-left, 0.0]))
    state = dataclasses.replace(state, residual=residual(found, learner.tolerance))
    assert bool(state.why_done) == is_short
    assert not has_reference(learner)


def test_the_derivative_that_is_left_is_that_of_the_model():
    """At a tolerance that float64 can hardly reach."""
    learner, data = PairwiseExact(iterations=60, tolerance=1e-12), rows(SIZES)
    state = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    while not state.done:
        state = learner.advance(state, data)
    phi = functions(SIZES)[pairwise_terms(SIZES)]
    of_data = np.bincount(state.model.layout.index(data.v), minlength=24) / len(data)
    left = np.abs(phi @ (state.model.probabilities() - of_data)).max()
    assert state.residual == pytest.approx(left, abs=2e-12)
    assert left < 1e-6
