"""Answers in a lesson as the address keeps them: "bA.c" is b predicted, a observed correctly, then c predicted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

_STEP = re.compile(r"([a-f]?)([A-F]?)")


@dataclass(frozen=True)
class Said:
    """Of a step: the numbers of the answer that was predicted, and of what was rightly said to be seen; None before."""

    predicted: int | None = None
    seen: int | None = None

    @property
    def done(self) -> bool:
        """True if the step has a prediction and a correct observation."""
        return self.predicted is not None and self.seen is not None


def write(said: Sequence[Said]) -> str:
    """As a text for the address; "" if nothing was said."""
    letters = (_letter(each.predicted, "a") + _letter(each.seen, "A") for each in said)
    return ".".join(letters).rstrip(".")


def read(text: str, options: Sequence[tuple[int, int]]) -> list[Said]:
    """Of a text that `write` has made, a `Said` for each step; what means nothing is passed over.

    options : of each step how many answers its two questions have
    """
    steps = text.split(".")[: len(options)]
    found = []
    for letters, (predictions, sights) in zip(steps + [""] * (len(options) - len(steps)), options, strict=True):
        match = _STEP.fullmatch(letters)
        predicted, seen = match.groups() if match else ("", "")
        each = Said(_number(predicted, "a", predictions), _number(seen, "A", sights))
        found.append(each if each.predicted is not None else replace(each, seen=None))
    return found


def _letter(number: int | None, first: str) -> str:
    return "" if number is None else chr(ord(first) + number)


def _number(letter: str, first: str, options: int) -> int | None:
    number = ord(letter) - ord(first) if letter else options
    return number if number < options else None
