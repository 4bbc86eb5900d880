"""Work that takes turns with trainings: cancelled, left alone, and shared by all that ask for it."""

import time

import pytest

from boltzcore.jobs import job
from boltzcore.jobs.run import new_run
from boltzcore.jobs.seat import Seat
from boltzcore.jobs.work import Work
from tests.runs.toys import until, walk


@pytest.fixture
def begin(context):
    made = []
    yield lambda make: made.append(Work(context, make)) or made[-1]
    for thread in filter(None, [work.close() for work in made]):
        thread.join(60)


class Counting:
    """Makes so many pieces, each in ten ticks."""

    def __init__(self, pieces=3):
        self.pieces, self.ticks = pieces, 0

    def __call__(self, tick):
        for piece in range(self.pieces):
            for part in range(10):
                self.ticks += 1
                tick((10 * piece + part) / (10 * self.pieces))
                time.sleep(0.002)
            yield piece


FOREVER = 10**6


def test_it_is_made_piece_by_piece_to_its_end(begin):
    work = begin(Counting())
    until(lambda: not work.is_active)
    assert (work.snapshot.status, len(work.made), work.snapshot.share) == ("finished", 3, 1.0)


def test_another_member_on_the_only_slot_halts_it(begin, context, refusals):
    other, make = Seat(context), Counting(FOREVER)
    work = begin(make)
    until(lambda: work.made)
    other.take(lambda: True)
    halted, asked = make.ticks, len(refusals)  # it waits in the last
    until(lambda: len(refusals) > asked + 1)
    assert make.ticks == halted
    other.leave()
    until(lambda: make.ticks > halted)
    assert work.is_active


def test_a_cancel_ends_it_soon_and_in_the_queue(begin, context, monkeypatch):
    monkeypatch.setattr(job, "LET_GO", 0.0)
    context.turns.least = 1
    both = [begin(Counting(FOREVER)) for _ in range(2)]
    until(lambda: {each.thread is None for each in both} == {True, False})
    for each in sorted(both, key=lambda each: each.thread is not None):  # the queued one first
        each.cancel()
        assert each.snapshot.status == "stopped"
    later = begin(Counting())
    until(lambda: later.snapshot.status == "finished" and all(each.thread is None for each in both))


def test_it_ends_if_no_one_watches(begin, context, clock):
    work = begin(Counting(FOREVER))
    until(lambda: work.made)
    clock.now = context.lease + 1
    until(lambda: not work.is_active)
    assert work.snapshot.reason


def test_a_training_goes_on_beside_eight_visitors_that_look_into_large_models(begin, context):
    made = [Counting(FOREVER) for _ in range(8)]
    others = [begin(make) for make in made]
    context.turns.least = 16
    run = new_run(walk(length=10**6, every=10**6), "", context, lambda _run: None)
    run.play()
    until(lambda: run.snapshot.state is not None and run.snapshot.state.count > 20)
    before, ticks = run.snapshot.state.count, [make.ticks for make in made]
    until(lambda: all(make.ticks > had for make, had in zip(made, ticks, strict=True)))
    until(lambda: run.snapshot.state.count > before)
    run.stop()
    for work in others:
        work.cancel()
    until(lambda: all(not work.is_active for work in others))


def test_an_engine_counts_it_and_ends_it(make_engine):
    engine = make_engine()
    work = engine.begin_work(Counting(FOREVER))
    assert engine.load["works"] == 1
    engine.shutdown()
    assert not work.is_active


def test_a_failure_is_reported(begin):
    def fails(tick):
        tick(0.0)
        raise ValueError("no")

    work = begin(fails)
    until(lambda: not work.is_active)
    assert work.snapshot.status == "failed"
    assert work.snapshot.reason
