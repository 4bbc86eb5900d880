"""BSLM and its kin against the sweep of the reference."""

import numpy as np
import pytest

from boltzcore.data import Examples
from boltzcore.learners import BSLM, GradientAscent, PseudoLikelihoodLBFGS, pseudo_likelihood
from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.models import FVBM, FVBMSetup
from boltzcore.reference import trace
from tests.models.test_fvbm import machine


def table(n: int, d: int, seed: int) -> np.ndarray:
    """Rows of codes in which columns go together, none settled by the others."""
    return (machine(d, seed, 0.3).sample(n, seed=seed) > 0).astype(np.uint8)


def trained(learner, rows, updates: int, seed: int = 1, variance: float = 0.5):
    data = Examples(rows)
    state = learner.start(FVBMSetup(variance=variance).initial(data, seed=seed), data, seed=seed)
    return learner.advance(state, data, updates=updates)


def total(model: FVBM, rows) -> float:
    """P_n, eq. 2.1."""
    x = 2.0 * np.asarray(rows) - 1
    eta = x @ model.M + model.b
    return float((x * eta - np.logaddexp(eta, -eta)).sum())


@pytest.mark.parametrize("mu", [1.0, 0.3, 2.7])
@pytest.mark.parametrize(("n", "d"), [(300, 6), (33, 1), (70, 2), (1, 3), (90, 13)])
def test_a_sweep_is_that_of_the_reference(n, d, mu):
    data, learner = Examples(table(n, d, seed=n + d)), GradientAscent(mu=mu, tau=0)
    state = learner.start(FVBMSetup().initial(data, seed=1), data, seed=1)
    for _ in range(4):
        wanted, before = trace(learner, state, data).models[-1], total(state.model, data.v)
        state = learner.advance(state, data)
        assert np.allclose(state.model.M, wanted.M, rtol=0, atol=1e-12)
        assert np.allclose(state.model.b, wanted.b, rtol=0, atol=1e-12)
    assert state.figures[INCREASE] == pytest.approx(total(wanted, data.v) - before, abs=1e-10 * abs(before))


@pytest.mark.parametrize(("n", "d", "scale", "mu"), [(1, 100, 2, 1.0), (1, 80, 2, 3.0), (40, 90, 1, 2.0)])
def test_it_stays_finite_where_odds_reach_their_bounds(n, d, scale, mu):
    """Fields of hundreds, which one sweep brings back to nought or turns over."""
    rows = np.random.default_rng(d).integers(0, 2, (n, d))
    data = Examples(rows)
    drawn = FVBMSetup(variance=10.0).initial(data, seed=1)
    start = FVBM(scale * drawn.M, scale * drawn.b)
    assert np.abs(start.field(rows)).max() > 100
    found = GradientAscent(mu=mu, tau=0)
    state = found.advance(found.start(start, data, seed=1), data, updates=20)
    assert np.isfinite(state.model.M).all()
    assert total(start, rows) < total(state.model, rows) <= 0


def test_bslm_is_gradient_ascent_with_a_step_of_one_digit_for_digit():
    rows = table(500, 9, seed=4)
    one, other = (trained(learner, rows, 50) for learner in (BSLM(), GradientAscent(mu=1.0)))
    assert np.array_equal(one.model.M, other.model.M)
    assert np.array_equal(one.model.b, other.model.b)
    assert one.figures == other.figures
    assert one.count == other.count


def falls(problem: int, low: float, high: float) -> bool:
    """Return whether P_n falls, by more than rounding, in a sweep of a random problem with a step from low to high."""
    rng = np.random.default_rng(problem)
    rows = rng.integers(0, 2, (rng.integers(1, 40), rng.integers(1, 7)))
    learner, data = GradientAscent(mu=rng.choice([rng.uniform(low, high), high]), tau=0), Examples(rows)
    start = FVBMSetup(variance=rng.choice([0.0, 0.5, 5.0])).initial(data, seed=problem)
    state = learner.start(start, data, seed=0)
    for _ in range(12):
        before = total(state.model, rows)
        state = learner.advance(state, data)
        if state.figures[INCREASE] < -1e-12 * abs(before):
            return True
    return False


def test_the_sum_never_falls_for_steps_of_up_to_two_and_may_beyond():
    assert not any(falls(problem, 0.01, 2.0) for problem in range(150))
    assert any(falls(problem, 2.3, 3.0) for problem in range(50))


@pytest.mark.parametrize("kind", [BSLM, GradientAscent])
def test_it_ends_at_the_first_sweep_that_changes_less_than_tau(kind):
    rows, tau = table(400, 5, seed=2), 1e-3
    last = trained(kind(tau=tau), rows, 10_000)
    assert last.done
    assert abs(last.figures[INCREASE]) < tau
    before = trained(kind(tau=tau), rows, last.count - 1)
    assert not before.done
    assert before.figures[INCREASE] >= tau
    assert trained(kind(tau=0), rows, last.count).model.M.tobytes() == last.model.M.tobytes()
    assert not trained(kind(tau=0), rows, 3 * last.count).done


def test_its_optimum_is_that_of_l_bfgs():
    rows = table(16_000, 8, seed=3)
    swept = trained(BSLM(tau=1e-12), rows, 100_000)
    newton = trained(PseudoLikelihoodLBFGS(), rows, 100)
    assert swept.done
    assert newton.done
    assert total(swept.model, rows) / len(rows) == pytest.approx(total(newton.model, rows) / len(rows), abs=1e-9)
    assert np.abs(swept.model.M - newton.model.M).max() < 1e-5
    assert np.abs(swept.model.b - newton.model.b).max() < 1e-5
    assert newton.work > newton.count


@pytest.mark.parametrize("rows", [[[0, 1, 1]], [[1, 1], [1, 1]], [[0, 1], [0, 0], [0, 1]], [[1]], [[0, 0, 0]] * 50])
def test_where_no_maximiser_exists_it_climbs_on_and_stays_finite(rows):
    first, later = (trained(BSLM(tau=0), rows, updates) for updates in (100, 3_000))
    assert np.isfinite(later.model.M).all()
    assert np.isfinite(later.model.b).all()
    assert total(first.model, rows) < total(later.model, rows) <= 0


def test_a_large_table_is_swept_in_pieces_with_the_same_digits(monkeypatch):
    rows = table(300, 8, seed=1)
    whole = trained(BSLM(), rows, 6)
    monkeypatch.setattr(pseudo_likelihood, "_ODDS_A_CALL", 1)
    pieces = trained(BSLM(), rows, 6)
    assert np.array_equal(whole.model.M, pieces.model.M)
    assert whole.figures == pieces.figures
