"""An update of a contrastive learner taken apart: the numbers of `advance`, and their arithmetic by a plain twin."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Examples, load
from boltzcore.models import RBMSetup
from tests.learners.test_family import FAMILY, IDS

ROW = 3


@pytest.fixture
def data():
    return Examples(np.tile(load("bars-and-stripes").train.v, (2, 1)))


@pytest.fixture(params=FAMILY, ids=IDS)
def learner(request):
    return request.param


@pytest.fixture
def state(learner, data, kernels):
    started = learner.start(RBMSetup(hidden=5, sigma=0.5).initial(data, seed=1), data, seed=2)
    return learner.advance(started, data, updates=5)


def sigmoid(x):
    return 1 / (1 + np.exp(-x.astype(np.float64)))


def test_the_last_parameters_are_those_of_advance_and_the_state_stays(learner, data, state):
    before = state.copy()
    taken = learner.trace_update(state, data, row=ROW)
    after = learner.advance(state, data)
    for name in "Wbc":
        assert_array_equal(getattr(taken.models[-1], name), getattr(after.model, name))
        assert_array_equal(getattr(taken.after.model, name), getattr(after.model, name))
        assert_array_equal(getattr(state.model, name), getattr(before.model, name))
    assert_array_equal(taken.after.chains, after.chains)
    assert_array_equal(state.chains, before.chains)


def test_each_unit_is_drawn_from_its_field_with_its_number(learner, data, state):
    taken = learner.trace_update(state, data, row=ROW)
    for phase in taken.phases:
        model, told = taken.models[phase.at], phase.arrays
        if phase.kind in ("data", "hidden", "end"):
            assert_allclose(told["field"], model.c + told["v"] @ model.W.astype(np.float64), atol=1e-4)
        elif phase.kind == "visible":
            assert_allclose(told["field"], model.b + model.W.astype(np.float64) @ told["h"], atol=1e-4)
        if "p" in told:
            assert_allclose(told["p"], sigmoid(told["field"]), atol=1e-5)
        if "u" in told:
            on = told["h" if phase.kind == "hidden" else "v"]
            assert_array_equal(on, told["u"] < told["p"])
    if not learner.persistent:
        assert_array_equal(taken.phases[0].arrays["v"], taken.phases[1].arrays["v"])
    ends = [phase.arrays["v"] for phase in taken.phases if phase.kind == "end"]
    assert len(ends) == learner.inner_steps
    assert_array_equal(ends[-1], taken.after.chains[ROW])


def test_the_gradient_is_the_difference_of_both_terms_and_the_step_its_multiple(learner, data, state):
    taken = learner.trace_update(state, data, row=ROW)
    news = [phase for phase in taken.phases if phase.kind == "new"]
    differences = [phase.arrays for phase in taken.phases if phase.kind == "difference"]
    for k, (new, difference) in enumerate(zip(news, differences, strict=True)):
        for name in "Wbc":
            assert_allclose(difference[name], difference[f"data_{name}"] - difference[f"model_{name}"], atol=1e-7)
            moved = getattr(taken.models[k + 1], name) - getattr(taken.models[k], name)
            assert_allclose(moved, new.arrays[name], atol=1e-6)
            if not (learner.centred or (learner.spectral and name == "W")):
                assert_allclose(new.arrays[name], learner.rate * difference[name], atol=1e-6)
    # the data term is frozen at its value for the parameters before the update
    for name in ("data_W", "data_b", "data_c"):
        assert all(np.array_equal(each[name], differences[0][name]) for each in differences)


def test_both_terms_of_a_centred_gradient_differ_by_what_the_weights_move_along(learner, data, state):
    phases = learner.trace_update(state, data, row=ROW).phases
    of = {
        kind: [phase.arrays for phase in phases if phase.kind == kind] for kind in ("difference", "offsets", "centred")
    }
    assert len(of["centred"]) == (learner.inner_steps if learner.centred else 0)
    for plain, offsets, centred in zip(of["difference"], of["offsets"], of["centred"], strict=False):
        assert_allclose(centred["data_W"] - centred["model_W"], centred["W"], atol=1e-6)
        for term, mu, lambda_ in (
            ("data", centred["data_mu"], centred["data_lambda"]),
            ("model", offsets["mu"], offsets["lambda"]),
        ):
            vp, v, p = (plain[f"{term}_{name}"].astype(np.float64) for name in "Wbc")
            twin = vp - np.outer(mu, p) - np.outer(v, lambda_) + np.outer(mu, lambda_)
            assert_allclose(centred[f"{term}_W"], twin, atol=1e-6)


def test_the_phase_before_new_weights_holds_what_all_parameters_move_along(learner, data, state):
    phases = learner.trace_update(state, data, row=ROW).phases
    for last, new in pairwise(phases):
        if new.kind == "new":
            for name in "Wbc":
                assert_allclose(np.float32(learner.rate) * last.arrays[name], new.arrays[name], atol=1e-6)


def test_what_is_not_there_is_refused(learner, data, state):
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 6, not 7"):
        learner.trace_update(state, data, row=7)
