"""Downloads: each declares what it shows, and of a private table each is for who may open it."""

from collections.abc import Callable
from mimetypes import guess_type
from typing import Any

import streamlit as st

from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.web.showing import may_see


def download(label: str, file: str, make: Callable[[], Any], shows: str = "", *of: Recipe, **given: Any) -> None:
    """A button for a file, made when pressed if the data of what it is `of` are open then; none without `shows`."""
    check = lab.check_later(*of)

    def made() -> Any:
        check()
        return make()

    if may_see(shows, "rows"):
        st.download_button(label, made, file, guess_type(file)[0], on_click="ignore", **given)
