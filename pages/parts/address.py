"""Choices that live in the address, by their names and not by what a reader sees of them."""

from collections.abc import Iterable

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from boltzcore.quoting import quoted
from pages.parts.words import plain

_PAGE, _ARRIVED = "page", "arrived"


def visit(page: str) -> None:
    """Before a page is drawn: a visit begins where another one was drawn before."""
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        st.session_state.pop(_ARRIVED, None)


def arriving() -> bool:
    """Whether a page is to take its setting from the address, asked once in each run: in the first run of a visit, and
    where the browser went back or forth. Later the session goes first: the browser may send an address of before.
    """
    first = _ARRIVED not in st.session_state
    st.session_state[_ARRIVED] = True
    return first or went_back()


def went_back() -> bool:
    """Whether the browser went back or forth to this address."""
    context = get_script_run_ctx()
    return bool(context and context.is_history_navigation)


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
