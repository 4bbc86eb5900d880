"""Columns of texts from files: numbers in one form, or codes of values."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.reading import AUTOMATIC, DECIMALS, Reading
from boltzcore.data.table import MOST_VALUES, number_in, number_text

_WORDS = ({"no", "yes"}, {"false", "true"})  # in upper or lower case
_KEPT = MOST_VALUES + 2  # different numbers of a column, including a gap, whose texts are kept
_LONGEST = 10_000  # largest number of characters of the texts of a column that are kept parsed
_PLAIN = str.maketrans(dict.fromkeys("\xa0\u2007\u2009\u202f", " ") | {"\N{MINUS SIGN}": "-"})
_QUOTED = re.compile(r"'.*'|\".*\"", re.DOTALL)
_UNITS = "%$€£"


def _number(point: str, groups: str) -> re.Pattern[str]:
    """Return the pattern of numbers in one form.

    Codes remain texts: numbers have no leading zeros, no more digits than a float keeps, and only exponents as written
    by programs.
    """
    whole, point = rf"(?:0|[1-9]\d{{0,14}}|[1-9]\d{{0,2}}(?:([{groups}])\d{{3}})(?:\1\d{{3}}){{0,3}})", re.escape(point)
    exponents = rf"(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][-+]\d{{1,3}})?|\d{point}\d+[eE]\d{{1,3}}"
    return re.compile(f"[-+]?(?:{exponents})", re.ASCII)


_FORMS = {"point": _number(".", ", '’"), "comma": _number(",", ". '’")}
_DOUBTFUL = re.compile(r"[-+]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
WITH_COMMA = re.compile(r"[-+]?\d*,\d+(?:[eE][-+]?\d+)?|[-+]?[1-9]\d{0,2}(?:,\d{3})+", re.ASCII)


def numbers_in(texts: Sequence[str], decimal: str = AUTOMATIC) -> tuple[NDArray[np.float64], str] | None:
    """Return the numbers and their decimal mark ("automatic" if undetermined), if each text is a number in the same
    form and with the same unit, and different texts stay different. Return None otherwise, if there is no text, and if
    commas may separate decimals as well as thousands.

    decimal : the mark to use; "automatic" for the one in the texts
    """
    if unit := next((mark for mark in _UNITS if texts and mark in texts[0]), ""):
        with_unit = re.compile(rf"([-+]?)[{unit}] ?(.*)|(.*?) ?[{unit}]")
        written = [with_unit.fullmatch(text) for text in texts]
        texts = ["".join(each.groups("")) for each in written if each]
        if len(texts) < len(written):
            return None
    marks = DECIMALS if decimal == AUTOMATIC else (decimal,)
    readings = {mark: _values(texts, mark) for mark in marks if texts and all(map(_FORMS[mark].fullmatch, texts))}
    found = [values for values in readings.values() if values is not None]
    if not found or len(found) < len(readings):
        return None
    values, *others = found
    if others and not np.array_equal(values, others[0]) and not all("." in text for text in texts):
        return None
    return values, AUTOMATIC if others else next(iter(readings))


def _values(texts: Sequence[str], mark: str) -> NDArray[np.float64] | None:
    """Return the numbers of texts; None if two of them with decimals, such as 1.1 and 1.10, are equal, or one is too
    large.
    """
    joined = re.sub(rf"[^-+\deE{DECIMALS[mark]}\n]", "", "\n".join(texts)).replace(",", ".")
    values = np.array(list(map(float, joined.split("\n"))), np.float64)
    different, counts = np.unique(values, return_counts=True)
    several = np.isin(values, different[counts > 1]).nonzero()[0].tolist()
    exact = {texts[i]: values[i] for i in several if values[i] % 1 and "e" not in texts[i].lower()}
    return values if np.isfinite(values).all() and len(set(exact.values())) == len(exact) else None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    values : its different values, in order; for numbers, the first ones
    codes : (n,) index into them for each row; -1 if it is missing
    markers : texts of missing values
    numbers : (n,) number in each row, nan if it is missing; None if one of its values is a text
    strange : the few texts among more than 64 numbers
    as_text : True if it has more than 64 texts, which are kept, but could be read as these numbers
    decimal : see `numbers_in`
    doubtful : True if a point or a comma may separate decimals or thousands
    """

    values: tuple[str, ...]
    codes: NDArray[np.integer]
    markers: frozenset[str] = frozenset()
    numbers: NDArray[np.float64] | None = None
    decimal: str = AUTOMATIC
    doubtful: bool = False
    as_text: bool = False
    strange: tuple[str, ...] = ()


