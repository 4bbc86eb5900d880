"""Run a class: a teacher opens a room, students answer on their phones, and the run shows the right answer."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.common import address, keyboard, lab, words
from pages.common.downloads import download
from pages.common.glossary import link_terms
from pages.common.setting import mirror
from pages.common.words import escape, warn
from pages.lessons import scenes
from pages.parts import qr
from pages.race import session as races
from pages.rooms import board, following, homework, planner, questions, results, screen, session
from pages.rooms import plan as plans
from pages.rooms.questions import Subject
from pages.rooms.room import LASTS, Room
from pages.rooms.rounds import FEWEST, Asked, NotAllowed
from pages.rooms.verdict import Verdict
from pages.web.limiter import PHONES
from pages.web.session import SESSION

_PLACE = "class"  # of refusals
_NEXT = "next question"  # key of the choice of the next question
STAGES = ("Vote", "Answers", "Discuss", "Vote again", "Answers", "Right answer")
_CLOSE, _REVEAL, _AGAIN, _EXPLAIN = "Close", "Show the answers", "Vote again", "Show the right answer"
_ACTS = (_CLOSE, _REVEAL, _AGAIN, _CLOSE, _REVEAL, _EXPLAIN, "")  # highlighted in each stage


def run_action(act: Callable[..., object], *given: object) -> None:
    """Do the action of a button; a refusal in a scene stays with its question."""
    SESSION.refused[scenes.PLACE] = []
    words.run_action(_PLACE, act, *given)


def arrive() -> None:
    """Take the room and the question from the address, when the page opens and when the browser goes back."""
    if not address.is_arriving():
        return
    query = st.query_params.to_dict()
    if session.is_screen(arriving=True):
        return
    refused = address.unknown_params(
        query, {*session.KEYS, *questions.KEYS, plans.PLAN, "run", "race", "key"}.__contains__
    )
    room = session.current(arriving=True)
    if room is None and "room" in query:
        refused.append("This room no longer exists, or the key in the address is wrong. Open a new one.")
    if query.keys() & set(questions.KEYS):
        subject, sentences = Subject.from_parameters(query)
        refused += sentences
        SESSION.subject = subject
        st.session_state[_NEXT] = True
    if plans.PLAN in query and room is None:  # otherwise the room's plan is newer
        try:
            plans.put(None, plans.from_text(query[plans.PLAN]))
        except NotAllowed as refusal:
            refused.append(str(refusal))
    lab.current_run(arriving=True)
    races.current(arriving=True)
    SESSION.refused[_PLACE] = refused


def introduce() -> None:
    """Draw the introduction to rooms and the button that opens one."""
    st.markdown(
        link_terms(
            "Ask the class before you show the answer. Students answer on their phones, without an account or a name. "
            "You see how many have answered, close the question, and show the answers next to the run. Then let "
            "students discuss, and ask again."
        )
    )
    if questions.parameters() and not plans.current(None):
        st.markdown(f"Ready to ask: **{escape(questions.chosen().title)}**")
    st.button("Open a room", key="open-room", type="primary", on_click=run_action, args=(begin,))
    st.caption(
        f"A room takes up to {PHONES} phones and lasts {LASTS / 3600:.0f} hours, or until you end it; then everything "
        f"in it but trainings is deleted. Answers are anonymous, and shown only if there are {FEWEST} or more. The "
        "address of this page will contain your key to the room; the projector view has no key."
    )
    st.header("Class plan", anchor=False)
    st.markdown("Questions, lesson steps, races and demonstrations in order, to lead the class through with Next.")
    planner.edit(None, run_action)
    panel = st.expander("Add an item", key="add an item", on_change="rerun")
    if panel.open:
        with panel:
            next_part(None)


def begin() -> None:
    """Open a room with the plan."""
    plan = plans.current(None)
    session.begin()
    plans.put(session.current(), plan)


def invitation(room: Room, *, small: bool) -> None:
    """Draw the invitation to a room and the number of phones that have joined.

    small : in one line, without the QR code
    """
    board.draw_code(room, small=small)
    link = board.join_link(room.code)
    board.draw_counts(room, steers=True)
    with st.container(key="ways in", horizontal=True):
        label = "How phones connect" if qr.is_local(link) else "Enlarge QR code"
        if st.button(label):
            qr.show("**Scan** to join the class.", link, room.code)
        st.link_button(
            "Projector view",
            session.view_link(room),
            help="A view for the class without controls that follows this page. Do not show this page's address: it "
            "contains your key to the room.",
        )


def draw_actions(room: Room, asked: Asked, answer: Verdict | None = None) -> None:
    """Draw the actions on the question or demonstration that is shown; the next one stands out.

    answer : the right one, if it is known
    """
    standing = room.standing
    if asked.demonstration:
        if asked.draws:
            label, act = ("Reopen drawing", room.reopen) if standing.closed else ("Close drawing", room.close)
            st.button(label, on_click=run_action, args=(act,))
        draw_refusals()
        return
    unseen = standing.closed and not standing.revealed
    hidden = standing.closed and answer is not None and answer != room.explained  # a new run may have another answer
    first = ("Reopen", room.reopen, (), True) if unseen and not standing.final else None
    with st.container(horizontal=True, key="ways"):
        for label, act, given, possible in (
            first or (_CLOSE, room.close, (), not standing.closed),
            (_REVEAL, room.reveal, (), unseen),
            (_AGAIN, room.ask, (asked,), standing.closed),
            (_EXPLAIN, room.explain, (answer,), hidden),
        ):
            kind = "primary" if possible and label == _ACTS[standing.stage] else "secondary"
            st.button(label, on_click=run_action, args=(act, *given), disabled=not possible, type=kind)
    at = min(standing.stage, len(STAGES) - 1)
    st.caption(" → ".join(f"**{name}**" if number == at else name for number, name in enumerate(STAGES)))
    draw_refusals()


def draw_refusals() -> None:
    """Show the actions and address parameters that were refused."""
    warn(SESSION.refused.get(_PLACE, []))


def main() -> None:
    """The page."""
    room = session.current()
    if room is None:
        draw_refusals()
        st.title("Run a class", anchor=False)
        introduce()
        homework.read()
        mirror(plans.parameters(None) or questions.parameters())
        return
    SESSION.plan = room.plan  # outlasts the room
    with st.container(key="class-title"):
        st.title("Run a class", anchor=False)
    if room.plan:
        planner.line(room, run_action)
    asked = room.question
    scene = asked.about.scene if asked is not None and (asked.demonstration or room.standing.closed) else None
    if scene is not None:
        following.follow(room, scene, steers=True)
    invite = partial(invitation, room)
    if asked is not None:
        board.draw(room, asked, invite, partial(draw_actions, room, asked))
    else:
        with st.container(key="class"):
            with st.container(key="invitation"):
                invite(small=False)
            with st.container(key="question"):
                draw_refusals()
                if room.plan:
                    planner.edit(room, run_action)
                choose(room)
    if asked is not None:
        choose(room)
    end_part(room)
    mirror(session.parameters() | plans.parameters(room) | (scene.parameters() if scene is not None else {}))
    if scene is not None and following.run_params(scene) != room.shown:  # it has found an earlier run
        st.rerun()


def choose(room: Room) -> None:
    """Draw the choice of the next question, open until the first is asked or if a lesson's link leads here."""
    title = questions.chosen().title
    if room.plan:
        label = "Another question"
    else:
        label = "Ask a question" if room.question is None else f"Next: {escape(title)}" if title else "Next question"
    st.session_state.setdefault(_NEXT, room.question is None and not room.plan)
    with st.expander(label, key=_NEXT, on_change="rerun"):
        next_part(room)


