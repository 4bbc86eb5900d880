"""Class: a teacher opens a room, students answer on their phones, and the run shows what is so."""

import html
from collections.abc import Callable
from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from boltzcore.figures import answers
from boltzcore.figures.frame import Chart, Frame, Item, Panel
from pages.common import address, keyboard, lab
from pages.common.glossary import marked
from pages.common.setting import mirror
from pages.common.words import few, plain
from pages.frames.component import play
from pages.frames.films import Film
from pages.lessons import scenes
from pages.lessons.lesson import Scene
from pages.parts import codes
from pages.race import session as races
from pages.rooms import questions, session
from pages.rooms.questions import Subject
from pages.rooms.room import FEWEST, LASTS, PHONES, Asked, NotAllowed, Room
from pages.rooms.scripts import ROOM_SCRIPTS

PAGE = "classroom"
_REFUSED, _LARGE = "class refused", "code of a room shown large"
BAR, CHART = 46, 90  # pixels of a chart: for each answer, and for the rest
_count = ROOM_SCRIPTS.component("lab_count", "count.js", "lab-count")
STYLE = """<style>
.lab-room { font-size: clamp(2.2rem, 6vw, 4.5rem); font-weight: 700; letter-spacing: .12em; line-height: 1.1; }
.lab-room-link { font-size: 1.15rem; overflow-wrap: anywhere; }
.lab-room-code { display: block; width: min(100%, 17rem); background: #fff; }
.lab-count { font-size: 1.25rem; min-height: 2rem; font-variant-numeric: tabular-nums; }
.st-key-asked ol { list-style: upper-alpha; font-size: 1.15rem; }
@media (min-width: 1000px) {
  .st-key-class { display: grid; grid-template-columns: minmax(16rem, 24rem) minmax(0, 1fr); gap: 1rem 2.5rem;
    grid-template-rows: auto 1fr; align-items: start; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-question) { grid-column: 2; grid-row: 1 / span 2; }
}
</style>"""


def arrive() -> None:
    """Take the room and the question from the address, when the page opens and when the browser goes back."""
    if not address.arriving():
        return
    query = st.query_params.to_dict()
    refused = address.strange(query, {*session.KEYS, *questions.KEYS, "run", "race", "key"}.__contains__)
    if session.current(arriving=True) is None and "room" in query:
        refused.append("There is no such room any more, or its key is another: open a new one.")
    if query.keys() & set(questions.KEYS):
        subject, sentences = Subject.from_parameters(query)
        refused += sentences
        questions.choose(subject)
    lab.current_run(arriving=True)
    races.current(arriving=True)
    st.session_state[_REFUSED] = refused


def tried(act: Callable[..., object], *arguments: object) -> None:
    """Do what a button is for; a refusal is said at the top."""
    st.session_state[_REFUSED] = []
    try:
        act(*arguments)
    except NotAllowed as refusal:
        st.session_state[_REFUSED] = [str(refusal)]


def enlarge() -> None:
    """Show the code of the room as large as there is room for."""
    st.session_state[_LARGE] = True


def join_link(code: str) -> str:
    """The address that phones open."""
    at = urlsplit(st.context.url or "")
    base = at.path.rstrip("/").removesuffix(f"/{PAGE}")
    return urlunsplit((at.scheme, at.netloc, f"{base}/join/{code}", "", ""))


def before() -> None:
    """What a room is, and the button that opens one."""
    st.markdown(
        marked(
            "Ask a class before you show it: students answer on their phones, without an account or a name; you see "
            "how many have answered, close, and show how the answers are spread, beside the run itself. Then let "
            "them talk to each other, and ask again."
        )
    )
    st.button("Open a room", type="primary", on_click=tried, args=(session.begin,))
    st.caption(
        f"A room takes up to {PHONES} phones and lasts {LASTS / 3600:.0f} hours, or until you end it; then all of it "
        f"is forgotten. Nobody sees whose an answer is, and fewer than {FEWEST} answers are not shown. A phone has one "
        "answer; who empties the storage of a browser gets another. The address of this page will hold your key to the "
        "room: students need the code alone."
    )


