"""Preset that a setting is, and what to look for in it."""

import re
from collections.abc import Sequence

import streamlit as st

from boltzcore.jobs.engine import Run
from boltzcore.registry import info_of
from boltzcore.training import presets
from boltzcore.training.presets import PRESETS
from boltzcore.training.recipe import NAMED, Recipe
from pages.common import lab
from pages.common.glossary import link_terms
from pages.common.setting import select
from pages.figures import naming
from pages.parts.form import SETTING
from pages.web.session import SESSION

UNLISTED = "your own"
# One of each model, and a training that fails.
FEATURED = "handwriting", "hidden-patch", "senate", "too-fast", "units-arrive", "ising-terms"
IN_A_ROW = 3


def preset_of(recipe: Recipe | None) -> str:
    """Return the preset of a recipe with any seed."""
    return (presets.preset_of(recipe) if recipe is not None else None) or UNLISTED


def question(recipe: Recipe | None) -> str:
    """Return the question of a recipe's preset; "" if it has none."""
    name = preset_of(recipe)
    return PRESETS[name].title if name in PRESETS else ""


def find_preset(recipe: Recipe | None, pinned: Sequence[Run]) -> tuple[str, str]:
    """Return (preset, heading) of the text to show: that of the setting, else that of the first pinned training which
    it can be compared with.
    """
    heading = "What to look for"
    if (name := preset_of(recipe)) == UNLISTED and recipe is not None:
        beside = (each.recipe for each in pinned if not naming.incomparable(each.recipe, recipe))
        if (first := next(beside, None)) is not None:
            return preset_of(first), f"{heading}, with the pinned run"
    return name, heading


def readable(recipe: Recipe | None) -> Recipe | None:
    """Return the setting or, while something in it is refused, the last valid one, so that what depends on it stays in
    its place.

    None if that one is of another model, other data or another learner, or of a table that is closed by now.
    """
    if recipe is not None:
        SESSION.readable = recipe
    elif SESSION.readable is not None and not lab.may_use(SESSION.readable):
        SESSION.readable = None
    last = SESSION.readable
    names = {} if last is None else last.to_query()
    return last if all(SETTING.texts()[what] == names.get(what) for what in NAMED) else None


def choose_preset(name: str, *, disabled: bool) -> None:
    titles = {key: preset.title for key, preset in PRESETS.items()} | {UNLISTED: "Custom settings"}
    there = [*PRESETS, *([UNLISTED] if name == UNLISTED else [])]
    about = "A ready-made run with all its settings."

    def put_preset(chosen: str) -> None:
        if chosen != UNLISTED:
            SETTING.put(PRESETS[chosen].recipe.to_query())

    select("choose preset", "Preset", there, titles, name, help=about, on_pick=put_preset, disabled=disabled)


def look_for(recipe: Recipe | None, pinned: Sequence[Run]) -> None:
    """Draw what to look for in the preset of the setting, for a row of the page."""
    name, heading = find_preset(readable(recipe), pinned)
    if name != UNLISTED:
        with st.popover("What to look for"):
            st.markdown(f"**{heading}:** {link_terms(PRESETS[name].look_for)}")


def offer() -> None:
    """Draw six presets to open, the others behind one button."""
    st.header("Or start with a question", anchor=False)
    with st.container(key="questions"):
        _cards(FEATURED)
        with st.expander("More questions"):
            _cards([name for name in PRESETS if name not in FEATURED])


def _cards(names: Sequence[str]) -> None:
    for first in range(0, len(names), IN_A_ROW):
        for column, name in zip(st.columns(IN_A_ROW), names[first : first + IN_A_ROW], strict=False):
            preset = PRESETS[name]
            key = f"family-{info_of(preset.recipe.learner).family}-{name}"  # its hue is that of the family
            with column, st.container(border=True, height="stretch", key=key):
                st.page_link("train.py", label=preset.title, query_params={"preset": name})
                st.caption(f"{re.split(r'[.:] ', preset.about)[0].removesuffix('.')}.")
