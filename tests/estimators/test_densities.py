"""Densities of estimators are those of their models, by sums over all states."""

import numpy as np
import pytest

from boltzcore import Recipe, Schedule, fit
from boltzcore.data import Examples, flip, load
from boltzcore.estimators import (
    ConditionalRestrictedBoltzmann,
    FullyVisibleBoltzmann,
    InfiniteRestrictedBoltzmann,
    LogLinearModel,
    PottsModel,
    RestrictedBoltzmann,
)
from boltzcore.learners import PCD
from boltzcore.models import CRBMSetup
from tests.models import exact

N = 6
STATES = exact.states(N).astype(np.uint8)
ROWS = STATES[np.random.default_rng(0).choice(len(STATES), 400, p=np.r_[[0.3], np.full(62, 0.4 / 62), [0.3]])]
MACHINES = {
    "rbm": RestrictedBoltzmann(3, learner=PCD(rate=0.1), max_iter=20, random_state=0),
    "infinite": InfiniteRestrictedBoltzmann(max_iter=3, random_state=0),
    "fractional": InfiniteRestrictedBoltzmann(max_iter=3, random_state=1),
    "fvbm": FullyVisibleBoltzmann(random_state=0),
    "log-linear": LogLinearModel(random_state=0),
    "potts": PottsModel(random_state=0),
}
DRAWS = 1_500


@pytest.fixture(scope="module", params=MACHINES)
def machine(request):
    return MACHINES[request.param].fit(ROWS)


def test_all_states_add_up_to_one(machine):
    assert np.exp(machine.score_samples(STATES)).sum() == pytest.approx(1, abs=1e-5)
    assert machine.score(ROWS) == pytest.approx(machine.score_samples(ROWS).mean())


@pytest.mark.parametrize("given", [None, [1, np.nan, 0, np.nan, np.nan, np.nan]])
def test_draws_are_as_frequent_as_they_are_probable_given_some_values(machine, given):
    fits = np.ones(len(STATES), bool) if given is None else (STATES[:, 0] == 1) & (STATES[:, 2] == 0)
    p = np.where(fits, np.exp(machine.score_samples(STATES)), 0)
    rows = machine.sample(DRAWS, given=given if given is None else np.array(given), random_state=0)
    seen = np.bincount(rows @ (1 << np.arange(N))[::-1], minlength=len(STATES)) / DRAWS
    assert seen[~fits].sum() == 0
    assert np.abs(seen - p / p.sum()).max() < 5 * np.sqrt(0.25 / DRAWS)
    assert (machine.sample(2, given=np.ones(N)) == 1).all()


def test_missing_values_become_the_most_probable_ones_together_or_each_by_itself(machine):
    rows = STATES[[5, 20, 63]].astype(float)
    rows[:, 1] = rows[:, 4] = np.nan
    rows = np.vstack([rows, np.full(N, np.nan)])
    p = np.exp(machine.score_samples(STATES))
    each = machine.impute(rows, how="marginal")
    for row, together, filled in zip(rows, machine.impute(rows), each, strict=True):
        seen = ~np.isnan(row)
        law = p * (STATES[:, seen] == row[seen]).all(axis=1)
        on = law @ STATES / law.sum()
        assert law[(together == STATES).all(axis=1)] == pytest.approx(law.max())
        sure = np.abs(on - 0.5) > 1e-4
        assert (filled == (on > 0.5))[sure].all()


def test_a_large_machine_is_scored_by_an_estimate_that_stays():
    rows = np.random.default_rng(0).integers(0, 2, (60, 30))
    rbm = RestrictedBoltzmann(30, max_iter=2, random_state=0).fit(rows)
    again = RestrictedBoltzmann(30, max_iter=2, random_state=0).fit(rows)
    assert rbm.score(rows) == rbm.score(rows) == again.score(rows)
    assert rbm.log_partition_.low < rbm.log_partition_.value < rbm.log_partition_.high
    given = ConditionalRestrictedBoltzmann(30, max_iter=0).fit(rows[:, :2], rows).log_likelihood
    assert given(rows[:2, :2], rows[:2])[1] == given(rows[1:2, :2], rows[1:2])[0]  # whatever the other rows are
    with pytest.raises(ValueError, match="states"):
        PottsModel().fit(rows).score(rows)
    gaps = np.where(np.eye(60, 30), np.nan, rows)
    assert (PottsModel(max_iter=1).fit(rows, rows[:, 0]).impute(gaps) == rows)[~np.isnan(gaps)].all()


