"""Runs: commands from other threads, the queue, the lease, failures, restarts; and the numbers stay the recipe's."""

import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from boltzcore import Recipe, threads
from boltzcore.data.bayes_net import BayesNet
from boltzcore.learners import GreedyMDL
from boltzcore.parameters import Refusal
from boltzcore.runs import checkpointer, run_state, store, training_thread
from boltzcore.runs import engine as engines
from boltzcore.runs.engine import KEPT, _room
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.store import Saved
from boltzcore.runs.training import train
from tests.runs.toys import cd, figures, finished, until, walk, whole
from tests.test_threads import blas


def at_rest(run):
    """The snapshot of a run that came to rest and was saved."""
    until(lambda: run.snapshot.status not in ("queued", "starting", "running"))
    until(lambda: not run.unsaved)
    return run.snapshot


def in_an_update(run):
    """Whether the generator of a run is at work."""
    return run.snapshot.status == "running" and run._training._seconds


# -- the numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [cd, walk], ids=["CD", "toy"])
def test_a_run_has_the_records_of_its_recipe(engine, make):
    recipe = make()
    snapshot = finished(engine.create(recipe, play=True))
    assert figures(snapshot.records) == whole(recipe)
    assert snapshot.state.count == snapshot.budget
    assert snapshot.observation["particles"].shape[1] == 9
    assert snapshot.updates_per_second > 0


@pytest.mark.parametrize("make", [cd, walk], ids=["CD", "toy"])
def test_pauses_steps_and_speed_change_no_number(engine, make):
    recipe = make()
    run = engine.create(recipe)
    run.step(3)
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state and run.snapshot.state.count == 3)
    for _ in range(3):
        run.step()
    until(lambda: run.snapshot.state.count == 6)
    run.pace = 2000.0
    run.play()
    until(lambda: run.snapshot.state.count > 10)
    run.pause()
    run.play()
    run.pace = None
    snapshot = finished(run)
    assert figures(snapshot.records) == whole(recipe)


def test_a_run_holds_blas_at_one_thread_while_it_has_work(engine, monkeypatch):
    held = []

    @contextmanager
    def noted():
        name = threading.current_thread().name
        with threads.one_for_blas():
            held.append(name)
            try:
                yield
            finally:
                held.remove(name)

    monkeypatch.setattr(training_thread, "one_for_blas", noted)
    run = engine.create(walk(1000, pause=0.05))
    at_rest(run)
    run.stop()
    until(lambda: run.idle)
    run.play()
    until(lambda: run.snapshot.state.count > 1)
    assert f"run-{run.id}" in held
    assert blas() == {1}
    run.stop()
    until(lambda: run.idle)
    assert f"run-{run.id}" not in held


def test_a_live_change_is_recorded_and_its_replay_gives_the_same_records(engine):
    run = engine.create(cd(400))
    run.pace = 500.0
    run.play()
    until(lambda: run.snapshot.state and run.snapshot.state.count > 20)
    run.change(rate=0.05)
    until(lambda: run.snapshot.state.count > 100)
    run.pause()
    run.change(rate=0.2)
    run.change(rate=0.1, K=1)
    run.pace = None
    run.play()
    snapshot = finished(run)
    counts = [at for at, _, _ in run.recipe.changes]
    assert [(field, value) for _, field, value in run.recipe.changes] == [("rate", 0.05), ("rate", 0.1), ("K", 1)]
    assert 20 < counts[0] < counts[1] == counts[2]
    assert figures(snapshot.records) == whole(run.recipe) != whole(cd(400))


def test_a_change_while_an_update_is_under_way_holds_from_the_last_whole_update(engine):
    run = engine.create(walk(6, every=1, pause=1.0), play=True)
    until(lambda: run.snapshot.state and run.snapshot.state.count >= 1)
    with engine._context.lock:  # a busy machine may make an update more until then
        count = run._state.now.count
        run.change(pause=0.0, drift=0.01)
    snapshot = finished(run)
    assert {at for at, _, _ in run.recipe.changes} == {count}
    assert count < 6
    assert figures(snapshot.records) == whole(run.recipe)


def test_a_change_works_in_the_queue_and_before_the_first_update(make_engine):
    engine = make_engine(admitted=1)
    first = engine.create(walk(1000, pause=0.05), play=True)
    queued = engine.create(walk(), play=True)
    assert queued.snapshot.status == "queued"
    queued.change(drift=0.01)
    assert queued.recipe.changes == ((0, "drift", 0.01),)
    first.stop()
    assert figures(finished(queued).records) == whole(queued.recipe)


def test_a_bad_change_is_refused_before_anything_happens(engine):
    run = engine.create(cd())
    for fields, sentence in (
        ({"rate": -1.0}, "rate"),
        ({"batch_size": 3}, "batch_size cannot change"),
        ({"speed": 1}, "speed"),
        ({"K": 2, "rate": 1e9}, "rate"),
    ):
        with pytest.raises(ValueError, match=sentence):
            run.change(**fields)
    assert run.recipe == cd()


