"""Trials are kept by content: what was made is found again, and nothing else in its place."""

import dataclasses
import json
import os
import subprocess
import sys
import threading
from contextlib import ExitStack

import numpy as np
import pytest

from boltzcore import Recipe, train
from boltzcore.data import grants, upload
from boltzcore.home import folder, locked
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs import trials
from boltzcore.runs.recipe import Schedule
from boltzcore.runs.trial import BEGUN, FINISHED, Trial
from boltzcore.runs.trials import TrialStore, key_of
from tests.conftest import REPOSITORY

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


def stored(store):
    """The files of the trials in a store."""
    return list(store._folder.rglob("*.npz"))


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


def test_other_numerics_or_data_never_answer(store, monkeypatch):
    store.put(made())
    with monkeypatch.context() as changed:
        changed.setattr(CD, "numerics", 2)
        assert store.get(RECIPE) is None
    with monkeypatch.context() as changed:
        changed.setattr(trials, "data_digest", lambda source: "other")
        assert store.get(RECIPE) is None
    assert store.get(RECIPE) is not None


@pytest.mark.parametrize("then", [{}, {"K": 2}])
def test_a_field_that_came_later_changes_no_key_and_a_default_that_changed_answers_never(store, monkeypatch, then):
    with monkeypatch.context() as earlier:
        values = {name: value for name, value in RECIPE.learner.values().items() if name != "K"}
        earlier.setattr(CD, "values", lambda self: values | then)
        store.put(made())
    assert (store.get(RECIPE) is None) == bool(then)


def changed(store, name, change):
    """Change one array of the only trial."""
    [file] = stored(store)
    with np.load(file) as arrays:
        np.savez(file, **dict(arrays) | {name: change(arrays[name])})


DAMAGES = {"trial": lambda text: np.array(str(text)[:40]), "trace": lambda csv: csv[: csv.size // 2]}
DAMAGES |= {"newest.model.W": lambda W: W[:-1], "newest.state": lambda text: np.array("{}")}


@pytest.mark.parametrize("name", [*DAMAGES, "half", "all"])
def test_what_is_damaged_is_left_aside_with_a_sentence(store, name, caplog):
    store.put(made())
    [file] = stored(store)
    if name in DAMAGES:
        changed(store, name, DAMAGES[name])
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 if name == "half" else 0])
    assert store.get(RECIPE) is None
    assert "is left aside" in caplog.text
    store.put(made())
    assert store.get(RECIPE) is not None


def test_an_entry_that_was_edited_is_left_aside(store):
    store.put(made())
    changed(store, "trial", lambda text: np.array(json.dumps(json.loads(str(text)) | {"status": "diverged"})))
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
    changed(store, "trace", lambda csv: np.frombuffer(b"count\n", np.uint8))
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
    for age, file in zip((20, 10), sorted(stored(store), key=lambda each: each.stat().st_mtime), strict=True):
        os.utime(file, times=(file.stat().st_mtime - age,) * 2)
    assert store.get(recipes[0]) is not None  # now the second was used longest ago
    size = sum(file.stat().st_size for file in stored(store))
    small = TrialStore(tmp_path / "trials", most_bytes=int(1.2 * size))
    small.put(made(recipes[2]))
    assert [small.get(recipe) is not None for recipe in recipes] == [True, False, True]


def test_trials_on_a_table_stay_while_it_cannot_be_read_who_may_open_it(store, tmp_path):
    private = dataclasses.replace(RECIPE, data=upload(b"a,b\n" + b"0,1\n1,0\n" * 11))
    secret = grants.give(private.data.digest)
    store.put(trial := made(private))
    file = folder("uploads", "grants") / f"{grants.key_of(secret)}.json"
    content = file.read_bytes()
    file.unlink()
    file.symlink_to(file)  # a circle
    assert store.get(private) is None
    TrialStore(store._folder)
    file.unlink()
    file.write_bytes(content)
    assert store.get(private).records == trial.records


def test_trials_on_somebody_s_own_table_are_there_as_long_as_somebody_may_open_it(store, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("a,b\n" + "0,1\n1,0\n" * 10)
    private = dataclasses.replace(RECIPE, data=upload(file))
    trial = made(private)
    store.put(trial)
    assert store.get(private) is None
    assert not stored(store)
    secret = grants.give(private.data.digest)
    store.put(trial)
    assert store.get(private).records == trial.records
    grants.end(grants.opened_by(secret))
    assert store.get(private) is None
    assert not stored(store)


WRITER = """
import dataclasses, sys
from pathlib import Path
from boltzcore.runs.trials import TrialStore
from tests.runs.test_trials import made
trial, store = made(until=10), TrialStore(Path(sys.argv[1]))
print("ready", flush=True)
for n in range(10**9):
    W = trial.state.model.W * 0 + n
    model = dataclasses.replace(trial.state.model, W=W)
    state = dataclasses.replace(trial.state, model=model)
    records = [dataclasses.replace(record, seconds=float(n)) for record in trial.records]
    store.put(dataclasses.replace(trial, state=state, best=state, best_value=float(n), records=tuple(records)))
"""


def test_a_trial_is_put_once_no_other_process_holds_its_lock(store, tmp_path):
    trial = made()
    thread = threading.Thread(target=store.put, args=(trial,))
    with ExitStack() as held:
        for digit in "0123456789abcdef":
            held.enter_context(locked(tmp_path / "trials" / f".lock-{digit}"))
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        assert not stored(store)
    thread.join()
    assert len(stored(store)) == 1


def test_two_processes_never_see_a_mix_of_two_writes(store):
    """Each write has one number in its newest and best state, its records and its entry."""
    command = [sys.executable, "-c", WRITER, str(store._folder)]
    writers = [subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE) for _ in range(2)]
    seen = set()
    try:
        for writer in writers:
            writer.stdout.readline()
        while len(seen) < 60:
            if (found := store.get(RECIPE)) is not None:
                [number] = {
                    found.best_value,
                    *(record.seconds for record in found.records),
                    *found.state.model.W.flat,
                    *found.best.model.W.flat,
                }
                seen.add(number)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert not [file for file in store._folder.iterdir() if not file.name.startswith(".") and file.suffix != ".npz"]
