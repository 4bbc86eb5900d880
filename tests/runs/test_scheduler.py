"""Many trainings at once, in slices."""

import threading
from dataclasses import replace

import pytest

from boltzcore.comparison import trial
from boltzcore.comparison.scheduler import Scheduler, Slot
from boltzcore.comparison.trials import TrialStore
from boltzcore.registry import LEARNERS
from boltzcore.training.loop import run_fit
from tests.runs.toys import batch, figures, until, whole

ENDLESS = 10_000_000


@pytest.fixture(autouse=True)
def no_thread_is_left():
    before = set(threading.enumerate())
    yield
    assert not [each for each in set(threading.enumerate()) - before if each.name.startswith("scheduler")]


def ended(scheduler):
    until(lambda: scheduler.is_over)
    return scheduler.trials


@pytest.mark.parametrize("order", ["race", "study"])
def test_each_training_has_the_records_that_it_has_alone(order):
    recipes = [batch(20_000, every=5_000), batch(10, seed=1), batch(20, seed=2)]
    with Scheduler(recipes, order=order) as scheduler:
        trials = ended(scheduler)
    for each, asked in zip(trials, recipes, strict=True):
        assert (each.recipe, each.status, each.share) == (asked, "finished", 1.0)
        assert figures(each.records) == whole(asked)


def test_in_a_race_all_stand_at_about_the_same_cost():
    asked = batch(ENDLESS, K=1), batch(ENDLESS, K=50)
    schedules = [each.schedule.changed(limit=10**9, limit_unit="operations") for each in asked]
    recipes = [replace(each, schedule=schedule) for each, schedule in zip(asked, schedules, strict=True)]
    with Scheduler(recipes, threads=1) as scheduler:
        until(lambda: min(each.state.operations if each.state else 0 for each in scheduler.trials) > 5_000_000)
        scheduler.pause()
        one, other = (each.state.operations for each in scheduler.trials)
    assert max(one, other) < 3 * min(one, other)


def test_in_a_study_the_first_goes_first():
    recipes = [batch(2_000), batch(ENDLESS), batch(ENDLESS, seed=1)]
    with Scheduler(recipes, order="study", threads=1) as scheduler:
        until(lambda: scheduler.trials[1].state is not None)
        assert [each.status for each in scheduler.trials] == ["finished", "running", "queued"]
    assert [each.status for each in scheduler.trials] == ["finished", "stopped", "stopped"]


def test_a_pause_halts_all_and_going_on_changes_no_number():
    asked, halted = [batch(60_000, seed=seed) for seed in (0, 1)], set()

    class Pausing(Slot):
        def keep(self, wanted):
            if not halted and any(each.state for each in scheduler.trials):
                scheduler.pause()
            return wanted() or halted.add(threading.get_ident()) or False

    scheduler = Scheduler(asked, threads=2, slot=Pausing)
    with scheduler:
        until(lambda: len(halted) == 2)
        before = scheduler.version
        assert scheduler.wait(before, 0.3) == before
        scheduler.resume()
        trials = ended(scheduler)
    for each in trials:
        assert figures(each.records) == whole(each.recipe)


def test_what_fails_or_diverges_says_so_and_the_others_go_on(monkeypatch):
    wild, broken, good = batch(50_000, rate=10.0, every=100), batch(10, seed=7), batch(10)
    info = replace(
        LEARNERS["CD"], divergence_sign=lambda learner, _: "All weights are large" if learner.rate == 10 else ""
    )
    monkeypatch.setitem(LEARNERS, "CD", info)

    def breaking(now, **how):
        if now.recipe == broken:
            raise OSError("the disk is gone")
        return run_fit(now, **how)

    monkeypatch.setattr(trial, "run_fit", breaking)
    with Scheduler([wild, broken, good]) as scheduler:
        first, second, third = ended(scheduler)
    assert first.status == "diverged"
    assert "All weights are large" in first.reason
    assert second.status == "failed"
    assert "the disk is gone" in second.reason
    assert third.status == "finished"


def test_a_stored_trial_is_not_made_again_and_one_that_was_begun_goes_on(tmp_path, monkeypatch):
    store = TrialStore(tmp_path)
    done, begun = batch(10), batch(120_000, seed=1, every=30_000)
    with Scheduler([done], store=store) as scheduler:
        ended(scheduler)
    with Scheduler([begun], store=store) as scheduler:
        until(lambda: scheduler.trials[0].share > 0.1)
    count = scheduler.trials[0].state.count
    resumed = []
    monkeypatch.setattr(trial, "run_fit", lambda now, **how: resumed.append(now) or run_fit(now, **how))
    with Scheduler([done, begun], store=TrialStore(tmp_path)) as scheduler:
        first, second = ended(scheduler)
    assert (first.stored, second.stored) == (True, False)
    assert figures(first.records) == whole(done)
    assert [now.state.count for now in resumed if now.recipe == begun] == [count]
    assert figures(second.records) == whole(begun)