def test_a_change_to_what_is_already_so_is_none(engine):
    run = engine.create(cd())
    run.change(rate=0.3)
    assert run.recipe.changes == ()


def test_a_longer_schedule_gives_the_longer_training(engine):
    run = engine.create(walk(23), play=True)
    finished(run)
    run.play()
    assert run.snapshot.status == "finished"
    for wrong in (23, 0, 1.5):
        with pytest.raises(ValueError, match="length"):
            run.extend(wrong)
    with pytest.raises(Refusal, match="length must be up to 499,995 updates where every is 5, so that") as refusal:
        run.extend(500_000)
    assert refusal.value.field == "length"
    run.extend(40)
    assert run.snapshot.status == "paused"
    assert run.snapshot.budget == 40
    run.play()
    assert figures(finished(run).records) == whole(walk(40))


# -- commands -----------------------------------------------------------------------------------------


def test_create_loads_and_measures_the_start_and_waits(engine):
    run = engine.create(walk())
    snapshot = at_rest(run)
    assert snapshot.status == "paused"
    assert (snapshot.state.count, len(snapshot.records), snapshot.budget, snapshot.updates_per_epoch) == (0, 1, 40, 4)
    assert snapshot.base_rate == pytest.approx(-9 * np.log(2), abs=0.1)
    assert snapshot.best is snapshot.state
    assert snapshot.best_value == snapshot.records[0].values["train_log_likelihood"]


def test_steps_are_whole_updates(engine):
    run = engine.create(walk(pause=0.01))
    run.step(3)
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.state.count == 3
    run.step()
    run.step(2)
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.state.count == 6
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(ValueError, match="updates"):
            run.step(wrong)


def test_a_step_out_of_a_running_training_pauses_it_after_as_many_updates_as_were_asked_for(engine):
    """Also where many updates have just been made that the run has not taken yet."""
    run = engine.create(cd(10_000_000, every=100_000))
    for _ in range(40):
        run.play()
        count = run._state.now.count
        until(lambda count=count: run._state.now.count > count)
        with engine._context.lock:
            count = run._state.now.count
            run.step(2)
        until(lambda: run.snapshot.status == "paused")
        assert run.snapshot.state.count == count + 2


def test_pause_and_stop_take_effect_within_a_quarter_second_in_the_middle_of_an_update(engine):
    run = engine.create(walk(100, pause=60.0), play=True)
    pauses, stops = [], []
    for _ in range(4):  # a busy machine may hold one of them up
        until(lambda: in_an_update(run))
        run.pause()
        assert run.snapshot.status == "paused"
        pauses.append(until(lambda: not engine._context.turns.admits(run._state)))
        assert not run.idle  # the half-done update is kept
        run.play()
        until(lambda: in_an_update(run))
        run.stop()
        assert run.snapshot.status == "stopped"
        stops.append(until(lambda: run.idle))
        run.play()
    assert min(pauses) < 0.25
    assert min(stops) < 0.25
    assert run.snapshot.state.count == 0


def test_a_paused_update_goes_on_where_it_was(engine):
    run = engine.create(walk(1, every=1, pause=1.0), play=True)
    until(lambda: run.snapshot.status == "running")
    for _ in range(2):
        run.pause()
        until(lambda: not engine._context.turns.admits(run._state))
        thread = run._training.thread
        assert run.snapshot.state.count == 0
        run.play()
        until(lambda: run.snapshot.status == "running")
        assert run._training.thread is thread
    finished(run)


def test_a_stopped_run_plays_on(engine):
    recipe = walk(60, pause=0.005)
    run = engine.create(recipe, play=True)
    until(lambda: run.snapshot.state and run.snapshot.state.count > 10)
    run.stop()
    run.play()
    until(lambda: run.snapshot.state.count > 20)
    run.stop()
    until(lambda: run.idle)
    run.play()
    assert figures(finished(run).records) == whole(walk(60))


def test_commands_return_at_once_and_from_many_threads(engine):
    run = engine.create(walk(500, pause=0.002), play=True)
    slowest = []

    def click() -> None:
        for command in 6 * (
            run.pause,
            run.play,
            run.touch,
            run.step,
            lambda: run.change(drift=0.0),
            run.play,
            run.stop,
            run.play,
        ):
            began = time.perf_counter()
            command()
            slowest[-1] = max(slowest[-1], time.perf_counter() - began)
            time.sleep(0.001)

    for _ in range(3):  # a busy machine may hold one of them up
        slowest.append(0.0)
        threads = [threading.Thread(target=click) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    run.play()
    assert figures(finished(run).records) == whole(walk(500))
    assert min(slowest) < 0.5  # they wait for no training, whatever else the machine does


def test_pace_holds_a_training_back(engine):
    run = engine.create(walk(1000))
    at_rest(run)
    run.pace = 20.0
    began = time.monotonic()
    run.play()
    until(lambda: run.snapshot.state.count >= 8)
    assert time.monotonic() - began > 0.25
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="pace"):
            run.pace = wrong


