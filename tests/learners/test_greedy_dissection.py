"""A greedy step taken apart: what it could have done, by trying each of it, and what it did."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boltzcore.data import Examples
from boltzcore.learners import GreedyMDL
from boltzcore.learners.log_linear import steps
from boltzcore.learners.log_linear.prices import prices_of
from boltzcore.learners.walkthrough import greedy
from boltzcore.models import LogLinear, LogLinearSetup

ROWS = 400


@pytest.fixture
def data():
    draw = np.random.default_rng(5)
    v = (draw.random((ROWS, 5)) < [0.2, 0.5, 0.7, 0.5, 0.4]).astype(np.uint8)
    v[:, 3] ^= v[:, 0] | v[:, 1]
    v[:, 4] |= v[:, 2]
    return Examples(v)


@pytest.fixture(params=[GreedyMDL(), GreedyMDL(order=2, penalty=0.01)], ids=["any order", "pairs at a price"])
def learner(request):
    return request.param


@pytest.fixture(params=[0, 2])
def state(request, learner, data):
    started = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    return learner.advance(started, data, updates=request.param)


def kl(model, data):
    rows = data.distinct()
    share = rows.weight / rows.total
    return share @ (np.log(share) - model.log_likelihood(rows.v))


def phase(taken, kind):
    return next(each.arrays for each in taken.phases if each.kind == kind)


def test_a_candidate_gains_and_costs_what_appending_it_does(learner, data, state):
    told = phase(learner.trace_update(state, data), "candidates")
    assert len(told["term"])
    now = kl(state.model, data)
    for y, gain, price in zip(told["term"].tolist(), told["gain"], told["price"], strict=True):
        values = np.linspace(-3, 3, 1201)
        tried = [LogLinear(state.model.cardinalities, {**state.model.theta, y: value}) for value in values[values != 0]]
        if not learner.penalty:  # the best value of the term is where it gains most
            assert_allclose(max(now - kl(each, data) for each in tried), gain, atol=1e-5)
            assert_allclose(prices_of(learner, tried[0], data)[-1], price)
        assert y.bit_count() <= (learner.order or 5)
    worth = told["gain"] - told["price"]
    assert_array_equal(worth, np.sort(worth)[::-1])
    n_terms = 31 if not learner.order else 15
    assert told["looked"] + told["skipped"] == n_terms - state.model.n_terms
    assert told["looked"] >= len(told["term"])


def test_where_no_further_term_may_come_there_are_no_candidates(learner, data, monkeypatch):
    started = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    state = learner.advance(started, data, updates=2)
    for module in (steps, greedy):
        monkeypatch.setattr(module, "MOST_TERMS", state.model.n_terms)
    taken = learner.trace_update(state, data)
    told = phase(taken, "candidates")
    assert (told["looked"], told["skipped"], len(told["term"])) == (0, 0, 0)
    for each in taken.phases:
        assert each.kind != "chosen" or each.arrays["term"] in state.model.terms


def test_what_the_bound_skips_is_not_worth_its_price(data):
    learner = GreedyMDL()
    state = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    told = phase(learner.trace_update(state, data), "candidates")
    free = phase(GreedyMDL(price=0.0).trace_update(state, data), "candidates")
    skipped = set(free["term"].tolist()) - set(told["term"].tolist())
    assert skipped
    for y, gain in zip(free["term"].tolist(), free["gain"], strict=True):
        if y in skipped:
            assert gain < prices_of(learner, LogLinear((2,) * 5, {y: 1.0}), data)[0]


def test_the_step_that_is_taken_is_the_best_of_all(learner, data, state):
    taken = learner.trace_update(state, data)
    chosen = phase(taken, "chosen")
    told = phase(taken, "candidates")
    best = [-(told["gain"] - told["price"]).max()]
    if state.model.n_terms:
        present = phase(taken, "present")
        assert_array_equal(present["term"], state.model.terms)
        best += [present["adjusting"].min(), present["removing"].min()]
    assert_allclose(chosen["change"], min(best), atol=1e-12)
    assert_allclose(taken.after.cost - state.cost, chosen["change"], atol=1e-9)
    y = int(chosen["term"])
    moved = taken.after.model.theta.get(y, 0.0) - state.model.theta.get(y, 0.0)
    assert_allclose(moved, chosen["step"], atol=1e-12)


def test_a_search_that_is_over_says_so(data):
    learner = GreedyMDL(threshold=1.0)
    state = learner.start(LogLinearSetup().initial(data, seed=0), data, seed=0)
    taken = learner.trace_update(state, data)
    assert taken.phases[-1].kind == "over"
    assert taken.after.done
    assert not taken.after.model.n_terms
