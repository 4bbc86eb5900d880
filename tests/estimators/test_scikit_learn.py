"""The estimators do what scikit-learn asks of its own."""

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.callback import ScoringMonitor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from boltzcore import Recipe, train
from boltzcore.data import load
from boltzcore.estimators import (
    ConditionalRestrictedBoltzmann,
    FullyVisibleBoltzmann,
    InfiniteRestrictedBoltzmann,
    LogLinearModel,
    PottsModel,
    RestrictedBoltzmann,
)
from boltzcore.learners import CD, PCD
from boltzcore.models import RBMSetup
from boltzcore.training.schedule import Schedule

BARS = load("bars-and-stripes").train.v
TABLES = (FullyVisibleBoltzmann(), LogLinearModel(), PottsModel())
DENSITIES = (RestrictedBoltzmann(4), InfiniteRestrictedBoltzmann(), *TABLES)
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
        PottsModel(binarize=0.0, max_iter=3),
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
    for n_hidden, rows, sentence in ((5, BARS, "n_hidden must be 4.* not 5"), (4, BARS[:, :8], "9 values.* have 8")):
        with pytest.raises(ValueError, match=sentence):
            rbm.set_params(n_hidden=n_hidden).fit(rows)
    machine = ConditionalRestrictedBoltzmann(4, **SHORT).fit(BARS, BARS[:, :4])
    table = LogLinearModel(**SHORT).fit(BARS[:, :4], BARS[:, 4:7])
    for fitted, X, y in ((machine, BARS, BARS[:, :3]), (table, BARS[:, :4], BARS[:, 4:6])):
        with pytest.raises(ValueError, match="not"):
            fitted.score(X, y)
    with pytest.raises(ValueError, match="whole numbers"):
        table.predict([[0, 1, 0, 0.5]])


