"""What a class may be asked: what a lesson asks before its run, who will win a race, or anything else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from boltzcore.comparison.comparison import CONTENDER, Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.quoting import cut, quoted
from boltzcore.registry import info_of
from pages.common import lab
from pages.common.setting import one_of
from pages.lessons.catalogue import LESSONS
from pages.lessons.lesson import Scene
from pages.lessons.scenes import RaceScene
from pages.rooms.room import LONGEST, LONGEST_CONTEXT, LONGEST_OPTION, OPTIONS, Asked, NotAllowed, Room
from pages.web.session import SESSION

LESSON, RACE, OWN = "From a lesson", "A race", "Your own"
KINDS = (LESSON, RACE, OWN)
DRAW = "No clear winner"
WHO = "Which will win?"
LONGEST_ADDRESS = 4_000  # characters of the address of a race


@dataclass(frozen=True)
class Subject:
    """What a question is about: a step of a lesson, or a race, of a preset or another one; nothing of these where it is
    a teacher's own.
    """

    lesson: str = ""
    step: int = 0
    race: str = ""
    other: Comparison | None = None

    @property
    def comparison(self) -> Comparison | None:
        """The race; None where it is about none."""
        return COMPARISON_PRESETS[self.race].comparison if self.race else self.other

    @property
    def scene(self) -> Scene | None:
        """What answers the question when it is run."""
        if self.lesson:
            return LESSONS[self.lesson].steps[self.step].scene
        return RaceScene(self.comparison) if self.comparison is not None else None

    @property
    def to_do(self) -> str:
        """What to do with the scene, Markdown."""
        return LESSONS[self.lesson].steps[self.step].to_do if self.lesson else ""

    @property
    def title(self) -> str:
        """What it is called; "" of a teacher's own."""
        if self.lesson:
            return LESSONS[self.lesson].steps[self.step].title
        return COMPARISON_PRESETS[self.race].question if self.race else WHO if self.other is not None else ""

    @property
    def before(self) -> str:
        """What one has to know to answer, Markdown."""
        if self.lesson:
            return LESSONS[self.lesson].steps[self.step].before
        if (comparison := self.comparison) is None:
            return ""
        about = f"{COMPARISON_PRESETS[self.race].about} " if self.race else ""
        data = comparison.base.data
        return f"{about}**{data.title}**: {data.about.partition('. ')[0].removesuffix('.')}."

    @property
    def context(self) -> str:
        """The same as plain text, for phones."""
        return cut(re.sub(r"\*+", "", self.before), LONGEST_CONTEXT)

    @classmethod
    def from_parameters(cls, query: Mapping[str, str]) -> tuple["Subject", list[str]]:
        """(what an address is about, a sentence on each parameter that means nothing)."""
        name, step, race = query.get("lesson", ""), query.get("step", "1"), query.get("question", "")
        if name and name not in LESSONS:
            return cls(), [f"lesson must be one of {', '.join(LESSONS)}, not {quoted(name)}."]
        if race and race not in COMPARISON_PRESETS:
            return cls(), [f"question must be one of {', '.join(COMPARISON_PRESETS)}, not {quoted(race)}."]
        if not name:
            return cls(race=race), []
        steps = [str(number) for number in range(1, len(LESSONS[name].steps) + 1)]
        if step not in steps:
            return cls(name), [f"step must be a number from 1 to {len(steps)}, not {quoted(step)}."]
        return cls(name, int(step) - 1), []


KEYS = ("lesson", "step", "question")


def chosen() -> Subject:
    """What the teacher has chosen last."""
    subject: Subject = SESSION.subject or Subject(next(iter(LESSONS)))
    return subject


def choose(subject: Subject) -> None:
    """Make this what is chosen; its widgets say so."""
    SESSION.subject = subject


def parameters() -> dict[str, str]:
    """What is chosen, as parameters of the address; nothing before the teacher has chosen, nor of what has none."""
    subject: Subject = SESSION.subject or Subject()
    if subject.lesson:
        return {"lesson": subject.lesson, "step": str(subject.step + 1)}
    return {"question": subject.race} if subject.race else {}


