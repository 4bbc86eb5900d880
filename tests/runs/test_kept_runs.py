"""Runs as they are kept: revived after a restart, owned, renamed, deleted and forgotten, and what a full disk does."""

import shutil
import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest

from boltzcore.jobs import checkpointer, store
from boltzcore.jobs import engine as engines
from boltzcore.jobs.files import name_in
from tests.runs.toys import at_rest, cd, figures, finished, until, walk, whole


def test_a_run_at_work_is_revived_paused_says_why_and_goes_on_as_if_there_had_been_no_restart(make_engine):
    engine = make_engine()
    recipe = walk(1_000, every=100, pause=0.05)
    run = engine.create(recipe, name="before", play=True)
    until(lambda: run.snapshot.state and run.snapshot.state.count > 5)
    revived = make_engine().get(run.id)
    assert revived is not run
    assert revived.snapshot.status == "paused"
    assert revived.snapshot.reason
    assert revived.snapshot.state.count > 5
    assert (revived.name, revived.created) == ("before", run.created)
    assert revived.is_owner(run.key)
    until(lambda: revived.snapshot.budget == 1_000 and "particles" in revived.snapshot.observation)
    assert revived.snapshot.status == "paused"
    revived.change(pause=0.0)
    revived.play()
    assert figures(finished(revived).records) == whole(walk(1_000, every=100))


def test_a_run_of_a_process_that_was_killed_in_its_first_stage_goes_on(make_engine, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpointer, "SAVE", 0.0)
    recipe = replace(cd(40), before=walk(200, pause=0.005))
    engine, killed, go_on = make_engine(), threading.Event(), threading.Event()
    save = engine.store.save

    def may_end(saved) -> None:
        save(saved)
        if saved.state and saved.state.count > 20:
            killed.set()
            go_on.wait(100)  # meanwhile its files are left alone

    monkeypatch.setattr(engine.store, "save", may_end)
    run = engine.create(recipe, play=True)
    assert killed.wait(100)
    there, then = tmp_path / "runs" / run.id, tmp_path / "then" / "runs" / run.id
    then.mkdir(parents=True)
    for name in ("run.json", "run.npz"):
        shutil.copy(there / name, then / name)
    go_on.set()
    revived = make_engine(tmp_path / "then").get(run.id)
    assert revived.snapshot.status == "paused"
    assert revived.snapshot.reason
    assert 20 < revived.snapshot.state.count < 200
    revived.change(pause=0.0)
    assert (revived.recipe.changes, len(revived.recipe.before.changes)) == ((), 1)  # of the stage under way
    revived.play()
    snapshot = finished(revived)
    assert figures(snapshot.records) == whole(revived.recipe)
    assert snapshot.best.progress.stage == 1


def test_a_run_whose_checkpoint_is_damaged_begins_again(make_engine, tmp_path):
    run = make_engine().create(walk(), play=True)
    finished(run)
    engine = make_engine()
    (tmp_path / "runs" / run.id / "run.npz").write_bytes(b"none")
    revived = engine.get(run.id)
    assert (revived.snapshot.status, revived.snapshot.state) == ("failed", None)
    revived.play()
    assert figures(finished(revived).records) == whole(walk())


@pytest.mark.parametrize("status", ["finished", "stopped", "failed"])
def test_a_run_that_ended_is_revived_as_it_ended(make_engine, status):
    length = 10**5 if status == "stopped" else 20
    run = make_engine().create(walk(length, pause=0.005, fails_at=12 if status == "failed" else -1), play=True)
    if status == "stopped":
        until(lambda: run.snapshot.state and run.snapshot.state.count > 5)
        run.stop()
    until(lambda: run.snapshot.status == status and run.idle)
    revived = make_engine().get(run.id)
    until(lambda: revived.idle)
    ends = [(each.status, each.reason, each.records, each.best_value) for each in (revived.snapshot, run.snapshot)]
    assert ends[0] == ends[1]
    assert ("particles" in revived.snapshot.observation) or status != "finished"


@pytest.mark.parametrize("run_id", ["", "../../etc/passwd", "0" * 16, "A" * 16, "0" * 16 + "\n", None, "\u0660" * 16])
def test_unknown_and_hostile_ids_find_nothing(engine, run_id):
    assert engine.get(run_id) is None


def test_only_the_key_owns_a_run(engine):
    run = engine.create(walk())
    assert run.is_owner(run.key)
    for key in (None, "", run.key[:-1], run.key + "x", run.id, "\ud800", "é"):
        assert not run.is_owner(key)
    assert run.key != engine.create(walk()).key


def test_the_same_id_gives_the_same_run_as_long_as_it_is_held(engine, monkeypatch):
    monkeypatch.setattr(engines, "KEPT", 2)
    first = engine.create(walk(1, measures=()), play=True)
    finished(first)
    others = [engine.create(walk(1, every=2, measures=()), play=True).id for _ in range(4)]
    until(lambda: all(run.idle for run in engine.runs()))
    finished(engine.create(walk(1, measures=()), play=True))
    assert len(engine.runs()) <= 2 + 1
    assert first not in engine.runs()
    assert engine.get(first.id) is first
    assert engine.get(others[0]).snapshot.status == "finished"


def test_a_deleted_run_is_gone(engine, tmp_path):
    run = engine.create(walk(1000, pause=0.01), play=True)
    until(lambda: run.snapshot.state and run.snapshot.state.count > 3)
    engine.delete(run.id)
    until(lambda: run.idle)
    assert engine.get(run.id) is None
    assert run not in engine.runs()
    assert not (tmp_path / "runs" / run.id).exists()