@pytest.mark.parametrize(
    ("machine", "rows", "sentence"),
    [
        (RestrictedBoltzmann(0), BARS, "n_hidden must be"),
        (RestrictedBoltzmann(4, warm_start="x"), BARS, "warm_start must be"),
        (RestrictedBoltzmann(4, binarize="x"), BARS, "binarize must be a number"),
        (RestrictedBoltzmann(4), np.where(BARS, np.nan, 1.0), r"NaN: use impute\(X\)"),
        (ConditionalRestrictedBoltzmann(0), BARS, "n_hidden must be"),
        (RestrictedBoltzmann(4), [[0, 1], [1]], "X must"),
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
    senate = pd.DataFrame(load("senate").train.v).add_prefix("party ")
    machine = FullyVisibleBoltzmann(learner="PseudoLikelihoodLBFGS").fit(senate)
    assert machine.estimates_["first"].iloc[0] == "party 0"


# -- strings, booleans and categories ---------------------------------------------------------------------

EDUCATION = pd.CategoricalDtype(["low", "high", "doctor"], ordered=True)  # "doctor" is in no row


def survey(n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    columns = {
        "smokes": rng.choice(["no", "yes"], n),
        "ill": rng.random(n) > 0.5,
        "education": pd.Series(rng.choice(["low", "high"], n)).astype(EDUCATION),
        "region": pd.Series(rng.choice(["N", "S"], n), dtype="category"),
        "rating": rng.integers(0, 3, n),
    }
    return pd.DataFrame(columns).set_index(np.arange(n) + 100)


BINARY = ["smokes", "ill", "region"]


@pytest.mark.parametrize("machine", DENSITIES, ids=lambda each: type(each).__name__)
def test_values_of_any_kind_go_in_and_come_out(machine):
    frame = survey() if isinstance(machine, LogLinearModel) else survey()[BINARY]
    fitted = clone(machine).set_params(**SHORT).fit(frame)
    codes = frame.apply(lambda column: pd.Series(column.astype("category")).cat.codes).to_numpy()
    assert fitted.score(frame) == pytest.approx(clone(machine).set_params(**SHORT).fit(codes).score(codes), abs=0.3)
    drawn = fitted.sample(40, given={"smokes": "YES"}, random_state=0)
    assert (drawn["smokes"] == "yes").all()
    assert (fitted.sample(9, given=frame.iloc[0][BINARY[::-1]]).iloc[:, :1] == frame.iloc[0, 0]).all(axis=None)
    assert (drawn.dtypes == frame.dtypes).all()
    assert all(drawn[name].dropna().isin(fitted.categories_[i]).all() for i, name in enumerate(BINARY[:2]))
    gaps = frame.astype(object)
    gaps.iloc[0], gaps.iloc[1, 0] = None, np.nan
    filled = fitted.impute(gaps)
    assert filled.iloc[2:].equals(frame.iloc[2:])
    assert not filled.isna().any(axis=None)
    for given in ({"smokes": "perhaps"}, {"smoke": "yes"}, {"ill": 1}):
        with pytest.raises(ValueError, match="given must"):
            fitted.sample(given=given)
    with pytest.raises(ValueError, match="NaN"):
        fitted.score(gaps)


def test_inputs_of_two_values_are_as_good_as_numbers():
    frame, y = survey()[[*BINARY, "rating"]], survey()["ill"]
    machine = ConditionalRestrictedBoltzmann(2, learner="ConditionalCD", **SHORT)
    numbers = frame.assign(smokes=frame["smokes"] == "yes", region=frame["region"] == "S").astype(float)
    expected = clone(machine).fit(numbers, y).predict_proba(numbers)
    assert np.array_equal(machine.fit(frame, y).predict_proba(frame), expected)
    with pytest.raises(ValueError, match="smokes"):
        machine.predict(frame.assign(smokes="perhaps"))


def test_arrays_of_strings_and_booleans_come_out_as_they_went_in():
    words = np.array([["a", "x"], ["b", "y"]] * 20)
    assert set(np.unique(RestrictedBoltzmann(2, **SHORT).fit(words).sample(20))) <= {"a", "b", "x", "y"}
    bools = FullyVisibleBoltzmann(**SHORT).fit(words == "a")
    assert bools.sample(2, given=bools.sample()[0]).dtype == bool
    days = np.array([["2024-01-31", "2024-02-29"], ["2023-01-31", "2024-02-29"]] * 20, "datetime64[D]")
    assert set(LogLinearModel(**SHORT).fit(days).sample(20).flat) == set(days.flat)


def test_the_values_of_a_column_can_be_declared():
    rows = np.array([["a", 1], ["b", 3]] * 20, object)
    model = LogLinearModel(categories=[["a", "b", "c"], [1, 2, 3]], **SHORT).fit(rows)
    assert model.model_.layout.cardinalities == (3, 3)
    assert np.isfinite(model.score(np.array([["c", 2]], object)))
    signs = FullyVisibleBoltzmann(categories=[[-1, 1]] * 2, **SHORT).fit([[-1, 1], [1, -1]])
    assert set(signs.sample(9).flat) <= {-1, 1}
    for categories in ("all", [["a", "b"]], [["a", "a"], None], [["a", "b"], [1, 2]]):
        with pytest.raises(ValueError, match=r"categories|declares"):
            LogLinearModel(categories=categories, **SHORT).fit(rows)


def test_a_value_that_only_a_test_fold_has_gets_a_probability():
    frame = survey()
    frame.iloc[0, 0], frame["constant"] = "rarely", ["once"] + ["always"] * (len(frame) - 1)
    model = LogLinearModel(**SHORT).fit(frame.iloc[1:])
    row = frame.iloc[:1]
    evidence = {i: model.categories_[i].get_loc(row.iat[0, i]) for i in (1, 2, 3)} | {4: row.iat[0, 4], 5: 1}
    assert model.score(row) == pytest.approx(model.model_.log_probability_of(evidence) - np.log(len(frame)))
    for machine in (LogLinearModel(**SHORT), FullyVisibleBoltzmann(**SHORT)):
        columns = frame if isinstance(machine, LogLinearModel) else frame[["ill", "constant"]]
        assert np.isfinite(cross_val_score(machine, columns, cv=3)).all()
    with pytest.raises(ValueError, match="smokes"):
        RestrictedBoltzmann(2, **SHORT).fit(survey()[BINARY]).score(frame[BINARY])
    with pytest.raises(ValueError, match="education"):
        RestrictedBoltzmann(2, **SHORT).fit(survey()[["education"]])


@pytest.mark.parametrize("labels", [("no", "yes"), (False, True), (-1, 1), (3, 7)])
def test_labels_of_any_kind_are_predicted(labels):
    X = np.tile([[0, 0], [0, 1], [1, 0], [1, 1]], (20, 1))
    y = pd.Series(labels).take(X[:, 0]).reset_index(drop=True)
    machine = ConditionalRestrictedBoltzmann(2, learner="ConditionalCD", max_iter=60, random_state=0)
    for each in (LogLinearModel(random_state=0), machine):
        assert each.fit(X, y).classes_.tolist() == list(labels)
        assert (each.predict(X) == y).all()
        assert each.predict(X).dtype == each.classes_.dtype
        assert (each.predict_proba(X).argmax(axis=1) == X[:, 0]).all()
        for scoring in ("accuracy", "roc_auc"):
            assert cross_val_score(each, X, y, scoring=scoring, cv=2).tolist() == [1, 1]
        both = each.fit(X, pd.DataFrame({"a": y, "b": X[:, 1]})).predict(X)
        assert (both == np.column_stack([y, X[:, 1]])).all()
    density = LogLinearModel(random_state=0).fit(X, y).fit(X)
    assert [is_classifier(density), hasattr(density, "classes_")] == [False, False]
    new = y.astype(object)
    new[0] = "new"
    assert np.isfinite(LogLinearModel(random_state=0).fit(X, y).score(X, new))
    with pytest.raises(ValueError, match="y must"):
        machine.fit(X, y).score(X, new)
    with pytest.raises(ValueError, match="y must"):
        clone(machine).partial_fit(X, np.full(80, labels[0])).partial_fit(X, np.full(80, labels[1]))
    for wrong in (np.linspace(0, 1, 80), np.where(X[:, 0], "a", None)):
        with pytest.raises(ValueError, match=r"label|NaN"):
            LogLinearModel(random_state=0).fit(X, wrong)


@pytest.mark.parametrize("machine", [LogLinearModel(), PottsModel(), ConditionalRestrictedBoltzmann(2)])
def test_a_label_that_is_alone_is_certain(machine):
    alone, fitted = np.array(["one"] * len(BARS)), clone(machine).set_params(**SHORT)
    assert fitted.fit(BARS, alone).predict_proba(BARS).tolist() == [[1.0]] * len(BARS)
    p = fitted.fit(BARS, np.column_stack([alone, BARS[:, 0]])).predict_proba(BARS)
    # of a conditional machine: a column for each output, the probability of its second label
    assert (p[0] == 1).all() if isinstance(p, list) else not p[:, 0].any()


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
