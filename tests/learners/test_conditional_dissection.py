"""An update of a conditional learner taken apart: the parameters of `advance`, and each phase's own arithmetic."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Corruption, Examples, load
from boltzcore.learners import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    MeanFieldMLE,
)
from boltzcore.learners.walkthrough import chains
from boltzcore.models import CRBMSetup

ROW = 4
LEARNERS = [
    ConditionalLR(rate=0.3),
    ConditionalCD(rate=0.3, K=3),
    CDPercLoss(rate=0.3, K=4),
    MeanFieldMLE(rate=0.3),
    BeliefPropagationMLE(rate=0.3),
    LSSVM(rate=0.3),
    MSSVM(rate=0.3),
]
PARAMETERS = ("W", "W_vx", "W_hx", "b_v", "b_h")


@pytest.fixture(params=LEARNERS, ids=lambda learner: type(learner).__name__)
def learner(request):
    return request.param


@pytest.fixture
def data():
    return Examples(np.tile(load("bars-and-stripes").train.v, (3, 1))).corrupted(Corruption(rate=0.15), (3, 3))


@pytest.fixture
def state(learner, data):
    model = CRBMSetup(hidden=5, sigma=0.5).initial(data, seed=1)
    return learner.advance(learner.start(model, data, seed=2), data, updates=3)


@pytest.fixture
def taken(learner, data, state):
    return learner.trace_update(state, data, row=ROW)


def sigmoid(x):
    return 1 / (1 + np.exp(-np.asarray(x, np.float64)))


def arrays(taken, kind):
    return [phase.arrays for phase in taken.phases if phase.kind == kind]


def test_the_last_parameters_are_those_of_advance_and_the_state_stays(learner, data, state, taken):
    before, after = state.copy(), learner.advance(state, data)
    for name in PARAMETERS:
        assert_array_equal(getattr(taken.models[-1], name), getattr(after.model, name))
        assert_array_equal(getattr(taken.after.model, name), getattr(after.model, name))
        assert_array_equal(getattr(taken.models[0], name), getattr(before.model, name))
    assert taken.after.info == after.info


def test_every_phase_follows_from_the_one_before(learner, state, taken):
    model = state.model
    (given,), (free,) = arrays(taken, "given"), arrays(taken, "free")
    b, c = model.b_v + model.W_vx @ given["x"], model.b_h + model.W_hx @ given["x"]
    assert_allclose(given["b"], b, atol=1e-5)
    assert_allclose(given["c"], c, atol=1e-5)
    assert len(arrays(taken, "clamped")) == learner.hidden_units
    for told in arrays(taken, "clamped"):
        assert_array_equal(told["v"], given["v"])
        assert_allclose(told["p"], sigmoid(c + told["v"] @ model.W), atol=1e-5)
    for told in arrays(taken, "hidden"):
        assert_allclose(told["field"], c + told["v"] @ model.W, atol=1e-4)
        assert_array_equal(told["h"], told["u"] < told["p"])
    for told in arrays(taken, "visible"):
        assert_allclose(told["field"], b + model.W @ told["h"], atol=1e-4)
        assert_array_equal(told["v"], told["u"] < told["p"])
    for told in arrays(taken, "augmented"):
        assert_allclose(told["b"], b + 1 - 2.0 * given["v"], atol=1e-5)
    for told in arrays(taken, "begin"):
        assert_allclose(told["v"], sigmoid([*arrays(taken, "augmented"), given][0]["b"]), atol=1e-5)
    for told in arrays(taken, "start"):
        assert_array_equal(told["v"], told["u"] < told["p"])
        assert_allclose(told["p"], sigmoid(b), atol=1e-5)
    assert len(arrays(taken, "hidden")) == len(arrays(taken, "visible")) == getattr(learner, "K", 0)
    if iterations := arrays(taken, "iteration"):
        if isinstance(learner, BeliefPropagationMLE):  # the marginals of pairs: pixels hear the hidden units once more
            cavity = iterations[-1]["field_h"] - iterations[-1]["to_h_W"]
            said = np.logaddexp(0, model.W + cavity) - np.logaddexp(0, cavity)
            assert_allclose(free["v"], sigmoid(b + said.sum(axis=1)), atol=1e-5)
        else:
            decided = (lambda belief: belief > 0.5) if type(learner) in (LSSVM, MSSVM) else (lambda belief: belief)
            assert_array_equal(free["v"], decided(iterations[-1]["v"]))
        if isinstance(learner, BeliefPropagationMLE | MeanFieldMLE):
            assert_array_equal(free["h"], iterations[-1]["h"])
        residuals = iterations[-1]["residuals"]
        assert (residuals[:-1] >= learner.tolerance).all()
        for t, told in enumerate(iterations, 1):
            assert_array_equal(told["residuals"], residuals[:t])


INFERRING = LEARNERS[3:]


@pytest.fixture
def talking(learner, data):
    """An update of a model whose hidden units have much to say."""
    model = CRBMSetup(hidden=5, sigma=1.5, hidden_bias=0.0).initial(data, seed=1)
    return learner.trace_update(learner.start(model, data, seed=2), data, row=ROW)


def rounds(taken):
    return [*arrays(taken, "begin"), *arrays(taken, "iteration")]


@pytest.mark.parametrize("learner", INFERRING, ids=lambda learner: type(learner).__name__)
def test_biases_and_messages_add_up_to_the_belief_of_every_unit_in_every_iteration(talking):
    (given,) = arrays(talking, "given")
    b, c, said = [*arrays(talking, "augmented"), given][0]["b"], given["c"], 0
    for told in rounds(talking):
        to_v, to_h = (told.get(f"to_{layer}_W", np.zeros(talking.models[0].W.shape)) for layer in "vh")
        for bias, messages, axis, layer in ((b, to_v, 1, "v"), (c, to_h, 0, "h")):
            field = bias + messages.sum(axis=axis, dtype=np.float64)
            assert_allclose(told[f"field_{layer}"], field, atol=1e-5)
            assert_allclose(told[layer], sigmoid(field), atol=1e-5)
        said += np.abs(to_v).max() > 0.01
    assert said == len(arrays(talking, "iteration")) > 1


def answered(kind, W, b, c, told, before):
    """(to pixels, to hidden units) of an iteration as papers write them, from the messages of the one before."""
    softplus = (lambda x: np.maximum(x, 0)) if kind == "max-product" else (lambda x: np.logaddexp(0, x))
    heard = before.get("to_h_W", np.zeros_like(W))
    if kind == "mean field":
        return W * before["h"], W * told["v"][:, None]

    def through(cavity):
        return softplus(W + cavity) - softplus(cavity)

    to_v = through(c + heard.sum(axis=0) - heard)
    field = b + to_v.sum(axis=1)
    if kind == "mixed-product":
        return to_v, W * (field > 0)[:, None]
    return to_v, through(field[:, None] - to_v)


@pytest.mark.parametrize("learner", INFERRING, ids=lambda learner: type(learner).__name__)
def test_messages_answer_those_of_the_iteration_before(learner, talking):
    (given,) = arrays(talking, "given")
    W, b, c = talking.models[0].W.astype(float), [*arrays(talking, "augmented"), given][0]["b"], given["c"]
    before, *further = rounds(talking)
    for told in further:
        to_v, to_h = answered(learner.predicts, W, b, c, told, before)
        assert_allclose(told["to_v_W"], to_v, atol=2e-5)
        assert_allclose(told["to_h_W"], to_h, atol=2e-5)
        before = told


def test_of_many_iterations_the_messages_of_the_first_and_last_are_kept_and_of_a_large_model_none(
    data, state, monkeypatch
):
    many = BeliefPropagationMLE(iterations=30, tolerance=0.0)
    taken = many.trace_update(many.start(state.model, data, seed=2), data)
    kept = ["to_v_W" in told for told in arrays(taken, "iteration")]
    assert kept == [True] * chains.ENDS + [False] * (31 - 2 * chains.ENDS) + [True] * chains.ENDS
    assert all("field_v" in told for told in arrays(taken, "iteration"))
    monkeypatch.setattr(chains, "MOST_MESSAGES", 4 * chains.ENDS * state.model.W.size - 1)
    taken = many.trace_update(many.start(state.model, data, seed=2), data)
    assert all(set(told) == {"v", "h", "residuals"} for told in rounds(taken))


@pytest.mark.parametrize("learner", [CDPercLoss(rate=0.3, K=4)], ids=["CDPercLoss"])
def test_what_is_set_against_the_data_is_what_the_search_found(taken):
    (told,), (free,), (clamped,) = (arrays(taken, kind) for kind in ("energy", "free", "clamped"))
    samples = [clamped["v"], *(phase["v"] for phase in arrays(taken, "visible"))]
    assert_array_equal(free["v"], samples[told["taken"]])
    assert told["energy"][told["taken"]] == told["energy"].min()
    assert told["taken"] == np.argmin(told["energy"])  # of several that are lowest the first


def test_the_step_goes_along_the_difference(learner, taken):
    (difference,), (new,) = [*arrays(taken, "difference"), *arrays(taken, "error")], arrays(taken, "new")
    moved = {name.removeprefix("data_") for name in difference if name.startswith("data_")}
    assert moved == ({"W", "vx", "hx"} if learner.hidden_units else {"vx"})
    for name in ("W", "vx", "hx"):
        step = new["W" if name == "W" else f"W_{name}"]
        if name in moved:
            wanted = learner.rate * (difference[f"data_{name}"] - difference[f"model_{name}"])
            assert_allclose(step, wanted, atol=1e-5)
        else:
            assert not step.any()


def test_a_row_that_is_not_there_is_refused(learner, data, state):
    with pytest.raises(ValueError, match="row must be a whole number from 0 to"):
        learner.trace_update(state, data, row=99)