def test_at_an_update_a_second_pause_step_stop_and_another_pace_take_effect_at_once(engine):
    run = engine.create(walk(10_000))
    at_rest(run)
    run.pace = 1.0
    seconds = []
    for _ in range(2):  # a busy machine may hold one of them up
        run.play()
        count = run.snapshot.state.count
        until(lambda count=count: run.snapshot.state.count > count)  # and now it waits for the next
        count = run.snapshot.state.count
        run.step()
        seconds.append([until(lambda count=count: run.snapshot.state.count > count)])
        run.play()
        run.pause()
        seconds[-1].append(until(lambda: not engine._context.turns.admits(run._state)))
        assert run.snapshot.state.count <= count + 2
    run.play()
    run.pace = None
    seconds[-1].append(until(lambda: run.snapshot.state.count > 50))
    run.pace = 1.0
    run.stop()
    until(lambda: run.idle)
    assert min(step for step, *_ in seconds) < 0.25
    assert min(pause for _, pause, *_ in seconds) < 0.25
    assert seconds[-1][-1] < 1.0


def test_a_fast_pace_is_kept_in_the_mean_and_changes_no_number(engine):
    run = engine.create(cd(120))
    at_rest(run)
    run.pace = run.snapshot.budget / 1.0
    began = time.monotonic()
    run.play()
    snapshot = finished(run)
    assert time.monotonic() - began > 0.8
    assert figures(snapshot.records) == whole(cd(120))


def test_snapshots_are_frozen_and_numbered(engine):
    run = engine.create(walk(), play=True)
    seen = [run.snapshot]
    until(lambda: seen.append(run.snapshot) or run.snapshot.status == "finished")
    versions = [snapshot.version for snapshot in seen]
    assert versions == sorted(versions)
    with pytest.raises(AttributeError):
        seen[0].status = "running"
    kept, counts = run.snapshot.state, run.snapshot.state.chain.copy()
    run.extend(80)
    run.play()
    finished(run)
    assert (kept.chain == counts).all()


# -- the queue ----------------------------------------------------------------------------------------


def test_the_fifth_and_sixth_run_wait_in_their_places_and_then_run(engine):
    runs = [engine.create(walk(1000, pause=0.02), play=True) for _ in range(6)]
    assert [run.snapshot.place for run in runs] == [0, 0, 0, 0, 1, 2]
    assert [run.snapshot.status for run in runs[4:]] == ["queued", "queued"]
    until(lambda: all(run.snapshot.state and run.snapshot.state.count > 2 for run in runs[:4]))
    assert runs[4].snapshot.state is None
    runs[1].stop()
    until(lambda: runs[4].snapshot.status == "running" and runs[5].snapshot.place == 1)
    runs[0].pause()  # a paused run does not keep the queue waiting
    until(lambda: runs[5].snapshot.status == "running")
    runs[0].play()
    assert (runs[0].snapshot.status, runs[0].snapshot.place) == ("queued", 1)
    runs[0].pause()
    assert (runs[0].snapshot.status, runs[0].snapshot.place) == ("paused", 0)


@pytest.mark.parametrize(("allowed", "place"), [(1, 1), (2**60, 0)])
def test_beyond_those_that_are_admitted_at_least_a_run_waits_where_there_is_no_memory(
    make_engine, monkeypatch, allowed, place
):
    monkeypatch.setattr("boltzcore.runs.engine.memory.allowed", lambda: allowed)
    monkeypatch.setattr("boltzcore.runs.engine.memory.used", lambda: 1)
    engine = make_engine(admitted=None)
    least = engine._context.turns.least
    runs = [engine.create(walk(1000, pause=0.02), play=True) for _ in range(least + 1)]
    assert [run.snapshot.place for run in runs] == [*[0] * least, place]


def test_admitted_runs_take_fair_turns(engine):
    runs = [engine.create(walk(100_000, every=100_000, measures=(), pause=0.002), play=True) for _ in range(3)]
    until(lambda: all(run.snapshot.state and run.snapshot.state.count > 150 for run in runs))
    counts = [run.snapshot.state.count for run in runs]
    assert max(counts) < 2.5 * min(counts)


def test_a_run_paused_in_the_queue_leaves_it(make_engine):
    engine = make_engine(admitted=1)
    first, second, third = (engine.create(walk(1000, pause=0.02), play=True) for _ in range(3))
    second.pause()
    assert (second.snapshot.status, third.snapshot.place) == ("paused", 1)
    first.stop()
    until(lambda: third.snapshot.status == "running")


