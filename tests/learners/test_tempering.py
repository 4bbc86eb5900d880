"""Parallel tempering and parallel trajectory tempering: their phases, their log Z, what they hold on to and count."""

import numpy as np
import pytest

from boltzcore.data import load
from boltzcore.inference.samples import exact_rows
from boltzcore.learners import TemperedPCD, TrajectoryTempering
from boltzcore.learners.base import flat_fields
from boltzcore.learners.tempering.exchanges import estimate, ladder_figures, log_ratio
from boltzcore.learners.tempering.trajectory import ANNEAL, COLLECT, TRAIN, WARM
from boltzcore.models import RBM, RBMSetup
from boltzcore.quoting import Refusal
from boltzcore.training.checkpoint import arrays_of, load_state
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.stopping import HUGE
from tests.models import exact
from tests.test_learner_contract import assert_same

DATA = load("bars-and-stripes").train
SMALL = {"chains": 20, "batch_size": 0}
HASTY = TrajectoryTempering(  # goes too far, and back
    rate=5.0, reservoir=3, alpha=0.9, alpha_min=0.7, step_bound=0.0, **SMALL
)
EAGER = TrajectoryTempering(rate=0.5, reservoir=3, alpha=0.9, **SMALL)  # freezes often


def began(learner, seed=1, hidden=6, data=DATA):
    return learner.start(RBMSetup(hidden=hidden, sigma=0.1).initial(data, seed=seed), data, seed=seed)


@pytest.mark.parametrize("learner", [HASTY, EAGER, TemperedPCD(temperatures=3, **SMALL)], ids=["hasty", "eager", "PT"])
def test_a_training_goes_on_bit_for_bit_from_a_checkpoint_after_any_update(learner, tmp_path):
    recipe = Recipe("rbm", "bars-and-stripes", learner, Schedule(seed=1))
    states = [began(learner)]
    for _ in range(60):
        states.append(learner.advance(states[-1].copy(), DATA))
    for n, state in enumerate(states[::7]):
        np.savez(tmp_path / "state.npz", **arrays_of(state))
        again = load_state(tmp_path / "state.npz", recipe)
        assert_same(again, state)
        assert_same(learner.advance(again, DATA, updates=60 - 7 * n), states[-1])
    if learner is EAGER:
        assert {state.position.phase for state in states} == {ANNEAL, TRAIN, WARM, COLLECT}
        assert states[-1].position.frozen > 2
    if learner is HASTY:
        assert states[-1].position.rejected > 2


def test_a_start_far_from_independent_pixels_is_reached_in_steps():
    model = exact.random_rbm(9, 5, 2.0, seed=3)
    learner = TrajectoryTempering(reservoir=10, batch_size=0)
    state = learner.start(model, DATA, seed=0)
    way = []
    while state.position.phase != TRAIN:
        state = learner.advance(state, DATA)
        way.append(state.position.reached)
        assert state.count < 500
    assert len(set(way)) > 2
    np.testing.assert_array_equal(state.rung.model.W, model.W)
    found = learner.log_partition(state)
    assert found.low < exact.log_partition(model) < found.high


@pytest.mark.parametrize("learner", [TemperedPCD(rate=0.2, batch_size=0), TrajectoryTempering(rate=0.2, batch_size=0)])
def test_log_z_comes_along_with_its_error(learner):
    state = learner.advance(began(learner, 0), DATA, updates=400)
    figures = ladder_figures(learner, state)
    low, high = figures["ladder_log_z_low"], figures["ladder_log_z_high"]
    assert low < figures["ladder_log_z"] < high < low + 2
    assert low < state.model.log_partition() < high
    name = "chains" if isinstance(learner, TemperedPCD) else "populations.chains"
    np.testing.assert_array_equal(state.chains_of_model, flat_fields(state)[name][-learner.chains :])


def test_chains_that_lag_behind_the_model_catch_up_before_log_z_is_estimated():
    model, learner = exact.random_rbm(9, 5, 1.5, seed=3), TemperedPCD(temperatures=5, batch_size=0)
    state = learner.start(model, DATA, seed=0)
    state.chains[:] = 0
    found = learner.log_partition(state)
    assert found.low < exact.log_partition(model) < found.high < found.low + 3
    assert not state.chains.any()


@pytest.mark.parametrize(("rungs", "known"), [(2, False), (10, True)])
def test_rungs_that_do_not_overlap_give_no_interval(rungs, known):
    """Each rung's samples are drawn exactly: 100 pixels, weights of SD 3."""
    W, influence, log_z = np.random.default_rng(0).normal(0, 3, (100, 6)), np.zeros(10), 106 * np.log(2)
    last = samples = None
    for beta in np.linspace(0, 1, rungs):
        rung = RBM(beta * W, np.zeros(100), np.zeros(6))
        drawn = exact_rows(rung, 100, int(100 * beta))
        if samples is not None:
            forward, backward = (
                sign * (rung.free_energy(v) - last.free_energy(v)) for sign, v in ((1, samples), (-1, drawn))
            )
            log_z += log_ratio(forward, backward, np.full(100, 0.01), 100, influence)
        last, samples = rung, drawn
    found = estimate(log_z, influence)
    assert found.low < rung.log_partition() < found.high
    assert np.isfinite(found.high) == np.isfinite(found.low) == known
    assert abs(influence).max() < HUGE  # no divergence of a State that holds it


def test_an_update_of_training_counts_its_exchange_its_steps_and_its_gradient():
    learner = TrajectoryTempering(K=2, **SMALL)
    state = began(learner)
    while state.position.since < 1:
        before, state = state, learner.advance(state, DATA)
    products = 20 * (1 + 2 + 2 * 2) + 2 * len(DATA) + 20  # x once, then x by the frozen model and y; the terms
    assert state.operations - before.operations == 2 * 9 * 6 * (products + 1)
    assert state.work - before.work == 2


def test_bad_input_is_refused():
    with pytest.raises(Refusal, match=r"alpha_min must be below alpha = 0.3, not 0.5\."):
        began(TrajectoryTempering(alpha_min=0.5))
    state = began(EAGER)
    with pytest.raises(ValueError, match=r"shape \(60, 9\)"):
        EAGER.changed(reservoir=5).advance(state, DATA)
    with pytest.raises(ValueError, match=r"shape \(20, 9\)"):
        EAGER.changed(chains=30).advance(state, DATA)
