"""An update with exchanges taken apart: the numbers of `advance`, and swaps by the laws of their rungs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import load
from boltzcore.learners import TemperedPCD, TrajectoryTempering
from boltzcore.models import RBMSetup

DATA = load("bars-and-stripes").train
ROW, CHAINS = 3, 12
TEMPERED = TemperedPCD(0.3, 7, chains=CHAINS, temperatures=6)
TRAJECTORY = TrajectoryTempering(0.5, 7, chains=CHAINS, sweeps=2)


def begun(learner, updates):
    state = learner.start(RBMSetup(hidden=5, sigma=0.5).initial(DATA, seed=1), DATA, seed=2)
    return learner.advance(state, DATA, updates=updates)


def told(taken, kind):
    return [phase.arrays for phase in taken.phases if phase.kind == kind]


def log_p(model, base, beta, v):
    """Not normalised, in float64."""
    W, b, c, base = (each.astype(np.float64) for each in (model.W, model.b, model.c, base))
    return v @ ((1 - beta) * base + beta * b) + np.logaddexp(0, beta * (c + v @ W)).sum(axis=-1)


@pytest.mark.parametrize(("learner", "updates"), [(TEMPERED, 4), (TRAJECTORY, 60)])
def test_it_is_the_update_that_advance_makes_whatever_comes_next(learner, updates):
    state, kinds = begun(learner, 0), set()
    for _ in range(updates):
        before = state.copy()
        taken, after = learner.trace_update(state, DATA, row=ROW), learner.advance(state, DATA)
        assert_array_equal(state.chains, before.chains)
        assert_array_equal(taken.after.chains, after.chains)
        for name in "Wbc":
            assert_array_equal(getattr(taken.models[-1], name), getattr(after.model, name))
        swaps = told(taken, "swap")
        for swap in swaps:
            D = swap["of_x"] + swap["of_y"]
            assert_array_equal(swap["accepted"], np.log(swap["u"].astype(np.float64)) < D)
        mine = told(taken, "gibbs")[-1]["v"] if learner is TRAJECTORY else swaps[-1]["v"]
        if "back" not in (last := {phase.kind for phase in taken.phases}):
            assert_array_equal(mine, after.chains[ROW::CHAINS])
        kinds |= last
        state = after
    wanted = {"data", "rungs", "gibbs", "swap", "difference", "new"}
    assert kinds >= wanted | ({"decide", "freeze", "frozen"} if learner is TRAJECTORY else set())


def test_neighbours_on_a_ladder_change_places_by_the_laws_of_both_rungs():
    state = begun(TEMPERED, 60)
    taken, ladder = TEMPERED.trace_update(state, DATA, row=ROW), TEMPERED.ladder().astype(np.float64)
    (rungs,), (gibbs,), swaps = told(taken, "rungs"), told(taken, "gibbs"), told(taken, "swap")
    assert_array_equal(rungs["v"], state.chains[ROW::CHAINS])
    v, states = gibbs["v"].copy(), np.arange(len(ladder))
    for swap, lower in zip(swaps, ([0, 2, 4], [1, 3]), strict=True):
        assert swap["lower"].tolist() == lower
        for k, i in enumerate(lower):
            x, y = v[[i, i + 1]].astype(np.float64)
            for given, at, one, other in (("of_x", x, i + 1, i), ("of_y", y, i, i + 1)):
                twin = log_p(state.model, state.base, ladder[one], at) - log_p(
                    state.model, state.base, ladder[other], at
                )
                assert_allclose(swap[given][k], twin, atol=1e-4)
            if swap["accepted"][k]:
                v[[i, i + 1]], states[[i, i + 1]] = v[[i + 1, i]], states[[i + 1, i]]
        assert_array_equal(swap["v"], v)
        assert_array_equal(swap["states"], states)


def test_a_chain_and_a_sample_of_the_frozen_model_change_places_by_both_models():
    state = begun(TRAJECTORY, 60)
    while state.phase != 1 or state.since < 2:
        state = TRAJECTORY.advance(state, DATA)
    taken = TRAJECTORY.trace_update(state, DATA, row=ROW)
    rungs, swap = told(taken, "rungs")[0], told(taken, "swap")[0]
    sample, chain = rungs["v"].astype(np.float64)
    assert_array_equal(rungs["v"][1], state.chains[ROW])
    assert (rungs["v"][0] == state.reservoir).all(axis=1).any()
    now, frozen, none = state.model, state.checkpoint, np.zeros(9)
    assert_allclose(swap["of_x"], log_p(now, none, 1, sample) - log_p(frozen, none, 1, sample), atol=1e-4)
    assert_allclose(swap["of_y"], log_p(frozen, none, 1, chain) - log_p(now, none, 1, chain), atol=1e-4)
    (decide,) = told(taken, "decide")
    assert 0 < decide["acceptance"][0] <= 1


@pytest.mark.parametrize("learner", [TEMPERED, TRAJECTORY])
def test_the_gradient_is_the_difference_of_both_terms_and_the_step_its_multiple(learner):
    state = begun(learner, 60)
    while not told(taken := learner.trace_update(state, DATA, row=ROW), "difference"):
        state = learner.advance(state, DATA)
    (difference,), (new,) = told(taken, "difference"), told(taken, "new")
    assert_allclose(difference["W"], difference["data_W"] - difference["model_W"], atol=1e-7)
    rate = learner.rate * getattr(state, "factor", 1.0)
    for name in "Wbc":
        assert_allclose(new[name], rate * difference[name], atol=1e-6)
        moved = getattr(taken.models[-1], name) - getattr(taken.models[0], name)
        assert_allclose(moved, new[name], atol=1e-6)


def test_what_is_not_there_is_refused():
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 6, not 7"):
        TEMPERED.trace_update(begun(TEMPERED, 1), DATA, row=7)
