"""What takes too long for a frame is promised, and drawn once it is there."""

import threading
from concurrent.futures import Future

import pytest

from boltzcore.figures.frame import Frame, Item, Panel
from boltzcore.runs.engine import Run
from pages.live import channel, later
from pages.live.channel import Channel


def test_the_same_work_is_done_once_and_promised_to_all_who_ask():
    done = []
    ask = later.later(lambda *of: done.append(of) or len(done))
    one, other = object(), object()
    assert ask(one) is ask(one)
    assert (ask(one).result(10), ask(other).result(10), ask(one).result(10)) == (1, 2, 1)
    assert done == [(one,), (other,)]


def test_promises_that_nobody_asked_for_lately_are_forgotten_and_those_not_begun_are_not_kept():
    begun, held = threading.Event(), threading.Event()

    def work(number: int) -> int:
        begun.set()
        held.wait(10)
        return number

    ask = later.later(work)
    promises = [ask(0)]
    begun.wait(10)
    promises += [ask(number) for number in range(1, later.KEPT + 2)]
    held.set()
    assert promises[0].result(10) == 0
    assert promises[1].cancelled()
    assert promises[-1].result(10) == later.KEPT + 1
    assert ask(1).result(10) == 1


def test_a_refusal_is_kept_as_one():
    def refuse() -> None:
        raise ValueError("not of these rows")

    with pytest.raises(ValueError, match="not of these rows"):
        later.later(refuse)().result(10)


def test_a_frame_is_made_anew_once_what_it_was_made_without_is_there(run: Run, monkeypatch):
    promise: Future[str] = Future()

    def frame_of(*_: object) -> Frame:
        title = promise.result() if promise.done() else "under way"
        return Frame(curve=Item("panel", (title,), lambda: Panel(title)), awaited=() if promise.done() else (promise,))

    monkeypatch.setattr(channel, "frame_of", frame_of)
    watched = Channel(run)
    watched.make()
    before = watched.made
    assert not watched.stale
    promise.set_result("there")
    assert watched.stale
    watched.make()
    assert not watched.stale
    assert watched.made != before
    assert '"title":"there"' in watched._reel.since(before)
