"""Downloads: each declares what it shows, and of a private table each is for who may open it."""

from collections.abc import Callable
from mimetypes import guess_type
from typing import Any

import streamlit as st

from boltzcore.figures.showing import may_see
from boltzcore.runs.recipe import Recipe
from pages.common import lab


def download(label: str, file: str, make: Callable[[], Any], shows: str = "", *of: Recipe, **given: Any) -> None:
    """A button for a file that is made when it is pressed, if the data of what it is `of` are open to this session
    still. None where it is not declared what the file shows.
    """
    checks = [lab.check_later(recipe) for recipe in of]

    def made() -> Any:
        for check in checks:
            check()
        return make()

    if may_see(shows, "rows"):
        st.download_button(label, made, file, guess_type(file)[0], on_click="ignore", **given)