def test_four_trainings_from_four_threads(engine):
    recipes = [cd(200, seed=seed) for seed in range(4)]
    runs = []

    def start(recipe) -> None:
        runs.append(engine.create(recipe, play=True))

    threads = [threading.Thread(target=start, args=(recipe,)) for recipe in recipes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for run in runs:
        assert figures(finished(run).records) == whole(run.recipe)


# -- lease, failure, divergence -----------------------------------------------------------------------


def test_a_run_that_nobody_watches_is_saved_and_stopped(make_engine):
    engine = make_engine(lease=1.5)  # longer than a busy machine holds this thread up
    run = engine.create(walk(1000, pause=0.02), play=True)
    kept = engine.create(walk(1000, pause=0.02), play=True)
    kept.keep_going = True
    until(lambda: run.touch() or (run.snapshot.state and run.snapshot.state.count > 0))
    until(lambda: run.snapshot.status == "stopped" and run.idle)
    assert "Nobody watched" in run.snapshot.reason
    assert engine.store.load(run.id).state.count == run.snapshot.state.count > 0
    assert kept.snapshot.status == "running"
    kept.keep_going = False
    until(lambda: kept.snapshot.status == "stopped")


def test_touching_renews_the_lease(make_engine):
    engine = make_engine(lease=1.5)  # longer than a busy machine holds this thread up
    run = engine.create(walk(10_000, pause=0.02), play=True)
    began = time.monotonic()
    while time.monotonic() < began + 2.0:
        run.touch()
        time.sleep(0.01)
    assert run.snapshot.status == "running"
    until(lambda: run.snapshot.status == "stopped")


def test_a_paused_run_that_nobody_watches_stays_paused_and_lets_its_thread_go(make_engine):
    engine = make_engine(lease=1.5)  # longer than a busy machine holds this thread up
    run = engine.create(walk(3, pause=1.0), play=True)
    until(lambda: run.touch() or run.snapshot.status == "running")
    run.pause()
    until(lambda: run.idle)
    assert run.snapshot.status == "paused"
    run.change(pause=0.0)
    run.play()
    assert figures(finished(run).records) == whole(walk(3))


def test_a_failure_ends_the_run_with_its_reason_and_nothing_else(engine, caplog):
    run = engine.create(walk(fails_at=7), play=True)
    until(lambda: run.snapshot.status == "failed" and run.idle)
    assert run.snapshot.reason == "Internal error: RuntimeError: the toy broke"
    assert "the toy broke" in caplog.text
    assert run.snapshot.state.count <= 7
    finished(engine.create(walk(), play=True))
    run.change(fails_at=-1)
    run.play()
    assert figures(finished(run).records) == whole(walk())


def test_a_recipe_that_does_not_fit_its_data_fails_with_the_sentence(engine):
    run = engine.create(cd(batch_size=1000), play=True)
    until(lambda: run.snapshot.status == "failed")
    assert run.snapshot.reason.startswith("batch_size must be a whole number from 0")


def test_a_divergence_pauses_keeps_the_best_and_plays_on_if_asked(engine):
    run = engine.create(walk(60, every=1, rate=0.0), play=True)
    finished(run)
    run.extend(120)
    run.change(drift=1.0)
    run.play()
    until(lambda: run.snapshot.status == "diverged" and run.idle)
    snapshot = run.snapshot
    assert snapshot.best.count < snapshot.state.count
    assert snapshot.best_value == max(record.values["train_log_likelihood"] for record in snapshot.records)
    assert "fell to" in snapshot.reason
    assert engine.store.load(run.id).status == "diverged"
    run.play()
    assert finished(run).state.count == 120
    run.restore_best()
    snapshot = at_rest(run)
    assert (snapshot.status, snapshot.state.count) == ("paused", snapshot.best.count)
    assert snapshot.records[-1].count == snapshot.best.count
    run.play()
    until(lambda: run.snapshot.status in ("diverged", "finished") and run.idle)
    assert figures(run.snapshot.records) == whole(run.recipe)[: len(run.snapshot.records)]


def test_a_fall_that_is_tolerated_does_not_halt_a_training(engine):
    falling = walk(60, every=1, rate=0.0, drift=1.0)
    halted = engine.create(falling, play=True)
    until(lambda: halted.snapshot.status == "diverged" and halted.idle)
    run = engine.create(falling)
    run.tolerate()
    run.play()
    assert figures(finished(run).records) == whole(falling)


def test_there_is_no_best_state_without_a_likelihood(engine):
    run = engine.create(walk(measures=()), play=True)
    assert finished(run).best is None
    with pytest.raises(ValueError, match="no best state"):
        run.restore_best()


# -- the store ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [cd, walk], ids=["CD", "toy"])
def test_a_run_goes_on_after_a_restart_as_if_there_had_been_none(make_engine, make):
    recipe = make(200)
    engine = make_engine()
    run = engine.create(recipe, name="before")
    key = run.key
    run.step(33)
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state.count == 33)
    engine = make_engine()
    revived = engine.get(run.id)
    assert revived is not run
    assert (revived.snapshot.status, revived.snapshot.state.count, revived.name, revived.created) == (
        "paused",
        33,
        "before",
        run.created,
    )
    assert revived.owned_by(key)
    revived.play()
    assert figures(finished(revived).records) == whole(recipe)


