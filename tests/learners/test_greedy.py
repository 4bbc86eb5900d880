"""The greedy search against a search that tries every step on the whole law."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from boltzcore.data import Examples, upload
from boltzcore.learners.log_linear import greedy
from boltzcore.learners.log_linear.greedy import GreedyMDL, prices_of
from boltzcore.models.log_linear import LogLinear
from boltzcore.training.loop import fit
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from tests.learners.test_pairwise import started, table
from tests.models.test_log_linear import functions, states

SIZES = [(2, 2, 2, 2), (3, 2, 2), (4, 3), (3, 3, 2)]


def objective(theta: np.ndarray, phi: np.ndarray, share: np.ndarray, sizes, total: float, price: float) -> float:
    """KL(data || model) plus the price of all terms (eq. 6 and 7), written out."""
    weights = phi.T @ theta
    log_p = weights - np.log(np.exp(weights).sum())
    kl = sum(s * (np.log(s) - q) for s, q in zip(share, log_p, strict=True) if s > 0)
    x = states(sizes)
    for y in np.flatnonzero(theta):
        depends = np.flatnonzero(x[y])
        kl += price * (math.log(total) / 2 + sum(math.log(len(sizes) * (sizes[i] - 1)) for i in depends)) / total
    return kl


def best_step(theta: np.ndarray, phi: np.ndarray, *rest) -> float:
    """The shortest description that one step along one parameter reaches."""
    best = np.inf
    for y in range(1, len(theta)):

        def along(value: float, y: int = y) -> float:
            moved = theta.copy()
            moved[y] = value
            return objective(moved, phi, *rest)

        tried = minimize_scalar(
            lambda v: along(v if v else 1e-300), bounds=(-12, 12), method="bounded", options={"xatol": 1e-9}
        )
        best = min(best, tried.fun, along(0.0))
    return best


@pytest.mark.parametrize("sizes", SIZES)
def test_each_step_is_the_best_there_is(sizes):
    data, phi = table(sizes, 500, seed=1), functions(sizes)
    few = data.distinct()
    share = np.zeros(len(phi))
    state = started(GreedyMDL(), data)
    share[state.model.layout.index(few.v)] = few.weight / 500
    rest = (share, sizes, 500.0, 1.0)
    for _ in range(8):
        theta = np.zeros(len(phi))
        theta[state.model.terms] = state.model.values
        assert state.cost == pytest.approx(objective(theta, phi, *rest), abs=1e-9)
        wanted = best_step(theta, phi, *rest)
        state = GreedyMDL().advance(state, data)
        if state.done:
            assert wanted > state.cost - 1e-4
            break
        assert state.cost == pytest.approx(wanted, abs=1e-7)
    else:
        assert state.model.n_terms > 2


def follow(learner, state, data, steps: int, atol: float = 1e-8):
    """The State so many steps later; on the way its duals, and what it tells, are those of its parameters."""
    few, phi = data.distinct(), functions(state.model.cardinalities.tolist())
    share, layout, costs = few.weight / few.total, state.model.layout, [state.cost]
    for _ in range(steps):
        state = learner.advance(state, data)
        duals = phi @ state.model.probabilities()
        assert np.allclose(state.tables.dual[layout.place(np.arange(layout.size))], duals, rtol=0, atol=atol)
        kl = share @ (np.log(share) - state.model.log_likelihood(few.v))
        assert state.kl == pytest.approx(kl, abs=1e-8)
        costs.append(state.cost)
        if state.done:
            break
    assert np.diff(costs).max() < 1e-8
    return state


@pytest.mark.parametrize("sizes", [(2,) * 8, (3, 2, 5, 2), (4, 3, 2, 2)])
def test_the_duals_follow_every_step(sizes):
    learner, data = GreedyMDL(threshold=1e-6, price=0.1), table(sizes, 2000, seed=2)
    state = follow(learner, started(learner, data), data, 60, atol=1e-12)
    assert state.model.n_terms > 5
    follow(learner, learner.advance(state.copy(), other := table(sizes, 2000, seed=3)), other, 9, atol=1e-12)


@pytest.mark.parametrize("value", [12.0, 30.0, -30.0])
def test_it_finds_back_from_parameters_that_are_far_too_large(value):
    data = table((2, 2, 3), 500, seed=9)
    start = GreedyMDL().start(LogLinear((2, 2, 3), {1: value, 2: value, 7: -value}), data, seed=0)
    state = follow(GreedyMDL(), start, data, 400)
    assert state.done
    assert state.kl < 0.1


def test_at_a_price_of_nothing_it_finds_the_data_themselves():
    """Theorem 2: with no price the search comes to the law of the data."""
    sizes = (2, 3, 2)
    data = table(sizes, 5000, seed=4)
    learner = GreedyMDL(price=0.0, threshold=1e-9)
    state = learner.advance(started(learner, data), data, updates=20_000)
    few = data.distinct()
    assert state.done
    assert state.kl < 1e-6
    assert np.allclose(np.exp(state.model.log_likelihood(few.v)), few.weight / 5000, atol=1e-3)


def test_weights_that_do_not_add_up_to_a_row_are_refused():
    with pytest.raises(ValueError, match=r"^weight must"):
        started(GreedyMDL(), Examples([[0, 0], [1, 1], [0, 1]], weight=np.array([0.2, 0.2, 0.1])))


def test_lost_tables_come_back_bit_for_bit(monkeypatch):
    data = table((2, 3, 2, 2, 2), 4000, seed=7)
    learner = GreedyMDL(threshold=1e-7, price=0.01)
    monkeypatch.setattr(greedy, "RENEWED", 16)
    whole = learner.advance(started(learner, data), data, updates=60)
    cut = started(learner, data)
    for updates in (5, 1, 20, 30, 4):
        cut = learner.advance(cut.copy(), data, updates=updates)  # a copy has no tables
    ends = [(each.count, each.model.theta, each.cost, each.figures) for each in (cut, whole)]
    assert ends[0] == ends[1]


def test_what_terms_cost_adds_up_to_what_the_cost_is_above_the_kl():
    data = table((3, 2, 2), 400, seed=3)
    for learner in (GreedyMDL(), GreedyMDL(price=0.5)):
        state = learner.advance(started(learner, data), data, updates=30)
        prices = prices_of(learner, state.model, data)
        assert len(prices) == state.model.n_terms > 2
        assert prices.sum() == pytest.approx(state.cost - state.kl, rel=1e-9)


LAW = LogLinear((2, 2, 2, 3), {1: 0.3, 3: 0.5, 6: -0.4, 9: 0.3})


def with_gaps(n: int) -> np.ndarray:
    """Rows of the law, -1 where a value is missing, in a way that biases the rows without gaps."""
    rows, rng = LAW.sample(n, 0).astype(np.int16), np.random.default_rng(1)
    rows[(rows[:, 0] == 1) & (rng.random(n) < 0.7), 1] = -1
    rows[rng.random(n) < 0.2, 2] = -1
    return rows


def divergence(model: LogLinear) -> float:
    """KL of the law from a model, nats."""
    p = LAW.probabilities()
    return float(p @ np.log(p / model.probabilities()))


def test_rows_with_gaps_are_learnt_from_until_the_law_stays_however_the_training_is_cut():
    rows = with_gaps(2_000)
    whole = (rows >= 0).all(axis=1)
    data = Examples(rows[whole].astype(np.uint8), levels=(2, 2, 2, 3), gaps=rows[~whole])
    state, learner = started(GreedyMDL(), data), GreedyMDL()
    found = learner.advance(state, data, updates=1_000)
    assert found.done
    cut = state
    while not cut.done:
        cut = learner.advance(cut.copy(), data, updates=3)  # without its tables
    np.testing.assert_array_equal(cut.model.probabilities(), found.model.probabilities())
    assert (cut.count, cut.cost) == (found.count, found.cost)
    dropped = learner.advance(started(learner, alone := Examples(data.v, levels=data.levels)), alone, updates=1_000)
    assert divergence(found.model) < 0.01 < 0.1 * divergence(dropped.model)
    v, weight = found.model.completions(data.gaps)  # completed by its own law, the law is that of the data
    all_rows = Examples(np.vstack([data.v, v]), weight=np.append(np.ones(len(data)), weight), levels=data.levels)
    again = learner.advance(started(learner, all_rows), all_rows, updates=1_000)
    np.testing.assert_allclose(again.model.probabilities(), found.model.probabilities(), atol=0.02)


def test_an_own_table_is_learnt_from_with_its_gaps_and_judged_by_complete_rows():
    lines = [",".join("" if code < 0 else str(code) for code in row) for row in with_gaps(2_000).tolist()]
    table = upload("\n".join(["a,b,c,d", *lines]).encode())
    dropped, taken = (
        Recipe("log-linear", table.changed(missing=missing), "GreedyMDL") for missing in ("drop rows", "keep rows")
    )
    for name, split in taken.dataset().splits.items():
        np.testing.assert_array_equal(split.v, dropped.dataset().splits[name].v)
    assert len(taken.dataset().train.gaps) == round(0.6 * (2_000 - sum("" not in line.split(",") for line in lines)))
    fitted = fit(taken)
    least = math.log(taken.dataset().train.total) / (2 * 2_000)  # of the price of a term
    for each in fitted.records:  # both figures are of completed rows
        assert each.values["cost"] - each.values["kl_to_data"] >= least * each.values["terms"] - 1e-12
    assert divergence(fitted.state.model) < 0.2 * divergence(fit(dropped).state.model)
    other = Recipe("log-linear", taken.data.changed(leave_out="d"), "PairwiseExact")
    assert PreparedData.from_recipe(other).data_warning()  # as it leaves rows out
    assert not PreparedData.from_recipe(taken).data_warning()
