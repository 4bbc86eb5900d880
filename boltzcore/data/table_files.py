"""Tables out of CSV and .npz files that nobody vouches for: cells of few values, however they are written."""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, array_names, file_name, opened, read_arrays
from boltzcore.data.examples import BINARY
from boltzcore.data.table import MOST_VALUES, Table, column, number_in
from boltzcore.names import Names
from boltzcore.quoting import cut, listed, quoted

MAX_ROWS, MAX_COLUMNS, MAX_BYTES = 100_000, 4_096, 2**26
MAX_CELLS = MAX_BYTES // 2  # no file has more, unless its rows are short: each of these would count as a whole one
SPINS = ("-1", "+1")
MOST_TEXTS = 4  # of a column of too many values that are kept
MOST_NUMBERS = 40  # columns of too many different numbers that are kept, for each takes eight bytes a row
_GAPS = {"", "?", "na", "n/a", "nan", "null"}
_WORDS = {"no", "yes", "false", "true"}  # in any case
_PAIRS = (("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"))  # a column of one value may be half of
_KNOWN = {value for pair in _PAIRS for value in pair}
_DIFFERENT = MOST_VALUES + 2  # meanings of a column that are distinguished, a gap and a name above it among them
_DECIMAL = re.compile(r"[-+\N{MINUS SIGN}]?\d*,\d+(?:[eE][-+]?\d+)?")
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # begin a zip file: with an entry, or without any
_GROUPED = re.compile(r"[-+\N{MINUS SIGN}]?[1-9]\d{0,2}(,\d{3})+")  # by thousands, not a decimal comma
_FIRST_ROW = 2**20  # characters of it that are read
_NAME = 120  # characters of the name of a column
_CELLS = 2**22  # read at a time, so that a large file takes little memory
_ROWS = 1000  # of an array, checked at a time


def read_table(file: bytes | Source) -> Table:
    """The table in a CSV or .npz file: bytes, a path or a binary stream.

    Raises ValueError naming the file and what of it cannot be taken.
    """
    content = _content(file)
    if content.startswith(_ZIP):
        return _from_npz(io.BytesIO(content) if isinstance(file, bytes) else file)
    return _from_csv(content, called(file))


def called(file: bytes | Source) -> str:
    """The name of a file in a sentence."""
    return "The file" if isinstance(file, bytes) else file_name(file)


def _content(file: bytes | Source) -> bytes:
    if isinstance(file, bytes):
        content = file
    elif isinstance(file, str | os.PathLike):
        with opened(file) as stream:
            content = stream.read(MAX_BYTES + 1)
    else:
        file.seek(0)
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{called(file)} has more than the {MAX_BYTES:,} bytes that are read.")
    return content


# -- CSV ----------------------------------------------------------------------------------------------


@dataclass
class _Column:
    """The cells of a column as they come.

    meanings : {meaning: its number}, in the order in which they were met; no more of them once there are too many
    parts : which of them each row has, as long as there are not too many
    numbers : once there are, the number in each row; None where one has a text, and nothing is kept. A gap is nan, and
        infinity is what may be the name above the column
    """

    meanings: dict[str, int] = field(default_factory=dict)
    parts: list[NDArray[np.uint8]] = field(default_factory=list)
    numbers: list[NDArray[np.float64]] | None = None

    def full(self) -> bool:
        """Whether there are too many meanings."""
        return len(self.meanings) > _DIFFERENT

    def add(self, texts: NDArray, at: NDArray, *, numbers: bool) -> None:
        """The next rows: different texts, and which of them each row has. Of too many only `numbers` are kept."""
        first = not self.meanings
        if not self.full():
            for text in texts:
                self.meanings.setdefault(_meaning(text), len(self.meanings))
                if self.full():
                    break
            else:
                self.parts.append(np.array([self.meanings[_meaning(text)] for text in texts], np.uint8)[at])
                return
            met = _numbers(self.meanings, named=True)
            self.numbers = None if met is None else [met[part] for part in self.parts]
        if self.numbers is not None:
            found = _numbers(texts, named=first) if numbers else None
            self.numbers = None if found is None else [*self.numbers, found[at]]

    def rows(self, n: int) -> NDArray[np.uint8] | None:
        """(n,) the numbers of the last rows' meanings; None where there are too many meanings."""
        return None if self.full() else np.concatenate(self.parts)[-n:]

    def numbers_in(self, n: int) -> NDArray[np.float64] | None:
        """(n,) the numbers in the last rows, nan where one is missing; None where one is a text, or none are kept."""
        if self.full():
            found = None if self.numbers is None else np.concatenate(self.numbers)[-n:]
        else:
            met = _numbers(self.meanings, named=True)
            found = None if met is None else met[self.rows(n)]
        return None if found is None or np.isinf(found).any() else found