def invitation(room: Room, *, small: bool) -> None:
    """How to join, and how many have; small: without the QR code, so that there is place for answers."""
    link = join_link(room.code)
    at = urlsplit(link)
    st.html(
        f'<div class="lab-room" aria-label="Code of the room">{html.escape(room.code)}</div>'
        f'<div class="lab-room-link">{html.escape(at.netloc + at.path.removesuffix("/" + room.code))}</div>'
    )
    if codes.only_here(link):
        st.caption("Only this computer reaches this address.")
        st.button("How do phones get here?", on_click=enlarge)
    elif (code := codes.code_of(link)) is not None:
        drawn = code.svg_data_uri(border=codes.MARGIN, light="#fff", omitsize=True)
        if not small:
            st.html(f'<img class="lab-room-code" src="{html.escape(drawn)}" alt="QR code of {html.escape(link)}">')
        st.button("Show the QR code large", on_click=enlarge)
    if st.session_state.pop(_LARGE, False):
        codes.show("**Scan it** to join the class.", link)
    _count(key="count", data={"room": room.code, "key": room.key, "page": PAGE, "height": 32})
    st.button("End the room", on_click=tried, args=(session.end,))


def asked_part(room: Room, asked: Asked) -> None:
    """The question that was asked last, what may be done with it, and how it was answered."""
    standing = room.standing
    with st.container(key="asked"):
        st.header(plain(asked.text), anchor=False)
        st.html("<ol>" + "".join(f"<li>{html.escape(option)}</li>" for option in asked.options) + "</ol>")
    with st.container(horizontal=True, key="ways"):
        st.button("Close", on_click=room.close, disabled=standing.closed, type="primary")
        kind = "primary" if standing.closed and not standing.revealed else "secondary"
        st.button("Show the answers", on_click=room.reveal, disabled=standing.revealed, type=kind)
        st.button("Ask again", on_click=tried, args=(room.ask, asked), disabled=not standing.closed)


def spread(room: Room) -> None:
    """Histograms of the question, as often as it was asked."""
    found = room.histograms()
    if not found:  # another of the teacher's pages has asked meanwhile
        return
    shown = [each for each in found if each is not None]
    if found[-1] is None:
        st.info(f"Fewer than {FEWEST} have answered: so few are not shown, for one could guess whose they are.")
        return
    text = answers.in_words(shown)
    total = f"{sum(shown[-1].values())} answers."
    if len(shown) > 1:
        total += " Hatched: the time before."
    height = CHART + BAR * len(shown[-1])
    panel = Panel("Answers", Chart(answers.histogram(shown), height, text), below=total)
    source = ("answers", room.code, repr(shown))
    film = Film(source, 1, lambda at: Frame(below=((Item("answers", (), lambda: panel),),)))
    play("answers of a class", film, page=PAGE, every=1.0, height=height)


def run_part(scene: Scene, to_do: str) -> None:
    """What answers the question."""
    st.markdown(f"**Run** · {marked(to_do)}" if to_do else "**Run**")
    with st.container(key="scene"):
        scene.draw(page=PAGE)


def main() -> None:
    """The page."""
    room = session.current()
    for sentence in few(st.session_state.get(_REFUSED, [])):
        st.warning(plain(sentence))
    st.title("Class", anchor=False)
    if room is None:
        before()
        mirror(questions.parameters())
        return
    scene = None
    with st.container(key="class"):
        standing = room.standing
        with st.container(key="invitation"):
            invitation(room, small=standing.revealed)
        if standing.revealed:
            with st.container(key="answers"):
                spread(room)
        with st.container(key="question"):
            if (asked := room.question) is not None:
                asked_part(room, asked)
                if standing.closed and (scene := asked.about.scene) is not None:
                    run_part(scene, asked.about.to_do)
            with st.expander("The next question" if asked else "Ask a question", expanded=asked is None):
                next_part(room)
    mirror(session.parameters() | (scene.parameters() if scene is not None else {}))


def next_part(room: Room) -> None:
    """Choose what is asked next."""
    try:
        asked = questions.choice()
    except NotAllowed as refusal:
        st.warning(plain(str(refusal)))
        asked = None
    subject = questions.chosen()
    if subject.before:
        st.markdown(marked(subject.before))
    if asked is not None and (subject.lesson or subject.race):
        st.html("<ol type='A'>" + "".join(f"<li>{html.escape(option)}</li>" for option in asked.options) + "</ol>")
    st.button("Ask", type="primary", disabled=asked is None, on_click=tried, args=(room.ask, asked))


arrive()
st.html(STYLE)
st.html(scenes.STYLE)
keyboard.serve("Skip to the question", ["ways", "main"], keeps=["ways"])
main()
