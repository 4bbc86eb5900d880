"""Rows of a table that hold no values: names, units, names once more, and notes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import BINARY
from boltzcore.data.reading import AUTOMATIC, Reading
from boltzcore.data.table import number_in, number_text
from boltzcore.data.table_columns import Column, numbers_in, parse_column, plain
from boltzcore.data.table_layout import JUDGED, Layout
from boltzcore.parameters import Refusal
from boltzcore.quoting import listed

Cells = list[tuple[list[str], NDArray[np.int32]]]  # of each column its texts, and which of them each row has
PAIRS = (("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"))  # a column of one value may be half of
_WORDS = {"no", "yes", "false", "true"}
_YEARS = range(1800, 2101)
FEW = 8  # rows below which a further value of a column is no surprise
_NAME_OF_UNIT = 20  # characters
_UNIT = re.compile(
    r"[\[(<].+[\])>]|[^\d\s]+/[^\s]+|[%‰°$€£].?|years?|yrs?|months?|days?|hours?|h|min|mm?Hg|[kcmdµnMG]?(?:m|g|l|L|s|W|V|A|Hz|J|Pa|K|N|t|mol)[²³23]?"
)


@dataclass(frozen=True)
class _Votes:
    """Cells of a row by what they are in the columns below them: values; others; of these, texts above numbers."""

    values: int
    others: int
    above_numbers: int
    certain: int


def _votes(first: Sequence[str], below: Sequence[Column], reading: Reading) -> _Votes:
    values = others = above_numbers = certain = 0
    missing = reading.missing_texts()[0]
    for cell, each in zip(first, below, strict=True):
        if cell.lower() in missing:
            certain += (
                each.numbers is not None
                and cell == ""
                and len(each.numbers) > BINARY
                and (np.diff(each.numbers) == 1).all()
            )
            continue
        found = None if each.numbers is None else numbers_in([cell], reading.decimal)
        number = None if found is None else float(found[0][0])
        meaning = cell if number is None else number_text(number)
        meaning = meaning.lower() if meaning.lower() in _WORDS else meaning
        paired = {value for pair in PAIRS if meaning in pair for value in pair}
        if not {meaning, *paired}.isdisjoint(each.values) or (paired and not each.values):
            values += 1
        elif number is not None and each.numbers is not None and not _is_new(number, each):
            low, high = np.nanmin(each.numbers), np.nanmax(each.numbers)
            if number in _YEARS and (low > _YEARS[-1] or high < _YEARS[0]):
                others += 1
            else:
                values += bool(low <= number <= high or not number.is_integer() or len(each.values) <= BINARY)
        else:
            others += 1
            above_numbers += each.numbers is not None and number is None
            certain += len(each.values) <= BINARY and len(each.codes) >= FEW
    return _Votes(values, others, above_numbers, certain)


def counts(numbers: NDArray[np.float64]) -> bool:
    """Return whether numbers rise by one, from 0 or 1 on."""
    return bool(numbers[0] in (0, 1) and (np.diff(numbers) == 1).all())


def _is_new(number: float, each: Column) -> bool:
    """Return whether a whole number is no surprise as a name, but would be one in a column of two values."""
    few = len(each.values) <= BINARY and len(each.codes) >= FEW
    return number.is_integer() and (few or each.values in (*PAIRS, ("0",), ("1",)))


def has_names(first: Sequence[str], cells: Cells, reading: Reading, name: str) -> bool:
    """Return whether the first row holds names: none of its cells is a value of its column, or they are numbered."""
    if reading.header != AUTOMATIC:
        return reading.header == "yes"
    below = [parse_column(texts, rows[1:JUDGED], reading) for texts, rows in cells]
    votes = _votes(first, below, reading)
    again = sum(bool((rows[1:] == rows[0]).any()) for cell, (_, rows) in zip(first, cells, strict=True) if cell)
    numbers = [number for cell in first if (number := number_in(cell)) is not None and number.is_integer()]
    run = len(numbers) > 1 and len(steps := set(np.diff(numbers).tolist())) == 1 and min(steps) > 0
    long = run and len(numbers) > BINARY
    if not votes.values and not again:
        return bool(votes.others or long)
    beyond = run and not any(number_text(numbers[-1]) in each.values for each in below)
    beyond = beyond and votes.others > 0
    if (beyond and (long or votes.certain or votes.above_numbers)) or (votes.certain and first[0] == ""):
        return True
    if long or beyond or votes.above_numbers or 4 * votes.certain > max(votes.values, again):
        raise Refusal(
            f"header must be yes or no: the first row of {name} ({listed(first, 'empty')}) may hold names or values.",
            "header",
        )
    return False


def without_repeated(first: Sequence[str], cells: Cells, reading: Reading) -> tuple[Cells, bool]:
    """Return cells without rows that repeat the first one, if it holds names above numbers; and whether any does."""
    same = np.logical_and.reduce([rows == rows[0] for _, rows in cells])
    same[0] = False
    if len(cells) == 1 or not same.any() or any(number_in(cell) is not None for cell in first):
        return cells, False
    kept = [(texts, rows[~same]) for texts, rows in cells]
    votes = _votes(first, [parse_column(texts, rows[1:JUDGED], reading) for texts, rows in kept], reading)
    return (kept, True) if votes.above_numbers and not votes.values else (cells, False)


def has_units(cells: Cells, layout: Layout, reading: Reading, name: str) -> bool:
    """Return whether the first row holds units: texts above each column of numbers, and nothing above others. Raises
    Refusal if it may hold names, too.
    """
    below = [parse_column(texts, rows[1:JUDGED], reading) for texts, rows in cells]
    first = [plain([texts[rows[0]]])[0] for texts, rows in cells]
    votes = _votes(first, below, reading)
    if votes.values or not votes.above_numbers:
        return False
    written = [cell for cell in first if cell]
    units = sum(len(cell) < _NAME_OF_UNIT and bool(_UNIT.fullmatch(cell)) for cell in written)
    if votes.above_numbers == len(written) < 2 * units:
        return True
    if votes.above_numbers > 1 and all(first) and reading.header == AUTOMATIC:
        raise Refusal(
            f"skip_rows must be the number of rows above the names in {name}: two rows may hold them, line "
            f"{layout.end:,} and the next.",
            "skip_rows",
        )
    return False


def check_last_row(cells: Cells, reading: Reading, name: str) -> None:
    """Raise ValueError if the last row looks like a note: it has empty cells, and others that no column has."""
    last = [plain([texts[rows[-1]]])[0] for texts, rows in cells]
    n = len(cells[0][1]) - 1
    if "" not in last or n < FEW // 2:
        return
    columns = [parse_column(texts, rows[-JUDGED:-1], reading) for texts, rows in cells]
    few = [(cell, each) for cell, each in zip(last, columns, strict=True) if 0 < len(each.values) <= n / 2]
    new = _votes([cell for cell, _ in few], [each for _, each in few], reading).others
    if new and not _votes(last, columns, reading).values:
        raise ValueError(f"The last row of {name} ({listed(filter(None, last), '')}) looks like a note: delete it.")
