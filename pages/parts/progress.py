"""A bar for long work within one run of a page."""

from collections.abc import Callable

import streamlit as st

from boltzcore.ticks import Tick


def progress(what: str) -> tuple[Tick, Callable[[], None]]:
    """A bar as the tick of a long piece of work, and how to take it away. Leaving the page ends the work."""
    bar, shown = st.progress(0.0, what), -1

    def tick(fraction: float = 0.0) -> None:
        nonlocal shown
        if (percent := int(fraction * 100)) != shown:
            shown = percent
            bar.progress(min(percent, 100), what)

    return tick, bar.empty