def test_a_run_whose_loading_was_under_way_when_it_was_deleted_does_not_come_back(make_engine, monkeypatch):
    run = make_engine().create(walk(1, measures=()), play=True)
    finished(run)
    engine = make_engine()
    load = engine.store.load
    with monkeypatch.context() as late:
        late.setattr(engine.store, "load", lambda id: (load(id), engine.delete(id))[0])
        assert engine.get(run.id) is None
    assert engine.get(run.id) is None
    assert engine.store.list() == ()


def test_a_run_that_cannot_be_deleted_is_found_again(engine, monkeypatch):
    run = engine.create(walk(1000, pause=0.01))
    at_rest(run)

    with monkeypatch.context() as broken:
        broken.setattr(engine.store, "delete", Mock(side_effect=OSError(30, "Read-only file system")))
        with pytest.raises(OSError, match="Read-only"):
            engine.delete(run.id)
    assert engine.get(run.id) is run
    until(lambda: run.idle)
    assert engine.store.load(run.id).state.count == 0
    engine.delete(run.id)
    assert engine.get(run.id) is None


@pytest.fixture
def full(engine, monkeypatch):
    """A disk that is full until the event is set; the runs that were tried."""
    room, save, tries = threading.Event(), engine.store.save, []

    def may_save(saved) -> None:
        tries.append(saved.id)
        if not room.is_set():
            raise OSError(28, "No space left on device", "/tmp/somewhere")
        save(saved)

    monkeypatch.setattr(engine.store, "save", may_save)
    monkeypatch.setattr(checkpointer, "RETRY", 0.05)
    monkeypatch.setattr(checkpointer, "LONGEST_RETRY", 0.05)
    return room, tries


FULL = "No space left on device"


@pytest.mark.parametrize("fails_at", [-1, 7])
def test_a_full_disk_does_not_end_a_training_and_is_reported_until_the_run_is_saved(engine, full, caplog, fails_at):
    room, tries = full
    run = engine.create(walk(fails_at=fails_at), play=True)
    until(lambda: run.snapshot.status == ("failed" if fails_at > 0 else "finished") and run.idle)
    n = len(tries)
    until(lambda: len(tries) > n + 4)
    until(lambda: run.idle)
    assert FULL in run.snapshot.reason
    (logged,) = [record for record in caplog.records if FULL in record.message]  # once, in a line
    assert not logged.exc_info
    room.set()
    until(lambda: FULL not in run.snapshot.reason and not run.unsaved)
    assert figures(engine.store.load(run.id).records) == whole(walk())[: len(run.snapshot.records)]


def test_a_paused_run_is_saved_once_there_is_room_and_keeps_its_half_done_update(engine, full):
    room, tries = full
    run = engine.create(walk(1, every=1, pause=60.0), play=True)
    until(lambda: run.snapshot.status == "running")
    run.pause()
    until(lambda: len(tries) > 3)
    assert run.snapshot.status == "paused"
    assert FULL in run.snapshot.reason
    room.set()
    until(lambda: run.snapshot.reason == "")
    assert not run.idle
    run.change(pause=0.0)
    run.play()
    finished(run)
    assert not run.unsaved


def test_a_shutdown_waits_for_no_full_disk_and_after_it_nothing_plays(engine, full, monkeypatch):
    _, tries = full
    monkeypatch.setattr(checkpointer, "RETRY", 600.0)
    monkeypatch.setattr(checkpointer, "LONGEST_RETRY", 600.0)
    run = engine.create(walk(1000, pause=0.01), play=True)
    until(lambda: tries and run.snapshot.status == "running")
    engine.shutdown()
    assert run.idle
    run.play()
    run.step()
    assert (run.idle, run.snapshot.status) == (True, "paused")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  my\n first\tRBM ", "my first RBM"),
        ("\u3164", ""),
        ("\u2800 \u2800", ""),
        ("\u0301", ""),
        ("\u202e\u200b", ""),
        ("\u3164a", "\u3164a"),
        ("Z" + "\u0335" * 40 + "a", "Z\u0335\u0335a"),
        ("Tie\u0302\u0301ng", "Tie\u0302\u0301ng"),
        ("x" * 99, "x" * 80),
    ],
)
def test_a_name_is_one_line_that_can_be_seen(text, name):
    assert name_in(text) == name


def test_a_run_is_renamed_awake_and_asleep_without_being_woken(make_engine):
    engine = make_engine()
    run = engine.create(cd(), name="  a\nname\u202e ")
    assert run.name == "a name"
    at_rest(run)
    engine.rename(run.id, f"  {'x' * 100}  ")
    assert run.name == engine.store.load(run.id).name == "x" * 80
    later = make_engine()
    later.rename(run.id, "asleep")
    assert not later.runs()
    assert later.get(run.id).name == "asleep"


def test_the_oldest_trainings_are_forgotten_as_others_begin_but_none_that_is_in_memory(engine, monkeypatch):
    monkeypatch.setattr(store, "KEPT", 2)
    monkeypatch.setattr(engines, "BEGUN", 4)
    awake = [engine.create(cd())]
    at_rest(awake[0])
    asleep = [f"{i:016x}" for i in range(5)]
    for id in asleep:
        engine.store.save(replace(engine.store.load(awake[0].id), id=id))
    awake += [engine.create(walk(seed=i)) for i in range(2)]
    until(lambda: {entry.id for entry in engine.store.list()} == {*asleep, *(run.id for run in awake)})
    awake.append(engine.create(cd()))
    until(lambda: {entry.id for entry in engine.store.list()} == {run.id for run in awake})
    assert engine.get(awake[0].id) is awake[0]
    assert not any(engine.get(id) for id in asleep)
