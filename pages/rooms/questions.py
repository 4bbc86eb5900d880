"""Questions for a class: of a lesson's step, of a race, or of the teacher's own; and demonstrations on other pages."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

import streamlit as st

from boltzcore.comparison.comparison import CONTENDER, Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.data.corruption import Corruption
from boltzcore.quoting import Refusal, cut, quoted
from boltzcore.registry import info_of
from boltzcore.training.presets import PRESETS
from pages.common import lab
from pages.common.setting import one_of
from pages.common.words import one_line
from pages.lessons.catalogue import LESSONS
from pages.lessons.inference import RestorationScene
from pages.lessons.lesson import Scene, Step
from pages.lessons.scenes import RaceScene, TrainingScene
from pages.rooms.patterns import PatternsScene
from pages.rooms.rounds import LONGEST, LONGEST_CONTEXT, LONGEST_OPTION, OPTIONS, Asked, NotAllowed
from pages.web.session import SESSION

LESSON, RACE, SHOWN, OWN = "From a lesson", "A race", "A demonstration", "Your own"
KINDS = (LESSON, RACE, SHOWN, OWN)
DRAW = "No clear winner"
WHO = "Which will win?"
LONGEST_ADDRESS = 4_000  # characters of the address of a race


class Demonstration(NamedTuple):
    """Something to show to a class.

    draws : each phone may draw a pattern for it
    """

    title: str
    about: str
    scene: Any
    draws: bool = False


RESTORE, PATTERNS = "restore", "patterns"
_SHOWN = ("particles", "fields", "shares", "restored", "couplings", "newest", "states")  # panels next to a curve
DEMONSTRATIONS = {
    **{
        f"train.{n}": Demonstration(each.title, each.about, TrainingScene(each.recipe, _SHOWN, each.pace))
        for n, each in PRESETS.items()
    },
    RESTORE: Demonstration(
        "Restore a digit",
        "A tenth of the pixels are flipped. Belief propagation restores them, iteration by iteration.",
        RestorationScene(("noise-10",), "flip", Corruption(rate=0.1)),
    ),
    PATTERNS: Demonstration(
        "Patterns of the class",
        "Draw a pattern of 8 × 8 squares on your phone. The machine stores those that your teacher accepts and recalls "
        "each from a damaged copy.",
        PatternsScene(),
        draws=True,
    ),
}


@dataclass(frozen=True)
class Own:
    """A question of the teacher's own. Raises NotAllowed if a text or the number of answers is out of bounds.

    right : number of the right answer, from 0; None if there is none
    """

    text: str
    options: tuple[str, ...]
    right: int | None = None

    def __post_init__(self) -> None:
        Asked(self.text, self.options)

    def to_json(self) -> list[Any]:
        """Return the text, the answers and the letter of the right one."""
        return [self.text, self.options, None if self.right is None else ascii_uppercase[self.right]]

    @classmethod
    def from_json(cls, text: object, options: object, right: object) -> "Own":
        """Return the question of such values. Raises NotAllowed if it cannot be asked."""
        if not isinstance(text, str) or not isinstance(options, list) or not all(isinstance(x, str) for x in options):
            raise NotAllowed("A question must be a text with a list of answers.")
        letters = list(ascii_uppercase[: len(options)])
        if right is not None and right not in letters:
            raise NotAllowed(f"The right answer must be one of {', '.join(letters)} or none, not {quoted(right)}.")
        return cls(one_line(text), tuple(map(one_line, options)), None if right is None else letters.index(right))


@dataclass(frozen=True)
class Subject:
    """Subject of a question: a step of a lesson, a race (a preset or another one), a question of the teacher's own, or
    a demonstration; an empty one is a question that the teacher has yet to write.
    """

    lesson: str = ""
    step: int = 0
    race: str = ""
    other: Comparison | None = None
    own: Own | None = None
    shown: str = ""

    @property
    def comparison(self) -> Comparison | None:
        """The race; None if the subject is none."""
        return COMPARISON_PRESETS[self.race].comparison if self.race else self.other

    @property
    def lesson_step(self) -> Step | None:
        """The step of a lesson; None if the subject is none."""
        return LESSONS[self.lesson].steps[self.step] if self.lesson else None

    @property
    def demonstration(self) -> Demonstration | None:
        """The demonstration; None if it is a question."""
        return DEMONSTRATIONS.get(self.shown)

    @property
    def scene(self) -> Scene | None:
        """Return the scene that answers the question or is demonstrated."""
        if (demonstration := self.demonstration) is not None:
            return demonstration.scene
        if (step := self.lesson_step) is not None:
            return step.scene
        return RaceScene(self.comparison) if self.comparison is not None else None

    @property
    def right(self) -> int | None:
        """The number of the right answer, if it is known before anything runs."""
        if (step := self.lesson_step) is not None:
            return step.right
        return self.own.right if self.own is not None else None

    @property
    def title(self) -> str:
        """Title of the subject; "" if it is empty."""
        if (known := self.lesson_step or self.demonstration) is not None:
            return known.title
        if self.own is not None:
            return self.own.text
        return COMPARISON_PRESETS[self.race].question if self.race else WHO if self.other is not None else ""

    @property
    def before(self) -> str:
        """Return the context of the question, as Markdown."""
        if (step := self.lesson_step) is not None:
            return step.before
        if (demonstration := self.demonstration) is not None:
            return demonstration.about
        if (comparison := self.comparison) is None:
            return ""
        about = f"{COMPARISON_PRESETS[self.race].about} " if self.race else ""
        data = comparison.base.data
        return f"{about}**{data.title}**: {data.about.partition('. ')[0].removesuffix('.')}."

    @property
    def asked(self) -> Asked:
        """Its question, or the demonstration."""
        if self.own is not None:
            return Asked(self.own.text, self.own.options, self)
        context = cut(re.sub(r"\*+", "", self.before), LONGEST_CONTEXT)  # plain text, for phones
        if (demonstration := self.demonstration) is not None:
            return Asked(self.title, (), self, context, demonstration=True, draws=demonstration.draws)
        if (step := self.lesson_step) is not None:
            return Asked(step.predict.ask, step.predict.options, self, context)
        return Asked(self.title, _contenders(self.comparison) if self.comparison else (), self, context)

    @property
    def name(self) -> str:
        """A short text that identifies it; `from_name` reads it."""
        if self.lesson:
            return f"{self.lesson}.{self.step + 1}"
        if self.own is not None:
            return f"own.{_packed(json.dumps(self.own.to_json(), ensure_ascii=False))}"
        if self.other is not None:
            return f"compare.{_packed(urlencode(self.other.to_query()))}"
        return self.shown or f"race.{self.race}"

    @classmethod
    def from_name(cls, name: str) -> "Subject":
        """Return the subject of a name. Raises NotAllowed if there is none."""
        kind, _, rest = name.partition(".")
        if name in DEMONSTRATIONS:
            return cls(shown=name)
        if kind in LESSONS or (kind == "race" and rest):
            query = {"question": rest} if kind == "race" else {"lesson": kind, "step": rest}
            subject, refused = cls.from_parameters(query)
            if refused:
                raise NotAllowed(refused[0])
            return subject
        if kind not in ("own", "compare"):
            known = f"a step such as rbm.2, a race such as race.digits, or a demonstration such as {RESTORE}"
            raise NotAllowed(f"item must be {known}, not {quoted(cut(name))}.")
        try:
            text = urlsafe_b64decode(rest + "=" * (-len(rest) % 4)).decode()
            if kind == "own":
                return cls(own=Own.from_json(*json.loads(text)))
            race = cls(other=read_comparison(f"?{text}"))
            _ = race.asked  # it refuses names that are no answers
            return race
        except (ValueError, TypeError, RecursionError) as error:
            if isinstance(error, NotAllowed):
                raise
            raise NotAllowed(f"{quoted(cut(name))} is not a question: the link is wrong or incomplete.") from error

    @classmethod
    def from_parameters(cls, query: Mapping[str, str]) -> tuple["Subject", list[str]]:
        """Return (the subject of an address, a sentence on each unknown parameter)."""
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


def _packed(text: str) -> str:
    """Return a text in letters that need no escape in an address."""
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


KEYS = ("lesson", "step", "question")


def chosen() -> Subject:
    """Return the subject that the teacher chose last, or else the first lesson."""
    return SESSION.subject or Subject(next(iter(LESSONS)))


def parameters() -> dict[str, str]:
    """Return the chosen subject as URL parameters; {} if none was chosen, or if it has none."""
    subject: Subject = SESSION.subject or Subject()
    if subject.lesson:
        return {"lesson": subject.lesson, "step": str(subject.step + 1)}
    return {"question": subject.race} if subject.race else {}


def choice() -> Asked | None:
    """Draw the choice of a question; return it, None if the teacher writes one. Raises NotAllowed if it is invalid."""
    subject = chosen()
    first = LESSON if subject.lesson else RACE if subject.comparison is not None else SHOWN if subject.shown else OWN
    kind = one_of(st.segmented_control("Question", KINDS, default=first, required=True, key="kind"), KINDS, first)
    pick = {LESSON: _pick_step, RACE: _pick_race, SHOWN: _demonstration}.get(kind)
    SESSION.subject = Subject() if pick is None else pick(subject)
    return None if pick is None else chosen().asked


_TEXT, _ANSWERS, _RIGHT = "own question", "own answers", "own right answer"
_NO_RIGHT = "None"
_RIGHTS = (_NO_RIGHT, *ascii_uppercase[:OPTIONS])


def write() -> None:
    """Draw the fields for a question of the teacher's own."""
    st.text_input("Your question", max_chars=LONGEST, key=_TEXT)
    st.text_area(f"Answers (2-{OPTIONS}), one per line", max_chars=OPTIONS * (LONGEST_OPTION + 1), key=_ANSWERS)
    st.session_state.setdefault(_RIGHT, _NO_RIGHT)
    st.segmented_control("Right answer", _RIGHTS, required=True, key=_RIGHT)


