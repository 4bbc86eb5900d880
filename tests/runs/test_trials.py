"""Trials are kept by content: what was made is found again, and nothing else in its place."""

import dataclasses
import json
import os
import threading
from contextlib import ExitStack

import numpy as np
import pytest

from boltzcore import train
from boltzcore.comparison import trials
from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trials import TrialStore, key_of
from boltzcore.data import grants, upload
from boltzcore.home import folder, lock_file
from boltzcore.learners import CD
from boltzcore.training.status import Status
from tests.runs.toys import batch, figures

RECIPE = batch(20, every=5)


def made(recipe=RECIPE, until=None):
    """The trial of a recipe, or its beginning."""
    steps = [step for step in train(recipe) if until is None or step.state.count <= until]
    records = tuple(step.record for step in steps)
    return Trial(recipe, Status.FINISHED if until is None else Status.RUNNING, records=records, state=steps[-1].state)


@pytest.fixture
def place(tmp_path):
    return tmp_path / "trials"


@pytest.fixture
def store(place):
    return TrialStore(place)


def stored(place):
    """The files of the trials in a store."""
    return list(place.rglob("*.npz"))


@pytest.mark.parametrize("until", [None, 10])
def test_a_trial_comes_back_as_it_was_and_goes_on_to_the_same_records(store, until):
    trial = made(until=until)
    assert store.get(RECIPE) is None
    store.put(trial)
    found = store.get(RECIPE)
    assert found.records == trial.records
    assert np.array_equal(found.state.model.W, trial.state.model.W)
    assert found.ended == (until is None)
    rest = [step.record for step in train(RECIPE, resume=found.state)]
    assert figures((*found.records, *rest)) == figures(made().records)


@pytest.mark.parametrize(
    "other", [batch(20, every=5, seed=1), batch(20, every=5, rate=0.2), dataclasses.replace(RECIPE, measures=())]
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


def changed(place, name, change):
    """Change one array of the only trial."""
    [file] = stored(place)
    with np.load(file) as arrays:
        np.savez(file, **dict(arrays) | {name: change(arrays[name])})


DAMAGES = {
    "cut entry": ("entry", lambda text: np.array(str(text)[:40])),
    "other status": ("entry", lambda text: np.array(json.dumps(json.loads(str(text)) | {"status": "odd"}))),
    "no records": ("trace", lambda csv: np.frombuffer(b"count\n", np.uint8)),
    "cut model": ("newest.model.W", lambda W: W[:-1]),
    "no state": ("newest.state", lambda text: np.array("{}")),
}


@pytest.mark.parametrize("damage", [*DAMAGES, "half", "all"])
def test_what_is_damaged_is_left_aside_and_in_the_way_of_nothing(store, place, damage, caplog):
    store.put(made())
    [file] = stored(place)
    if damage in DAMAGES:
        changed(place, *DAMAGES[damage])
    else:
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2 if damage == "half" else 0])
    assert store.get(RECIPE) is None
    assert file.name in caplog.text
    store.put(made(until=5))
    assert store.get(RECIPE).status == Status.QUEUED


def test_what_is_further_on_stays_if_another_makes_the_same(store):
    whole = made()
    store.put(made(until=10))
    store.put(made(until=5))
    assert len(store.get(RECIPE).records) == len(made(until=10).records)
    store.put(whole)
    store.put(made(until=10))
    assert store.get(RECIPE).status == Status.FINISHED


def test_the_states_of_a_large_model_go_when_it_has_ended(store, monkeypatch):
    monkeypatch.setattr(trials, "SMALL", 10)
    store.put(made(until=10))
    assert store.get(RECIPE).state is not None
    store.put(made())
    assert store.get(RECIPE).state is None
    assert len(store.get(RECIPE).records) == 5


def test_the_least_recently_used_go_first(store, place):
    recipes = [batch(20, every=5, seed=seed) for seed in range(3)]
    for recipe, age in zip(recipes[:2], (20, 10), strict=True):
        before = {*stored(place)}
        store.put(made(recipe))
        (file,) = {*stored(place)} - before
        os.utime(file, times=(file.stat().st_mtime - age,) * 2)
    assert store.get(recipes[0]) is not None  # now the second was used longest ago
    size = sum(file.stat().st_size for file in stored(place))
    small = TrialStore(place, most_bytes=int(1.2 * size))
    small.put(made(recipes[2]))
    assert [small.get(recipe) is not None for recipe in recipes] == [True, False, True]


def test_trials_on_a_private_table_are_there_as_long_as_it_may_be_opened(store, place):
    private = dataclasses.replace(RECIPE, data=upload(b"a,b\n" + b"0,1\n1,0\n" * 11))
    trial = made(private)
    store.put(trial)
    assert store.get(private) is None
    assert not stored(place)
    secret = grants.give(private.data.digest)
    store.put(trial)
    file = folder("uploads", "grants") / f"{grants.hash_of(secret)}.json"
    content = file.read_bytes()
    file.unlink()
    file.symlink_to(file)  # a circle: it is unknown which visitors may open it, and nothing goes
    assert store.get(private) is None
    TrialStore(place)
    file.unlink()
    file.write_bytes(content)
    assert store.get(private).records == trial.records
    grants.end(grants.find_grant(secret))
    assert store.get(private) is None
    assert not stored(place)


def test_a_trial_is_put_once_no_other_process_holds_its_lock(store, place, monkeypatch):
    asked = threading.Event()
    monkeypatch.setattr("boltzcore.store.lock_file", lambda file: asked.set() or lock_file(file))
    thread = threading.Thread(target=store.put, args=(made(),))
    with ExitStack() as held:
        for digit in "0123456789abcdef":
            held.enter_context(lock_file(place / f".lock-{digit}"))
        thread.start()
        assert asked.wait(100)
        assert thread.is_alive()
        assert not stored(place)
    thread.join()
    assert len(stored(place)) == 1