def end_part(room: Room) -> None:
    """Draw the results, and the button that ends the room: apart from the frequent buttons, and with a confirmation."""
    with st.container(horizontal=True):
        if room.results():
            with st.popover("Results"):
                st.markdown(f"Counts of questions with at least {FEWEST} answers. A saved question cannot be reopened.")
                download("Results as CSV", "results.csv", lambda: results.to_csv(room.results(final=True)), "numbers")
                download("Printable page", "results.html", lambda: results.to_page(room.results(final=True)), "numbers")
        with st.popover("End the room"):
            st.markdown(
                "This deletes all answers and results: save the results first. Phones show that the class is over."
            )
            st.button("End for everyone", type="primary", on_click=run_action, args=(session.end,))


def ask(room: Room, make: Callable[[], Subject]) -> None:
    """Ask a question and fold the list of questions."""
    room.ask(make().asked)
    questions.clear()
    st.session_state[_NEXT] = False


def add(room: Room | None, make: Callable[[], Subject]) -> None:
    """Add a question to the plan."""
    planner.add(room, make())
    questions.clear()


def next_part(room: Room | None) -> None:
    """Choose the question to ask next or to add to the plan, and preview it."""
    try:
        asked = questions.choice()
    except NotAllowed as refusal:
        st.warning(escape(str(refusal)))
        st.button("Ask" if room else "Add to plan", disabled=True)
        return
    if asked is None:
        with st.form("own", border=False):
            questions.write()
            acts(st.form_submit_button, room, questions.written)
        return
    if before := asked.about.before:
        st.markdown(link_terms(before))
    st.markdown(f"**{escape(asked.text)}**")
    board.draw_options(asked)
    acts(st.button, room, partial(questions.latest, asked.about), "Show" if asked.demonstration else "Ask")


def acts(button: Callable[..., bool], room: Room | None, make: Callable[[], Subject], first: str = "Ask") -> None:
    """Draw the buttons for the chosen question; the first asks it."""
    with st.container(horizontal=True):
        if room is not None:
            button(first, type="primary", on_click=run_action, args=(ask, room, make))
        button("Add to plan", on_click=run_action, args=(add, room, make))


arrive()
st.html(scenes.STYLE + board.STYLE)
if session.is_screen():
    screen.draw()
else:
    keyboard.serve(
        "Skip to the question", ["open-room", "ways", "plan-line", "question", "scene"], keeps=["ways", "plan-line"]
    )
    main()