def written() -> Subject:
    """Return the question that the fields hold. Raises NotAllowed if something is missing."""
    lines = [line for line in st.session_state.get(_ANSWERS, "").splitlines() if line.strip()]
    right = one_of(st.session_state.get(_RIGHT), _RIGHTS[1:], None)
    return Subject(own=Own.from_json(st.session_state.get(_TEXT, ""), lines, right))


def clear() -> None:
    """Empty the fields."""
    st.session_state.update({_TEXT: "", _ANSWERS: "", _RIGHT: _NO_RIGHT})


def _pick(label: str, titles: Mapping[Any, str], first: Any, key: str) -> Any:
    names = list(titles)
    at = names.index(first) if first in titles else 0
    return one_of(st.selectbox(label, names, at, format_func=titles.__getitem__, key=key), titles, names[at])


def _pick_step(subject: Subject) -> Subject:
    name = _pick("Lesson", {key: each.title for key, each in LESSONS.items()}, subject.lesson, "lesson asked")
    steps = {k: f"{k + 1}. {each.title}" for k, each in enumerate(LESSONS[name].steps)}
    return Subject(name, _pick("Step", steps, subject.step if subject.lesson == name else 0, f"step asked {name}"))


def _pick_race(subject: Subject) -> Subject:
    titles = {key: each.question for key, each in COMPARISON_PRESETS.items()}
    race = _pick("Race", titles, subject.race, "race asked")
    typed = st.text_input("Or a link from Compare", max_chars=LONGEST_ADDRESS, key="address asked").strip()
    return Subject(other=read_comparison(typed)) if typed else Subject(race=race)


