"""Speed of a training, which its owner sets."""

import streamlit as st

from boltzcore.jobs import pace
from boltzcore.jobs.engine import Run
from boltzcore.training.presets import PRESETS, preset_of
from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.web.session import SESSION

WIDTH = 190  # pixels of the slider: fits the narrowest screen
_SPEED = "speed"


def speed(run: Run | None, recipe: Recipe | None, *, mine: bool) -> None:
    """Draw the slider, for a row of the page.

    recipe : of the form, None while something in it is refused
    mine : whether this session may control the run
    """
    if _SPEED not in st.session_state:  # the controls forget their values when another page opens
        SESSION.speed_preset = None
    # the present one: for a reload, and for viewers. An assignment reaches the browser even while a user drags.
    if run is not None and st.session_state.get(_SPEED) != (now := pace.nearest_pace(run.pace)):
        st.session_state[_SPEED] = now
    st.select_slider(
        "Speed, updates/s",
        pace.PACES,
        value=None if _SPEED in st.session_state else pace.FASTEST,
        key=_SPEED,
        format_func=lambda speed: "Maximum" if speed == pace.FASTEST else f"{speed:,g}",
        on_change=_use_choice,
        args=(run, recipe),
        disabled=not mine,
        width=WIDTH,
        help="The maximum number of updates per second. Slow down to watch single updates; the results do not change.",
    )


def set_initial(run: Run) -> None:
    """Give a new run of this session the speed of its preset, or the one that was chosen for the same preset or for any
    settings without one.
    """
    name = preset_of(run.recipe)
    if _SPEED in st.session_state and SESSION.speed_preset is not None and name in (None, SESSION.speed_preset):
        run.pace = _chosen()
    else:
        SESSION.speed_preset = None
        run.pace = PRESETS[name].pace if name else None


def _use_choice(run: Run | None, recipe: Recipe | None) -> None:
    """Use the chosen speed for the run, and for later ones of the same preset."""
    SESSION.speed_preset = (preset_of(recipe) if recipe else None) or ""
    if run is not None and lab.owns(run):
        run.pace = _chosen()


def _chosen() -> float | None:
    """Return the pace of the slider."""
    chosen: float = st.session_state.get(_SPEED, pace.FASTEST)
    return None if chosen == pace.FASTEST else chosen
