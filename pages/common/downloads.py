"""Downloads: each declares what it shows, and of a private table each is for who may open the table."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from boltzcore.figures.showing import ROWS, Shows, may_see
from boltzcore.runs.recipe import Recipe
from pages.common import lab

BYTES = "application/octet-stream"


def download(
    label: str,
    make: Callable[[], str | bytes],
    file: str,
    mime: str,
    *,
    shows: Shows | None = None,
    recipes: tuple[Recipe, ...] = (),
    **given: Any,
) -> None:
    """A button for a file that is made when it is pressed; none where it is not declared what the file shows.

    recipes : what it is made of, whose data are to be open to this session still when it is pressed
    """
    checks = [lab.check_later(recipe) for recipe in recipes]

    def made() -> str | bytes:
        for check in checks:
            check()
        return make()

    if may_see(shows, ROWS):
        st.download_button(label, made, file, mime, on_click="ignore", **given)