def test_a_run_at_work_is_revived_paused_and_says_why(make_engine):
    engine = make_engine()
    run = engine.create(walk(5000, pause=0.005), play=True)
    until(lambda: run.snapshot.state and run.snapshot.state.count > 5)
    revived = make_engine().get(run.id)
    assert revived.snapshot.status == "paused"
    assert "restarted" in revived.snapshot.reason
    assert revived.snapshot.state.count > 5
    until(lambda: revived.snapshot.budget == 5000 and "particles" in revived.snapshot.observation)
    assert revived.snapshot.status == "paused"


def test_a_crash_goes_back_to_the_last_checkpoint(make_engine, monkeypatch):
    monkeypatch.setattr(checkpointer, "SAVE", 0.05)
    engine = make_engine()
    run = engine.create(walk(5000, pause=0.005), play=True)
    until(lambda: (saved := engine.store.load(run.id)) and saved.state and saved.state.count > 0)
    monkeypatch.setattr(
        engine.store, "save", lambda saved: None
    )  # as if the process were gone: nothing is saved from here on
    newest = run.snapshot.state.count  # a save may still have been under way: of this State at most
    until(lambda: run.snapshot.state.count > newest + 2)
    revived = make_engine().get(run.id)
    assert revived.snapshot.status == "paused"
    assert "restarted" in revived.snapshot.reason
    assert 0 < revived.snapshot.state.count < run.snapshot.state.count
    assert all(record.count <= revived.snapshot.state.count for record in revived.snapshot.records)


@pytest.mark.parametrize("status", ["finished", "stopped", "failed"])
def test_a_run_that_ended_is_revived_as_it_ended(make_engine, status):
    engine = make_engine()
    run = engine.create(walk(20, pause=0.005, fails_at=12 if status == "failed" else -1), play=True)
    if status == "stopped":
        until(lambda: run.snapshot.state and run.snapshot.state.count > 5)
        run.stop()
    until(lambda: run.snapshot.status == status and run.idle)
    revived = make_engine().get(run.id)
    until(lambda: revived.idle)
    assert (revived.snapshot.status, revived.snapshot.reason) == (status, run.snapshot.reason)
    assert figures(revived.snapshot.records) == figures(run.snapshot.records)
    assert revived.snapshot.best_value == run.snapshot.best_value
    if status == "finished":
        assert "particles" in revived.snapshot.observation


def test_damaged_checkpoints_are_told_and_play_starts_again(make_engine, tmp_path):
    engine = make_engine()
    run = engine.create(walk(), play=True)
    finished(run)
    engine = make_engine()
    for name in ("state.npz", "best.npz"):
        (tmp_path / "runs" / run.id / name).write_bytes(b"PK\3\4 nothing")
    revived = engine.get(run.id)
    assert revived.snapshot.status == "failed"
    assert "damaged" in revived.snapshot.reason
    revived.play()
    assert figures(finished(revived).records) == whole(walk())


def test_what_is_whole_of_a_damaged_run_is_used_and_play_goes_on_from_it(make_engine, tmp_path):
    engine = make_engine()
    run = engine.create(walk(60, every=1, rate=0.0), play=True)  # so that the best is the first
    finished(run)
    engine = make_engine()
    (tmp_path / "runs" / run.id / "state.npz").write_bytes(b"")
    revived = engine.get(run.id)
    assert (revived.snapshot.status, revived.snapshot.state.count) == ("paused", 0)
    assert "restarted" in revived.snapshot.reason
    assert "state.npz is not an .npz file. The best state, of update 0, takes its place." in revived.snapshot.reason
    revived.play()
    assert figures(finished(revived).records) == whole(run.recipe)
    assert revived.snapshot.reason == ""


def test_a_run_is_held_back_after_a_restart_too(make_engine):
    run = make_engine().create(walk(1000))
    run.pace = 3
    run.step()
    at_rest(run)
    assert make_engine().get(run.id).pace == 3.0


def test_the_best_state_keeps_its_merit_where_the_records_are_lost(make_engine, tmp_path):
    engine = make_engine()
    run = engine.create(walk(20), play=True)
    snapshot = finished(run)
    engine = make_engine()
    (tmp_path / "runs" / run.id / "trace.csv").unlink()
    revived = engine.get(run.id).snapshot
    assert (revived.status, revived.records) == ("finished", ())
    assert (revived.best.count, revived.best_value) == (snapshot.best.count, snapshot.best_value)
    assert "trace.csv" in revived.reason


