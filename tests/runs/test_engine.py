"""Runs: commands from other threads, the queue, the lease, failures; and the numbers stay the recipe's."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from boltzcore import Recipe, threads
from boltzcore.data.bayes_net import BayesNet
from boltzcore.jobs import job, seat, training_job, turns
from boltzcore.learners import GreedyMDL
from boltzcore.registry import LEARNERS
from boltzcore.training.loop import train
from boltzcore.training.schedule import Schedule
from tests.runs.toys import WALK, Walk, at_rest, cd, figures, finished, until, walk, whole
from tests.test_threads import blas

# -- the numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [cd, walk], ids=["CD", "toy"])
def test_a_run_has_the_records_and_the_last_state_of_its_recipe(engine, make):
    recipe = make()
    snapshot, last = finished(engine.create(recipe, play=True)), list(train(recipe))[-1].state
    assert figures(snapshot.records) == whole(recipe)
    assert snapshot.state.count == snapshot.budget == last.count
    np.testing.assert_equal(vars(snapshot.state.model), vars(last.model))
    assert snapshot.observation["particles"].shape[1] == 9
    assert snapshot.updates_per_second > 0
    assert snapshot.reason == ""


def test_a_run_holds_blas_at_one_thread_while_it_has_work(engine, monkeypatch):
    held = []

    @contextmanager
    def noted():
        with threads.one_for_blas():
            held.append((threading.current_thread().name, blas()))
            yield
            held.append((threading.current_thread().name, None))

    monkeypatch.setattr(job, "one_for_blas", noted)
    run = engine.create(walk(), play=True)
    until(lambda: run.idle)
    mine = [threads_of_blas for name, threads_of_blas in held if name == str(run)]
    assert mine[0] == {1}
    assert mine[-1] is None


@pytest.mark.parametrize(
    "command",
    [
        lambda run: run.change(rate=-1.0),
        lambda run: run.change(batch_size=3),
        lambda run: run.change(speed=1),
        lambda run: run.change(K=2, rate=1e9),
        *(lambda run, length=length: run.extend(length) for length in (60, 0, 61.5, 10**8)),
        *(lambda run, updates=updates: run.step(updates) for updates in (0, -1, 1.5, True)),
        *(lambda run, pace=pace: setattr(run, "pace", pace) for pace in (0, -1, float("nan"), float("inf"))),
    ],
)
def test_a_bad_command_is_refused_before_anything_happens(engine, command):
    run = engine.create(cd())
    with pytest.raises(ValueError, match=r"\.$"):
        command(run)
    run.change(rate=0.3)  # as it is
    assert (run.recipe, run.pace, at_rest(run).status) == (cd(), None, "paused")


# -- commands -----------------------------------------------------------------------------------------


def test_each_step_is_saved_once_the_run_pauses(engine):
    run = engine.create(walk())
    at_rest(run)
    for count in (1, 2):
        run.step()
        until(lambda count=count: (saved := engine.store.load(run.id)).state and saved.state.count == count)


def test_a_step_or_a_change_counts_from_the_last_update_that_the_run_has_taken(engine, monkeypatch):
    """Many updates more have just been made when it comes."""
    made, may_end = threading.Event(), threading.Event()

    class Held(Walk):
        def advance(self, state, data, *, updates=1, **how):
            after = super().advance(state, data, updates=updates, **how)
            if updates > 2:
                made.set()
                may_end.wait(100)
            return after

    monkeypatch.setitem(LEARNERS, "Held", replace(WALK, learner=Held))
    run = engine.create(replace(walk(400, every=100), learner=Held()), play=True)
    assert made.wait(100)
    run.step(2)
    count = run.snapshot.state.count
    may_end.set()
    until(lambda: run.snapshot.status == "paused")
    assert run.snapshot.state.count == count + 2
    made.clear()
    may_end.clear()
    run.play()
    assert made.wait(100)
    run.change(drift=1e-4)
    may_end.set()
    assert figures(finished(run).records) == whole(run.recipe)


def test_pause_and_stop_take_effect_in_the_middle_of_an_update(make_engine, monkeypatch):
    monkeypatch.setattr(job, "LET_GO", 600.0)
    engine = make_engine(admitted=1)
    run = engine.create(walk(100, pause=60.0), play=True)
    until(lambda: run.snapshot.status == "running")
    run.pause()
    assert run.snapshot.status == "paused"
    finished(engine.create(walk(), play=True))  # although the update has not ended
    assert not run.idle  # the half-done update is kept
    run.play()
    until(lambda: run.snapshot.status == "running")
    run.stop()
    until(lambda: run.idle)
    assert run.snapshot.state.count == 0


def test_commands_come_from_many_threads(engine):
    run = engine.create(walk(500, pause=0.002), play=True)

    commands = [run.pause, run.play, run.touch, run.step, lambda: run.change(drift=0.0), run.stop, run.play]

    def click(_: int) -> None:
        for command in 3 * commands:
            command()
            time.sleep(0.001)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(click, range(4)))
        run.play()
        others = list(pool.map(lambda seed: engine.create(cd(seed=seed), play=True), range(4)))
    for each in others:
        assert figures(finished(each).records) == whole(each.recipe)
    assert figures(finished(run).records) == whole(walk(500))


def test_pace_holds_a_training_back_and_commands_do_not_wait_for_it(make_engine):
    engine = make_engine()
    run = engine.create(walk(10_000))
    at_rest(run)
    run.pace = 1e-3
    run.play()
    finished(engine.create(walk(), play=True))  # on the only slot
    until(lambda: run.snapshot.state.count == 1)  # the first at once, the second after a thousand seconds
    run.step()
    until(lambda: run.snapshot.state.count == 2)
    run.play()
    run.pace = None
    until(lambda: run.snapshot.state.count > 50)
    run.pace = 1e-3
    run.stop()
    until(lambda: run.idle)
    assert make_engine().get(run.id).pace == 1e-3


def test_snapshots_are_numbered_and_what_was_one_does_not_change(engine):
    run = engine.create(walk(), play=True)
    seen = [run.snapshot]
    until(lambda: seen.append(run.snapshot) or run.snapshot.status == "finished")
    versions = [snapshot.version for snapshot in seen]
    assert versions == sorted(versions)
    kept, chain = run.snapshot.state, run.snapshot.state.chain.copy()
    run.extend(80)
    run.play()
    finished(run)
    assert (kept.chain == chain).all()


# -- the queue ----------------------------------------------------------------------------------------


def test_runs_wait_in_their_places_and_then_run(make_engine):
    engine = make_engine(admitted=2)
    runs = [engine.create(walk(pause=60.0), play=True) for _ in range(4)]
    assert [(run.snapshot.status == "queued", run.snapshot.place) for run in runs[2:]] == [(True, 1), (True, 2)]
    runs[1].stop()
    until(lambda: runs[2].snapshot.status == "running" and runs[3].snapshot.place == 1)
    runs[0].pause()  # a paused run does not keep the queue waiting
    until(lambda: runs[3].snapshot.status == "running")
    runs[0].play()
    assert (runs[0].snapshot.status, runs[0].snapshot.place) == ("queued", 1)
    runs[0].pause()  # one that is paused in the queue leaves it
    assert (runs[0].snapshot.status, runs[0].snapshot.place) == ("paused", 0)


@pytest.mark.parametrize(("allowed", "place"), [(1, 1), (2**60, 0)])
def test_beyond_those_that_are_admitted_at_least_a_run_waits_where_there_is_no_memory(
    make_engine, monkeypatch, allowed, place
):
    monkeypatch.setattr("boltzcore.jobs.engine.memory.allowed_bytes", lambda: allowed)
    monkeypatch.setattr("boltzcore.jobs.engine.memory.used_bytes", lambda: 1)
    engine = make_engine(admitted=None)
    least = max(4, threads.CORES)
    runs = [engine.create(walk(pause=60.0), play=True) for _ in range(least + 1)]
    assert [run.snapshot.place for run in runs] == [*[0] * least, place]


def test_a_queued_run_lets_its_thread_go_and_begins_when_it_is_admitted(make_engine, monkeypatch):
    monkeypatch.setattr(job, "LET_GO", 0.05)
    engine = make_engine(admitted=1)
    first, second = (engine.create(walk(pause=60.0), play=True) for _ in range(2))
    until(lambda: second.thread is None)
    assert (second.snapshot.status, second.snapshot.place) == ("queued", 1)
    assert engine.store.load(second.id)
    first.stop()
    until(lambda: second.snapshot.status == "running")
    second.stop()


# -- lease, failure, divergence -----------------------------------------------------------------------


def test_a_run_without_viewers_is_saved_and_stopped_unless_it_is_to_go_on(make_engine, clock):
    engine = make_engine(lease=0.1, clock=clock)
    run, kept = (engine.create(walk(10**5, pause=0.01), play=True) for _ in range(2))
    kept.keep_going = True
    until(lambda: all(each.snapshot.state and each.snapshot.state.count > 0 for each in (run, kept)))
    clock.now = 0.09
    run.touch()
    clock.now = 0.18
    count = run.snapshot.state.count
    until(lambda: run.snapshot.state.count > count + 20)
    clock.now = 0.2
    until(lambda: run.snapshot.status == "stopped" and run.idle)
    assert run.snapshot.reason
    assert engine.store.load(run.id).state.count == run.snapshot.state.count > 0
    assert kept.snapshot.status == "running"
    kept.keep_going = False
    clock.now = 0.4
    until(lambda: kept.snapshot.status == "stopped")


def test_a_paused_run_stays_paused_and_lets_its_thread_go(engine, monkeypatch):
    monkeypatch.setattr(job, "LET_GO", 0.3)
    run = engine.create(walk(3, pause=60.0), play=True)
    until(lambda: run.snapshot.status == "running")
    run.pause()
    until(lambda: run.idle)
    assert run.snapshot.status == "paused"
    run.touch()
    run.change(pause=0.0)
    run.play()
    assert figures(finished(run).records) == whole(run.recipe)


def test_a_failure_ends_the_run_with_its_reason_and_nothing_else(engine, caplog):
    run = engine.create(walk(fails_at=7), play=True)
    until(lambda: run.snapshot.status == "failed" and run.idle)
    assert run.snapshot.reason
    assert "the toy broke" not in run.snapshot.reason  # it may quote a private table
    assert "the toy broke" in caplog.text
    assert run.snapshot.state.count <= 7
    finished(engine.create(walk(), play=True))
    run.change(fails_at=-1)
    run.play()
    assert figures(finished(run).records) == whole(walk())
    unfit = engine.create(cd(batch_size=1000), play=True)
    until(lambda: unfit.snapshot.status == "failed")
    assert "batch_size" in unfit.snapshot.reason


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
    assert snapshot.reason
    assert engine.store.load(run.id).status == "diverged"
    run.play()
    assert finished(run).state.count == 120
    run.restore_best()
    snapshot = at_rest(run)
    assert (snapshot.status, snapshot.state.count) == ("paused", snapshot.best.count)
    assert snapshot.records[-1].count == snapshot.best.count
    run.tolerate()  # the fall halts it no more
    run.play()
    assert figures(finished(run).records) == whole(run.recipe)


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


def large(length: int = 30) -> Recipe:
    """A training that holds tables over all states."""
    return Recipe(
        "log-linear",
        BayesNet(nodes=8, n=5_000),
        GreedyMDL(price=0.01, threshold=1e-9),
        Schedule(length=length, unit="updates"),
    )


@pytest.fixture
def all_need_more_than_usual(monkeypatch):
    for module in (training_job, seat, turns):
        monkeypatch.setattr(module, "USUAL", 1)


@pytest.mark.usefixtures("all_need_more_than_usual")
def test_a_paused_training_of_large_tables_goes_on_with_the_same_numbers(engine, monkeypatch):
    monkeypatch.setattr(job, "LET_GO", 0.05)
    run = engine.create(large())
    run.step(5)
    until(lambda: run.snapshot.status == "paused" and run.snapshot.state and run.snapshot.state.count == 5)
    until(lambda: run.idle)
    run.play()
    assert figures(finished(run).records) == whole(large())


@pytest.mark.usefixtures("all_need_more_than_usual")
def test_trainings_that_need_more_than_there_is_come_one_after_the_other(make_engine, monkeypatch):
    monkeypatch.setattr("boltzcore.jobs.engine.memory.allowed_bytes", lambda: 1)
    engine = make_engine(admitted=None)
    at_work, advance = [], GreedyMDL.advance

    def noted(*of, **how):
        at_work.append(threading.current_thread().name)
        return advance(*of, **how)

    monkeypatch.setattr(GreedyMDL, "advance", noted)
    runs = [engine.create(large(), play=True) for _ in range(3)]
    for run in runs:
        finished(run)
    assert sorted(name for name, _ in groupby(at_work)) == sorted(map(str, runs))
