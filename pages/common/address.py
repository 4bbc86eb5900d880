"""Choices that live in the address, by names that do not depend on the texts of the page."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from boltzcore.quoting import cut, quoted
from pages.common.words import escape
from pages.web.scripts import component
from pages.web.session import SESSION
from pages.web.unstable import get_script_run_ctx

DISPLAY = "display"  # parameter of every page
SECRETS = "key", "teacher", "screen", "table"  # parameters that grant access
_arrival = component("lab_arrival", "common/arrival.js", "lab-arrival")
_TRACKS = re.compile(r"utm_.*|.*clid")  # added by programs that pass links on


def visit(page: str) -> bool:
    """Return True if a visit to a page begins, before the page is drawn."""
    before, at = SESSION.page, st.query_params.to_dict()
    begins = before != page
    if begins:
        SESSION.page, SESSION.arrived = page, False
        SESSION.address_due = None if before is None else at
    if has_gone_back():
        # Late parameters of the previous page are attached to this path in the browser.
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


def is_arriving() -> bool:
    """True if a page should take its settings from the address, asked once per run: in the first run of a visit, and
    after the browser went back or forward. Later the session wins: the browser may send an outdated address.
    """
    first = not SESSION.arrived
    SESSION.arrived = True
    return first or has_gone_back()


def has_gone_back() -> bool:
    """True if the browser went back or forward to this address."""
    context = get_script_run_ctx()
    return bool(context and context.is_history_navigation)


def unknown_params(keys: Iterable[str], known: Callable[[str], bool]) -> list[str]:
    """Return a sentence on each URL parameter that this page does not know: it may be left over from another one."""
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
            st.warning(escape(f"{key} must be one of {names}, not {quoted(asked)}.{instead}"))
        st.session_state[key] = asked if asked in titles else otherwise
    chosen: str = widget(label, list(titles), format_func=titles.get, key=key, **given)
    return chosen if chosen in titles else otherwise  # a browser may report none, or any other


def choose(key: str, value: Any) -> None:
    """Make this the value of a widget whose key is a parameter of the address."""
    st.session_state[key] = value


def forget(key: str) -> None:
    """Reset a widget whose key is a parameter of the address to its usual value."""
    st.session_state.pop(key, None)
    keep({key: ""})


def arrive_text(key: str, most: int) -> None:
    """Before the text field with this key: take its text from the address, at most `most` characters of it."""
    if not _drawn(key):
        st.session_state[key] = st.query_params.get(key, "")[:most]


def arrive_switch(key: str) -> None:
    """Before the switch with this key: turn it on if the address says 1."""
    if not _drawn(key):
        st.session_state[key] = st.query_params.get(key) == "1"


def keep(choices: Mapping[str, str]) -> None:
    """After widgets: write their choices into the address, as one step of the browser's history. Usual choices, and so
    "", are left out: an address without them means the same.
    """
    now = st.query_params.to_dict() if SESSION.address_due is None else SESSION.address_due
    write({key: value for key, value in (now | choices).items() if value or key not in choices})


def write(wanted: Mapping[str, str]) -> None:
    """Make these the parameters of the address, without secrets if the page is in a frame of another site. If the page
    has just been opened from another one, wait until the browser shows it.
    """
    kept = {key: text for key, text in wanted.items() if key not in SECRETS or not st.context.is_embedded}
    if SESSION.address_due is not None:
        SESSION.address_due = kept
    elif kept != st.query_params.to_dict():
        st.query_params.from_dict(kept)


def _drawn(key: str) -> bool:
    """True if a widget was drawn before and so overrides the address, unless the browser went back or forward."""
    return key in st.session_state and not has_gone_back()