def _numbers(texts: Iterable[str], *, named: bool) -> NDArray[np.float64] | None:
    """The numbers that texts write, nan for a missing value; None where one writes none. The first one may be a name
    and is infinite then.
    """
    found = []
    for i, text in enumerate(texts):
        number = number_in(meaning := _meaning(text))
        if number is None and meaning:
            if not named or i:
                return None
            number = np.inf
        found.append(np.nan if number is None else number)
    return np.array(found, np.float64)


def _from_csv(content: bytes, name: str) -> Table:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is neither a CSV file (text in UTF-8) nor an .npz file.") from None
    separator, first, decimal = _first_row(text, name)
    if decimal:
        first = [_with_point(cell) for cell in first]
    columns = [_Column() for _ in first]
    n_rows = 0
    for chunk in _chunks(text, separator, len(first), name):
        n_rows += len(chunk[0][1])
        if n_rows > MAX_ROWS + 1:  # the header may be one of them
            raise ValueError(f"{name} has more than {MAX_ROWS:,} rows.")
        if n_rows * len(first) > MAX_CELLS:
            raise ValueError(
                f"{name} has too many rows for its {len(first):,} columns: more than {MAX_CELLS // len(first):,}."
            )
        of_numbers = 0
        for each, (texts, at) in zip(columns, chunk, strict=True):
            written = np.array([_with_point(cell) for cell in texts], object) if decimal else texts
            each.add(written, at, numbers=of_numbers < MOST_NUMBERS)
            of_numbers += each.numbers is not None
    header, names = _header(first, columns, n_rows)
    if n_rows == header:
        raise ValueError(f"{name} has no rows below its header.")
    if n_rows - header > MAX_ROWS:
        raise ValueError(f"{name} has more than {MAX_ROWS:,} rows.")
    return _table(columns, n_rows - header, names, name)


def _first_row(text: str, name: str) -> tuple[str, list[str], bool]:
    """(separator, cells of the first row that is not empty, whether commas are decimal); the separator is a regular
    expression for blanks.
    """
    head = text[:_FIRST_ROW]
    lines = [line for line in io.StringIO(head, newline="") if line.strip()]
    if not lines:
        raise ValueError(f"{name} has no rows.")
    try:
        rows = {mark: next(csv.reader(iter(lines), delimiter=mark, skipinitialspace=True)) for mark in ",;\t"}
    except csv.Error:
        raise ValueError(f"The first row of {name} has a cell that is too long to be a value.") from None
    separator = max(rows, key=lambda mark: len(rows[mark]))
    whole = lines if len(head) == len(text) else lines[:-1]
    within = {
        mark: _numbers_with_commas(whole, mark) for mark in ";\t" if separator in (mark, ",") and len(rows[mark]) > 1
    }
    if separator == ",":
        separator = next((mark for mark, numbers in within.items() if numbers is not None), separator)
    cells = rows[separator]
    blank = lines[min(1, len(lines) - 1)].split(None, MAX_COLUMNS)
    if len(cells) == 1 and len(blank) > 1 and all(number_in(cell) is not None for cell in blank):
        separator, cells = r"\s+", lines[0].split(None, MAX_COLUMNS)
    if len(cells) > MAX_COLUMNS:
        raise ValueError(f"{name} has more than {MAX_COLUMNS:,} columns.")
    commas = within.get(separator) or []
    return separator, cells, not all(map(_GROUPED.fullmatch, commas))


def _numbers_with_commas(lines: Sequence[str], separator: str) -> list[str] | None:
    """The numbers with a comma below the first line, which may have names; None where this separator does not split
    each line into as many cells, or a comma stands in anything else.
    """
    try:
        rows = list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
    except csv.Error:
        return None
    found = [cell.strip() for cells in rows[1:] or rows for cell in cells if "," in cell]
    alike = len({len(cells) for cells in rows}) == 1
    return found if alike and all(_DECIMAL.fullmatch(cell) or _GROUPED.fullmatch(cell) for cell in found) else None