def unique_codes(codes: NDArray[np.int32]) -> tuple[NDArray[np.integer], NDArray[np.int32]]:
    """Return the different codes in rows, in order, and the index among these of each row's code."""
    if (most := int(codes.max(initial=0))) > 4 * len(codes):
        different, at = np.unique(codes, return_inverse=True)
        return different, at.astype(np.int32)
    used = np.bincount(codes).nonzero()[0]
    places = np.empty(most + 1, np.int32)
    places[used] = np.arange(len(used))
    return used, places[codes]


def parse_column(cells: Sequence[str], rows: NDArray[np.int32], reading: Reading) -> Column:
    """Return a column with one value for all cells of the same meaning: the same number, or yes, no, true and false in
    any case if there is nothing else; these are in lower case if one of them has several spellings.

    cells : its texts, plain; rows : (n,) index into them for each row
    """
    used, at = unique_codes(rows)
    texts = tuple(cells[i] for i in used.tolist())
    parse = _parse_known if len(texts) <= _KEPT and sum(map(len, texts)) < _LONGEST else _parse
    found = parse(texts, reading.decimal, *reading.missing_texts())
    codes = found.codes.astype(np.int32)[at]
    return replace(found, codes=codes, numbers=None if found.numbers is None else found.numbers[at])


def _parse(texts: Sequence[str], decimal: str, always: frozenset[str], among_numbers: frozenset[str]) -> Column:
    """Return the column with each of these texts in one row."""
    lower = [text.lower() for text in texts]
    there = [text for text, each in zip(texts, lower, strict=True) if each not in always and each not in among_numbers]
    found = numbers_in(there, decimal)
    doubtful = decimal == AUTOMATIC == (found[1] if found else AUTOMATIC)
    doubtful = doubtful and any(map(_DOUBTFUL.fullmatch, there))
    gaps = always | among_numbers if found else always
    present = np.array([each not in gaps for each in lower], np.bool_)
    numbers = np.full(len(texts), math.nan)
    if found:
        numbers[present] = found[0]
        numbers[np.isin(numbers, [number for text in always if (number := number_in(text)) is not None])] = math.nan
        present = ~np.isnan(numbers)
    markers = frozenset(text for text, is_there in zip(texts, present.tolist(), strict=True) if not is_there)
    if found:
        values, codes = values_of(numbers)
        return Column(values, codes, markers, numbers, found[1], doubtful)
    words = any({each for each in lower if each not in gaps} <= pair for pair in _WORDS)
    spelt = Counter(lower)
    meanings = [each if words and spelt[each] > 1 else text for text, each in zip(texts, lower, strict=True)]
    met = dict.fromkeys(meaning for meaning, is_there in zip(meanings, present.tolist(), strict=True) if is_there)
    many = len(met) > MOST_VALUES
    values = tuple(met if many else sorted(met, key=sort_key))
    place = {value: code for code, value in enumerate(values)}
    codes = np.array([place.get(meaning, -1) for meaning in meanings], np.intp)
    strange = [text for text in met if number_in(text) is None] if many else []
    if not many or strange or doubtful or decimal == "comma":
        few = 10 * len(strange) < len(met)
        return Column(values, codes, markers, doubtful=doubtful, strange=tuple(strange) if few else ())
    numbers[present] = [number_in(text) for text in there]
    return Column(values, codes, markers, numbers, as_text=True)


_parse_known = lru_cache(maxsize=256)(_parse)  # columns of few values are often alike


def values_of(numbers: NDArray[np.float64]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the texts of different numbers (of many, the first ones), and each row's index; -1 for nan."""
    different, codes = np.unique(numbers, return_inverse=True)
    values = tuple(number_text(number) for number in different[:_KEPT].tolist() if not math.isnan(number))
    return values, np.where(np.isnan(numbers), -1, codes)


def clean(texts: Sequence[str], missing: frozenset[str] = frozenset()) -> list[str]:
    """Return texts with plain blanks and minus signs, without surrounding blanks, and without quotation marks if all
    that are not missing have them.
    """
    if not all(map(str.isascii, texts)):
        texts = [text.translate(_PLAIN) for text in texts]
    texts = [text.strip() for text in texts]
    if all(_QUOTED.fullmatch(text) for text in texts if text.lower() not in missing):
        return [text[1:-1].strip() if _QUOTED.fullmatch(text) else text for text in texts]
    return texts


def sort_key(value: str) -> tuple[bool, float, str, str]:
    """Return a key that sorts numbers by value, then texts alphabetically: no before yes, false before true."""
    number = number_in(value)
    return number is None, number or 0.0, value.casefold(), value
