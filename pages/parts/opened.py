"""Whether the next update of a training is shown in slow motion."""

import streamlit as st

from boltzcore.runs.engine import Run
from pages.live.scene import MOVING
from pages.parts import lab


def is_open(run_id: str) -> bool:
    """Whether somebody wants to see it."""
    return st.session_state.get(_key(run_id), False)


def seen(run_id: str, version: str) -> str:
    """The version of what is shown: this one, or else the last there was; "" before any."""
    key = f"version of {_key(run_id)}"
    if version:
        st.session_state[key] = version
    return st.session_state.get(key, "")


def button(run: Run | None, *, mine: bool) -> None:
    """Opens it, for a row of the page; what trains is paused by that."""
    st.button(
        "Close inside" if run is not None and is_open(run.id) else "Look inside",
        key="look inside",
        on_click=_turn,
        args=(run, mine),
        disabled=run is None or lab.is_anothers(run),
        help="What happens in one step: the next update in slow motion, with the numbers it is made of.",
    )


def _turn(run: Run, mine: bool) -> None:
    st.session_state[_key(run.id)] = now = not is_open(run.id)
    if now and mine and run.snapshot.status in MOVING:
        run.pause()


def _key(run_id: str) -> str:
    return f"inside {run_id}"
