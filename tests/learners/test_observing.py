"""Observations of the latest update of a learner: the very rows and chains that it took its gradient of."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Examples, load
from boltzcore.learners import CD, CSDCP, PCD, SDCP, CenteredGradient
from boltzcore.measures.activity import covariances
from boltzcore.models import RBMSetup
from boltzcore.observations import observe_update
from boltzcore.reference import trace

SLOW = 1e-6  # a rate at which an update leaves the parameters as they were, but for the last digits
RANDOM = np.random.default_rng(0)
DATA = {
    "binary": Examples(np.tile(load("bars-and-stripes").train.v, (3, 1))),
    "gray": Examples(RANDOM.integers(0, 256, (42, 9)).astype(np.uint8), levels=256),
}


def trained(learner, data, updates):
    return learner.advance(
        learner.start(RBMSetup(hidden=5, sigma=0.5).initial(data, seed=1), data, seed=2), data, updates=updates
    )


@pytest.mark.parametrize("data", DATA.values(), ids=DATA)
@pytest.mark.parametrize("learner", [CD(SLOW, 8), PCD(SLOW, 8), CD(SLOW, 0), PCD(SLOW, 5)], ids=str)
@pytest.mark.parametrize("updates", [1, 6, 8])
def test_the_gradient_is_of_the_rows_shown(learner, data, updates):
    before, after = (trained(learner, data, n) for n in (updates - 1, updates))
    seen = observe_update(learner, after, data)
    terms = next(phase for phase in trace(learner, before, data).phases if phase.kind == "difference").arrays
    chains = seen["dreams" if learner.persistent else "reconstructions"]
    for side, rows in (("data", seen["batch"]), ("model", chains)):
        assert_allclose(rows.mean(axis=0), terms[f"{side}_b"], atol=1e-5)
        for unit in range(5):
            together = terms[f"{side}_W"][:, unit] - terms[f"{side}_b"] * terms[f"{side}_c"][unit]
            assert_allclose(covariances(after.model, rows, unit), together, atol=1e-4)


@pytest.mark.parametrize("learner", [PCD(), SDCP(), CenteredGradient(), CSDCP()], ids=lambda each: type(each).__name__)
def test_looking_changes_nothing(learner):
    data = DATA["gray"]
    state = trained(learner, data, 4)
    before = state.copy()
    observe_update(learner, state, data)
    for field in dataclasses.fields(before):
        if isinstance(now := getattr(state, field.name), np.ndarray):
            assert_array_equal(now, getattr(before, field.name))
    one, other = (learner.advance(each, data, updates=3) for each in (state, before))
    assert_array_equal(one.model.W, other.model.W)
