"""Downloads: each declares what it shows, and one of a private table works only while the table may be opened."""

from collections.abc import Callable
from mimetypes import guess_type
from typing import Any

import streamlit as st

from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.web.access import may_see


def download(label: str, file: str, make: Callable[[], Any], shows: str = "", *of: Recipe, **given: Any) -> None:
    """Draw a download button; a press makes the file if the data of `of` are still open. None without `shows`."""
    check = lab.check_later(*of)

    def made() -> Any:
        check()
        found = make()
        # a byte order mark, without which spreadsheets misread letters beyond ASCII
        return f"\ufeff{found}" if file.endswith(".csv") and not found.isascii() else found

    if may_see(shows, "rows"):
        st.download_button(label, made, file, guess_type(file)[0], on_click="ignore", **given)
