"""The kernels of contrastive learners against their reference updates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Examples, load
from boltzcore.models import RBMSetup
from boltzcore.reference import trace
from tests.learners.conftest import kernels as kernels
from tests.learners.test_family import FAMILY

ROW = 2
OPTIONS = {"momentum": 0.7, "weight_decay": 0.02, "l1_decay": 0.03, "clip": 0.4, "schedule_epochs": 3}
SCHEDULES = ("cosine", "linear")
LEARNERS = [
    *FAMILY,
    *(learner.changed(chains_per_row=3) for learner in FAMILY[:2]),
    *(each.changed(**OPTIONS, rate_schedule=SCHEDULES[i % 2]) for i, each in enumerate(FAMILY)),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_each_update_of_the_kernels_is_that_of_the_reference(learner, kernels):
    data = Examples(np.tile(load("bars-and-stripes").train.v, (2, 1)))
    state = learner.start(RBMSetup(hidden=5, sigma=0.5).initial(data, seed=1), data, seed=2)
    for _ in range(8):  # the last mini-batch of an epoch has fewer rows
        taken, state = trace(learner, state, data, row=ROW), learner.advance(state, data)
        for name in "Wbc":
            assert_allclose(getattr(taken.models[-1], name), getattr(state.model, name), atol=2e-6)
        ends = [phase.arrays["v"] for phase in taken.phases if phase.kind == "end"]
        assert len(ends) == learner.inner_steps
        assert_array_equal(ends[-1], state.chains[ROW * learner.copies])
        if learner.centred:
            (*_, offsets) = (phase.arrays for phase in taken.phases if phase.kind == "offsets")
            assert_allclose(offsets["mu"], state.mu, atol=1e-6)
            assert_allclose(offsets["lambda"], state.lambda_, atol=1e-6)
