"""Frank-Wolfe held against sums over all states."""

import numpy as np
import pytest

from boltzcore.data import Examples, load
from boltzcore.kernels import units as kernels
from boltzcore.learners import FrankWolfe
from boltzcore.learners.insertion.correction import Reweighted
from boltzcore.learners.insertion.frank_wolfe import OBJECTIVE
from boltzcore.learners.insertion.sampler import WeightedRows
from boltzcore.learners.insertion.search import Inner, search_unit
from boltzcore.models import InfiniteRBM, InfiniteRBMSetup, RBMSetup
from boltzcore.ticks import idle
from pages.figures.units import Gallery
from tests.models.test_infinite import drawn, states


@pytest.fixture
def data() -> Examples:
    return load("bars-and-stripes", D=3).train


def trained(data: Examples, updates: int, before=None, seed: int = 0, **fields):
    learner = FrankWolfe(**fields)
    state = learner.start(InfiniteRBMSetup().initial(data, seed=seed, before=before), data, seed=seed)
    path = []
    for _ in range(updates):
        path.append(state := learner.advance(state, data))
        if state.done:
            break
    return path


def likelihood(model: InfiniteRBM, data: Examples) -> float:
    return data.average(model.log_likelihood(data.v))


def all_states(model: InfiniteRBM) -> WeightedRows:
    """All states, by their probabilities under a model."""
    v = states(model.n_visible)
    return WeightedRows.from_rows(v, np.exp(model.log_likelihood(v)))


# -- the inner problem -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_a_pass_over_rows_is_that_of_numpy(n):
    rng = np.random.default_rng(n)
    v, w, scale = rng.integers(0, 2, (n, 21), np.uint8), rng.normal(0, 1, 22).astype(np.float32), rng.normal(0, 1, n)
    blocks = kernels.side_by_side(v)
    weight = np.zeros(blocks.shape[::2], np.float32)
    weight.reshape(-1)[:n] = scale
    gradient = np.empty(22)
    value = kernels.respond(blocks, w, weight, 0, len(blocks), gradient)
    ones = np.column_stack([v, np.ones(n)])
    fields = ones @ w.astype(np.float64)
    assert np.isclose(value, scale @ np.logaddexp(0, fields), rtol=1e-5, atol=1e-5)
    assert np.allclose(gradient, (scale / (1 + np.exp(-fields))) @ ones, rtol=1e-5, atol=1e-5)


def test_minus_the_inner_objective_is_how_fast_the_likelihood_rises_with_a_new_unit_s_count(data):
    """The functional gradient, eq. 8, against finite differences of J."""
    model, w, penalty, h = drawn(9, [1, 0.5]), np.random.default_rng(1).normal(0, 1, 10), 0.03, 1e-3

    def J(count: float) -> float:
        more = InfiniteRBM(np.vstack([model.units, w]), [*model.counts, count], model.b)
        return likelihood(more, data) - 0.5 * penalty * float(more.counts @ (more.units.astype(float) ** 2).sum(axis=1))

    inner = Inner(all_states(model), WeightedRows.from_examples(data), penalty, lambda _: None)
    assert abs((J(2 * h) - J(0)) / (2 * h) + inner(w)[0]) < 5e-3


def test_a_search_within_a_ball_ends_where_no_other_unit_of_it_is_better(data):
    inner = Inner(all_states(InfiniteRBMSetup().initial(data, seed=0)), WeightedRows.from_examples(data), 0.0, idle)
    rng = np.random.default_rng(0)
    starts = rng.normal(0, 1, (3, 10))
    found = search_unit(inner, starts, 200, 9.0)
    assert found.value == min(search_unit(inner, start[None], 200, 9.0).value for start in starts) < 0
    assert (found.unit.astype(float) ** 2).sum() <= 9.0 + 1e-5
    for move in rng.normal(0, 1e-2, (200, 10)):
        other = found.unit + move
        assert inner(other * min(1.0, 3.0 / np.sqrt(other @ other)))[0] > found.value - 1e-6


# -- counts and biases ---------------------------------------------------------------------------------


