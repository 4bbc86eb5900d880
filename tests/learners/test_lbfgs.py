"""A run of L-BFGS ends where nothing more is to be gained."""

import numpy as np

from boltzcore.learners import PairwiseExact
from boltzcore.models import LogLinearSetup
from tests.learners.test_pairwise import functions, pairwise_terms, rows

SIZES = (3, 2, 4)


def test_it_ends_where_the_expectations_are_those_of_the_data():
    """At a tolerance that float64 can hardly reach."""
    learner, data = PairwiseExact(iterations=60, tolerance=1e-12), rows(SIZES)
    state = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    while not state.done:
        state = learner.advance(state, data)
    phi = functions(SIZES)[pairwise_terms(SIZES)]
    of_data = np.bincount(state.model.layout.index(data.v), minlength=24) / len(data)
    assert np.abs(phi @ (state.model.probabilities() - of_data)).max() < 1e-6