@pytest.mark.parametrize(
    "run_id",
    [
        "",
        "../../etc/passwd",
        "0" * 16,
        "A" * 16,
        "0" * 15,
        "0" * 17,
        "0" * 16 + "\n",
        "' OR 1=1 --",
        None,
        5,
        "\u0660" * 16,
    ],
)
def test_unknown_and_hostile_ids_find_nothing(engine, run_id):
    assert engine.get(run_id) is None


def test_only_the_key_owns_a_run(engine):
    run = engine.create(walk())
    assert run.owned_by(run.key)
    for key in (None, "", run.key[:-1], run.key + "x", run.id, "\ud800", "é"):
        assert not run.owned_by(key)
    assert run.key != engine.create(walk()).key


def test_the_same_id_gives_the_same_run_as_long_as_somebody_holds_it(make_engine):
    engine = make_engine(admitted=64)
    first = engine.create(walk(1, measures=()), play=True)
    finished(first)
    others = [engine.create(walk(1, every=2, measures=()), play=True).id for _ in range(KEPT + 8)]
    until(lambda: all(run.idle for run in engine.runs()))
    finished(engine.create(walk(1, measures=()), play=True))
    assert len(engine.runs()) <= KEPT + 1
    assert first not in engine.runs()
    assert engine.get(first.id) is first
    assert engine.get(others[0]).snapshot.status == "finished"


def test_a_deleted_run_is_gone(make_engine, tmp_path):
    engine = make_engine()
    run = engine.create(walk(1000, pause=0.01), play=True)
    until(lambda: run.snapshot.state and run.snapshot.state.count > 3)
    engine.delete(run.id)
    until(lambda: run.idle)
    assert engine.get(run.id) is None
    assert run not in engine.runs()
    assert not (tmp_path / "runs" / run.id).exists()
    other = engine.create(walk(), play=True)
    finished(other)
    engine = make_engine()
    engine.delete(other.id)
    assert engine.store.list() == ()


def test_no_deleted_run_comes_back_while_others_look_it_up(engine):
    """Whoever began to load one before it was deleted must not have it afterwards."""
    ended, came_back, wanted = threading.Event(), [], [""]

    def look() -> None:
        while not ended.is_set():
            engine.get(wanted[0])

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(12):
        run = engine.create(walk(1, measures=(), seed=n), play=True)
        id = wanted[0] = run.id
        finished(run)
        engine._known.pop(id)  # as if it slept: it is loaded again
        engine._kept.pop(id)
        del run
        time.sleep(0.002)
        engine.delete(id)
        time.sleep(0.002)
        if engine.get(id) is not None or engine.store.load(id) is not None:
            came_back.append(id)
    ended.set()
    for thread in threads:
        thread.join()
    assert not came_back
    assert engine.store.list() == ()


def test_a_run_whose_loading_was_under_way_when_it_was_deleted_is_not_registered(engine, monkeypatch):
    run = engine.create(walk(1, measures=()), play=True)
    finished(run)
    id, load = run.id, engine.store.load
    engine._known.pop(id)

    def slow(id):
        saved = load(id)
        engine.delete(id)
        return saved

    with monkeypatch.context() as late:
        late.setattr(engine.store, "load", slow)
        assert engine.get(id) is None
    assert engine.get(id) is None
    run.play()
    until(lambda: run.idle)
    assert run not in engine.runs()
    assert engine.store.list() == ()


def test_a_run_that_cannot_be_deleted_is_found_again(engine, monkeypatch):
    run = engine.create(walk(1000, pause=0.01))
    at_rest(run)

    def fails(id) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as broken:
        broken.setattr(engine.store, "delete", fails)
        with pytest.raises(OSError, match="Read-only"):
            engine.delete(run.id)
    assert engine.get(run.id) is run
    until(lambda: run.idle)
    assert engine.store.load(run.id).state.count == 0
    engine.delete(run.id)
    assert engine.get(run.id) is None


@pytest.fixture
def full(engine, monkeypatch):
    """A disk that is full until the event is set; how often it was tried, and when."""
    room, save, tries = threading.Event(), engine.store.save, []

    def may_save(saved) -> None:
        tries.append(time.monotonic())
        if not room.is_set():
            raise OSError(28, "No space left on device", "/tmp/somewhere")
        save(saved)

    monkeypatch.setattr(engine.store, "save", may_save)
    monkeypatch.setattr(checkpointer, "RETRY", 0.05)
    monkeypatch.setattr(checkpointer, "LONGEST_RETRY", 0.2)
    return room, tries


FULL = "This run could not be saved: No space left on device. It is tried again until it can."


def test_a_full_disk_does_not_end_a_training_and_is_told_until_the_run_is_saved(engine, full, caplog):
    room, tries = full
    run = engine.create(walk(), play=True)
    assert figures(finished(run).records) == whole(walk())
    assert run.snapshot.reason == FULL
    n = len(tries)
    until(lambda: len(tries) > n + 4)
    until(lambda: run.idle)
    assert run.snapshot.reason == FULL
    assert tries[-1] - tries[-2] > 0.19  # it does not hammer at it
    (said,) = [each for each in caplog.records if "could not be saved" in each.message]  # once, in a line
    assert not said.exc_info
    room.set()
    until(lambda: run.snapshot.reason == "" and run._training.thread is None)
    assert engine.store.load(run.id).state.count == 40


