"""How fast the training goes, for its owner to say: one slider, and one switch for all of it in about 20 s."""

from contextlib import suppress

import streamlit as st

from boltzcore.jobs import pace
from boltzcore.jobs.engine import Run
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS, preset_of
from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.web.session import SESSION

WIDTH = 190  # pixels of the slider, and of the narrowest screen what is left beside its margins
_SPEED, _WHOLE = "speed", "whole training"


def speed(run: Run | None, recipe: Recipe | None, *, mine: bool) -> None:
    """The slider and the switch, for a row of the page.

    recipe : of the form, None while something in it cannot be taken
    mine : whether this session may control the run
    """
    if _SPEED not in st.session_state:  # the controls forget their values when another page opens
        SESSION.speed_preset = None
    if run is not None:  # as it is now: a reload shows it, and somebody else who watches
        _put(_SPEED, pace.offered(run.pace))
        _put(_WHOLE, run.pace is not None and run.pace == _lasting(run))
    st.select_slider(
        "Speed, updates/s",
        pace.PACES,
        value=None if _SPEED in st.session_state else pace.FASTEST,
        key=_SPEED,
        format_func=_written,
        on_change=_asked,
        args=(run, recipe, False),
        disabled=not mine,
        width=WIDTH,
        help="The maximum number of updates per second. Slow down to watch single updates; the results do not change.",
    )
    st.toggle(
        f"Fit the run into {pace.SHOW:g} s",
        key=_WHOLE,
        on_change=_asked,
        args=(run, recipe, True),
        disabled=not mine or recipe is None or not recipe.data.at_hand(),
        help=f"Runs at a speed that takes about {pace.SHOW:g} seconds in all, or at maximum speed if that takes "
        "longer.",
    )


def held_back(run: Run) -> None:
    """Give a new run of this session the speed of its preset, or the one that was asked for the same preset or for any
    settings that are no preset.
    """
    name = preset_of(run.recipe)
    if _SPEED in st.session_state and SESSION.speed_preset is not None and name in (None, SESSION.speed_preset):
        run.pace = _chosen(run)
    else:
        SESSION.speed_preset = None
        run.pace = PRESETS[name].pace if name else None


def _asked(run: Run | None, recipe: Recipe | None, whole: bool) -> None:
    """What was moved counts; the other control follows it."""
    SESSION.speed_preset = (preset_of(recipe) if recipe else None) or ""
    if not whole:
        st.session_state[_WHOLE] = False
    elif not st.session_state[_WHOLE]:
        st.session_state[_SPEED] = pace.FASTEST
    if run is not None and lab.owns(run):
        run.pace = _chosen(run)


def _chosen(run: Run) -> float | None:
    """The pace that the controls say."""
    if st.session_state.get(_WHOLE, False):
        return _lasting(run)
    chosen: float = st.session_state.get(_SPEED, pace.FASTEST)
    return None if chosen == pace.FASTEST else chosen


def _put(key: str, value: float | bool) -> None:
    """Give a control this value, unless it has it: what is put there goes to the browser, also while somebody drags."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _lasting(run: Run) -> float | None:
    """The pace of the switch; None where the data are not there yet, or do not fit, as the run itself will say."""
    recipe, budget = run.recipe, run.snapshot.budget
    with suppress(ValueError):
        if budget or recipe.data.at_hand():
            return max(1, budget or PreparedData.from_recipe(recipe).budget(recipe)) / pace.SHOW
    return None


def _written(speed: float) -> str:
    return "Maximum" if speed == pace.FASTEST else f"{speed:,g}"
