"""A bar for long work within one run of a page."""

from collections.abc import Callable

import streamlit as st

from boltzcore.figures import reading
from boltzcore.runs.stopwatch import Stopwatch
from boltzcore.ticks import Tick


def progress(what: str) -> tuple[Tick, Callable[[], None]]:
    """A bar as the tick of long work, which says how long that takes, and how to take it away. Leaving the page ends
    the work.
    """
    bar, shown, stopwatch = st.progress(0.0, what), (0, what), Stopwatch()
    stopwatch.begin(what)

    def tick(fraction: float = 0.0) -> None:
        nonlocal shown
        stopwatch.far(fraction)
        now = min(int(fraction * 100), 100), reading.waited(stopwatch.waiting)
        if now != shown:
            shown = now
            bar.progress(*now)

    return tick, bar.empty
