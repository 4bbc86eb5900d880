"""Verdict of a run on a question: the right answer, and the reason."""

from dataclasses import dataclass
from typing import Any

from pages.common.words import escape
from pages.rooms.questions import DRAW, Subject
from pages.rooms.rounds import Asked


@dataclass(frozen=True)
class Verdict:
    """Verdict of a run on a question.

    sentence : plain text; why : Markdown
    right : the number of the right answer; None if the run shows none to be right
    """

    sentence: str
    why: str = ""
    right: int | None = None


def verdict_of(asked: Asked, found: Any) -> Verdict | None:
    """Return the answer to a question: that of a lesson's step, or from the result of its scene; None if that shows
    none.
    """
    subject: Subject = asked.about
    if subject.own is not None:
        right = subject.own.right
        return None if right is None else Verdict(f"The answer is: {asked.options[right]}.", right=right)
    if (step := subject.lesson_step) is None:
        return None if found is None else _of_race(asked, found)
    answer = step.predict.options[step.right]
    if found is not None and not step.aha(found):
        return Verdict(f"This run was unusual. The usual answer is: {answer}. Try new random numbers.", step.explain)
    return Verdict(f"The answer is: {answer}.", step.explain, step.right)


def _of_race(asked: Asked, result: Any) -> Verdict | None:
    if not (sentence := result.headline):
        return None
    right = result.comparison.names.index(result.winner) if result.winner else asked.options.index(DRAW)
    return Verdict(sentence, escape(result.sentence().removeprefix(sentence).strip()), right)
