"""Board of a room for the class, on the teacher's page and on a projector: how to join, the question, its answers, and
the result of the run.
"""

import html
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from pages.common.glossary import link_terms
from pages.common.picture import stills
from pages.common.words import escape
from pages.parts import qr
from pages.rooms import answers, session
from pages.rooms.following import run_params
from pages.rooms.room import Room
from pages.rooms.rounds import Asked
from pages.rooms.verdict import Verdict, verdict_of
from pages.web.scripts import component, run_again

PAGE = "classroom"
DISCUSS = "Discuss with your neighbour. Then vote again."
_count = component("lab_count", "rooms/count.js", "lab-count")
# The invitation stands next to the question, and in one line above it once there are answers or a run to see.
STYLE = """<style>
[data-testid="stMainBlockContainer"]:has(.st-key-class, .st-key-class-folded) { padding-top: 4.25rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-class-title) { position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(50%); }
.lab-room { font-size: clamp(2.2rem, 6vw, 4.5rem); font-weight: 700; letter-spacing: .12em; line-height: 1.1; }
.lab-room-link { font-size: 1.15rem; overflow-wrap: anywhere; }
.lab-room-code { display: block; width: min(100%, 17rem); background: #fff; }
.lab-discuss { font-size: 1.3rem; font-weight: 700; margin: 0; }
.lab-count { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.st-key-class-folded .lab-room { font-size: 1.6rem; display: inline; margin-right: 1rem; }
.st-key-class-folded .lab-room-link { display: inline; }
.st-key-class-folded, .st-key-class-folded .st-key-shown { gap: .5rem; }
.st-key-class-folded .st-key-asked { margin-bottom: .75rem; }
.st-key-class-strip > * { flex: 0 1 auto; width: auto; min-width: 0; }
.st-key-class-strip > [data-testid="stLayoutWrapper"] { margin-left: auto; }
.st-key-class ol, .st-key-answers ol { list-style: upper-alpha; font-size: 1.25rem; margin: .5rem 0 0; }
.st-key-asked h2 { padding: 0; }
.st-key-context p { font-size: 1.1rem; }
.st-key-scene .lab-live .lab-figures > :first-child { display: none; }
.st-key-scene .lab-live[data-route="race"] .lab-lines { grid-area: 21 / 1 / auto / -1; }
.st-key-scene .lab-live[data-route="race"] :is(.beside, .below-rows) { display: none; }
.st-key-class-folded .lab-live .stage .curve .lab-plot { max-height: max(12rem, 100dvh - 31rem); }
.st-key-recall .lab-live :is(.stage, .lab-figures, .lab-lines, .conclusion, .back) { display: none; }
.st-key-recall .lab-live .sheet { width: auto; max-width: 72rem; }
.st-key-recall .lab-live .drawn { width: 100%; height: auto; }
.st-key-answers, .st-key-shown { min-width: 0; }
@media (min-width: 1000px) {
  .st-key-class { display: grid; grid-template-columns: minmax(16rem, 24rem) minmax(0, 1fr); gap: 1rem 2.5rem;
    align-items: start; }
  .st-key-class-halves:has(.st-key-scene) { display: grid; gap: 1rem 2.5rem; align-items: start;
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
}
ANSWERS</style>""".replace("ANSWERS", answers.STYLE)


def join_link(code: str) -> str:
    """Return the address that phones open."""
    at = urlsplit(st.context.url or "")
    base = at.path.rstrip("/").removesuffix(f"/{PAGE}")
    return urlunsplit((at.scheme, at.netloc, f"{base}/join/{code}", "", ""))


def draw_code(room: Room, *, small: bool) -> None:
    """Draw the room's code to type and, if there is room for it, to scan."""
    link = join_link(room.code)
    at = urlsplit(link)
    typed = html.escape(at.netloc + at.path.removesuffix("/" + room.code))
    st.html(
        f'<div class="lab-room" aria-label="Room code">{html.escape(room.code)}</div>'
        f'<div class="lab-room-link">{typed}</div>'
    )
    if small:
        return
    if qr.is_local(link):
        st.caption("Other devices cannot open this link.")
    elif (code := qr.code_of(link)) is not None:
        drawn = code.svg_data_uri(border=qr.MARGIN, light="#fff", omitsize=True)
        st.html(f'<img class="lab-room-code" src="{html.escape(drawn)}" alt="QR code of {html.escape(link)}">')


