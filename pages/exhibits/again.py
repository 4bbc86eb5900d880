"""Making a study again on this server: how far it is, its buttons, and what came out. One is under way for all who look
at it; who has begun it may halt it.
"""

from collections.abc import Callable

import streamlit as st

from boltzcore.papers import again
from boltzcore.papers.stored import StoredResult
from boltzcore.quoting import explained, span
from boltzcore.runs.stopwatch import Left
from boltzcore.runs.work import Work
from pages.common import lab, members
from pages.common.words import plain
from pages.live.run_frame import WORDS, left

EVERY = 1.0  # seconds between two looks at a study that moves
STUDY, KEY = "study", "key"  # of the address
CANCEL = "Rows that are made are kept."
_KEYS, _SAID = "keys of studies", "what was refused of a study"


def arrive() -> None:
    """Let this session halt the study whose key the address carries."""
    name, key = st.query_params.get(STUDY, ""), st.query_params.get(KEY)
    if (work := work_of(name)) is not None and work.owned_by(key) and key:
        _keys()[name] = key


def parameters() -> dict[str, str]:
    """What the address says of the study that this session has begun last, so that it may halt it after a reload."""
    name, key = next(((name, key) for name, key in reversed(_keys().items()) if owns(name)), ("", ""))
    return {STUDY: name, KEY: key}


def work_of(name: str) -> Work | None:
    """A study that was made again since the server began; None where none was."""
    return lab.engine().works.get(name)


def owns(name: str) -> bool:
    """Whether this session has begun it, and may halt it."""
    work = work_of(name)
    return work is not None and work.owned_by(_keys().get(name))


def standing(work: Work | None) -> tuple[str, str]:
    """What the script draws around a study that is made again; where it becomes another, the script has to run."""
    if work is None:
        return "", ""
    return "moving" if work.moving else work.snapshot.status, work.snapshot.reason


def say(name: str, made: StoredResult | None) -> None:
    """How far a study is that is made again, and what came out."""
    work = work_of(name)
    if work is not None and not work.over:
        snapshot = work.snapshot
        rest = f", {left(Left(snapshot.left))}" if snapshot.left is not None and work.moving else ""
        status = WORDS.get(snapshot.status, snapshot.status.capitalize())
        st.progress(min(snapshot.share, 1.0), f"Made again here: {status.lower()}, {snapshot.share:.0%}{rest}")
    if work is not None and work.snapshot.reason:
        st.warning(plain(work.snapshot.reason))
    if made is None:
        return
    equal, rows = again.equal_rows(made), len(made.rows)
    by = "by this code" if made.by_this_code else "by another version of the code"
    whole = "" if made.finished else ", not yet all"
    same = f" {equal} of them equal the stored ones of this scale, except for the seconds." if equal is not None else ""
    took = span(made.provenance.seconds)
    st.caption(
        f"Made again here at {made.scale} scale: {rows} rows{whole}, in {took}, {by}, on "
        f"{plain(made.provenance.date)}.{same}"
    )


def buttons(key: str, name: str, offered: again.Offer) -> None:
    """What begins a study here, and halts it.

    key : of the exhibit and the study
    """
    work, mine = work_of(name), owns(name)
    if work is not None and work.moving:
        st.button("Pause", key=f"pause {key}", on_click=work.pause, disabled=not mine)
        st.button("Cancel", key=f"cancel {key}", on_click=work.cancel, disabled=not mine, help=CANCEL)
        return
    halted = work is not None and not work.over
    label, about = ("Go on", "") if halted else ("Make it again here", _about(offered))
    st.button(label, key=f"again {key}", on_click=_begin, args=(name,), disabled=not offered.scale, help=about or None)
    if halted and work is not None:
        st.button("Cancel", key=f"cancel {key}", on_click=work.cancel, disabled=not mine, help=CANCEL)


def refused(name: str) -> str:
    """Why a study was not begun just now; "" where it was, or nobody asked."""
    said: dict[str, str] = st.session_state.setdefault(_SAID, {})
    return said.pop(name, "")


def _about(offered: again.Offer) -> str:
    """How long it takes, for who thinks of making it; "" where it is not made here."""
    if offered.refusal:
        return ""
    return f"At {offered.scale} scale, which took {span(offered.seconds)} where its result was stored."


def _begin(name: str) -> None:
    before = work_of(name)
    try:
        members.check()
        work = again.begin(lab.engine(), name)
    except (ValueError, OSError) as refusal:
        st.session_state.setdefault(_SAID, {})[name] = explained(refusal, "It could not be begun")
        return
    if work is not before:
        _keys().pop(name, None)  # the newest comes last
        _keys()[name] = work.key


def watched(name: str, draw: Callable[[StoredResult | None], None]) -> None:
    """What `draw` draws of what was made again so far, and how far that is: anew each second while it moves."""
    work = work_of(name)
    moving = work is not None and work.moving
    st.fragment(_watched, run_every=EVERY if moving else None)(name, draw, standing(work))


def _watched(name: str, draw: Callable[[StoredResult | None], None], drawn: tuple[str, str]) -> None:
    work = work_of(name)
    if standing(work) != drawn:
        st.rerun()
    if work is not None:
        work.touch()
    made = again.made(name)
    draw(made)
    say(name, made)


def _keys() -> dict[str, str]:
    return st.session_state.setdefault(_KEYS, {})
