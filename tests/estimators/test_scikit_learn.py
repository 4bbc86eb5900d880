"""The estimators do what scikit-learn asks of its own."""

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.callback import ScoringMonitor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from boltzcore import Recipe, train
from boltzcore.data import load
from boltzcore.estimators import (
    ConditionalRestrictedBoltzmann,
    FullyVisibleBoltzmann,
    InfiniteRestrictedBoltzmann,
    LogLinearModel,
    RestrictedBoltzmann,
)
from boltzcore.learners import CD, PCD
from boltzcore.models import RBMSetup
from boltzcore.training.schedule import Schedule

BARS = load("bars-and-stripes").train.v
DENSITIES = (RestrictedBoltzmann(4), InfiniteRestrictedBoltzmann(), FullyVisibleBoltzmann(), LogLinearModel())
SHORT = {"max_iter": 3, "random_state": 0}


@parametrize_with_checks([RestrictedBoltzmann(4, binarize=0.0, max_iter=3)])
def test_every_check_of_scikit_learn_passes(estimator, check):
    check(estimator)


@pytest.mark.nightly
@parametrize_with_checks(
    [
        InfiniteRestrictedBoltzmann(binarize=0.0, max_iter=2),
        FullyVisibleBoltzmann(binarize=0.0, max_iter=3),
        LogLinearModel(binarize=0.0, max_iter=3),
        ConditionalRestrictedBoltzmann(4, binarize=0.0, max_iter=2),
    ]
)
def test_every_check_passes_for_the_other_estimators(estimator, check):
    check(estimator)


# -- parameters ---------------------------------------------------------------------------------------


def test_the_learners_fields_are_parameters():
    rbm = RestrictedBoltzmann(learner="CD")
    assert rbm.get_params()["learner__K"] == CD().K
    rbm.set_params(learner__K=7, n_hidden=3)
    assert (rbm.learner, rbm.n_hidden) == (CD(K=7), 3)
    assert clone(rbm).get_params() == rbm.get_params()


@pytest.mark.parametrize(
    "change", [{"learner__nothing": 1}, {"learner__rate": -1.0}, {"learner": "BSLM", "learner__tau": 1.0}]
)
def test_what_a_learner_does_not_take_is_refused(change):
    with pytest.raises(ValueError, match=r"no field|rate must|learner must"):
        RestrictedBoltzmann().set_params(**change)


def test_a_fit_is_the_training_of_a_recipe_to_the_last_digit():
    recipe = Recipe(
        RBMSetup(hidden=4), "bars-and-stripes", PCD(batch_size=5), Schedule(length=20, unit="epochs", seed=3, every=20)
    )
    expected = list(train(recipe))[-1].state.model
    found = RestrictedBoltzmann(4, learner=PCD(batch_size=5), max_iter=20, random_state=3).fit(BARS).model_
    assert np.array_equal(found.W, expected.W)


# -- rows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", DENSITIES, ids=lambda each: type(each).__name__)
def test_values_between_are_refused_without_a_threshold_and_taken_with_one(machine):
    X = np.random.default_rng(0).random((40, 5))
    with pytest.raises(ValueError, match="X must hold"):
        clone(machine).set_params(**SHORT).fit(X)
    with_threshold = clone(machine).set_params(binarize=0.5, **SHORT).fit(X)
    plain = clone(machine).set_params(**SHORT).fit(X > 0.5)
    assert with_threshold.score(X) == plain.score(X > 0.5)


def test_a_grid_search_in_a_pipeline_finds_the_best_rate_on_threads_too():
    steps = make_pipeline(RestrictedBoltzmann(4, learner="CD", max_iter=100, random_state=0))
    grid = {"restrictedboltzmann__learner__K": [1, 3], "restrictedboltzmann__learner__rate": [1e-6, 0.3]}
    search, scores = GridSearchCV(steps, grid, cv=2), []
    for jobs in (1, 2):
        with joblib.parallel_config("threading", n_jobs=jobs):
            scores.append(search.fit(np.tile(BARS, (4, 1))).cv_results_["mean_test_score"])
    assert search.best_params_["restrictedboltzmann__learner__rate"] == 0.3
    assert np.array_equal(*scores)


