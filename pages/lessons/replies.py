"""Answers in a lesson as the address keeps them: "bA.c" is b predicted, a observed correctly, then c predicted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_STEP = re.compile(r"([a-f]?)([A-F]?)")


@dataclass(frozen=True)
class Reply:
    """Answers in a step: the numbers of the prediction and of the correct observation; None before."""

    predicted: int | None = None
    seen: int | None = None

    @property
    def done(self) -> bool:
        """True if the step has a prediction and a correct observation."""
        return self.predicted is not None and self.seen is not None


def write(replies: Sequence[Reply]) -> str:
    """Return the answers as a text for the address; "" if there are none."""
    letters = (_letter(each.predicted, "a") + _letter(each.seen, "A") for each in replies)
    return ".".join(letters).rstrip(".")


def read(text: str, options: Sequence[tuple[int, int]]) -> list[Reply]:
    """Return a `Reply` for each step of a text by `write`; invalid parts are ignored.

    options : of each step the number of answers to its two questions
    """
    steps = text.split(".")[: len(options)]
    found = []
    for letters, (predictions, sights) in zip(steps + [""] * (len(options) - len(steps)), options, strict=True):
        match = _STEP.fullmatch(letters)
        predicted, seen = match.groups() if match else ("", "")
        each = Reply(_number(predicted, "a", predictions), _number(seen, "A", sights))
        found.append(each if each.predicted is not None else replace(each, seen=None))
    return found


def _letter(number: int | None, first: str) -> str:
    return "" if number is None else chr(ord(first) + number)


def _number(letter: str, first: str, options: int) -> int | None:
    number = ord(letter) - ord(first) if letter else options
    return number if number < options else None