def test_a_paused_run_is_saved_once_there_is_room_and_keeps_its_half_done_update(engine, full):
    room, tries = full
    run = engine.create(walk(1, every=1, pause=0.4), play=True)
    until(lambda: in_an_update(run))
    run.pause()
    until(lambda: len(tries) > 3)
    assert (run.snapshot.status, run.snapshot.reason) == ("paused", FULL)
    thread = run._training.thread
    room.set()
    until(lambda: run.snapshot.reason == "")
    run.play()
    finished(run)
    assert thread is not None
    assert not run.unsaved


def test_a_queued_run_is_saved_once_there_is_room(make_engine, monkeypatch):
    engine = make_engine(admitted=1)
    save, tries = engine.store.save, []

    def third_time(saved) -> None:
        tries.append(saved.id)
        if tries.count(saved.id) < 3:
            raise OSError(28, "No space left on device")
        save(saved)

    monkeypatch.setattr(engine.store, "save", third_time)
    monkeypatch.setattr(checkpointer, "RETRY", 0.05)
    engine.create(walk(1000, pause=0.02), play=True)
    queued = engine.create(walk(), play=True)
    until(lambda: engine.store.load(queued.id))
    assert queued.snapshot.status == "queued"
    until(lambda: queued.snapshot.reason == "")


def test_a_reason_does_not_hide_that_a_run_could_not_be_saved(engine, full):
    run = engine.create(walk(fails_at=7), play=True)
    until(lambda: run.snapshot.status == "failed" and run.idle)
    assert run.snapshot.reason == f"Internal error: RuntimeError: the toy broke {FULL}"


def test_a_shutdown_waits_for_no_full_disk(engine, full, monkeypatch):
    _, tries = full
    run = engine.create(walk(), play=True)
    finished(run)
    monkeypatch.setattr(checkpointer, "RETRY", 60.0)
    monkeypatch.setattr(checkpointer, "LONGEST_RETRY", 60.0)
    n = len(tries)
    until(lambda: len(tries) > n)
    began = time.monotonic()
    engine.shutdown()
    assert time.monotonic() - began < 2.0
    assert run._training.thread is None


def test_whatever_keeps_a_run_from_the_disk_is_told(engine, monkeypatch):
    def fails(saved) -> None:
        raise MemoryError("too large")

    monkeypatch.setattr(engine.store, "save", fails)
    run = engine.create(walk(), play=True)
    finished(run)
    assert "could not be saved: too large." in run.snapshot.reason


def test_a_return_to_the_best_state_is_saved_before_the_training_goes_on(engine, monkeypatch):
    """Else a later state of the training that was given up could come back after a crash."""
    run = engine.create(walk(60, every=1, rate=0.0), play=True)
    finished(run)
    save, counts = engine.store.save, []

    def noted(saved) -> None:
        counts.append(saved.state.count)
        save(saved)

    monkeypatch.setattr(engine.store, "save", noted)
    with engine._context.lock:
        run.restore_best()
        run.play()
    finished(run)
    assert counts[0] == 0


def test_after_a_shutdown_nothing_plays(make_engine):
    engine = make_engine()
    run = engine.create(walk(1000, pause=0.01), play=True)
    until(lambda: run.snapshot.status == "running")
    engine.shutdown()
    assert run.idle
    run.play()
    run.step()
    assert (run.idle, run.snapshot.status) == (True, "paused")


def test_trainings_wait_until_the_engine_is_ready(make_engine):
    ready = threading.Event()
    engine = make_engine(ready=lambda recipe: {"rbm": ready}[recipe.model.name])
    run, stopped = (engine.create(cd(), play=True) for _ in range(2))
    until(lambda: run.snapshot.status == "starting")
    stopped.stop()
    until(lambda: stopped.idle)
    assert (run.snapshot.state, stopped.snapshot.state) == (None, None)
    ready.set()
    assert figures(finished(run).records) == whole(cd())


def test_resuming_by_hand_equals_the_run(engine):
    run = engine.create(cd(), play=True)
    snapshot = finished(run)
    last = list(train(cd()))[-1].state
    for name in ("W", "b", "c"):
        np.testing.assert_array_equal(getattr(snapshot.state.model, name), getattr(last.model, name))


def large(length: int = 60) -> Recipe:
    """A training that holds tables over all states."""
    return Recipe(
        "log-linear",
        BayesNet(nodes=8, n=5_000),
        GreedyMDL(price=0.01, threshold=1e-9),
        Schedule(length=length, unit="updates"),
    )