def _with_point(cell: str) -> str:
    """A number as it is written with a decimal point; any other cell as it is."""
    return cell.replace(",", ".") if _DECIMAL.fullmatch(cell.strip()) else cell


def _chunks(text: str, separator: str, n_columns: int, name: str) -> Iterator[list[tuple[NDArray, NDArray]]]:
    """For each column its different texts and which of them each row has, some rows at a time. A row that is too short
    ends with empty texts.
    """
    import pandas as pd  # here, for only this needs it, and it takes its time

    try:
        with pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=None,
            names=range(n_columns),
            index_col=False,
            dtype=object,
            na_filter=False,
            low_memory=False,  # chunks are small enough
            skipinitialspace=True,
            chunksize=max(1, _CELLS // n_columns),
        ) as reader:
            for chunk in reader:
                cells = chunk.to_numpy()
                yield [pd.factorize(cells[:, i])[::-1] for i in range(n_columns)]
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as wrong:
        raise ValueError(_in_words(str(wrong), n_columns, name)) from None


def _in_words(trouble: str, n_columns: int, name: str) -> str:
    if found := re.search(r"Expected \d+ fields in line (\d+), saw (\d+)", trouble):
        row, n = (int(number) for number in found.groups())
        return f"Row {row:,} of {name} has {n:,} columns, the first one has {n_columns:,}."
    if found := re.search(r"EOF inside string starting at row (\d+)", trouble):
        return f"Row {int(found[1]) + 1:,} of {name} has a quotation mark that nothing closes."
    return f"{name} cannot be read as a CSV file."


def _meaning(text: str) -> str:
    """One text for all that mean the same: numbers by their value, yes, no, true and false in any case; empty for a
    missing value.
    """
    text = text.strip(" \t\r\n\"'")
    if (value := number_in(text)) is not None:
        return str(int(value)) if value.is_integer() else repr(value)
    lower = text.lower()
    if lower in _GAPS:
        return ""
    return lower if lower in _WORDS else text


def _header(first: Sequence[str], columns: Sequence[_Column], n_rows: int) -> tuple[bool, tuple[str, ...] | None]:
    """Whether the first row holds names, and these: None for the numbers 0, 1, 2, ... that pandas gives columns
    without a name.

    Names are no values that are known, do not occur in their column, and are no numbers above more than two of them.
    """
    cells = [cell.strip(" \t\r\n\"'") for cell in first]
    if len(cells) > 2 and cells == [str(i) for i in range(len(cells))]:
        return True, None
    meanings = [_meaning(cell) for cell in cells]
    if not any(meanings) or not _KNOWN.isdisjoint(meanings):
        return False, None
    for meaning, each in zip(meanings, columns, strict=True):
        rows = each.rows(n_rows - 1) if n_rows > 1 else None
        if meaning and rows is not None and (rows == each.meanings.get(meaning)).any():
            return False, None
        if number_in(meaning) is not None and _of_many_numbers(each, n_rows - 1):
            return False, None
    return True, tuple(cut(" ".join(cell.split()), _NAME) or column(i) for i, cell in enumerate(cells))


def _of_many_numbers(each: _Column, n: int) -> bool:
    """Whether the last rows of a column hold more than two different numbers, and no texts."""
    numbers = each.numbers_in(n) if n else None
    return numbers is not None and len(np.unique(numbers[~np.isnan(numbers)])) > BINARY


def _table(columns: Sequence[_Column], n_rows: int, named: tuple[str, ...] | None, name: str) -> Table:
    rows = [each.rows(n_rows) for each in columns]
    values = [_values(each, at, named is not None) for each, at in zip(columns, rows, strict=True)]
    titles = named or tuple(column(i) for i in range(len(columns)))
    while values and not values[-1] and titles[len(values) - 1] == column(len(values) - 1):
        values.pop()  # every line ends with a comma
    if not any(values):
        raise ValueError(f"{name} has no values.")
    titles = titles[: len(values)]
    if len(set(titles)) < len(titles):
        twice = next(title for i, title in enumerate(titles) if title in titles[:i])
        raise ValueError(f"{name} has two columns called {quoted(twice)}: give one of them another name.")
    signed = any("-1" in found for found in values)
    coded = [_coded(found, signed) for found in values]
    codes, gaps = np.zeros((n_rows, len(values)), np.uint8), np.zeros((n_rows, len(values)), np.bool_)
    numbers, too_many = {}, []
    for i, (each, at, found) in enumerate(zip(columns, rows, coded, strict=False)):
        if at is not None and len(found) <= MOST_VALUES:
            codes[:, i] = np.array([found.index(value) if value in found else 0 for value in each.meanings])[at]
            gaps[:, i] = np.array([value == "" for value in each.meanings])[at]
        elif (held := each.numbers_in(n_rows)) is not None:
            gaps[:, i] = np.isnan(held)
            numbers[i] = np.nan_to_num(held)
        else:
            too_many.append(i)
    bits = all(pair in ((), _PAIRS[0]) for pair in coded)
    names = None if bits and named is None else Names(titles, () if bits else tuple(map(_texts, coded)))
    return Table(codes, gaps if gaps.any() else None, names, numbers, tuple(too_many))