def latest(subject: Subject) -> Subject:
    """Return a question, of a race with the link that was typed just before the click. Raises NotAllowed."""
    typed = st.session_state.get("address asked", "").strip()
    return Subject(other=read_comparison(typed)) if typed and subject.comparison is not None else subject


def _demonstration(subject: Subject) -> Subject:
    titles = {key: each.title for key, each in DEMONSTRATIONS.items()}
    return Subject(shown=_pick(SHOWN, titles, subject.shown, "shown to a class"))


def _contenders(comparison: Comparison) -> tuple[str, ...]:
    """Return the possible winners, and a draw, as options; short names are spelt out if learners differ."""
    titles = {name: info_of(recipe.learner).title.partition(" (")[0] for name, recipe in comparison.contenders}
    if len(set(titles.values())) == 1:
        return (*comparison.names, DRAW)
    return (*(cut(f"{name}: {title}", LONGEST_OPTION) for name, title in titles.items()), DRAW)


def read_comparison(address: str) -> Comparison:
    """Return the comparison at an address of Compare, from Share or from a page during a race. Raises NotAllowed if
    there is none that a class may see.
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
        except Refusal as refusal:
            raise NotAllowed(str(refusal)) from refusal
    elif query.get("preset") in COMPARISON_PRESETS:
        found = COMPARISON_PRESETS[query["preset"]].comparison
    else:
        raise NotAllowed("There is no race at this address. Copy the link from Share on Compare.")
    if found.private:
        raise NotAllowed("This race is on a private table, so a class cannot see it.")
    return found
