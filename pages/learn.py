"""Learn: lessons in which you predict, run, answer what you saw, and read why."""

from dataclasses import replace

import streamlit as st

from boltzcore.quoting import Refusal
from pages.common import address, keyboard, lab
from pages.common.downloads import download
from pages.common.glossary import link_terms
from pages.common.setting import mirror, one_of
from pages.common.words import escape, warn
from pages.inside.worked_examples import STEPS
from pages.lessons import homework, scenes
from pages.lessons import replies as codec
from pages.lessons.catalogue import LESSONS
from pages.lessons.into_view import into_view
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.replies import Reply
from pages.parts import cockpit, qr
from pages.parts.for_class import for_class
from pages.parts.saving import save_page
from pages.race import session
from pages.rooms import handouts
from pages.rooms.questions import Subject
from pages.web.session import SESSION

_SHARE = "share lesson"  # key of the popover
_PLACE = "lesson"  # of refusals
STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-way) { position: sticky; bottom: 0; z-index: 80; background: GROUND;
  padding: .5rem 0; }
.st-key-way, .st-key-lesson-head { flex-wrap: nowrap; }
.st-key-way p { white-space: nowrap; margin: 0; }
.st-key-why, .st-key-lesson-head { scroll-margin: 4.5rem 0 5rem; }
.st-key-way [data-testid="stCaptionContainer"] { margin: 0; }
.st-key-lesson-cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); }
.st-key-lesson-cards > [data-testid="stLayoutWrapper"], [class*="st-key-lesson-card-"] { height: 100%; }
[class*="st-key-lesson-card-"] > :last-child { margin-top: auto; }
@media (min-width: 1000px) {
  .st-key-lesson-step { display: grid; grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr);
    grid-template-rows: auto auto 1fr; align-items: start; gap: 1rem 2rem; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-scene) { grid-column: 2; grid-row: 1 / span 3; }
}
@media (max-width: 999px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-predict) { order: 1; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-see) { order: 2; }
}
.st-key-scene [inert] :is(input, button, select) { opacity: .4; }
.st-key-scene [data-testid="stElementToolbar"] { display: none; }
@media (min-width: 641px) { .st-key-scene .lab-live .abreast { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
@media (max-width: 640px) {
  .st-key-way [data-testid="stPageLink"] { display: none; }
  .st-key-lesson-head h1 { font-size: 1.5rem; padding: 0 0 .25rem; }
}
</style>""".replace("GROUND", cockpit.GROUND)


def arrive() -> None:
    """Take lesson, step and new answers from the address, when the page opens and when the browser goes back."""
    if not address.is_arriving():
        return
    query = st.query_params.to_dict()
    subject, refused = Subject.from_parameters({key: query[key] for key in ("lesson", "step") if key in query})
    name = SESSION.lesson = subject.lesson
    if name:
        SESSION.step = subject.step
        if "replies" in query and not (address.has_gone_back() and name in SESSION.replies):
            options = [(len(each.predict.options), len(each.observe.options)) for each in LESSONS[name].steps]
            SESSION.replies[name] = codec.read(query["replies"], options)
        lab.current_run(arriving=True)
        session.current(arriving=True)
    known_keys = ("lesson", "step", "replies", "run", "race", "key")
    SESSION.refused[_PLACE] = [*refused, *address.unknown_params(query, known_keys.__contains__)]


def answers_in(name: str) -> list[Reply]:
    """Return the answers given in a lesson, a `Said` for each step."""
    return SESSION.replies.setdefault(name, [Reply() for _ in LESSONS[name].steps])


def open_lesson(name: str) -> None:
    """Show a lesson at its first step that is not done."""
    waiting = [number for number, each in enumerate(answers_in(name)) if not each.done]
    go(name, waiting[0] if waiting else 0)


def go(name: str, step: int) -> None:
    """Show a step of a lesson; "" shows all lessons."""
    SESSION.lesson, SESSION.step = name, step
    SESSION.refused[_PLACE] = SESSION.refused[scenes.PLACE] = []


def catalogue() -> None:
    """Draw all lessons, each with its progress."""
    st.title("Learn", anchor=False)
    st.markdown(
        link_terms(
            "Predict what will happen, run the experiment, say what you saw, and read why. The first lesson needs only "
            "school mathematics; most of the others need only the first. The address keeps your place."
        )
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.page_link("classroom.py", label="For teachers: run a class", width="content")
        drawn = STEPS["hebbian"].recipe.to_query()
        st.page_link("train.py", label="Draw your own patterns", query_params=drawn, width="content")
    with st.container(key="lesson-cards"):
        for name, lesson in LESSONS.items():
            card(name, lesson)


def card(name: str, lesson: Lesson) -> None:
    """Draw a lesson with its subject, its length and its progress."""
    with st.container(border=True, key=f"lesson-card-{name}"):
        done = sum(each.done for each in answers_in(name))
        st.header(lesson.title, anchor=False)
        st.write(lesson.about)
        st.caption(f"{len(lesson.steps)} steps, about {lesson.minutes}" + (f" · {done} done" if done else ""))
        label = "Begin" if not done else "Continue" if done < len(lesson.steps) else "Review"
        st.button(
            f"{label}: {lesson.title}",
            key=f"open {name}",
            type="primary" if not done else "secondary",
            on_click=open_lesson,
            args=(name,),
        )


def answer(question: Question, key: str, chosen: int | None) -> int | None:
    """Draw a question with its answers; return the number of the chosen one, None before."""
    numbers = range(len(question.options))
    picked = st.radio(question.ask, numbers, chosen, format_func=question.options.__getitem__, key=key)
    return one_of(picked, numbers, None)


def show_choice(question: Question, chosen: int | None) -> None:
    """Draw a question with the given answer, once it cannot be changed any more."""
    given = "" if chosen is None else question.options[chosen]
    st.markdown(f"{escape(question.ask)}  \n*Your answer:* {escape(given)}")


@st.fragment
def step_part(name: str, number: int) -> None:
    """Draw a step: its picture, the questions before and after it runs, the explanation, and the navigation."""
    if (SESSION.lesson, SESSION.step) != (name, number):
        st.rerun()
    lesson, kept = LESSONS[name], answers_in(name)
    step, place = lesson.steps[number], f"{name} {number}"
    with st.container(key="lesson-step"):
        with st.container(key="ask"):
            st.header(step.title, anchor=False)
            st.markdown(link_terms(step.before))
        with st.container(key="predict"):
            if step.more:
                draw_more(step.more)
            st.markdown("**Predict**")
            if kept[number].done:
                show_choice(step.predict, kept[number].predicted)
            else:
                predicted = answer(step.predict, f"predicted {place}", kept[number].predicted)
                kept[number] = replace(kept[number], predicted=predicted)
                if predicted is not None:
                    about = "Only you see this, unless you hand in your answers."
                    kept_reason, most = SESSION.reasons.get(place, ""), homework.LONGEST_REASON
                    label, key = "Your reason (optional)", f"reason {place}"
                    SESSION.reasons[place] = st.text_input(label, kept_reason, most, key=key, help=about) or ""
            if kept[number].predicted is not None:
                st.markdown(f"**Try it** · {link_terms(step.to_do)}")
        with st.container(key="scene"):
            found = step.scene.draw(locked=kept[number].predicted is None)
            if found is not None and (numbers := homework.run_of(step.scene, found)):
                SESSION.lesson_runs[place] = numbers
        with st.container(key="see"):
            if kept[number].predicted is not None:
                see(step, place, kept, number, found)
    way(name, lesson, number, kept)
    where = {"lesson": name, "step": str(number + 1), "replies": codec.write(kept)}
    mirror({key: text for key, text in where.items() if text} | step.scene.parameters())


def draw_more(text: str) -> None:
    """Draw optional text, folded."""
    with st.expander("More"):
        st.markdown(link_terms(text))


def see(step: Step, place: str, kept: list[Reply], number: int, found: object) -> None:
    """Draw the question on the observation and, once it is answered correctly, the explanation."""
    if found is None and not kept[number].done:
        return
    st.markdown("**What did you see?**")
    if not kept[number].done:
        seen = answer(step.observe, f"seen {place}", None)
        if seen is None:
            return
        if seen != step.seen(found):
            st.warning("This run shows something else. Look again and choose another answer.")
            return
        kept[number] = replace(kept[number], seen=seen)
        SESSION.just_answered = place
        st.rerun()  # the navigation was drawn before this was known
    show_choice(step.observe, kept[number].seen)
    with st.container(key="why"):
        explain(step, kept[number], found)
        if number + 1 == len(kept):
            next_lesson()
    into_view("why", SESSION.just_answered)
    SESSION.just_answered = ""


def explain(step: Step, reply: Reply, found: object) -> None:
    """Show whether the prediction was right, and the explanation."""
    st.markdown("**Why**")
    answer_is = escape(step.predict.options[step.right])
    if found is not None and not step.aha(found):
        st.info(f"Your run was unusual. The usual answer is: {answer_is}. Try new random numbers.")
    elif reply.predicted == step.right:
        st.success("You predicted it.")
    else:
        st.info(f"Not quite. The answer is: {answer_is}.")
    st.markdown(link_terms(step.explain))
    if step.further:
        draw_more(step.further)


def next_lesson() -> None:
    """Draw the button to the next lesson; after the last one, the link to Train."""
    names = list(LESSONS)
    if (place := names.index(SESSION.lesson) + 1) == len(names):
        st.page_link("train.py", label="Train a model of your own")
    else:
        label = f"Next lesson: {LESSONS[names[place]].title}"
        st.button(label, key="next lesson", type="primary", on_click=open_lesson, args=(names[place],))


def way(name: str, lesson: Lesson, number: int, kept: list[Reply]) -> None:
    """Draw the buttons Back, if there is a step before, and Next, always in view."""
    with st.container(key="way", horizontal=True, vertical_alignment="center", gap="small"):
        back = (name if number else "", max(0, number - 1))
        label, key = ("Back", "previous step") if number else ("All lessons", "all lessons")
        st.button(label, key=key, on_click=go, args=back)
        last, done = number + 1 == len(lesson.steps), kept[number].done
        label = "All lessons" if last else "Next" if done else "Skip"
        if not (last and not number):
            kind = "primary" if done and not last else "secondary"
            on = ("", 0) if last else (name, number + 1)
            key = "leave lesson" if last else "next step" if done else "skip step"
            st.button(label, key=key, type=kind, on_click=go, args=on)
        st.caption(f"Step {number + 1} of {len(lesson.steps)} · {sum(each.done for each in kept)} done")
        asked = {"lesson": name, "step": str(number + 1)}
        st.page_link("classroom.py", label="For teachers: ask a class", query_params=asked)


def share(name: str, number: int) -> None:
    """Draw a link to this step, for a class."""
    popover = st.popover("Share", key=_SHARE, on_change="rerun")
    qr.show_asked()
    if popover.open:
        with popover:
            st.markdown("**Link to this step**, without your answers.")
            for_class({"lesson": name, "step": str(number + 1)}, title=LESSONS[name].title, within=_SHARE)
            hand_in(name)
            save_page("lesson")
            lesson = LESSONS[name]
            handouts.offer(lesson.title, [Subject(name, place) for place in range(len(lesson.steps))])


def hand_in(name: str) -> None:
    """Draw a name to type and the file of the answers."""
    st.markdown("**Hand in**: a file with your answers, reasons and runs of this lesson, and the name you type.")
    st.text_input("Your name", max_chars=homework.LONGEST_NAME, key="homework name")
    try:
        done = homework.Homework.from_session(st.session_state["homework name"], name)
    except Refusal:
        return  # no name yet
    download("Homework file", "homework.json", done.to_json, "numbers")


arrive()
warn(SESSION.refused.get(_PLACE, []))
st.html(STYLE + scenes.STYLE)
keyboard.serve("Skip to the step", ["ask", "predict", "scene", "lesson-cards"], keeps=["scene", "way"])
name = SESSION.lesson
if not name:
    catalogue()
    mirror({})
else:
    number = SESSION.step
    with st.container(key="lesson-head", horizontal=True, vertical_alignment="center"):
        st.title(LESSONS[name].title, anchor=False)
        share(name, number)
    step_part(name, number)
    into_view("lesson-head", f"{name} {number}")