def test_reweighted_rows_give_j(data):
    model, rng = drawn(6, [1, 0.4]), np.random.default_rng(0)
    rows = WeightedRows.from_rows(data.v[:, :6], np.full(len(data), 1 / len(data)))
    of_data = np.concatenate([rows.mean_softplus(model.units), rows.mean])
    problem = Reweighted(model, WeightedRows.from_rows(states(6), np.full(64, 1 / 64)), of_data, 0.1, exact=True)
    theta = np.concatenate([[0.7, 1.3], rng.normal(0, 1, 6)])

    def J(at: np.ndarray) -> float:
        moved = InfiniteRBM(model.units, at[:2], at[2:])
        penalty = 0.05 * float(at[:2] @ (model.units.astype(float) ** 2).sum(axis=1))
        return float((moved.log_likelihood(rows.v) * rows.weight).sum()) - penalty

    other = theta + rng.normal(0, 0.1, 8)
    assert np.isclose(problem(other)[0] - problem(theta)[0], J(other) - J(theta), atol=1e-5)


# -- the learner ---------------------------------------------------------------------------------------


def test_with_exact_expectations_j_never_falls(data):
    path = trained(data, 12, correction="full", lambda_=0.001)
    J = [state.figures[OBJECTIVE] for state in path]
    assert (np.diff(J) > -1e-6).all()
    assert J[-1] > J[0] + 0.1


def test_the_paper_s_model_is_an_rbm_to_which_each_update_adds_a_unit(data):
    rbm = RBMSetup(hidden=3, sigma=0.5).initial(data, seed=1)
    state = trained(data, 2, before=rbm, correction="none", lambda_=0.01)[-1]
    assert (state.model.alpha, state.model.whole, state.model.to_rbm().n_hidden) == (5.0, True, 5)
    assert np.array_equal(state.model.units[:3, :-1], rbm.W.T)
    assert state.arrived.tolist() == [-2, -1, 0, 1, 2]


GRADIENT = {"correction": "none", "temperature": "gradient"}


def test_no_step_on_alpha_lowers_the_likelihood(data):
    before = trained(data, 4, seed=3, **GRADIENT)[-1]
    found = []
    for steps in (0, 1, 3, 20):
        after = FrankWolfe(**GRADIENT, steps=steps).advance(before.copy(), data).model
        found.append(likelihood(after, data))
    assert (np.diff(found) > -1e-5).all()
    assert found[-1] > found[0] + 0.5


def test_units_whose_count_falls_to_nought_leave_and_are_remembered(data):
    state = trained(data, 30, correction="full", lambda_=0.01)[-1]
    assert len(state.removed) == 30 - state.model.n_units > 0
    assert sorted([*state.arrived, *state.removed_arrived]) == list(range(1, 31))
    assert (state.removed_at >= state.removed_arrived).all()


def spoilt(count: float) -> InfiniteRBM:
    """A unit whose weights cost more than it gains, after the first of three of small weights."""
    small = drawn(9, [1, 1, 1], size=0.1)
    bad = np.concatenate([np.tile([4.0, -4.0], 5)[:9], [-6.0]]).astype(np.float32)
    return InfiniteRBM(np.insert(small.units, 1, bad, axis=0), np.full(4, count), np.zeros(9))


@pytest.mark.parametrize(("fields", "count"), [({}, 1.0), ({"temperature": "gradient", "steps": 0}, 0.5)])
def test_an_away_step_removes_the_unit_that_is_worst(data, fields, count):
    learner, before = FrankWolfe(correction="none", lambda_=0.3, away=True, **fields), spoilt(count)
    state = learner.advance(learner.start(before, data, seed=0), data)
    assert (state.model.n_units, state.done) == (3, False)
    assert np.array_equal(state.removed, before.units[[1]])
    assert (state.removed_arrived.tolist(), state.removed_at.tolist()) == ([-2], [1])
    assert np.array_equal(Gallery.from_state(state).weights, before.units)  # it keeps its place
    if fields:  # alpha stays: the others count more
        assert state.model.alpha == pytest.approx(2.0)
    else:
        assert likelihood(state.model, data) > likelihood(before, data)


@pytest.mark.parametrize("temperature", ["units", "gradient"])
def test_with_away_steps_a_training_ends_when_its_newest_unit_is_the_first_to_leave(data, temperature):
    *_, before, end = trained(data, 40, correction="none", temperature=temperature, lambda_=0.02, away=True)
    assert end.done
    assert end.model.n_units == before.model.n_units - 1
    assert (end.removed_arrived[-1], end.removed_at[-1]) == (before.count, end.count)


# -- by samples ----------------------------------------------------------------------------------------


def test_rows_of_more_weight_start_more_chains():
    few = Examples(load("digits").train.v[:2], weight=np.array([1.0, 1000.0]))
    start = FrankWolfe(samples=200, restarts=1, K=2).start(InfiniteRBMSetup().initial(few, seed=0), few, seed=0)
    assert (start.chains == few.v[1]).all(axis=1).mean() > 0.95
