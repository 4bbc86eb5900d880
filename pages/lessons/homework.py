"""Homework: a student's answers and runs in a lesson, as a file that a teacher's page reads."""

import json
from dataclasses import dataclass
from typing import Any

from boltzcore.quoting import Refusal, cut, quoted
from pages.common import lab
from pages.common.words import one_line
from pages.lessons import replies as codec
from pages.lessons.catalogue import LESSONS
from pages.lessons.lesson import Scene
from pages.lessons.replies import Reply
from pages.lessons.scenes import seed_place
from pages.lessons.three_units import Did, is_number
from pages.web.session import SESSION

LARGEST, LONGEST_NAME, LONGEST_REASON, NUMBERS = 20_000, 60, 300, 6  # bytes, characters, and numbers of a run


@dataclass(frozen=True)
class Homework:
    """Answers of one student in one lesson, an item for each step.

    name : as the student has typed it
    reasons : of the predictions
    runs : the seed of the run, or the biases and couplings of three units; empty if nothing was run
    """

    name: str
    lesson: str
    replies: tuple[Reply, ...]
    reasons: tuple[str, ...]
    runs: tuple[tuple[float, ...], ...]

    @property
    def right(self) -> tuple[bool, ...]:
        """For each step, True if its prediction was right."""
        steps = LESSONS[self.lesson].steps
        return tuple(reply.predicted == step.right for reply, step in zip(self.replies, steps, strict=True))

    def to_json(self) -> str:
        """Return the text of a file."""
        fields = {"name": self.name, "lesson": self.lesson, "replies": codec.write(self.replies)}
        return json.dumps(fields | {"reasons": self.reasons, "runs": self.runs}, indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls, content: bytes) -> "Homework":
        """Return the homework of a file. Raises Refusal if it is none."""
        if len(content) > LARGEST:
            raise Refusal(f"A file of homework must have at most {LARGEST:,} bytes, not {len(content):,}.", "file")
        try:
            found = json.loads(content)
            name, lesson, codes, reasons, runs = (found[it] for it in ("name", "lesson", "replies", "reasons", "runs"))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise Refusal("The file must be homework, as Share on a lesson makes it.", "file") from error
        if not isinstance(lesson, str) or lesson not in LESSONS:
            raise Refusal(f"lesson must be one of {', '.join(LESSONS)}, not {quoted(cut(str(lesson)))}.", "lesson")
        _text("name", name, LONGEST_NAME)
        _text("replies", codes, LONGEST_REASON, empty=True)
        steps = LESSONS[lesson].steps
        for field, values in (("reasons", reasons), ("runs", runs)):
            if not isinstance(values, list) or len(values) != len(steps):
                raise Refusal(f"{field} must be a list of {len(steps)} items.", field)
        for reason in reasons:
            _text("reasons", reason, LONGEST_REASON, empty=True)
        if not all(isinstance(run, list) and len(run) <= NUMBERS and all(map(is_number, run)) for run in runs):
            raise Refusal(f"Each of runs must be a list of at most {NUMBERS} numbers.", "runs")
        options = [(len(each.predict.options), len(each.observe.options)) for each in steps]
        return cls(name, lesson, tuple(codec.read(codes, options)), tuple(reasons), tuple(map(tuple, runs)))

    @classmethod
    def from_session(cls, name: str, lesson: str) -> "Homework":
        """Return this session's answers and runs in a lesson. Raises Refusal if the name is too long or empty."""
        steps, typed = LESSONS[lesson].steps, one_line(name)
        _text("name", typed, LONGEST_NAME)
        given = SESSION.replies.get(lesson) or [Reply() for _ in steps]
        places = [f"{lesson} {number}" for number in range(len(steps))]
        reasons = tuple(one_line(SESSION.reasons.get(place, "")) for place in places)  # a file of others is refused
        return cls(typed, lesson, tuple(given), reasons, tuple(SESSION.lesson_runs.get(place, ()) for place in places))


def _text(field: str, value: Any, longest: int, *, empty: bool = False) -> None:
    """Raise Refusal unless this is a line of text that can be printed."""
    good = isinstance(value, str) and (empty or value) and len(value) <= longest and (value + " ").isprintable()
    if not good:
        raise Refusal(f"{field} must be a line of {int(not empty)} to {longest} characters.", field)


def run_of(scene: Scene, found: Any) -> tuple[float, ...]:
    """Return the numbers that repeat a scene's run in this session, given its result."""
    if isinstance(found, Did):
        return (*found.machine.b, *found.machine.w)
    shown = scene.parameters()
    if (run := lab.engine().get(shown.get("run", ""))) is not None:
        return (run.recipe.schedule.seed,)
    if (race := lab.engine().races.get(shown.get("race", ""))) is not None:
        return (race.comparison.seed,)
    seed = SESSION.scene_seeds.get(seed_place(scene))
    return () if seed is None else (seed,)
