"""The projector view of a room: for the class, without controls and without the teacher's key."""

from functools import partial

import streamlit as st

from pages.common.setting import mirror
from pages.rooms import board, following, session
from pages.rooms.room import Room

# Controls, and parts that are unreadable from afar.
STYLE = """<style>
.st-key-leave-projector, .st-key-scene :is([data-testid="stButton"], [data-testid="stPageLink"]),
.lab-live :is(.back, .film, .choices, .corner, .about), .st-key-answers .st-key-context,
.lab-terrain :is(input, .acts), .lab-three :is(input, .acts),
.lab-inside :is(.keys, .scrub, .look-at, .formula, .legend), .st-key-try, .st-key-scene .lab-live > .lab-light,
.st-key-scene .lab-live .lab-figures > :nth-child(n + 4),
.st-key-class-folded:not(:has(.st-key-class-halves)) .lab-live:has(.beside .panel) .below-rows,
.st-key-scene [data-testid="stMarkdownContainer"] a { display: none !important; }
.st-key-question, .st-key-class-folded { zoom: var(--fit, 1); }
.st-key-scene :is(.lab-three, .lab-terrain, .lab-inside, .lab-live, [data-testid="stRadio"]) { pointer-events: none; }
@media (min-width: 1600px) { :root:root:has(.st-key-class-folded) { --lab-larger: 2; } }
[data-testid="stLayoutWrapper"]:has(> [data-testid="stHorizontalBlock"] > :only-child [data-testid="stButton"]) {
  display: none; }
[data-testid="stMain"] [data-testid="stMainBlockContainer"] { padding-block: 1rem 0; }
.st-key-class .lab-room-code { width: min(100%, 24rem, 55vh); }
.st-key-class .st-key-context p { font-size: 1.35rem; padding-top: .5rem; }
.st-key-class .st-key-asked h2 { font-size: 2.1rem; }
.st-key-class .st-key-asked ol { font-size: 1.7rem; line-height: 1.5; }
.st-key-scene .lab-three { grid-template-columns: minmax(9rem, 2fr) minmax(0, 5fr); zoom: 1.3; }
.st-key-scene .lab-three output { text-align: left; font-weight: 700; }
.st-key-scene .lab-inside { --lab-larger: 1.3; }
.st-key-scene .lab-inside .words { min-height: 2lh; }
.st-key-class .st-key-scene .lab-three { zoom: 1.6; }
.st-key-scene .lab-three:has(.pulls) { zoom: 1; grid-template-columns: minmax(6rem, 1fr) minmax(0, 5fr); }
.st-key-scene .shown:has(.pulls) { display: grid; grid-template-columns: 3fr 2fr; gap: 0 2rem; }
.st-key-scene div:has([data-testid="stImage"]), .st-key-scene [data-testid="stImage"] :is(div, img),
.st-key-scene [data-testid="stImage"],
.st-key-class-folded:not(:has(.st-key-class-halves)) .beside :is(.sheet, img.drawn) { width: 100% !important; }
.st-key-scene [data-testid="stImage"] img { max-height: calc(100dvh - 13rem); object-fit: contain; outline: 0;
  object-position: left; }
.st-key-scene [data-testid="stElementContainer"]:has(img):has(~ * img) img { max-height: 30dvh; }
.st-key-class-folded .lab-live .stage:has(.beside .panel) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
/* What is to be discussed, and the answer, in the whole width; below it the bars, and the picture beside them. */
.st-key-class-folded .st-key-class-halves { grid-template: auto auto 1fr / minmax(0, 1fr) minmax(0, 2.5fr) !important;
  display: grid; gap: .5rem 2rem !important; }
.st-key-class-halves > :has(> .st-key-answers), .st-key-answers { display: contents; }
.st-key-class-halves > :has(> .st-key-shown) { grid-area: 2 / 2 / span 2; }
.st-key-answers > * { grid-area: 2 / 1; }
.st-key-answers > :has(> .st-key-context) { grid-area: 3 / 1; }
.st-key-answers > :is(:has(.lab-discuss), :has(> .st-key-verdict)) { grid-area: 1 / 1 / auto / -1; }
.st-key-scene .pulls, .st-key-class-halves:not(:has(.st-key-scene)) .st-key-answers > * { grid-column: 1 / -1; }
.st-key-class-folded .st-key-verdict { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 2.5fr);
  gap: .5rem 2rem; }
.st-key-verdict [data-testid="stAlertContainer"] { padding: .5rem; }
.st-key-verdict [data-testid="stAlertContainer"] p { font-size: 1.2rem; font-weight: 700; }
@media (min-width: 1000px) {
  .st-key-question:has(.st-key-context) { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
    gap: .5rem 2rem; }
  .st-key-question > :has(> .st-key-asked), .st-key-question .st-key-asked { display: contents; }
  .st-key-question :is(:has(> .st-key-scene), .st-key-asked > :has(h2)) { grid-column: 1 / -1; }
}
.st-key-class-folded :is(h2, .lab-room) { font-size: 1.3rem !important; }
.st-key-class-folded :is(.lab-count, .lab-room-link) { font-size: 1rem; }
.st-key-class-folded .lab-answers { font-size: .8em; }
.st-key-class-joining { align-items: center; }
.st-key-class-joining .lab-room { font-size: min(16vh, 15vw); text-align: center; }
.st-key-class-joining :is(.lab-room-link, .lab-count) { font-size: 2rem; text-align: center; }
.st-key-class-joining .lab-room-code { width: min(100%, 50vh); margin: 0 auto; }
.st-key-class-folded .lab-live .stage .curve .lab-plot { max-height: max(12rem, 100dvh - 18rem); }
</style>"""


def draw() -> None:
    """Draw the view for the present state of its room."""
    st.html(STYLE)
    room = session.viewed()
    if room is None:
        st.title("Class", anchor=False)
        st.info("The class is over, or the key in this address is wrong.")
        mirror(session.parameters())
        return
    with st.container(key="class-title"):
        st.title("Class", anchor=False)
    asked = room.question
    if asked is None:
        with st.container(key="class-joining"):
            _invite(room, small=False)
    else:
        if (asked.demonstration or room.standing.closed) and (scene := asked.about.scene) is not None:
            following.follow(room, scene, steers=False)
        board.draw(room, asked, partial(_invite, room), lambda _: None)
    mirror(session.parameters())


def _invite(room: Room, *, small: bool) -> None:
    board.draw_code(room, small=small)
    board.draw_counts(room, steers=False)
