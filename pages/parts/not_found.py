"""What somebody reads who has opened an address that is none of ours."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import streamlit as st

from boltzcore.quoting import quoted
from pages.common.words import plain

TITLE = "No such page"


def not_found(name: str, pages: Sequence[Any]) -> None:
    """What was not understood, and where to go.

    name : the path that was asked for; pages : those that there are
    """
    st.title(TITLE, anchor=False)
    st.write(plain(f"There is no page {quoted(unquote(name))} here: the address is wrong, or cut off."))
    st.write("These are the pages:")
    with st.container(horizontal=True):
        for page in pages:
            st.page_link(page)
