"""Long work for one visitor, in turn with the trainings: its cost, its progress, and a button that cancels it."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from boltzcore.jobs.stopwatch import MOMENT, SURE
from boltzcore.jobs.work import Make, Work, check_cost
from boltzcore.quoting import Refusal, number, span
from boltzcore.ticks import Tick, idle
from boltzcore.training.status import Status
from pages.common import lab
from pages.common.words import escape
from pages.web.limiter import Visitor, admit, visitor_of_page
from pages.web.session import SESSION

AT_ONCE = 0.5  # seconds that a page waits before it shows progress
EVERY = 0.5  # seconds between two checks
KEPT = 8  # latest results
_BEGUN = WeakKeyDictionary[Work, Visitor]()


def compute(name: str, what: str, make: Callable[[Tick], Any]) -> Any:
    """Return the result of `make`, computed once in a session and kept unless it is None. Until it is there, return
    None and show its progress, its refusal, or that it is long and starts on a press.

    name : of the work in this session
    what : the beginning of a sentence, such as "Estimating the likelihood"
    """
    kept = SESSION.results
    if name in kept:
        return kept[name]
    now, work = SESSION.work
    status = work.snapshot.status if work is not None and now == name else ""
    if status == Status.FAILED:
        st.error(escape(work.snapshot.reason))
        return None
    if status in ("", Status.STOPPED, Status.FINISHED):
        try:
            place, label = st.empty(), f"Start {what[0].lower()}{what[1:]}"
            if status == Status.STOPPED and not place.button(label, key=f"begin {name}"):
                return None
            place.empty()
            work = begin(name, partial(_pieces, kept, name, limit_cost(lambda *, tick: make(tick), what)))
        except Refusal as refusal:
            st.error(escape(refusal))
            return None
        until = time.monotonic() + AT_ONCE
        while work.is_active and time.monotonic() < until:
            time.sleep(0.01)
        if work.snapshot.status == Status.FINISHED:
            return kept.get(name)
    watch(work, what)
    return None


def begin(name: str, make: Make) -> Work:
    """Begin work in place of the session's present one.

    Raises Refusal if too much such work of this visitor or of all waits.
    """
    _, former = SESSION.work
    if former is not None:
        former.cancel()
    by = visitor_of_page()
    admit("long work", by, Counter(_BEGUN[work] for ref in _BEGUN.keyrefs() if (work := ref()) and work.is_active))
    work = lab.engine().begin_work(make)
    SESSION.work, _BEGUN[work] = (name, work), by
    return work


def _pieces(kept: dict[str, Any], name: str, make: Callable[..., Any], tick: Tick) -> Iterator[None]:
    if (result := make(tick=tick)) is not None:
        kept[name] = result
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    yield


def limit_cost(work: Callable[..., Any], what: str) -> Callable[..., Any]:
    """Return the same work, which is refused once its pace shows that it would take too long."""

    @wraps(work)
    def done(*of: Any, tick: Tick = idle, **named: Any) -> Any:
        began = time.thread_time()

        def timed(fraction: float = 0.0) -> None:
            if (spent := time.thread_time() - began) > MOMENT:
                check_cost(what, spent / fraction if fraction > SURE else spent)
            tick(fraction)

        return work(*of, **named, tick=timed)

    return done


@st.fragment(run_every=EVERY)
def watch(work: Work, what: str) -> None:
    """Show the progress of work; when it is done the script runs again."""
    if not work.is_active:
        st.rerun()
    show_progress(work, what)


def show_progress(work: Work, what: str) -> None:
    """Show the progress of work, with a button that cancels it."""
    work.touch()
    snapshot = work.snapshot
    share = number(snapshot.share, ".0%") + (f", about {span(snapshot.left.seconds)} left" if snapshot.left else "")
    text = f"{what}: {'waiting for a turn' if snapshot.status == Status.QUEUED else share}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(snapshot.share, 1.0), text)
        st.button("Cancel", key=f"cancel {what}", on_click=work.cancel)
