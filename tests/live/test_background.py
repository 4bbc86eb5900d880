"""Drawings that take too long for a frame are promised, and drawn once they are there."""

import threading
from concurrent.futures import Future
from functools import partial

from boltzcore.jobs.engine import Run
from pages.figures.frame import Frame, Item, Panel
from pages.stream import run_frame
from pages.stream.watching import Broadcast
from pages.web import background
from pages.web.worker import Worker


class Thing:
    """Subject of some work."""


def test_the_same_work_is_done_once_and_promised_to_every_caller():
    done = []
    ask = background.in_background(lambda *of: done.append(of) or len(done))
    one, other = Thing(), Thing()
    assert ask(one) is ask(one)
    assert [ask(each).result(100) for each in (one, other, one)] == [1, 2, 1]
    assert ask(one, "another way").result(100) == 3
    assert done == [(one,), (other,), (one, "another way")]


def test_work_on_what_is_no_longer_referred_to_is_not_begun(monkeypatch):
    monkeypatch.setattr(background, "_worker", Worker())
    begun, held, done = threading.Event(), threading.Event(), []

    def work(thing: Thing, name: str) -> None:
        begun.set()
        held.wait(100)
        done.append(name)

    ask = background.in_background(work)
    things = [Thing() for _ in range(5)]
    promises = [ask(thing, str(i)) for i, thing in enumerate(things)]
    assert begun.wait(100)
    del things[1:4]  # the training went on from there
    held.set()
    for promise in promises:
        promise.result(100)
    assert done == ["0", "4"]


def test_a_frame_is_made_anew_once_what_it_was_made_without_is_there(run: Run, monkeypatch):
    promise: Future[str] = Future()

    def frame_of(*_: object) -> Frame:
        title = promise.result() if promise.done() else "under way"
        return Frame(
            curve=Item("panel", (title,), lambda: Panel(title), "numbers"), awaited=() if promise.done() else (promise,)
        )

    monkeypatch.setattr(run_frame, "frame_of", frame_of)
    watched = Broadcast([run], partial(run_frame.drawn, run, (), {}))
    watched.make()
    before = watched.made
    assert not watched.stale
    promise.set_result("there")
    assert watched.stale
    watched.make()
    assert not watched.stale
    assert watched.made != before
    assert '"title":"there"' in watched.encoder.since(before)
