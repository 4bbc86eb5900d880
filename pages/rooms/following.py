"""All pages that show a room follow the same run: the one that the teacher has begun on one of them."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.common import lab
from pages.lessons.lesson import Scene
from pages.lessons.scenes import seed_place
from pages.lessons.units import set_clamp
from pages.rooms.room import Room
from pages.web.session import SESSION

_RUN, _RACE, _KEY, _SEED, _HELD, _CHOSEN = "run", "race", "key", "seed", "held", "chosen"


def run_params(scene: Scene) -> dict[str, Any]:
    """Return what this session runs in a scene: a run or a race, with its key if the session has it, else the seed and
    how the unit is held; and the values of the scene's widgets. {} before it is run.
    """
    chosen = {key: st.session_state[key] for key in scene.choices() if key in st.session_state}
    at = {key: value for key, value in scene.parameters().items() if key in (_RUN, _RACE, _KEY)}
    seed = SESSION.scene_seeds.get(seed_place(scene))
    held = SESSION.held_units.get(seed_place(scene), [])
    own = {} if seed is None else {_SEED: str(seed)} | ({_HELD: held[-1]} if held else {})
    return (at or own) | ({_CHOSEN: chosen} if chosen else {})


def follow(room: Room, scene: Scene, *, steers: bool) -> None:
    """Follow the run that another page of the room has begun; or report this page's run to the others.

    steers : whether this is the teacher's page, which may control the run and report it
    """
    there = dict(room.shown)
    if there != SESSION.room_shown or not steers:
        _take(there, scene, steers=steers)
    elif (here := run_params(scene)) != there:
        room.show(here)
    SESSION.room_shown = dict(room.shown)


def _take(there: Mapping[str, Any], scene: Scene, *, steers: bool) -> None:
    """Show the run of another page; a page that steers also controls it, if that page does."""
    key = there.get(_KEY, "") if steers else ""
    if (run := lab.engine().get(there.get(_RUN, ""))) is not None and not run.recipe.private:
        lab.attach(run, key) if run.is_owner(key) else lab.watch(run)
    if (race := lab.engine().races.get(there.get(_RACE, ""))) is not None and not race.private:
        lab.attach(race, key) if race.is_owner(key) else lab.watch(race)
    if _SEED in there:
        SESSION.scene_seeds[seed_place(scene)] = int(there[_SEED])
    if _HELD in there:
        set_clamp(scene, there[_HELD])
    st.session_state.update(there.get(_CHOSEN, {}))