def draw_counts(room: Room, *, steers: bool) -> None:
    """Show the numbers of phones and answers; the page is drawn again if another one has changed the room.

    steers : whether this is the teacher's page, whose pictures the projector view mirrors
    """
    key = room.key if steers else room.screen
    item = room.plan[room.place] if 0 <= room.place < len(room.plan) else None
    minutes = item.minutes if steers and item is not None and item.subject.asked == room.question else 0
    data = {"room": room.code, "key": key, "turn": room.standing.turn, "steers": steers, "minutes": minutes}
    _count(key="count", data=data | {"height": 32}, on_moved_change=run_again)


def context(asked: Asked) -> None:
    """Draw the context of the question."""
    if asked.about.before:
        with st.container(key="context"):
            st.markdown(link_terms(asked.about.before))


def question(asked: Asked, *, options: bool) -> None:
    """Draw the question, with its answers to choose from."""
    with st.container(key="asked"):
        st.header(escape(asked.text), anchor=False)
        if options:
            draw_options(asked)


def _scene(room: Room, asked: Asked, *, locked: bool = False) -> Any:
    """Draw the scene that answers the question, and have phones show its pictures; return its result."""
    with st.container(key="scene"), stills() as found:
        result = asked.about.scene.draw(locked=locked)
    if not session.is_screen():  # which draws some scenes without the teacher's changes
        room.keep_stills(asked, found)
    return result


def draw_options(asked: Asked) -> None:
    """Draw the answers to choose from."""
    st.html("<ol type='A'>" + "".join(f"<li>{html.escape(option)}</li>" for option in asked.options) + "</ol>")


def draw_reason(room: Room, asked: Asked, verdict: Verdict) -> None:
    """Show the right answer, its votes, and why it is right."""
    sentence, found = verdict.sentence, room.histograms()
    if found and verdict.right is not None and room.standing.revealed:
        right, of = found[-1][asked.options[verdict.right]], sum(found[-1].values())
        sentence += f" {right} of {of} were right."
    with st.container(key="verdict"):
        (st.success if verdict.right is not None else st.info)(escape(sentence))
        if verdict.why:
            st.markdown(link_terms(verdict.why))


def run(room: Room, asked: Asked) -> Any:
    """Draw the scene that answers the question and return its result, None until it has one."""
    before, shown, after = st.container(), st.container(), st.container()
    with shown:
        found = _scene(room, asked)
    if (step := asked.about.lesson_step) is not None:
        # once it runs the curve comes first
        with (after if run_params(asked.about.scene) else before).container(key="try"):
            st.markdown(f"**Try it** · {link_terms(step.to_do)}")
    return found


def draw_columns(room: Room, asked: Asked) -> Verdict | None:
    """Draw the answers, and next to them the scene; return the right answer as far as it is known."""
    standing = room.standing
    with st.container(key="class-halves"):
        left, right = st.container(key="answers"), st.container(key="shown")
    with right:
        found = run(room, asked) if standing.closed and asked.about.scene is not None else None
    with left:
        if standing.discusses:
            st.html(f'<p class="lab-discuss">{DISCUSS}</p>')
        if counts := room.histograms():
            st.html(answers.drawn(counts, room.explained.right if room.explained else None))
        elif not standing.revealed:
            draw_options(asked)
        if room.explained is None:
            context(asked)
        else:
            draw_reason(room, asked, room.explained)
    return verdict_of(asked, found)


def draw(room: Room, asked: Asked, invite: Callable[..., None], act: Callable[[Verdict | None], None]) -> None:
    """Draw a question or a demonstration.

    invite : draws how to join, small or large; act : draws the actions, given the right answer
    """
    standing = room.standing
    # there are answers or a picture to see: the invitation takes one line
    if asked.demonstration or (standing.closed and (standing.revealed or asked.about.scene is not None)):
        with st.container(key="class-folded"):
            with st.container(key="class-strip", horizontal=True, vertical_alignment="center"):
                invite(small=True)
            question(asked, options=False)
            above = st.container()  # the actions depend on the result of the scene
            answer = None
            if asked.demonstration:
                context(asked)
                run(room, asked)
            else:
                answer = draw_columns(room, asked)
            with above:
                act(answer)
        return
    with st.container(key="class"):
        with st.container(key="invitation"):
            invite(small=False)
        with st.container(key="question"):
            question(asked, options=True)
            act(None)
            context(asked)
            if asked.about.lesson and asked.about.scene is not None:
                _scene(room, asked, locked=True)