def test_rows_of_another_size_are_refused():
    rbm = RestrictedBoltzmann(4, learner="CD", warm_start=True, max_iter=200, random_state=0).fit(BARS)
    before = rbm.score(BARS)
    assert rbm.set_params(max_iter=0).fit(BARS).score(BARS) == before  # a warm start goes on from the parameters
    for n_hidden, rows, sentence in (
        (5, BARS, "n_hidden must be 4.* not 5"),
        (4, BARS[:, :8], "9 values, these have 8"),
    ):
        with pytest.raises(ValueError, match=sentence):
            rbm.set_params(n_hidden=n_hidden).fit(rows)
    machine = ConditionalRestrictedBoltzmann(4, **SHORT).fit(BARS, BARS[:, :4])
    table = LogLinearModel(**SHORT).fit(BARS[:, :4], BARS[:, 4:7])
    for fitted, X, y in ((machine, BARS, BARS[:, :3]), (table, BARS[:, :4], BARS[:, 4:6])):
        with pytest.raises(ValueError, match="not"):
            fitted.score(X, y)
    for new in ([[0, 1, 0, 3]], [[0, 1, 0, 0.5]]):
        with pytest.raises(ValueError, match=r"column 3|whole numbers"):
            table.predict(new)


@pytest.mark.parametrize(
    ("machine", "rows", "sentence"),
    [
        (RestrictedBoltzmann(0), BARS, "n_hidden must be"),
        (RestrictedBoltzmann(4, warm_start="x"), BARS, "warm_start must be"),
        (RestrictedBoltzmann(4, binarize="x"), BARS, "binarize must be a number"),
        (RestrictedBoltzmann(4), np.where(BARS, np.nan, 1.0), r"NaN: use impute\(X\)"),
        (ConditionalRestrictedBoltzmann(0), BARS, "n_hidden must be"),
    ],
)
def test_what_cannot_be_taken_gets_a_sentence(machine, rows, sentence):
    with pytest.raises(ValueError, match=sentence):
        machine.fit(rows, BARS)


@pytest.mark.parametrize(
    "machine", [ConditionalRestrictedBoltzmann(4, learner="ConditionalCD", **SHORT), LogLinearModel(**SHORT)]
)
def test_answers_that_a_table_holds_as_objects_are_taken_by_score_as_by_fit(machine):
    X, y = BARS[:, :4], BARS[:, 4:6]
    table = pd.DataFrame(y, columns=["a", "b"])
    expected = clone(machine).fit(X, y).score(X, y)
    for objects in (table.astype(object), table.astype("Int64"), table.astype(float)):
        assert clone(machine).fit(X, objects).score(X, objects) == expected


def test_names_of_columns_go_in_and_come_out():
    frame = pd.DataFrame(BARS, columns=[f"pixel {i}" for i in range(9)])
    rbm = RestrictedBoltzmann(2, **SHORT).set_output(transform="pandas").fit(frame)
    assert list(rbm.transform(frame)) == ["restrictedboltzmann0", "restrictedboltzmann1"]
    with pytest.raises(ValueError, match="feature names should match"):
        rbm.score(frame.iloc[:, ::-1])
    machine = FullyVisibleBoltzmann(learner="PseudoLikelihoodLBFGS").fit(
        pd.DataFrame(load("senate").train.v, columns=[f"party {i}" for i in range(load("senate").train.v.shape[1])])
    )
    assert machine.estimates_["first"].iloc[0] == "party 0"


# -- going on ---------------------------------------------------------------------------------------------


def test_a_pass_at_a_time_goes_on_with_its_chains():
    rbm = RestrictedBoltzmann(4, learner=PCD(batch_size=5), random_state=0)
    for _ in range(30):
        rbm.partial_fit(BARS)
    whole = RestrictedBoltzmann(4, learner=PCD(batch_size=5), max_iter=30, random_state=0).fit(BARS)
    assert np.array_equal(rbm.model_.W, whole.model_.W)
    assert rbm.n_iter_ == whole.n_iter_ == 30
    rbm.set_params(learner=PCD(batch_size=0)).partial_fit(BARS[:3])  # of another size: chains begin anew
    assert rbm.n_iter_ == 31


def test_callbacks_see_every_pass():
    monitor = ScoringMonitor(scoring=None)
    RestrictedBoltzmann(4, max_iter=5, random_state=0).set_callbacks(monitor).fit(BARS)
    assert len(monitor.get_logs(select="most_recent").data) >= 5
