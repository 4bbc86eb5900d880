"""How a page is shown to others, as its address says: with parts of it hidden, or large, for the wall of a room.

`hide` lists parts of the page that the address is of; `display` says how every page of a visit is shown. Within another
site a page is shown by Streamlit's own `embed=true`. What is hidden is drawn, and not shown: no setting depends on it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from boltzcore.quoting import cut, quoted
from pages.common import address
from pages.common.address import DISPLAY, HIDE
from pages.web.scripts import text_of

PROJECTOR = "projector"
EMBED = {"embed": "true"}  # what an address has beside, for a frame within another site
_HIDDEN, _DISPLAY, _REFUSED = "hidden parts", "display", "what of showing was refused"
_HERE = Path(__file__).parent
_PROJECTED = text_of(_HERE, "projector.css")
_ALONE = text_of(_HERE, "alone.css")
_WITHIN = text_of(_HERE, "within.css")
_SPEED = "speed"  # a part that takes more room than a frame within another site has


@dataclass(frozen=True)
class Part:
    """A part of a page that an address may hide.

    title : what the page calls it; where : CSS selectors of all of it; beside : CSS of what else changes
    """

    title: str
    where: tuple[str, ...]
    beside: str = ""

    @property
    def css(self) -> str:
        """The rules that hide it."""
        return f"{', '.join(self.where)} {{ display: none !important; }}\n{self.beside}"


def _keyed(*keys: str) -> tuple[str, ...]:
    """Selectors of elements and containers with these keys, and of the box that Streamlit wraps a container in."""
    classes = [f".st-key-{key}" for key in keys]
    return *classes, *(f'[data-testid="stLayoutWrapper"]:has(> {each})' for each in classes)


def _field(key: str) -> tuple[str, ...]:
    """Selectors of the column that holds a field."""
    return (f'[data-testid="stColumn"]:has([class*="st-key-{key}"])',)


_SHARE = Part("Share", _keyed("share", "share-lesson", "share-race", "share-picture"))
_PANELS = ".lab-live :is(.beside, .below-rows)"
_ALL_WIDE = ".lab-live .stage { grid-template-columns: minmax(0, 1fr); }"

PARTS: Mapping[str, Mapping[str, Part]] = {  # {page: {name in an address: part}}
    "learn": {
        "reason": Part("Your reason", ('[class*="st-key-reason-"]',)),
        "skip": Part("Skip", _keyed("skip-step")),
        "lessons": Part(
            "All lessons",
            (
                *_keyed("all-lessons", "leave-lesson", "next-lesson"),
                ':is([data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"])[href$="/learn"]',
            ),
        ),
        "class": Part("Ask a class", ('.st-key-way [data-testid="stPageLink"]',)),
        "share": _SHARE,
    },
    "train": {
        "settings": Part("All settings", (*_keyed("settings"), '.st-key-line [data-testid="stButton"]')),
        "preset": Part("Preset", _field("choose-preset")),
        "data": Part("Data", _field("choose-data")),
        "model": Part("Model", _field("choose-model")),
        "learner": Part("Learner", _field("choose-learner")),
        "more-settings": Part("More settings", _keyed("more-settings")),
        "speed": Part("Speed", _keyed("speed", "whole-training")),
        "pins": Part("Pin and unpin", _keyed("pin-this", "unpin-this", "unpin-some")),
        "inside": Part("Look inside", _keyed("look-inside")),
        "look-for": Part("What to look for", _keyed("look-for")),
        "diagnosis": Part("Diagnosis", _keyed("diagnosis")),
        "pictures": Part("Pictures beside and below the curve", (_PANELS,), _ALL_WIDE),
        "share": _SHARE,
    },
    "step": {
        "choice": Part("Model and step", ('.st-key-chosen [data-testid="stColumn"]:not(:first-child)',)),
        "look-for": Part("What to look for", _keyed("step-look-for")),
        "train": Part("Train this yourself", ('.st-key-step [data-testid="stPageLink"]',)),
    },
    "compare": {
        "question": Part("Question", _keyed("question")),
        "contenders": Part("Contenders", (*_keyed("contenders"), '.st-key-line [data-testid="stButton"]')),
        "rules": Part("Trials and cost", _keyed("rules")),
        "speed": Part("Speed", _keyed("race-speed")),
        "targets": Part("Levels reached", (".st-key-seen .lab-live .beside",)),
        "models": Part("What each has learnt", (".st-key-seen .lab-live .below-rows",)),
        "share": _SHARE,
    },
    "denoise": {
        "settings": Part("Damage, models and inference", _keyed("controls")),
        "errors": Part("How good is it?", _keyed("errors")),
        "downloads": Part("Downloads", _keyed("downloads")),
        "completions": Part("Completion by completion", _keyed("singly")),
        "reasons": Part("Why is this pixel on, or off?", _keyed("reasons")),
        "iterations": Part("Iteration by iteration", _keyed("iterations")),
        "share": _SHARE,
    },
}


def arrive(page: str, query: Mapping[str, str], *, history: bool) -> None:
    """Take from the address what of a page is hidden, and how it is shown; where it says nothing, all stays as it is
    in this session.

    history : the browser went back or forth, so that an address without them means none
    """
    refused = []
    if HIDE in query or history:
        hidden, sentences = _read(page, query.get(HIDE, ""))
        st.session_state.setdefault(_HIDDEN, {})[page] = hidden
        refused += sentences
    if DISPLAY in query or history:
        asked = query.get(DISPLAY, "")
        st.session_state[_DISPLAY] = asked if asked == PROJECTOR else ""
        if asked not in ("", PROJECTOR):
            refused.append(f"{DISPLAY} must be {PROJECTOR}, not {quoted(cut(asked))}.")
    st.session_state[_REFUSED] = refused


def _read(page: str, text: str) -> tuple[tuple[str, ...], list[str]]:
    """(parts of a page that a list hides, a sentence where it names something else)."""
    known, names = PARTS.get(page, {}), [name.strip() for name in text.split(",") if name.strip()]
    wrong = [name for name in names if name not in known]
    hidden = tuple(name for name in known if name in names)
    if not wrong:
        return hidden, []
    allowed = f"must list some of {', '.join(known)}" if known else "must be left out on this page"
    return hidden, [f"{HIDE} {allowed}, not {quoted(cut(wrong[0]))}."]


def refused() -> list[str]:
    """What of it could not be taken, a sentence each."""
    return st.session_state.get(_REFUSED, [])


def hidden(page: str) -> tuple[str, ...]:
    """The parts of a page that are hidden."""
    return st.session_state.get(_HIDDEN, {}).get(page, ())


def projected() -> bool:
    """Whether pages are shown large, without navigation."""
    return st.session_state.get(_DISPLAY) == PROJECTOR


def alone() -> bool:
    """Whether pages are shown without what stands around them: on a projector, and within another site."""
    return projected() or bool(st.context.is_embedded)


def usual() -> None:
    """Show pages as they usually are."""
    st.session_state[_DISPLAY] = ""


def hiding(names: Iterable[str]) -> dict[str, str]:
    """What an address says to hide these parts."""
    return {HIDE: text} if (text := ",".join(names)) else {}


def parameters() -> dict[str, str]:
    """What the address of the page that is drawn says of all this."""
    return hiding(hidden(address.here())) | ({DISPLAY: PROJECTOR} if projected() else {})


def link(query: Mapping[str, str], shown: Mapping[str, str] | None = None) -> str:
    """The address of the page that is drawn, with these parameters.

    shown : what it says of how the page is shown; None hides what is hidden here, on a screen as it usually is
    """
    told = hiding(hidden(address.here())) if shown is None else shown
    return f"{(st.context.url or '').partition('?')[0]}?{urlencode({**query, **told}, safe=':;,=')}".removesuffix("?")


def css(page: str) -> str:
    """The rules of how a page is shown."""
    parts, names = PARTS.get(page, {}), set(hidden(page))
    files = [*([_ALONE] if alone() else []), *([_PROJECTED] if projected() else [])]
    if st.context.is_embedded:
        files.append(_WITHIN)
        names |= {_SPEED} & parts.keys()
    return "\n".join([*files, *(parts[name].css for name in parts if name in names)])
