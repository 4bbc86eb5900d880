"""The list of runs and their files, whatever happened to them."""

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import islice
from unittest.mock import Mock

import pytest

from boltzcore.jobs import store as store_module
from boltzcore.jobs.files import Saved, text_of
from boltzcore.jobs.store import Store
from boltzcore.training.loop import train
from tests.runs.toys import cd, figures

ID = "0123456789abcdef"


def some_run(id=ID, steps=4, seed=1, **others):
    recipe = cd(seed=seed)
    taken = list(islice(train(recipe), steps))
    records = tuple(step.record for step in taken)
    state = taken[-1].state if taken else None
    kept = {
        "name": "a run",
        "key_hash": "h",
        "created": 5.0,
        "updated": 0.0,
        "status": "paused",
        "reason": "",
        "recipe": recipe,
    }
    return Saved(**{"id": id, **kept, "state": state, "best": state, "records": records, **others})


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def left(store):
    """The names in the folder of all runs, but for locks."""
    return [each.name for each in (store.folder / "runs").iterdir() if not each.name.startswith(".lock-")]


def file(store, name):
    return store.folder / "runs" / ID / name


def test_what_is_saved_comes_back(store):
    saved = some_run()
    store.save(saved)
    back = store.load(ID)
    fields = "name", "key_hash", "created", "status", "recipe", "damage"
    assert [getattr(back, name) for name in fields] == [getattr(saved, name) for name in fields]
    assert back.state.count == back.best.count == saved.state.count
    assert back.records == saved.records
    assert Store(store.folder).load(ID).records == saved.records


def test_the_list_tells_each_run_the_last_updated_first(store):
    store.save(some_run("a" * 16))
    store.save(some_run("b" * 16, steps=0))
    store.save(some_run("a" * 16, name="renamed", pace=2))
    first, second = store.list()
    assert (first.id, first.name, first.count, first.pace, first.damage) == ("a" * 16, "renamed", 45, 2, "")
    assert first.merit == pytest.approx(-6.5, abs=1.5)
    assert first.recipe == cd()
    assert (second.count, second.merit) == (0, None)
    empty = store.load(second.id)
    assert (empty.state, empty.records, empty.damage) == (None, (), "")
    assert first.updated >= second.updated > first.created


def test_unknown_runs_are_none_and_deleted_ones_gone(store):
    assert store.load(ID) is None
    store.save(some_run())
    store.delete(ID)
    store.delete("../..")
    assert store.load(ID) is None
    assert store.list() == ()
    assert left(store) == []


@pytest.mark.parametrize("content", [None, "", "{}", "[" * 100_000, "another's", "altered", "other types"])
def test_a_run_whose_recipe_is_lost_is_listed_with_a_sentence_and_kept(store, content):
    store.save(some_run())
    note, other = file(store, "run.json"), some_run("b" * 16)
    store.save(other)
    whole = note.read_text()
    note.unlink()
    if content is not None:
        ways = {"another's": text_of(other), "altered": whole.replace('"a run"', '"my run"')}
        note.write_text((ways | {"other types": text_of(some_run(updated="today"))}).get(content, content))
    os.utime(note.parent, (0, 0))
    for each in (store, Store(store.folder)):
        each.tidy()
        entry = each.list()[-1]
        assert (entry.id, entry.recipe, entry.damage) == (ID, None, store_module.LOST)
        with pytest.raises(ValueError, match=store_module.LOST):
            each.load(ID)
        each.rename(ID, "x")
    note.write_text(whole)
    assert [entry.damage for entry in store.list()] == ["", ""]


def test_a_run_that_could_not_be_read_for_a_moment_is_listed_again(store, monkeypatch):
    store.save(some_run())
    with monkeypatch.context() as failing:
        failing.setattr(store_module, "read_entry", lambda _: None)
        assert [entry.damage for entry in store.list()] == [store_module.LOST]
    assert [entry.damage for entry in store.list()] == [""]