# -- outputs ------------------------------------------------------------------------------------------------


def test_outputs_of_a_log_linear_model_are_what_all_states_say():
    X, Y = ROWS[:, :4], ROWS[:, 4:]
    model = LogLinearModel().fit(X, Y)
    p = model.model_.probabilities().reshape((2,) * N, order="F")
    for x, first, second in zip(X[:20], *model.predict_proba(X[:20]), strict=True):
        law = p[tuple(x)] / p[tuple(x)].sum()
        assert first == pytest.approx(law.sum(axis=1))
        assert second == pytest.approx(law.sum(axis=0))
    together = [np.unravel_index(p[tuple(x)].argmax(), (2, 2)) for x in X[:20]]
    assert (model.most_likely(X[:20]) == together).all()
    assert model.predict(X).shape == Y.shape
    assert model.score(X) == pytest.approx(np.log([p[tuple(x)].sum() for x in X]).mean())
    assert model.score(X, Y) == pytest.approx(np.log([p[tuple(row)] for row in ROWS]).mean() - model.score(X))


def test_a_conditional_machine_learns_what_its_outputs_say_of_each_other():
    Y = np.repeat(load("bars-and-stripes").train.v, 20, axis=0)
    X = flip(Y, 0.1, seed=0)
    machine = ConditionalRestrictedBoltzmann(
        16, learner="ConditionalCD", input_weight=4.0, max_iter=200, random_state=0
    )
    machine.fit(X, Y)
    assert machine.score(X, Y) > 0.92 > np.mean(X == Y)
    assert machine.predict_proba(X).shape == machine.most_likely(X).shape == Y.shape
    assert machine.log_likelihood(X[:3], Y[:3]) == pytest.approx(machine.model_.log_likelihood(Y[:3], X[:3]))
    few = ConditionalRestrictedBoltzmann(2, learner="ConditionalCD", max_iter=60, random_state=0)
    X = np.random.default_rng(0).normal(size=(200, 3))  # of other numbers than the outputs
    assert few.fit(X, X[:, 0] > 0).score(X, X[:, 0] > 0) > 0.9
    trained = fit(Recipe(CRBMSetup(2, input_weight=0), Examples(X[:, :1] > 0, X), "ConditionalCD", Schedule(length=60)))
    assert np.array_equal(trained.state.model.W, few.model_.W)
    assert 1 - trained.records[-1].values["test_error"] == pytest.approx(few.score(X, X[:, 0] > 0))
    with pytest.raises(ValueError, match="input_weight must be 0"):
        machine.fit(X, X[:, 0] > 0)


@pytest.mark.parametrize("learner", ["BeliefPropagationMLE", "MeanFieldMLE"])
def test_probabilities_of_outputs_are_those_of_all_their_states(learner):
    X = np.random.default_rng(0).integers(0, 2, (5, 6))
    machine = ConditionalRestrictedBoltzmann(8, learner=learner, max_iter=1, random_state=0).fit(X, X)
    machine.model_ = exact.random_crbm(6, 8, 6, scale=4.0, seed=0)
    p = np.array([np.exp(machine.model_.given(x).log_likelihood(STATES)) for x in X])
    np.testing.assert_allclose(machine.predict_proba(X), p @ STATES, atol=1e-6)
    assert (machine.predict(X) == (p @ STATES > 0.5)).all()


def test_many_gaps_are_filled_by_a_row_that_no_change_of_a_value_makes_more_probable():
    machine = RestrictedBoltzmann(30, max_iter=0, random_state=0).fit(np.eye(18, dtype=np.uint8))
    machine.model_ = exact.random_rbm(18, 30, 1.0, seed=4)
    gaps, energy = np.full((1, 18), np.nan), machine.model_.free_energy
    found = machine.impute(gaps).astype(np.uint8)
    assert (energy(found) <= energy(found ^ np.eye(18, dtype=np.uint8))).all()
    assert energy(found) <= energy(machine.impute(gaps, how="marginal"))
