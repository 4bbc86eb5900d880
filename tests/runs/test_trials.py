"""Trials are kept by content: what was made is found again, and nothing else in its place."""

import dataclasses
import json
import os

import numpy as np
import pytest

from boltzcore import Recipe, train
from boltzcore.data import grants, upload
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs import trials
from boltzcore.runs.recipe import Schedule
from boltzcore.runs.trial import BEGUN, FINISHED, Trial
from boltzcore.runs.trials import TrialStore, key_of

SCHEDULE = Schedule(length=20, every=5)
RECIPE = Recipe(RBMSetup(hidden=3), "bars-and-stripes", CD(batch_size=0), SCHEDULE)


def made(recipe=RECIPE, until=None):
    """The trial of a recipe, or its beginning."""
    steps = [step for step in train(recipe) if until is None or step.state.count <= until]
    records = tuple(step.record for step in steps)
    return Trial(recipe, FINISHED if until is None else BEGUN, records=records, state=steps[-1].state, processor="one")


@pytest.fixture
def store(tmp_path):
    return TrialStore(tmp_path / "trials")


def place(store):
    return next(store._folder.iterdir())


@pytest.mark.parametrize("until", [None, 10])
def test_a_trial_comes_back_as_it_was(store, until):
    trial = made(until=until)
    assert store.get(RECIPE) is None
    store.put(trial)
    found = store.get(RECIPE)
    assert (found.status, found.records, found.processor) == (trial.status, trial.records, "one")
    assert np.array_equal(found.state.model.W, trial.state.model.W)
    assert found.ended == (until is None)


def test_one_that_was_begun_goes_on_to_the_same_records(store):
    store.put(made(until=10))
    found = store.get(RECIPE)
    rest = [step.record for step in train(RECIPE, resume=found.state)]
    whole = made()
    assert [record.values for record in (*found.records, *rest)] == [record.values for record in whole.records]


@pytest.mark.parametrize(
    "other",
    [
        dataclasses.replace(RECIPE, schedule=SCHEDULE.changed(seed=1)),
        dataclasses.replace(RECIPE, learner=CD(0.2, batch_size=0)),
        dataclasses.replace(RECIPE, measures=("log_likelihood",)),
    ],
)
def test_another_recipe_has_another_trial(store, other):
    store.put(made())
    assert store.get(other) is None
    assert key_of(other) != key_of(RECIPE)


def test_other_code_or_data_never_answers(store, monkeypatch):
    store.put(made())
    with monkeypatch.context() as changed:
        changed.setattr(trials, "code_digest", lambda recipe: "other")
        assert store.get(RECIPE) is None
    with monkeypatch.context() as changed:
        changed.setattr(trials, "data_digest", lambda source: "other")
        assert store.get(RECIPE) is None
    assert store.get(RECIPE) is not None


@pytest.mark.parametrize("name", ["trial.json", "trace.csv", "state.npz"])
def test_what_is_damaged_is_left_aside_with_a_sentence(store, name, caplog):
    store.put(made())
    file = place(store) / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert store.get(RECIPE) is None
    assert "is left aside" in caplog.text
    store.put(made())
    assert store.get(RECIPE) is not None


def test_an_entry_that_was_edited_is_left_aside(store):
    store.put(made())
    file = place(store) / "trial.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"status": "diverged"}))
    assert store.get(RECIPE) is None


def test_what_is_further_on_stays_whoever_makes_the_same(store):
    whole = made()
    store.put(made(until=10))
    store.put(made(until=5))
    assert len(store.get(RECIPE).records) == len(made(until=10).records)
    store.put(whole)
    store.put(made(until=10))
    assert store.get(RECIPE).status == FINISHED


def test_what_is_damaged_is_in_the_way_of_nothing(store):
    store.put(made())
    (place(store) / "trace.csv").write_text("count\n")
    assert store.get(RECIPE) is None
    store.put(made(until=5))
    assert store.get(RECIPE).status == BEGUN


def test_the_states_of_a_large_model_go_when_it_has_ended_unless_they_are_to_stay(store, monkeypatch):
    monkeypatch.setattr(trials, "SMALL", 10)
    store.put(made(until=10))
    assert store.get(RECIPE).state is not None
    store.put(made())
    assert store.get(RECIPE).state is None
    assert len(store.get(RECIPE).records) == 5
    TrialStore(store._folder, large_states=True).put(made())
    assert store.get(RECIPE).state is not None


def test_the_least_recently_used_go_first(store, tmp_path):
    recipes = [dataclasses.replace(RECIPE, schedule=SCHEDULE.changed(seed=seed)) for seed in range(3)]
    for recipe in recipes[:2]:
        store.put(made(recipe))
    for age, folder in zip(
        (20, 10), sorted(store._folder.iterdir(), key=lambda each: each.stat().st_mtime), strict=True
    ):
        os.utime(folder, times=(folder.stat().st_mtime - age,) * 2)
    assert store.get(recipes[0]) is not None  # now the second was used longest ago
    size = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    small = TrialStore(tmp_path / "trials", most_bytes=int(1.2 * size))
    small.put(made(recipes[2]))
    assert [small.get(recipe) is not None for recipe in recipes] == [True, False, True]


def test_trials_on_somebody_s_own_table_are_there_as_long_as_somebody_may_open_it(store, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("a,b\n" + "0,1\n1,0\n" * 10)
    private = dataclasses.replace(RECIPE, data=upload(file))
    trial = made(private)
    store.put(trial)
    assert store.get(private) is None
    assert not list(store._folder.iterdir())
    secret = grants.give(private.data.digest)
    store.put(trial)
    assert store.get(private).records == trial.records
    grants.end(grants.opened_by(secret))
    assert store.get(private) is None
    assert not list(store._folder.iterdir())