WAYS = {
    "cut": lambda content: content[: len(content) // 2],
    "altered": lambda content: content[: len(content) // 2] + b"\xff" + content[len(content) // 2 + 1 :],
    "empty": lambda content: b"",
    "zeros": lambda content: b"\0" * 10_000_000,
    "foreign": lambda content: b"PK\3\4" * 100,
}


@pytest.mark.parametrize("way", [*WAYS, "gone", "directory", "another's"])
def test_of_a_damaged_checkpoint_the_recipe_is_left(store, way):
    run, other = some_run(best=some_run(steps=2).state, best_value=-5.0, status="finished"), some_run("b" * 16, seed=2)
    store.save(run)
    store.save(other)
    damaged = file(store, "run.npz")
    content = damaged.read_bytes()
    damaged.unlink()
    if way in WAYS:
        damaged.write_bytes(WAYS[way](content))
    elif way == "directory":
        damaged.mkdir()
    elif way == "another's":
        damaged.write_bytes((store.folder / "runs" / other.id / "run.npz").read_bytes())
    for each in (store, Store(store.folder)):
        each.tidy()
        assert {entry.id for entry in each.list() if entry.recipe} == {ID, other.id}
        assert each.load(other.id).damage == ""
        back = each.load(ID)
        assert (back.state, back.best, back.records, back.recipe) == (None, None, (), cd())
        assert back.damage
    assert bool({entry.id: entry for entry in store.list()}[ID].damage) == (way in ("gone", "directory"))


def test_a_deletion_that_was_cut_off_is_brought_to_its_end(store, monkeypatch):
    store.save(some_run())
    store.save(some_run("b" * 16))
    monkeypatch.setattr(shutil, "rmtree", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store.delete(ID)
    monkeypatch.undo()
    fresh = Store(store.folder)
    assert [entry.id[0] for entry in fresh.list()] == ["b"]
    assert left(store) == ["b" * 16]


def test_a_run_that_cannot_be_read_for_now_is_not_tidied_away(store):
    store.save(some_run())
    files = store.folder / "runs" / ID
    held = {each: each.read_bytes() for each in files.iterdir()}
    for each in held:
        each.unlink()
        each.symlink_to(each)  # a circle
    os.utime(files, (0, 0))
    store.tidy()
    for each, content in held.items():
        each.unlink()
        each.write_bytes(content)
    assert store.load(ID).damage == ""


def test_a_run_that_another_thread_deletes_meanwhile_is_not_listed(store, monkeypatch):
    store.save(some_run())
    file(store, "run.json").unlink()

    def delete(path):
        shutil.rmtree(path.parent)
        return True

    monkeypatch.setattr(store_module.Path, "is_file", delete)
    assert Store(store.folder).list() == ()


def test_what_no_run_needs_is_tidied(store):
    store.save(some_run())
    half = file(store, ".run.npz.abc")
    half.write_bytes(b"half")
    orphan = store.folder / "runs" / ("e" * 16)
    orphan.mkdir()
    (orphan / "notes.txt").write_text("")
    store.tidy()
    assert half.exists()  # another process may be at it
    assert orphan.exists()
    os.utime(half, (0, 0))
    os.utime(orphan, (0, 0))
    store.tidy()
    assert left(store) == [ID]
    assert not half.exists()
    assert store.load(ID).damage == ""


@pytest.mark.parametrize("step", range(3))
def test_a_save_that_is_cut_off_leaves_the_run_of_before_or_the_new_one(store, monkeypatch, step):
    store.save(some_run(steps=3, best=some_run(steps=2).state))
    writings = 0

    def replace(*names) -> None:
        nonlocal writings
        writings += 1
        if writings > step:
            raise KeyboardInterrupt
        rename(*names)

    rename = os.replace
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(KeyboardInterrupt) if step < 2 else nullcontext():
        store.save(some_run(steps=7, status="finished"))
    monkeypatch.undo()
    back = Store(store.folder).load(ID)
    wanted, best, status = (7, 7, "finished") if step else (3, 2, "paused")
    assert figures(back.records) == figures(some_run(steps=wanted).records)
    assert back.state.count == back.records[-1].count
    assert (back.best.count, back.status, back.damage) == (best * 15 - 15, status, "")


def test_tidying_forgets_what_was_never_trained_and_the_oldest(store, monkeypatch):
    monkeypatch.setattr(store_module, "KEPT", 2)
    for id in "abc":
        store.save(some_run(id * 16))
    store.save(some_run("d" * 16, steps=0))
    store.tidy()
    assert {entry.id[0] for entry in store.list()} == {"c", "d"}
    with monkeypatch.context() as patch:
        earlier = time.time() - 90_000
        patch.setattr(time, "time", lambda: earlier)
        store.save(some_run("d" * 16, steps=0))
    store.tidy()
    assert [entry.id[0] for entry in store.list()] == ["c"]
    assert not (store.folder / "runs" / ("a" * 16)).exists()


def test_many_threads_may_save_and_list_at_once(store):
    def work(n) -> None:
        run = some_run(f"{n:016x}", steps=1)
        for _ in range(5):
            store.save(run)
            store.list()
            store.load(run.id)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(store.list()) == 4


def test_a_run_gets_another_name_and_keeps_its_place_and_all_else(store):
    other = "fedcba9876543210"
    store.save(some_run())
    store.save(some_run(other))
    before = store.load(ID)
    store.list()
    Store(store.folder).rename(ID, "<b>mine</b>")  # as another process does
    assert store.load(ID).records == before.records
    assert [(each.id, each.name) for each in store.list()] == [(other, "a run"), (ID, "<b>mine</b>")]
    store.rename("../etc", "x")
