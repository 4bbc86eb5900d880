"""Choices that live in the address, by their names and not by what a reader sees of them."""

from collections.abc import Iterable

import streamlit as st

from boltzcore.quoting import quoted
from pages.parts.words import plain


def arrive(key: str, options: Iterable[str], *, otherwise: str) -> None:
    """Before the widget with this key: take its choice from the address, and say aloud what cannot be taken."""
    if key in st.session_state:
        return
    asked, there = st.query_params.get(key, otherwise), list(options)
    if asked not in there:
        st.warning(plain(f"{key} must be one of {', '.join(there)}, not {quoted(asked)}."))
    st.session_state[key] = asked if asked in there else otherwise


def keep(key: str, value: str) -> None:
    """After the widget: write its choice into the address."""
    if st.query_params.get(key) != value:
        st.query_params[key] = value
