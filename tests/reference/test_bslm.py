"""Sweeps of BSLM and gradient ascent against their reference."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boltzcore.data import RandomFVBM
from boltzcore.learners import BSLM, GradientAscent
from boltzcore.models import FVBM, FVBMSetup
from boltzcore.reference import trace
from boltzcore.reference.traces.tables import climb


@pytest.fixture
def data():
    return RandomFVBM(d=4, n=300).load().train


def test_a_sweep_whose_odds_overflow_is_that_of_the_reference(data):
    far = FVBM(np.zeros((4, 4)), np.array([400.0, 0.0, 0.0, 0.0]))
    state = BSLM().start(far, data, seed=0)
    assert_allclose(trace(BSLM(), state, data).models[-1].theta, BSLM().advance(state, data).model.theta, rtol=1e-9)


@pytest.mark.parametrize("learner", [BSLM(), GradientAscent(mu=1.7)], ids=["BSLM", "GradientAscent"])
def test_along_a_parameter_p_n_is_never_below_the_parabola_and_the_step_goes_to_its_top(learner, data):
    state = learner.advance(learner.start(FVBMSetup().initial(data, seed=3), data, seed=3), data, updates=3)
    taken, rows = trace(learner, state, data, row=2), data.distinct()
    model, reached = state.model, float(taken.phases[0].arrays["reached"])
    for index, phase in enumerate(taken.phases[1:], 1):
        along, arrays = climb(taken, data, index), phase.arrays
        j, k = int(arrays["j"]), int(arrays.get("k", arrays["j"]))

        def moved(value, model=model, j=j, k=k):
            M, b = model.M.copy(), model.b.copy()
            if j == k:
                b[j] = value
            else:
                M[j, k] = M[k, j] = value
            return FVBM(M, b)

        gain, bound = along["climb"]
        true = [rows.weight @ moved(value).log_pseudo_likelihood(rows.v) for value in along["at"]]
        assert_allclose(gain, np.array(true) - reached, atol=1e-9 * abs(reached))
        assert (bound <= gain + 1e-12 * abs(reached)).all()
        assert gain[8] == bound[8] == 0
        assert bound.argmax() == 16
        assert_allclose(along["at"][16] - arrays["before"], (arrays["after"] - arrays["before"]) / learner.step)
        assert arrays["pulls"][0] >= 0 >= arrays["pulls"][1]
        model, reached = moved(float(arrays["after"])), float(arrays["reached"])
