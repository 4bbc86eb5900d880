"""Display of a page for others, as its address says: large, for a projector, or embedded in another site.

`display=projector` holds for every page of a visit; `embed=true` is Streamlit's own parameter.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from boltzcore.quoting import cut, quoted
from pages.common.address import DISPLAY
from pages.web.session import SESSION

PROJECTOR = "projector"
_HERE = Path(__file__).parent
_PROJECTED = (_HERE / "projector.css").read_text(encoding="utf-8")
_ALONE = (_HERE / "alone.css").read_text(encoding="utf-8")
_WITHIN = (_HERE / "within.css").read_text(encoding="utf-8")


def arrive(query: Mapping[str, str], *, history: bool) -> None:
    """Take the display of pages from the address; without one in the address the session's stays.

    history : the browser went back or forward, so that an address without `display` means the usual display
    """
    SESSION.refused[DISPLAY] = []
    if DISPLAY in query or history:
        asked = query.get(DISPLAY, "")
        SESSION.display = asked if asked == PROJECTOR else ""
        if asked not in ("", PROJECTOR):
            SESSION.refused[DISPLAY] = [f"{DISPLAY} must be {PROJECTOR}, not {quoted(cut(asked))}."]


def is_projected() -> bool:
    """True if pages are shown large, without navigation."""
    return SESSION.display == PROJECTOR


def is_bare() -> bool:
    """True if pages are shown without their surroundings: on a projector, or embedded in another site."""
    return is_projected() or bool(st.context.is_embedded)


def usual() -> None:
    """Show pages as they usually are."""
    SESSION.display = ""


def parameters() -> dict[str, str]:
    """Return the parameters of the address that keep the display."""
    return {DISPLAY: PROJECTOR} if is_projected() else {}


def link(query: Mapping[str, str]) -> str:
    """Return the address of the page that is drawn, with these parameters."""
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode(query, safe=':;,=')}".removesuffix("?")


def css() -> str:
    """Return the rules of the display."""
    shown = [*([_ALONE] if is_bare() else []), *([_PROJECTED] if is_projected() else [])]
    return "\n".join([*shown, *([_WITHIN] if st.context.is_embedded else [])])
