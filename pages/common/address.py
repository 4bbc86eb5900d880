"""Choices that live in the address, by their names and not by what a reader sees of them."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from boltzcore.quoting import cut, quoted
from pages.common.words import plain
from pages.web.scripts import component
from pages.web.session import SESSION
from pages.web.unstable import get_script_run_ctx

DISPLAY = "display"  # parameter that every page has
SECRETS = "key", "teacher", "screen", "table"  # parameters that open what is not for everyone
_arrival = component("lab_arrival", "common/arrival.js", "lab-arrival")
_TRACKS = re.compile(r"utm_.*|.*clid")  # what programs that pass links on hang on to them: nobody's mistake


def visit(page: str) -> bool:
    """Return True if a visit to a page begins, before the page is drawn."""
    before, at = SESSION.page, st.query_params.to_dict()
    begins = before != page
    if begins:
        SESSION.page, SESSION.arrived = page, False
        SESSION.address_due = None if before is None else at
    if went_back():
        # Parameters that the page before sent late stand behind this path in the browser.
        SESSION.address_due = None
        st.query_params.from_dict(at)
    return begins


@st.fragment
def wait_for_browser() -> None:
    """Write the address of a page once the browser shows it."""
    _arrival(key="arrival", data={}, on_shown_change=_write_due)


def _write_due() -> None:
    if (due := SESSION.address_due) is not None:
        SESSION.address_due = None
        st.query_params.from_dict(due)


def arriving() -> bool:
    """True if a page should take its settings from the address, asked once per run: in the first run of a visit, and
    after the browser went back or forward. Later the session wins: the browser may send an outdated address.
    """
    first = not SESSION.arrived
    SESSION.arrived = True
    return first or went_back()


def went_back() -> bool:
    """True if the browser went back or forward to this address."""
    context = get_script_run_ctx()
    return bool(context and context.is_history_navigation)


def strange(keys: Iterable[str], known: Callable[[str], bool]) -> list[str]:
    """A sentence on each URL parameter that means nothing on this page: it may be what is left of another one."""
    return [
        f"{quoted(cut(key))} in the link is not a parameter of this page and is ignored."
        for key in keys
        if not known(key) and key != DISPLAY and not _TRACKS.fullmatch(key)
    ]


def choice(
    widget: Callable[..., Any], label: str, titles: Mapping[str, str], key: str, *, otherwise: str, **given: Any
) -> str:
    """Draw a widget whose choice is a parameter of the address, and return the choice.

    titles : {choice: its title}; otherwise : the usual choice, which is taken with a warning if the address has none
        of these; given : to the widget
    """
    if not _drawn(key):
        asked = st.query_params.get(key, otherwise)
        if asked not in titles:
            instead = f" {otherwise} is used instead." if otherwise else ""
            names = ", ".join(filter(None, titles))
            st.warning(plain(f"{key} must be one of {names}, not {quoted(asked)}.{instead}"))
        st.session_state[key] = asked if asked in titles else otherwise
    chosen: str = widget(label, list(titles), format_func=titles.get, key=key, **given)
    return chosen if chosen in titles else otherwise  # a browser may report none, or any other


def chosen(key: str, otherwise: Any) -> Any:
    """The value of a widget whose key is a parameter of the address; `otherwise` before it was drawn."""
    return st.session_state.get(key, otherwise)


def choose(key: str, value: Any) -> None:
    """Make this the value of a widget whose key is a parameter of the address."""
    st.session_state[key] = value


def forget(key: str) -> None:
    """Let a widget whose key is a parameter of the address begin with its usual value."""
    st.session_state.pop(key, None)
    keep({key: ""})


def arrive_text(key: str, most: int) -> None:
    """Before the text field with this key: take its text from the address, at most so many characters of it."""
    if not _drawn(key):
        st.session_state[key] = st.query_params.get(key, "")[:most]


def arrive_switch(key: str) -> None:
    """Before the switch with this key: it is on where the address says 1."""
    if not _drawn(key):
        st.session_state[key] = st.query_params.get(key) == "1"


def keep(choices: Mapping[str, str]) -> None:
    """After widgets: write their choices into the address, as one step of the browser's history. What is as it usually
    is, and so "", is left out: an address without it means the same.
    """
    now = st.query_params.to_dict() if SESSION.address_due is None else SESSION.address_due
    wanted = {key: value for key, value in (now | choices).items() if value or key not in choices}
    write(wanted)


def write(wanted: Mapping[str, str]) -> None:
    """Make these the parameters of the address, without secrets if the page is in a frame of another site; once the
    browser shows the page if that has just been opened from another one.
    """
    kept = {key: text for key, text in wanted.items() if key not in SECRETS or not st.context.is_embedded}
    if SESSION.address_due is not None:
        SESSION.address_due = kept
    elif kept != st.query_params.to_dict():
        st.query_params.from_dict(kept)


def _drawn(key: str) -> bool:
    """True if a widget was drawn before and so overrides the address, unless the browser went back or forward."""
    return key in st.session_state and not went_back()
