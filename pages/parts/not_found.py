"""What somebody reads who has opened an address that is none of ours."""

from collections.abc import Sequence
from difflib import get_close_matches
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
    if (meant := nearest(name, [page.title for page in pages])) is not None:
        st.page_link(pages[meant], label=f"Did you mean {pages[meant].title}?", query_params=st.query_params.to_dict())
    st.write("These are the pages:")
    with st.container(horizontal=True):
        for page in pages:
            st.page_link(page)


def nearest(name: str, titles: Sequence[str]) -> int | None:
    """The place of the title that somebody may have meant, who cut it off or misspelt it; None where it is none."""
    asked, there = unquote(name).strip().lower(), [title.lower() for title in titles]
    begun = [title for title in there if asked and title.startswith(asked)]
    found = begun or get_close_matches(asked, [title.split()[0] for title in there])
    return next((place for place, title in enumerate(there) if found and title.startswith(found[0])), None)
