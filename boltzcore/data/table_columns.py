"""Columns of texts as files write them: numbers in one form, or codes of values."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.table import MOST_VALUES, number_in, number_text

_GAPS = {"", "?", "na", "n/a", "nan", "null", "#n/a", "<na>", "-nan", r"\n"}  # in any case
_NO_NUMBERS = _GAPS | {"none", ".", "-"}  # gaps in a column of numbers
_WORDS = {"no", "yes", "false", "true"}  # in any case
GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")  # by thousands, not a decimal comma
_KEPT = MOST_VALUES + 2  # different numbers of a column, a gap among them, whose texts are kept


class NumberForm(NamedTuple):
    """A form of numbers: its decimal mark, a pattern, and characters that Python writes otherwise or not at all."""

    decimal: str
    pattern: re.Pattern[str]
    characters: dict[int, str | None]

    def read(self, text: str) -> float | None:
        """Return the number that a text writes in this form; None if it writes none."""
        number = float(text.translate(self.characters)) if self.pattern.fullmatch(text) else math.inf
        return number if math.isfinite(number) else None


def _form(decimal: str, groups: str) -> NumberForm:
    # No leading zeros, no more digits than a float keeps, no exponents but as programs write them: codes are texts.
    whole = rf"(?:0|[1-9]\d{{0,14}}|[1-9]\d{{0,2}}(?:[{groups}]\d{{3}}){{1,4}})"
    pattern = rf"[-+]?[$€£]?(?:{whole}(?:[{decimal}]\d*)?|[{decimal}]\d+)(?:[eE][-+]\d{{1,3}})? ?%?"
    dropped = dict.fromkeys(map(ord, f"{groups}$€£% "))
    return NumberForm(decimal, re.compile(pattern), {**dropped, ord(decimal): "."})


_FORMS = (_form(".", " "), _form(",", ". "), _form(".", ", "))


def numbers_in(texts: Sequence[str]) -> tuple[NumberForm, NDArray[np.float64]] | None:
    """Return the first form in which each text writes a number, and these, nan for a missing one; None if there is
    none, or if commas may stand before thousands as well as before decimals.
    """
    for form in _FORMS:
        found = []
        for text in texts:
            if (number := form.read(text)) is None:
                if text.lower() not in _NO_NUMBERS:
                    break
                number = math.nan
            found.append(number)
        else:
            clear = form is _FORMS[0] or any(form.decimal in text and not GROUPED.fullmatch(text) for text in texts)
            numbers = np.array(found, np.float64)
            return None if np.isnan(numbers).all() or not clear else (form, numbers)
    return None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    values : its different values, in their order; of numbers, the first ones
    codes : (n,) which of them each row has; -1 if it is missing
    form : of its numbers; None if one of its values is a text
    numbers : (n,) the number in each row, nan if it is missing
    """

    values: tuple[str, ...]
    codes: NDArray[np.intp]
    form: NumberForm | None = None
    numbers: NDArray[np.float64] | None = None


def parse_column(cells: Sequence[str], rows: NDArray[np.int32]) -> Column:
    """Return a column with one value for all cells of the same meaning: the same number, or yes, no, true and false in
    any case.

    cells : its different texts; rows : (n,) which of them each row has
    """
    used, at = np.unique(rows, return_inverse=True)
    texts = [stripped(cells[i]) for i in used]
    if (found := numbers_in(texts)) is not None:
        form, numbers = found
        different, codes = np.unique(numbers, return_inverse=True)
        values = tuple(number_text(number) for number in different[:_KEPT].tolist() if not math.isnan(number))
        return Column(values, np.where(np.isnan(numbers), -1, codes)[at], form, numbers[at])
    meanings = [meaning_of(text) for text in texts]
    met = dict.fromkeys(filter(None, meanings))
    values = tuple(sorted(met, key=sort_key) if len(met) <= MOST_VALUES else met)
    place = {value: code for code, value in enumerate(values)} | {"": -1}
    return Column(values, np.array([place[meaning] for meaning in meanings], np.intp)[at])


def stripped(text: str) -> str:
    """Return a cell without blanks and quotation marks around it, with plain blanks and minus signs."""
    text = text.replace("\xa0", " ").replace("\u202f", " ").replace("\N{MINUS SIGN}", "-").strip(" \t\r\n")
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] in "\"'" else text


def meaning_of(text: str) -> str:
    """Return what a text means; empty for a missing value."""
    lower = text.lower()
    return "" if lower in _GAPS else lower if lower in _WORDS else text


def sort_key(value: str) -> tuple[bool, float, str, str]:
    """Return a key that sorts numbers by value, then texts by their letters: no before yes, false before true."""
    number = number_in(value)
    return number is None, number or 0.0, value.casefold(), value
