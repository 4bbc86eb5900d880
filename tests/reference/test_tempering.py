"""The kernels of parallel tempering and of parallel trajectory tempering against their references."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import load
from boltzcore.learners import TemperedPCD, TrajectoryTempering
from boltzcore.learners.base import flat_fields
from boltzcore.models import RBM, RBMSetup
from boltzcore.reference import trace
from boltzcore.reference.trajectory_tempering import trajectory_of, trajectory_update

DATA = load("bars-and-stripes").train
ROW, CHAINS = 3, 13
OPTIONS = {"momentum": 0.7, "weight_decay": 0.02, "l1_decay": 0.03, "clip": 0.4, "rate_schedule": "cosine"}
TEMPERED = TemperedPCD(0.4, 7, chains=CHAINS, K=2, temperatures=5)
SMALL = {"batch_size": 7, "chains": CHAINS, "reservoir": 3}
TRAJECTORIES = {
    "usual": (TrajectoryTempering(0.5, K=2, **SMALL), 60),
    "freezes often": (TrajectoryTempering(0.5, alpha=0.9, **SMALL), 60),
    "has options": (TrajectoryTempering(0.5, K=2, **SMALL, **OPTIONS), 60),
    "goes back": (TrajectoryTempering(5.0, momentum=0.5, alpha=0.9, alpha_min=0.7, step_bound=0.0, **SMALL), 60),
}
GROUPS, OTHERS = ("populations", "rung", "position"), ("swaps", "pending")  # of fields that the reference has, too


def begun(learner):
    return learner.start(RBMSetup(hidden=5, sigma=0.5).initial(DATA, seed=1), DATA, seed=2)


def assert_model(found, model):
    for name in "Wbc":
        assert_allclose(getattr(found, name), getattr(model, name), atol=2e-6)


@pytest.mark.parametrize("learner", [TEMPERED, TEMPERED.changed(temperatures=2), TEMPERED.changed(**OPTIONS)])
def test_each_update_of_parallel_tempering_is_that_of_the_reference(learner):
    state = begun(learner)
    for _ in range(8):
        taken, state = trace(learner, state, DATA, row=ROW), learner.advance(state, DATA)
        assert_model(taken.models[-1], state.model)
        swaps = [phase.arrays for phase in taken.phases if phase.kind == "swap"]
        assert_array_equal(swaps[-1]["v"], state.chains[ROW::CHAINS])
        assert len(swaps) == 2


@pytest.mark.parametrize("name", TRAJECTORIES)
def test_each_update_of_trajectory_tempering_is_that_of_the_reference(name):
    (learner, updates), kinds = TRAJECTORIES[name], set()
    state = begun(learner)
    for _ in range(updates):
        batches, taken = learner.checked_batches(state, DATA), trace(learner, state, DATA, row=ROW)
        reference, minibatch = trajectory_of(state, learner, batches.length), batches.batch(state.count)
        phases = [kind for kind, _ in trajectory_update(reference, minibatch)]
        state = learner.advance(state, DATA)
        assert_model(taken.models[-1], state.model)
        assert_model(RBM(*reference.frozen_model), state.rung.model)
        for path, value in flat_fields(state).items():
            group, _, field = path.rpartition(".")
            if (group in GROUPS or path in OTHERS) and field != "influence":
                found, wanted = np.asarray(getattr(reference, field)), np.asarray(value)
                tolerance = {"atol": 2e-5} if found.dtype == float else {"rtol": 0}
                assert_allclose(found, wanted, err_msg=field, **tolerance)
        velocity = np.concatenate([each.ravel() for each in reference.step.velocity.values()])
        assert_allclose(velocity if learner.momentum else [], state.velocity, atol=2e-5)
        assert state.figures["rate_factor"] == state.position.factor
        kinds |= set(phases)
    wanted = {"decide", "rungs", "swap", "gibbs", "freeze", "frozen", "data", "difference", "new"}
    wanted |= {"options"} if learner.has_options else set()
    assert kinds == wanted | ({"back"} if name == "goes back" else set())
