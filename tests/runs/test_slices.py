"""Trials that an executor carries on, a slice at a time."""

import multiprocessing
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

from boltzcore import Comparison, Recipe, compare
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.parameters import Refusal
from boltzcore.runs import slices
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.scheduler import CANCELLED, FAILED, FINISHED, Scheduler
from boltzcore.runs.slices import Elsewhere, check_may_leave, train_slice
from boltzcore.runs.trials import TrialStore, key_of


def recipe(length=30_000, seed=0):
    return Recipe(
        RBMSetup(hidden=4),
        "bars-and-stripes",
        CD(0.1, 0),
        Schedule(length=length, every=length // 10, seed=seed),
        measures=("log_likelihood",),
    )


@pytest.fixture(scope="module")
def comparison():
    return Comparison(recipe(), {"CD-1": {}, "CD-3": {"CD.K": 3}}, trials=2, axis="updates")


def figures(result):
    """All records, but for the seconds."""
    return result.records.drop(columns="seconds").to_csv(index=False)


@pytest.fixture(scope="module")
def csv(comparison):
    return figures(compare(comparison))


class Losing(ThreadPoolExecutor):
    """Loses the first slices."""

    def __init__(self, losses: int) -> None:
        super().__init__(2)
        self.losses, self.asked = losses, 0

    def submit(self, function, /, *arguments, **named):
        self.asked += 1
        if self.losses:
            self.losses -= 1
            lost: Future = Future()
            lost.set_exception(BrokenProcessPool("a worker is gone"))
            return lost
        return super().submit(function, *arguments, **named)


class Silent(Executor):
    """Never answers."""

    def submit(self, function, /, *arguments, **named):
        return Future()


def test_another_process_gives_the_figures_of_this_one(comparison, csv):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert figures(compare(comparison, executor=pool, threads=2)) == csv


def test_however_a_trial_is_cut_and_lost_its_figures_are_the_same(comparison, csv, monkeypatch):
    with Losing(slices.TRIES - 1) as pool:
        monkeypatch.setattr("boltzcore.runs.comparing.Elsewhere", lambda executor: Elsewhere(executor, seconds=0.02))
        assert figures(compare(comparison, executor=pool, threads=2)) == csv
    assert pool.asked > 4 + slices.TRIES - 1


def test_a_trial_that_is_lost_again_and_again_failed_and_the_others_go_on():
    with (
        Losing(slices.TRIES) as pool,
        Scheduler([recipe(10), recipe(10, seed=1)], order="study", threads=1, begin=Elsewhere(pool)) as scheduler,
    ):
        ended = dict(scheduler.endings())
    assert ended[0].status == FAILED
    assert "lost 3 times" in ended[0].reason
    assert "a worker is gone" in ended[0].reason
    assert ended[1].status == FINISHED


def test_a_slice_without_an_answer_is_lost(monkeypatch):
    monkeypatch.setattr(slices, "LONGEST", 0.2)
    with Scheduler([recipe(10)], begin=Elsewhere(Silent())) as scheduler:
        (_, ended), *_ = scheduler.endings()
    assert "no answer within" in ended.reason


def test_a_trial_is_cancelled_while_its_slice_goes_on():
    with Scheduler([recipe()], begin=Elsewhere(Silent())) as scheduler:
        time.sleep(0.3)
        began = time.monotonic()
        scheduler.cancel()
        assert time.monotonic() - began < 1
    assert scheduler.standings[0].status == CANCELLED


def test_what_came_back_is_stored_and_gone_on_from(tmp_path, csv, comparison):
    asked = recipe(100_000)
    with ThreadPoolExecutor(1) as pool:
        begin = Elsewhere(pool, seconds=0.02)
        with Scheduler([asked], store=TrialStore(tmp_path), begin=begin) as scheduler:
            while not 0 < scheduler.standings[0].share < 1:
                scheduler.wait(scheduler.version, 0.1)
        begun = TrialStore(tmp_path).get(asked)
        assert begun is not None
        assert begun.state.count > 0
        with Scheduler([asked], store=TrialStore(tmp_path), begin=begin) as scheduler:
            (_, ended), *_ = scheduler.endings()
    with Scheduler([asked]) as scheduler:
        (_, alone), *_ = scheduler.endings()
    assert [(r.count, r.values) for r in ended.records] == [(r.count, r.values) for r in alone.records]


def test_a_worker_with_other_code_trains_nothing():
    found = train_slice(recipe(10).to_json(), "another", b"", "updates", 1.0)
    assert "other code" in found.failed
    assert not found.content


def test_what_a_trial_fails_of_comes_back_as_a_sentence(monkeypatch):
    asked = recipe(10)
    monkeypatch.setattr(slices, "TrialTraining", lambda *how: (_ for _ in ()).throw(OSError(28, "No space left")))
    assert train_slice(asked.to_json(), key_of(asked), b"", "updates", 1.0).failed == "No space left"


def test_tables_of_ones_own_stay_here(monkeypatch):
    asked = recipe(10)
    monkeypatch.setattr(type(asked.data), "private", True)
    with pytest.raises(Refusal, match="a table of your own stays here"):
        check_may_leave([asked])


def test_no_thread_is_left():
    with ThreadPoolExecutor(1) as pool, Scheduler([recipe(10)], begin=Elsewhere(pool)) as scheduler:
        list(scheduler.endings())
    assert not [each for each in threading.enumerate() if each.name.startswith("scheduler")]
