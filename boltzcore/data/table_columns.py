"""Columns of texts as files write them: numbers in one form, or codes of values."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import BINARY
from boltzcore.data.reading import AUTOMATIC, DECIMALS, Reading
from boltzcore.data.table import MOST_VALUES, number_in, number_text

_WORDS = ({"no", "yes"}, {"false", "true"})  # in any case
_KEPT = MOST_VALUES + 2  # different numbers of a column, a gap among them, whose texts are kept
_PLAIN = str.maketrans(dict.fromkeys("\xa0\u2007\u2009\u202f", " ") | {"\N{MINUS SIGN}": "-"})
_QUOTED = re.compile(r"'.*'|\".*\"", re.DOTALL)
_UNITS = "%$€£"
_GROUPS = " '’"  # between thousands, further to the mark that is not the decimal one


def _number(point: str, groups: str) -> re.Pattern[str]:
    """Return the pattern of numbers in one form.

    Codes stay texts: numbers have no leading zeros, no more digits than a float keeps, and no exponents but as programs
    write them.
    """
    grouped = "".join(rf"|[1-9]\d{{0,2}}(?:{mark}\d{{3}}){{1,4}}" for mark in groups).replace(".", r"\.")
    whole, point = rf"(?:0|[1-9]\d{{0,14}}{grouped})", re.escape(point)
    exponents = rf"(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][-+]\d{{1,3}})?|\d{point}\d+[eE]\d{{1,3}}"
    return re.compile(f"[-+]?(?:{exponents})", re.ASCII)


_FORMS = {"point": (_number(".", _GROUPS), _number(".", "," + _GROUPS)), "comma": (_number(",", "." + _GROUPS),)}
_GROUPED = {mark: re.compile(rf"[-+]?[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+", re.ASCII) for mark in ".,"}
_DOUBTFUL = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
WITH_COMMA = re.compile(rf"[-+]?\d*,\d+(?:[eE][-+]?\d+)?|{_GROUPED[','].pattern}", re.ASCII)


@dataclass(frozen=True)
class Numbers:
    """Numbers that texts write in one form; its decimal mark is "automatic" if they do not show which it is."""

    values: NDArray[np.float64]
    decimal: str


def numbers_in(texts: Sequence[str], decimal: str = AUTOMATIC) -> Numbers | None:
    """Return the numbers if each text writes one, all in the same form and with the same unit, and different texts stay
    different. None also if there is no text, or if a mark may stand before decimals as well as before thousands.

    decimal : the mark to take; "automatic" takes the one that the texts show
    """
    if unit := next((mark for mark in _UNITS if texts and mark in texts[0]), ""):
        with_unit = re.compile(rf"([-+]?)[{unit}] ?(.*)|(.*?) ?[{unit}]")
        found = [with_unit.fullmatch(text) for text in texts]
        texts = ["".join(each.groups("")) for each in found if each]
        if len(texts) < len(found):
            return None
    for name in DECIMALS if decimal == AUTOMATIC else (decimal,):
        for form in _FORMS[name] if texts else ():
            if all(map(form.fullmatch, texts)):
                return _in_form(texts, name, known=decimal != AUTOMATIC)
    return None


def _in_form(texts: Sequence[str], name: str, known: bool) -> Numbers | None:
    mark, joined = DECIMALS[name], "\n".join(texts)
    other = "," if mark == "." else "."
    if not known and (mark in joined or other in joined):
        if not any(_shows(text, mark, other) for text in texts):
            if other not in joined and _are_thousands(texts, mark):
                return _in_form(texts, "comma" if mark == "." else "point", known=True)
            if other in joined and not _are_thousands(texts, other):
                return None
            if other not in joined and (mark == "," or not all(mark in text for text in texts)):
                return None
            name = name if other in joined else AUTOMATIC
    elif not known:
        name = AUTOMATIC
    for group in other + _GROUPS:
        joined = joined.replace(group, "")
    values = np.array(list(map(float, joined.replace(mark, ".").split("\n"))), np.float64)
    return Numbers(values, name) if np.isfinite(values).all() and not _merged(texts, values) else None


def _shows(text: str, mark: str, other: str) -> bool:
    """Return whether a number shows which mark is the decimal one."""
    if mark in text:
        return other in text or not _GROUPED[mark].fullmatch(text)
    return text.count(other) > 1


def _are_thousands(texts: Sequence[str], mark: str) -> bool:
    """Return whether marks cannot be decimal ones: numbers without are among them, so that zeros at the end would have
    been left out.
    """
    return sum(mark not in text for text in texts) > BINARY and any(
        text.endswith("0") for text in texts if mark in text
    )


def _merged(texts: Sequence[str], values: NDArray[np.float64]) -> bool:
    """Return whether two texts that are no whole numbers, such as 1.1 and 1.10, write the same number."""
    if len(np.unique(values)) == len(texts):
        return False
    met: dict[float, str] = {}
    pairs = zip(texts, values.tolist(), strict=True)
    return any(
        met.setdefault(value, text) != text and not (value.is_integer() or "e" in (text + met[value]).lower())
        for text, value in pairs
    )


@dataclass(frozen=True)
class Column:
    """A column of a table.

    values : its different values, in their order; of numbers, the first ones
    codes : (n,) which of them each row has; -1 if it is missing
    markers : the texts that are missing values
    numbers : (n,) the number in each row, nan if it is missing; None if one of its values is a text
    strange : the texts, few, that are no numbers among more than 64 that are
    as_text : it has more than 64 texts, which are kept apart, but could be read as these numbers
    decimal : see `numbers_in`
    doubtful : a point or a comma may stand before decimals or before thousands
    """

    values: tuple[str, ...]
    codes: NDArray[np.intp]
    markers: frozenset[str] = frozenset()
    numbers: NDArray[np.float64] | None = None
    decimal: str = AUTOMATIC
    doubtful: bool = False
    as_text: bool = False
    strange: tuple[str, ...] = ()


def parse_column(cells: Sequence[str], rows: NDArray[np.int32], reading: Reading) -> Column:
    """Return a column with one value for all cells of the same meaning: the same number, or yes, no, true and false in
    any case if it has nothing else.

    cells : its different texts; rows : (n,) which of them each row has
    """
    used, at = np.unique(rows, return_inverse=True)
    always, among_numbers = reading.missing_texts()
    texts = plain([cells[i] for i in used], always)
    lower = [text.lower() for text in texts]
    there = [text for text, each in zip(texts, lower, strict=True) if each not in always and each not in among_numbers]
    found = numbers_in(there, reading.decimal)
    gaps = always | among_numbers if found else always
    present = np.array([each not in gaps for each in lower], np.bool_)
    doubtful = found is None or found.decimal == AUTOMATIC
    doubtful = doubtful and reading.decimal == AUTOMATIC and any(map(_DOUBTFUL.fullmatch, there))
    numbers = np.full(len(texts), math.nan)
    if found:
        numbers[present] = found.values
        numbers[np.isin(numbers, [number for text in always if (number := number_in(text)) is not None])] = math.nan
        present = ~np.isnan(numbers)
    markers = frozenset(text for text, is_there in zip(texts, present.tolist(), strict=True) if not is_there)
    if found:
        values, codes = values_of(numbers)
        return Column(values, codes[at], markers, numbers[at], found.decimal, doubtful)
    words = any({each for each in lower if each not in gaps} <= pair for pair in _WORDS)
    meanings = [each if words else text for text, each in zip(texts, lower, strict=True)]
    met = dict.fromkeys(meaning for meaning, is_there in zip(meanings, present.tolist(), strict=True) if is_there)
    many = len(met) > MOST_VALUES
    values = tuple(met if many else sorted(met, key=sort_key))
    place = {value: code for code, value in enumerate(values)}
    codes = np.array([place.get(meaning, -1) for meaning in meanings], np.intp)
    strange = [text for text in there if number_in(text) is None] if many else []
    if not many or strange or doubtful or reading.decimal == "comma" or len(there) < present.sum():
        few = tuple(text for text in strange if not WITH_COMMA.fullmatch(text))
        few = few if 10 * len(few) < len(there) else ()
        return Column(values, codes[at], markers, doubtful=doubtful, strange=few)
    numbers[present] = list(map(number_in, there))
    return Column(values, codes[at], markers, numbers[at], as_text=True)


def values_of(numbers: NDArray[np.float64]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the texts of different numbers, of many the first ones, and which of them each row has; -1 for nan."""
    different, codes = np.unique(numbers, return_inverse=True)
    values = tuple(number_text(number) for number in different[:_KEPT].tolist() if not math.isnan(number))
    return values, np.where(np.isnan(numbers), -1, codes)


def plain(texts: Sequence[str], missing: frozenset[str] = frozenset()) -> list[str]:
    """Return texts with plain blanks and minus signs, without blanks around them, and without quotation marks if all
    that are not missing are in such.
    """
    if not all(map(str.isascii, texts)):
        texts = [text.translate(_PLAIN) for text in texts]
    texts = [text.strip() for text in texts]
    if all(_QUOTED.fullmatch(text) for text in texts if text.lower() not in missing):
        return [text[1:-1].strip() if _QUOTED.fullmatch(text) else text for text in texts]
    return texts


def sort_key(value: str) -> tuple[bool, float, str, str]:
    """Return a key that sorts numbers by value, then texts by their letters: no before yes, false before true."""
    number = number_in(value)
    return number is None, number or 0.0, value.casefold(), value
