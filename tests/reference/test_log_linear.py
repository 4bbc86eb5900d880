"""Steps of the log-linear learners against their references, and these against sums over all states."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar

from boltzcore.data import BarsAndStripes, Examples
from boltzcore.learners import GreedyMDL, PairwisePCD
from boltzcore.learners.log_linear import greedy
from boltzcore.learners.log_linear.greedy import prices_of
from boltzcore.models import LogLinear
from boltzcore.quoting import Refusal
from boltzcore.reference import trace
from boltzcore.reference.log_linear import duals, probabilities
from boltzcore.reference.traces import tables
from tests.learners.test_greedy import objective, started, table
from tests.models.test_log_linear import functions, states
from tests.reference.test_frank_wolfe import arrays as phase

SEARCHES = {"usual": GreedyMDL(price=0.3), "no price": GreedyMDL(price=0.0, threshold=1e-3)}


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 4), (5, 1, 2)])
def test_duals_and_probabilities_are_sums_over_all_states(sizes):
    phi = functions(sizes)
    theta = np.random.default_rng(0).normal(size=len(phi))
    weight = np.exp(theta @ phi)
    assert_allclose(probabilities(theta, sizes), weight / weight.sum())
    assert_allclose(duals(weight, sizes), phi @ weight)


@pytest.mark.parametrize("sizes", [(2,) * 5, (3, 2, 4)])
@pytest.mark.parametrize("search", SEARCHES)
def test_each_step_of_the_search_is_that_of_the_reference(search, sizes):
    learner, data, moves = SEARCHES[search], table(sizes, 400, seed=5), set()
    superfluous = LogLinear(sizes, dict.fromkeys((1, 2, 3, 11, 12), 0.02))
    for state in (started(learner, data), learner.start(superfluous, data, seed=0)):
        while not state.done:
            taken, before = trace(learner, state, data), state
            state = learner.advance(before, data)
            assert_array_equal(taken.models[-1].terms, state.model.terms)
            assert_allclose(taken.models[-1].values, state.model.values, atol=1e-6)
            if not state.done:
                chosen = phase(taken, "chosen")
                assert_allclose(chosen["kl"], state.kl - before.kl, atol=1e-9)
                assert_allclose(chosen["change"], state.cost - before.cost, atol=1e-9)
                moves.add(state.model.n_terms - before.model.n_terms)
        assert phase(taken, "over")["threshold"] == learner.threshold
    assert moves == {0, 1} | ({-1} if learner.price else set())


@pytest.mark.parametrize("updates", [0, 2])
def test_a_candidate_gains_and_costs_what_appending_it_does(updates, monkeypatch):
    monkeypatch.setattr(tables, "CANDIDATES", 31)
    sizes, learner = (2,) * 5, GreedyMDL()
    data, phi = table(sizes, 400, seed=5), functions(sizes)
    state = learner.advance(started(learner, data), data, updates=updates)
    theta, share, rows = np.zeros(32), np.zeros(32), data.distinct()
    theta[state.model.terms] = state.model.values
    share[state.model.layout.index(rows.v)] = rows.weight / 400

    def kl(y=0, value=0.0):
        return objective(np.where(np.arange(32) == y, value, theta), phi, share, sizes, 400.0, 0.0)

    found, free = (phase(trace(each, state, data), "candidates") for each in (learner, GreedyMDL(price=0.0)))
    assert found["looked"] + found["skipped"] == 31 - state.model.n_terms == free["looked"]
    for y, gain in zip(free["term"], free["gain"], strict=True):
        best = minimize_scalar(lambda value, y=y: kl(y, value), bounds=(-12, 12), method="bounded").fun
        assert_allclose(gain, kl() - best, atol=1e-8)
        price = prices_of(learner, LogLinear(sizes, {int(y): 1.0}), data)
        if y in found["term"]:
            listed = found["term"] == y
            assert_allclose([found["gain"][listed], found["price"][listed]], [[gain], price])
        else:
            assert gain < price
    assert 0 < len(found["term"]) < len(free["term"])
    worth = found["gain"] - found["price"]
    assert_array_equal(worth, np.sort(worth)[::-1])


def test_where_no_further_term_may_come_there_are_no_candidates(monkeypatch):
    learner, data = GreedyMDL(), table((2,) * 5, 400, seed=5)
    state = learner.advance(started(learner, data), data, updates=2)
    for module in (greedy, tables):
        monkeypatch.setattr(module, "MOST_TERMS", state.model.n_terms)
    taken = trace(learner, state, data)
    found = phase(taken, "candidates")
    assert (found["looked"], found["skipped"], len(found["term"])) == (0, 0, 0)
    assert_allclose(taken.models[-1].values, learner.advance(state, data).model.values, atol=1e-6)


def test_a_table_that_is_too_large_is_refused():
    data = Examples(np.arange(6, dtype=np.uint16).reshape(3, 2), levels=(4_000, 8))
    with pytest.raises(Refusal, match="32,000 states"):
        trace(GreedyMDL(), started(GreedyMDL(), data), data)


CHAINS = PairwisePCD(rate=0.3, chains=7)


@pytest.mark.parametrize("weight", [None, 1 + np.arange(14) % 3], ids=["all rows alike", "rows with weights"])
def test_each_update_by_chains_is_that_of_the_reference(weight):
    data = Examples(BarsAndStripes().load().train.v, weight=weight)
    state = started(CHAINS, data)
    for _ in range(30):
        taken, before = trace(CHAINS, state, data, row=4), state
        state = CHAINS.advance(before, data)
        assert_array_equal(taken.models[-1].terms, state.model.terms)
        assert_allclose(taken.models[-1].values, state.model.values, atol=1e-12)
        assert_array_equal(phase(taken, "start")["x"], before.chains[4] > 0)
        assert_array_equal(phase(taken, "chains")["x"], state.chains[4] > 0)


def test_parameters_of_codes_are_of_the_same_law():
    draws = np.random.default_rng(0)
    theta = draws.normal(size=(4, 4))
    theta += theta.T
    model, x = tables.model_of_codes(theta), states((2,) * 4)
    log_weight = np.einsum("si,ij,sj->s", x, np.triu(theta), x)
    assert_allclose(model.log_likelihood(x), log_weight - np.log(np.exp(log_weight).sum()))
    assert_allclose(tables.of_codes(model), theta)