def choice() -> Asked | None:
    """Widgets to choose a question; None where the teacher writes it. Raises NotAllowed where it cannot be asked."""
    subject = chosen()
    first = LESSON if subject.lesson else RACE if subject.comparison is not None else OWN
    kind = one_of(st.segmented_control("Question", KINDS, default=first, required=True, key="kind"), KINDS, first)
    if kind == LESSON:
        return _of_lesson(subject)
    if kind == RACE:
        return _of_race(subject)
    choose(Subject())
    return None


_TEXT, _ANSWERS = "own question", "own answers"


def write() -> None:
    """Fields for a question of the teacher's own."""
    st.text_input("Your question", max_chars=LONGEST, key=_TEXT)
    st.text_area(
        f"Answers (2-{OPTIONS}), one per line",
        max_chars=OPTIONS * (LONGEST_OPTION + 1),
        key=_ANSWERS,
    )


def ask_own(room: Room) -> None:
    """Ask what the fields hold. Raises NotAllowed where something is missing."""
    text, lines = st.session_state.get(_TEXT, "").strip(), st.session_state.get(_ANSWERS, "").splitlines()
    room.ask(Asked(text, tuple(line.strip() for line in lines if line.strip()), Subject()))
    st.session_state[_TEXT] = st.session_state[_ANSWERS] = ""


def _of_lesson(subject: Subject) -> Asked:
    names = list(LESSONS)
    first = names.index(subject.lesson) if subject.lesson else 0
    name = st.selectbox("Lesson", names, first, format_func=lambda each: LESSONS[each].title, key="lesson asked")
    name = one_of(name, names, names[first])
    steps = LESSONS[name].steps
    at = subject.step if subject.lesson == name else 0
    numbers = range(len(steps))
    step = st.selectbox(
        "Step", numbers, at, format_func=lambda each: f"{each + 1}. {steps[each].title}", key=f"step asked {name}"
    )
    step = one_of(step, numbers, at)
    chosen = Subject(name, step)
    choose(chosen)
    return Asked(steps[step].predict.ask, steps[step].predict.options, chosen, chosen.context)


def _of_race(subject: Subject) -> Asked:
    names = list(COMPARISON_PRESETS)
    first = names.index(subject.race) if subject.race else 0
    race = st.selectbox(
        "Race", names, first, format_func=lambda each: COMPARISON_PRESETS[each].question, key="race asked"
    )
    race = one_of(race, names, names[first])
    typed = st.text_input("Or a link from Compare", max_chars=LONGEST_ADDRESS, key="address asked")
    if typed.strip():
        other = compared_at(typed.strip())
        choose(Subject(other=other))
        return Asked(WHO, _contenders(other), chosen(), chosen().context)
    choose(Subject(race=race))
    preset = COMPARISON_PRESETS[race]
    return Asked(preset.question, _contenders(preset.comparison), chosen(), chosen().context)


def _contenders(comparison: Comparison) -> tuple[str, ...]:
    """Who may win, and that none does; a short name is spelt out where learners differ."""
    titles = {name: info_of(recipe.learner).title.partition(" (")[0] for name, recipe in comparison.contenders}
    if len(set(titles.values())) == 1:
        return (*comparison.names, DRAW)
    return (*(cut(f"{name}: {title}", LONGEST_OPTION) for name, title in titles.items()), DRAW)


def compared_at(address: str) -> Comparison:
    """The comparison at an address of Compare, as Share gives it or as it stands while a race runs. Raises NotAllowed
    where there is none that a class may see.
    """
    try:
        query = dict(parse_qsl(urlsplit(address).query))
    except ValueError:
        query = {}
    race = lab.engine().races.get(query.get("race", ""))
    if race is not None:
        found = race.comparison
    elif any(key.startswith(CONTENDER) for key in query):
        try:
            found = Comparison.from_query(query)
        except ValueError as refusal:
            raise NotAllowed(str(refusal)) from refusal
    elif query.get("preset") in COMPARISON_PRESETS:
        found = COMPARISON_PRESETS[query["preset"]].comparison
    else:
        raise NotAllowed("There is no race at this address. Copy the link from Share on Compare.")
    if found.private:
        raise NotAllowed("This race is on a private table, so a class cannot see it.")
    return found
