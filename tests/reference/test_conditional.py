"""Learners of conditional RBMs against their reference updates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Corruption, Examples, load
from boltzcore.models import CRBM, CRBMSetup
from boltzcore.reference import trace
from boltzcore.reference.traces.conditional import ENDS
from boltzcore.registry import learners_of
from tests.golden.cases import keep_fields

SETTINGS = {"rate": 0.4, "batch_size": 17, "K": 4, "iterations": 3}
LEARNERS = {name: keep_fields(info.learner, **SETTINGS) for name, info in learners_of("crbm").items()}


@pytest.fixture(params=LEARNERS)
def learner(request):
    return LEARNERS[request.param]


@pytest.fixture
def data():
    return Examples(np.tile(load("bars-and-stripes").train.v, (3, 1))).corrupted(Corruption(rate=0.15), (3, 3))


@pytest.fixture
def state(learner, data):
    model = CRBMSetup(hidden=5, sigma=1.5, hidden_bias=0.0).initial(data, seed=1)  # hidden units have much to say
    return learner.start(model, data, seed=2)


def arrays(taken, kind):
    return [phase.arrays for phase in taken.phases if phase.kind == kind]


def test_each_update_of_the_kernels_is_that_of_the_reference(learner, data, state):
    moved = []
    for row in range(8):  # the last mini-batch of an epoch has fewer rows; noise is drawn anew in each epoch
        taken, state = trace(learner, state, data, row=row), learner.advance(state, data)
        for name in CRBM.ARRAYS:
            assert_allclose(getattr(taken.models[-1], name), getattr(state.model, name), atol=3e-6)
        moved.append((arrays(taken, "free")[0]["v"] != arrays(taken, "given")[0]["v"]).any())
        residuals = [each["residuals"] for each in arrays(taken, "iteration")]
        if residuals:
            assert (residuals[-1][:-1] >= learner.tolerance).all()
            assert len(residuals[-1]) == learner.iterations_in(row // 3 + 1) or residuals[-1][-1] < learner.tolerance
    assert any(moved)


@pytest.mark.parametrize("learner", ["CDPercLoss"], indirect=True)
def test_the_sample_of_lowest_free_energy_is_set_against_the_data(learner, data, state):
    state, places = learner.advance(state, data, updates=30), set()
    after = learner.advance(state, data)
    for row in range(17):
        taken = trace(learner, state, data, row=row)
        places.add(int(arrays(taken, "energy")[0]["taken"]))
        (found,), (free,), (clamped,) = (arrays(taken, kind) for kind in ("energy", "free", "clamped"))
        samples = [clamped["v"], *(phase["v"] for phase in arrays(taken, "visible"))]
        assert_array_equal(free["v"], samples[int(found["taken"])])
        assert found["energy"][found["taken"]] == found["energy"].min()
    assert {0} < places  # of some rows no sample, or what is chosen would not matter
    for name in CRBM.ARRAYS:
        assert_allclose(getattr(taken.models[-1], name), getattr(after.model, name), atol=3e-6)


@pytest.mark.parametrize("learner", ["BeliefPropagationMLE"], indirect=True)
def test_of_many_iterations_the_messages_of_the_first_and_the_last_are_kept(learner, data, state):
    for count in (2 * ENDS, 2 * ENDS + 1, 30):
        taken = trace(learner.changed(iterations=count - 1, tolerance=0.0), state, data)
        kept = ["to_v_W" in each for each in arrays(taken, "iteration")]
        assert kept == [True] * ENDS + [False] * (count - 2 * ENDS) + [True] * ENDS
