"""A sweep taken apart: the parameters of `advance`, and each step by the paper's own formula."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import RandomFVBM
from boltzcore.learners import BSLM, GradientAscent
from boltzcore.learners.walkthrough.coordinate import climb
from boltzcore.models import FVBM, FVBMSetup
from boltzcore.models.fvbm import spins

ROW = 2


@pytest.fixture
def data():
    return RandomFVBM(d=4, n=300).load().train


@pytest.fixture(params=[BSLM(), GradientAscent(mu=1.7)], ids=["BSLM", "GradientAscent"])
def learner(request):
    return request.param


@pytest.fixture
def state(learner, data):
    return learner.advance(learner.start(FVBMSetup().initial(data, seed=3), data, seed=3), data, updates=3)


def test_the_last_parameters_are_those_of_advance_and_the_state_stays(learner, data, state):
    before = state.copy()
    taken, after = learner.trace_update(state, data, row=ROW), learner.advance(state, data)
    assert_array_equal(taken.models[-1].theta, after.model.theta)
    assert_array_equal(taken.after.model.theta, after.model.theta)
    assert taken.after.count == after.count == state.count + 1
    assert_allclose(taken.after.info["increase_per_sweep"], after.info["increase_per_sweep"], rtol=1e-12)
    assert_array_equal(state.model.theta, before.model.theta)


def test_each_step_is_the_papers_and_reaches_what_it_says(learner, data, state):
    taken = learner.trace_update(state, data, row=ROW)
    rows = data.distinct()
    x, weight = spins(rows.v).astype(float), rows.weight
    M, b, n = state.model.M.copy(), state.model.b.copy(), weight.sum()

    def reached():
        return weight @ FVBM(M, b).log_pseudo_likelihood(rows.v)

    first, *steps = taken.phases
    assert_allclose(first.arrays["reached"], reached(), rtol=1e-12)
    assert_array_equal(first.arrays["x"], x[ROW])
    assert [phase.kind for phase in steps] == ["bias"] * 4 + ["coupling"] * 6
    for phase in steps:
        told = phase.arrays
        eta, before = b + x @ M, float(reached())
        slope = weight[:, None] * (x - np.tanh(eta))  # of the log-odds of each row in its own field
        if phase.kind == "bias":
            j = int(told["j"])
            gradient, old = slope[:, j].sum(), b[j]
            b[j] = old + learner.step * gradient / n
            new = b[j]
        else:
            j, k = int(told["j"]), int(told["k"])
            gradient, old = (slope[:, j] * x[:, k] + slope[:, k] * x[:, j]).sum(), M[j, k]
            M[j, k] = M[k, j] = new = old + learner.step * gradient / (2 * n)
        assert_allclose(told["before"], old, atol=1e-12)
        assert_allclose(told["after"], new, atol=1e-10)
        assert_allclose(told["pulls"].sum(), gradient, atol=1e-8 * n)
        assert told["pulls"][0] >= 0 >= told["pulls"][1]
        assert_allclose(told["reached"], reached(), rtol=1e-10)
        assert_allclose(told["log_odds"], -2 * x[ROW] * (b + M @ x[ROW]), atol=1e-9)
        # the parabola stays below P_n
        step = new - old
        assert before + gradient * step - told["curvature"] / 2 * step**2 <= reached() + 1e-9


def test_a_sweep_that_leads_far_is_told_of_its_second_way(data):
    learner = GradientAscent(mu=1.0)
    far = FVBM(np.zeros((4, 4)), np.array([400.0, 0.0, 0.0, 0.0]))
    state = learner.start(far, data, seed=0)
    taken = learner.trace_update(state, data)
    assert len(taken.phases) == 1 + 4 + 6
    assert_array_equal(taken.models[-1].theta, learner.advance(state, data).model.theta)


def test_along_a_parameter_p_n_is_what_it_is_there_and_never_below_the_parabola(learner, data, state):
    taken = learner.trace_update(state, data, row=ROW)
    rows = data.distinct()
    model = state.model
    reached = float(taken.phases[0].arrays["reached"])
    for index, phase in enumerate(taken.phases[1:], 1):
        found, told = climb(taken, data, index), phase.arrays
        gain, bound = found["climb"]
        j, k = int(told["j"]), int(told.get("k", told["j"]))

        def moved(value, model=model, j=j, k=k):
            M, b = model.M.copy(), model.b.copy()
            if j == k:
                b[j] = value
            else:
                M[j, k] = M[k, j] = value
            return FVBM(M, b)

        true = [rows.weight @ moved(value).log_pseudo_likelihood(rows.v) for value in found["at"]]
        assert_allclose(gain, np.array(true) - reached, atol=1e-9 * abs(reached))
        assert (bound <= gain + 1e-12 * abs(reached)).all()
        assert found["at"][8] == told["before"]
        assert gain[8] == bound[8] == 0
        assert bound.argmax() == 16
        assert_allclose(found["at"][16] - told["before"], (told["after"] - told["before"]) / learner.step)
        assert_allclose(found["gained"], told["reached"] - reached, atol=1e-9 * abs(reached))
        assert_allclose(told["rows"].sum(), rows.weight.sum())
        model, reached = moved(float(told["after"])), float(told["reached"])
