"""Options of a step: momentum, weight decay, a rate that falls, and a clip of the gradient."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import examples
from boltzcore.learners import CD, SDCP, TemperedPCD, TrajectoryTempering
from boltzcore.learners.base import StageProgress
from boltzcore.models import RBMSetup
from tests.models import exact
from tests.runs.toys import refused

ROWS = (np.random.default_rng(0).random((10, 5)) < 0.4).astype(np.uint8)
RBM = exact.random_rbm(5, 3)
LEARNERS = (
    CD(0.3, 4, K=2, chains_per_row=3),
    SDCP(0.3, 4, d=2),
    TemperedPCD(0.3, 4, chains=12),
    TrajectoryTempering(0.3, 4, chains=12),
)
OPTIONS = {"momentum": 0.9, "weight_decay": 0.01, "l1_decay": 0.01, "clip": 0.5, "rate_schedule": "linear"}


def after(learner, updates=1, model=RBM, rows=ROWS):
    return learner.advance(learner.start(model, rows, seed=1), rows, updates=updates)


def test_a_rate_falls_to_a_hundredth_along_its_schedule_and_stays_there():
    constant, linear, cosine = (
        CD(2.0, rate_schedule=name, schedule_epochs=10).rates(0, 60, 5) for name in ("constant", "linear", "cosine")
    )
    t = np.minimum(np.arange(60) / 50, 1)
    assert_array_equal(constant, np.float32(2.0))
    assert_allclose(linear, 2 * (1 - 0.99 * t), rtol=1e-6)
    assert_allclose(cosine, 2 * (1 - 0.99 * (1 - np.cos(np.pi * t)) / 2), rtol=1e-6)
    assert_array_equal(CD(2.0, rate_schedule="cosine", schedule_epochs=10).rates(17, 9, 5), cosine[17:26])
    with refused("rate_schedule"):
        CD(rate_schedule="stepwise")


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_rate_falls_from_the_beginning_of_its_stage(learner):
    begun = learner.start(RBM, ROWS, seed=1)
    later = dataclasses.replace(begun, count=10**8, progress=StageProgress(from_count=10**8))
    constant, falling = (
        learner.changed(rate_schedule=name, schedule_epochs=10_000).advance(later, ROWS, updates=10).model.W
        for name in ("constant", "linear")
    )
    assert_allclose(constant, falling, atol=0.02)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("hidden", [3, 600])  # on both of the kernels
def test_numbers_do_not_depend_on_the_cuts(learner, hidden):
    learner, model = learner.changed(**OPTIONS), RBMSetup(hidden=hidden).initial(examples(ROWS), seed=0)
    whole, cut = after(learner, 7, model), learner.start(model, ROWS, seed=1)
    for updates in (1, 4, 2):
        cut = learner.advance(cut, ROWS, updates=updates)
    for name in "Wbc":
        assert_array_equal(getattr(cut.model, name), getattr(whole.model, name))
    assert_array_equal(cut.velocity, whole.velocity)
    assert cut.operations == whole.operations > after(learner.changed(momentum=0.0), 7, model).operations
    with pytest.raises(ValueError, match="velocity"):
        learner.changed(momentum=0.0).advance(whole, ROWS)


def test_a_clipped_step_has_that_norm_and_its_direction():
    moved = []
    for clip in (0.0, 0.01, 1e6):
        model = after(CD(1.0, 0, clip=clip)).model
        moved.append(np.concatenate([(getattr(model, each) - getattr(RBM, each)).ravel() for each in "Wbc"]))
    free, clipped, loose = moved
    assert np.linalg.norm(clipped) == pytest.approx(0.01, rel=1e-3)
    assert_allclose(clipped, free * 0.01 / np.linalg.norm(free), atol=1e-6)
    assert_allclose(loose, free, atol=1e-7)


def test_decay_takes_off_each_weight_and_no_bias():
    plain, shrunk, pulled = (after(CD(0.5, 0, **each)).model for each in ({}, {"weight_decay": 0.1}, {"l1_decay": 0.1}))
    assert_allclose(plain.W - shrunk.W, 0.05 * RBM.W, atol=1e-6)
    assert_allclose(plain.W - pulled.W, 0.05 * np.sign(RBM.W), atol=1e-6)
    assert_array_equal(shrunk.b, plain.b)
