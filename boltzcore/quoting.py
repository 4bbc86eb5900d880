"""Sentences on input from outside: refusals of it, and quotes, limited in length, with only printable characters."""

import logging
import os
import re
import reprlib
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

logger = logging.getLogger(__name__)

LONGEST = 60  # largest number of characters of one quote
_LISTED = 120  # the same of a list of names
_SIZES = {"trillion": 12, "billion": 9, "million": 6}  # powers of ten
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # and their wide forms


class Refusal(ValueError):
    """Bad input, as one sentence, and the field that it is about: "rate", or "CD.rate" once its owner is known.

    field : "" where it is about no field alone
    all : this one and the others that were found with it
    """

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field
        self.all: tuple[Refusal, ...] = (self,)


def quoted(value: Any) -> str:
    """Return a value in Python's notation, cut, with numpy's numbers like Python's."""
    import numpy as np  # modules that need no arrays start without it

    with np.printoptions(legacy="1.25"):  # later ones write np.int64(4)
        return cut(reprlib.repr(value))


def cut(text: str, most: int = LONGEST) -> str:
    """Return a text with at most `most` characters, by omitting its middle; unprintable ones become question marks."""
    if len(text) > most:
        head = (most - 3) // 2
        text = f"{text[:head]}...{text[head + 3 - most :]}"
    return "".join(character if character.isprintable() else "?" for character in text)


def number(value: float, form: str = ".4g") -> str:
    """Return a number for a sentence, as in −0.5, 6 %, 1,390 and 10⁻⁹; in the form .2g%, a share in two digits."""
    if form.endswith("g%"):
        return f"{number(100 * value, form[:-1])}\N{NO-BREAK SPACE}%"
    text = f"{value:{form.replace(',.', '.').replace('.', 'z,.')}}".replace("%", "\N{NO-BREAK SPACE}%")
    digits, _, power = text.partition("e")
    if power in ("+01", "+02", "+03", "+04", "+05"):
        text = f"{float(text):,.0f}"
    elif power:
        text = f"{digits} × 10{str(int(power)).translate(_RAISED)}".removeprefix("1 × ")
    return text.replace("-", "\N{MINUS SIGN}")


def short_count(count: int) -> str:
    """Return a count for a sentence: all digits below a million, otherwise three digits and a word."""
    for name, power in _SIZES.items():
        if count >= 10**power:
            return f"{count / 10**power:.3g} {name}"
    return f"{count:,}"


def read_count(text: str) -> int:
    """Return a whole number in the notation of `short_count`, or like 5e8. Raises ValueError for another text."""
    number = r"([-+]?(?:[1-9]\d{0,2}(?:,\d{3}){1,6}|\d{1,20})(?:\.\d{1,20})?)"
    if not (found := re.fullmatch(rf"{number}(?: ?({'|'.join(_SIZES)})|e\+?(\d\d?))?", text.lower(), re.ASCII)):
        raise ValueError
    digits, name, exponent = found.groups()
    count = Fraction(f"{digits.replace(',', '')}e{_SIZES[name] if name else exponent or 0}")
    if count.denominator > 1:
        raise ValueError
    return int(count)


def cell(text: str) -> str:
    """Return a text for a table that a spreadsheet may open: one that starts like a formula, which would be run, is
    prefixed by an apostrophe.
    """
    return f"'{text}" if text.lstrip()[:1] in _FORMULA else text


def listed(names: Iterable[str], otherwise: str) -> str:
    """Return the first of some names, each cut, and the number of the others; `otherwise` if there are none."""
    every = [cut(name) for name in names]
    shown, left = 0, _LISTED
    while shown < len(every) and (shown == 0 or len(every[shown]) <= left):
        left -= len(every[shown]) + 2
        shown += 1
    more = f" and {len(every) - shown:,} more" if shown < len(every) else ""
    return ", ".join(every[:shown]) + more or otherwise


def error_message(error: Exception) -> str:
    """Return the message of an error, without the path on this machine in errors of the disk."""
    if not isinstance(error, OSError) or isinstance(error, ValueError):
        return str(error)
    reason = error.strerror or str(error)
    return reason if reason and os.sep not in reason else "the disk failed"


def explain(error: Exception, what: str) -> str:
    """Return the sentence to show for an error. Errors other than refusals are logged: those of the disk in a line,
    others with their traceback and without their message in the sentence, which may quote a private table.

    what : the beginning of a sentence, such as "The training could not be saved"
    """
    if isinstance(error, Refusal):
        return str(error)
    if isinstance(error, OSError):
        logger.warning("%s: %s", what, error)
        return f"{what}: {error_message(error)}."
    logger.error("%s: %s", what, error, exc_info=error)
    return f"{what}: internal error ({type(error).__name__}); details are in the log."


def span(seconds: float) -> str:
    """Return a duration in words, rounded like an estimate."""
    if seconds < 10:
        return f"{max(1, round(seconds))} s"
    if seconds < 57.5:
        return f"{5 * round(seconds / 5)} s"
    if seconds < 115:
        minutes, over = divmod(10 * round(seconds / 10), 60)
        return f"{minutes} min {over} s" if over else f"{minutes} min"
    if (minutes := round(seconds / 60)) < 60:
        return f"{minutes} min"
    if seconds > 36_000:
        return f"{round(seconds / 3600):,} h"
    hours, over = divmod(10 * round(seconds / 600), 60)
    return f"{hours} h {over} min" if over else f"{hours} h"
