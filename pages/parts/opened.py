"""Whether the next update of a training is shown in slow motion."""

import streamlit as st

from boltzcore.runs.engine import Run
from pages.live.scene import MOVING


def is_open(run_id: str) -> bool:
    """Whether somebody wants to see it."""
    return st.session_state.get(_key(run_id), False)


def button(run: Run | None, *, mine: bool) -> None:
    """Opens it, for a row of the page; what trains is paused by that."""
    st.button(
        "Close inside" if run is not None and is_open(run.id) else "Look inside",
        key="look inside",
        on_click=_turn,
        args=(run, mine),
        disabled=run is None,
        help="What happens in one step: the next update in slow motion, with the numbers it is made of.",
    )


def _turn(run: Run, mine: bool) -> None:
    st.session_state[_key(run.id)] = now = not is_open(run.id)
    if now and mine and run.snapshot.status in MOVING:
        run.pause()


def _key(run_id: str) -> str:
    return f"inside {run_id}"