def _values(each: _Column, at: NDArray[np.uint8] | None, named: bool) -> tuple[str, ...]:
    """The values of a column in their order; some of them where there are too many."""
    met = list(each.meanings)
    used = met[named:] if at is None else [met[i] for i in np.unique(at)]
    return tuple(sorted((value for value in used if value), key=_in_order))


def _in_order(value: str) -> tuple[bool, float, str, str]:
    """Numbers by their value, before texts by their letters: no before yes, false before true."""
    number = number_in(value)
    return number is None, number or 0.0, value.casefold(), value


def _coded(values: tuple[str, ...], signed: bool) -> tuple[str, ...]:
    """The values that the codes 0 and 1 stand for: a column of one value has the other one, too, where it is known.

    signed : 1 stands beside -1 and not beside 0
    """
    pairs = _PAIRS[1:] if signed else _PAIRS
    return next((pair for pair in pairs if values[0] in pair), values) if len(values) == 1 else values


def _texts(coded: tuple[str, ...]) -> tuple[str, ...]:
    """Values as they are shown: of too many, the first ones."""
    shown = coded if len(coded) <= MOST_VALUES else coded[:MOST_TEXTS]
    return SPINS if coded == _PAIRS[1] else _apart([cut(" ".join(value.split())) for value in shown])


def _apart(texts: Sequence[str]) -> tuple[str, ...]:
    """Texts of which some may have become alike as they were cut: further ones get a number."""
    found: dict[str, None] = {}
    for text in texts:
        other, k = text, 2
        while other in found:
            other, k = f"{text} ({k})", k + 1
        found[other] = None
    return tuple(found)


# -- .npz ---------------------------------------------------------------------------------------------


def _from_npz(file: Source) -> Table:
    """The rows of the array v, or of the only one: codes from 0 to 63, or -1 and 1."""
    name, keys = file_name(file), array_names(file, limit_bytes=MAX_BYTES)
    if "v" not in keys and len(keys) != 1:
        raise ValueError(f"{name} must hold an array named v, or one array only; it holds {listed(keys, 'none')}.")
    wanted = "v" if "v" in keys else keys[0]
    v, key = read_arrays(file, {wanted: ("biuf", 2)}, limit_bytes=MAX_BYTES)[wanted], cut(wanted)
    if 0 in v.shape or v.shape[0] > MAX_ROWS or v.shape[1] > MAX_COLUMNS:
        raise ValueError(
            f"{key} in {name} must have 1 to {MAX_ROWS:,} rows and 1 to {MAX_COLUMNS:,} columns, not {v.shape[0]:,} "
            f"and {v.shape[1]:,}."
        )
    spins = v.dtype.kind in "if" and (v == -1).any()
    for first in range(0, len(v), _ROWS):
        part = v[first : first + _ROWS]
        wrong = (abs(part) != 1) if spins else (part < 0) | (part >= MOST_VALUES) | (part != np.floor(part))
        if wrong.any():
            row, at = (int(place) for place in np.unravel_index(wrong.argmax(), part.shape))
            allowed = "-1 or 1" if spins else f"a whole number from 0 to {MOST_VALUES - 1}"
            raise ValueError(
                f"Row {first + row + 1}, column {at + 1} of {key} in {name} must be {allowed}, not {part[row, at]:g}."
            )
    codes = (v == 1).astype(np.uint8, order="C") if spins else v.astype(np.uint8, order="C", copy=False)
    most = np.maximum(codes.max(axis=0), 1)
    if not spins and (most == 1).all():
        return Table(codes)
    categories = tuple(SPINS if spins else tuple(map(str, range(highest + 1))) for highest in most.tolist())
    return Table(codes, None, Names(tuple(column(i) for i in range(codes.shape[1])), categories))