def test_a_paused_training_of_large_tables_lets_go_of_them_and_goes_on_with_the_same_numbers(engine, monkeypatch):
    monkeypatch.setattr(training_thread, "USUAL", 1)
    monkeypatch.setattr(run_state, "USUAL", 1)
    monkeypatch.setattr(training_thread, "LET_GO", 0.05)
    run = engine.create(large())
    run.step(5)
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state and run.snapshot.state.count == 5)
    assert run._state.needs == 3 * 8 * 2**8
    until(lambda: run._training.thread is None)
    run.play()
    assert figures(finished(run).records) == whole(large())


def test_trainings_that_need_more_than_there_is_come_one_after_the_other(make_engine, monkeypatch):
    monkeypatch.setattr(training_thread, "USUAL", 1)
    monkeypatch.setattr(run_state, "USUAL", 1)
    monkeypatch.setattr("boltzcore.runs.turns.USUAL", 1)
    monkeypatch.setattr("boltzcore.runs.engine.memory.allowed", lambda: 1)
    engine = make_engine(admitted=None)
    runs = [engine.create(large(80), play=True) for _ in range(3)]
    most = 0
    while not all(run.snapshot.status == "finished" for run in runs):
        most = max(most, sum(run.snapshot.status == "running" for run in runs))
        time.sleep(0.002)
    assert most == 1


def test_there_is_room_for_what_is_needed_beside_what_is_used(monkeypatch):
    monkeypatch.setattr("boltzcore.runs.engine.memory.allowed", lambda: 100)
    monkeypatch.setattr("boltzcore.runs.engine.memory.used", lambda: 60)
    assert (_room(39), _room(40)) == (True, False)
    monkeypatch.setattr("boltzcore.runs.engine.memory.used", lambda: 0)  # the system does not say
    assert not _room(1)


def test_why_a_training_ended_by_its_learner_s_own_rule_is_said(engine):
    run = engine.create(Recipe("log-linear", BayesNet(nodes=3), "GreedyMDL", Schedule(length=500, unit="updates")))
    run.play()
    assert finished(run).reason.startswith("No step shortens the description by more than 0.0001 nats")
    assert finished(engine.create(walk(), play=True)).reason == ""


def test_a_run_is_renamed_awake_and_asleep_without_being_woken(make_engine):
    engine = make_engine()
    run = engine.create(cd(), play=True, name="  a\nname\u202e ")
    assert run.name == "a name"
    finished(run)
    until(lambda: not run.unsaved)
    engine.rename(run.id, f"  {'x' * 100}  ")
    assert run.name == engine.store.load(run.id).name == "x" * 80
    run.extend(run.recipe.schedule.length * 2)
    run.play()
    finished(run)
    until(lambda: not run.unsaved)
    assert engine.store.load(run.id).name == "x" * 80
    later = make_engine()
    later.rename(run.id, "asleep")
    assert not later.runs()
    assert later.get(run.id).name == "asleep"
    later.rename(run.id, "")
    assert later.store.list()[0].name == later.get(run.id).name == ""
    later.rename("0" * 16, "nobody")


def test_a_name_given_while_a_checkpoint_is_under_way_stays(make_engine):
    engine = make_engine()
    run = engine.create(cd(), name="before")
    at_rest(run)

    def take():
        saved = run._state.saved()
        engine.rename(run.id, "after")  # it comes first to the files
        return saved

    run._state.checkpointer.save(take, lambda: False)
    assert run.name == engine.store.load(run.id).name == "after"


def test_the_oldest_trainings_are_forgotten_as_others_begin_but_none_that_is_in_memory(engine, monkeypatch):
    monkeypatch.setattr(store, "KEPT", 2)
    monkeypatch.setattr(engines, "BEGUN", 4)
    awake = [engine.create(cd())]
    at_rest(awake[0])
    asleep = [f"{i:016x}" for i in range(5)]
    for id in asleep:
        engine.store.save(replace(awake[0]._state.saved(), id=id))
    awake += [engine.create(walk(seed=i)) for i in range(2)]
    until(lambda: {entry.id for entry in engine.store.list()} == {*asleep, *(run.id for run in awake)})
    awake.append(engine.create(cd()))
    until(lambda: {entry.id for entry in engine.store.list()} == {run.id for run in awake})
    assert engine.get(awake[0].id) is awake[0]
    assert not any(engine.get(id) for id in asleep)


def test_a_training_that_could_not_be_forgotten_is_there_until_it_can(engine, monkeypatch, caplog):
    monkeypatch.setattr(store, "KEPT", 0)
    monkeypatch.setattr(engines, "BEGUN", 1)
    engine.store.save(Saved("a" * 16, "", "h", 1.0, "paused", "", cd()))

    def fails(id) -> None:
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as broken:
        broken.setattr(engine.store, "delete", fails)
        engine.create(cd())
        until(lambda: "could not be removed: [Errno 30] Read-only" in caplog.text)
    assert engine.get("a" * 16)
