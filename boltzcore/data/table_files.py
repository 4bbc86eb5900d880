"""Tables out of CSV and .npz files that nobody vouches for: cells of two values, however they are written."""

import csv
import io
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, array_names, file_name, opened, read_arrays
from boltzcore.data.table import Table, column
from boltzcore.names import Names
from boltzcore.parameters import read_number
from boltzcore.quoting import cut, listed, quoted

MAX_ROWS, MAX_COLUMNS, MAX_BYTES = 100_000, 4_096, 2**26
SPINS = ("-1", "+1")
MOST_TEXTS = 4  # of a column of more values that are kept
_GAPS = {"", "?", "na", "n/a", "nan", "null"}
_WORDS = {"no", "yes", "false", "true"}  # in any case
_PAIRS = (("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"))  # a column of one value may be half of
_KNOWN = {value for pair in _PAIRS for value in pair}
_DIFFERENT = 256  # texts of a column that are told apart
_FIRST_ROW = 2**20  # characters of it that are looked at
_NAME = 120  # characters of the name of a column
_CELLS = 2**22  # read at a time, so that a large file takes little memory
_ROWS = 1000  # of an array, looked at at a time


def read_table(file: bytes | Source) -> Table:
    """The table in a CSV or .npz file: bytes, a path or a binary stream.

    Raises ValueError naming the file and what of it cannot be taken.
    """
    content = _content(file)
    if content.startswith(b"PK"):
        return _from_npz(io.BytesIO(content) if isinstance(file, bytes) else file)
    return _from_csv(content, called(file))


def called(file: bytes | Source) -> str:
    """How a sentence calls a file."""
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
    """The cells of a column as they come: their meanings, numbered in the order in which they were met, and which one
    each row has. Beyond `_DIFFERENT` meanings rows are not kept.
    """

    meanings: dict[str, int] = field(default_factory=dict)
    parts: list[NDArray[np.uint8]] = field(default_factory=list)

    def add(self, texts: NDArray, at: NDArray) -> None:
        """The next rows: different texts, and which of them each row has."""
        for text in texts:
            if len(self.meanings) <= _DIFFERENT:
                self.meanings.setdefault(_meaning(text), len(self.meanings))
        if len(self.meanings) <= _DIFFERENT:
            self.parts.append(np.array([self.meanings[_meaning(text)] for text in texts], np.uint8)[at])

    def rows(self, n: int) -> NDArray[np.uint8] | None:
        """(n,) the numbers of the last rows' meanings; None where there are too many meanings."""
        return np.concatenate(self.parts)[-n:] if len(self.meanings) <= _DIFFERENT else None


def _from_csv(content: bytes, name: str) -> Table:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is neither a CSV file (text in UTF-8) nor an .npz file.") from None
    separator, first = _first_row(text, name)
    columns = [_Column() for _ in first]
    n_rows = 0
    for chunk in _chunks(text, separator, len(first), name):
        n_rows += len(chunk[0][1])
        if n_rows > MAX_ROWS + 1:  # the header may be one of them
            raise ValueError(f"{name} has more than {MAX_ROWS:,} rows.")
        for each, cells in zip(columns, chunk, strict=True):
            each.add(*cells)
    header, names = _header(first, columns, n_rows)
    if n_rows == header:
        raise ValueError(f"{name} has no rows below its header.")
    if n_rows - header > MAX_ROWS:
        raise ValueError(f"{name} has more than {MAX_ROWS:,} rows.")
    return _table(columns, n_rows - header, names, name)


def _first_row(text: str, name: str) -> tuple[str, list[str]]:
    """(separator, cells of the first row that is not empty); the separator is a regular expression for blanks."""
    head = text[:_FIRST_ROW]
    lines = [line for line in io.StringIO(head, newline="") if line.strip()]
    if not lines:
        raise ValueError(f"{name} has no rows.")
    try:
        rows = {mark: next(csv.reader(iter(lines), delimiter=mark, skipinitialspace=True)) for mark in ",;\t"}
    except csv.Error:
        raise ValueError(f"The first row of {name} has a cell that is too long to be one of two values.") from None
    separator = max(rows, key=lambda mark: len(rows[mark]))
    cells = rows[separator]
    blank = lines[min(1, len(lines) - 1)].split(None, MAX_COLUMNS)
    if len(cells) == 1 and len(blank) > 1 and all(_number(cell) is not None for cell in blank):
        separator, cells = r"\s+", lines[0].split(None, MAX_COLUMNS)
    if len(cells) > MAX_COLUMNS:
        raise ValueError(f"{name} has more than {MAX_COLUMNS:,} columns.")
    return separator, cells


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


def _number(text: str) -> float | None:
    """The finite number that a text writes; None where it writes none."""
    try:
        value = float(read_number(float, text.replace("\N{MINUS SIGN}", "-")))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _meaning(text: str) -> str:
    """One text for all that mean the same: numbers by their value, yes, no, true and false in any case; empty for a
    missing value.
    """
    text = text.strip(" \t\r\n\"'")
    if (value := _number(text)) is not None:
        return str(int(value)) if value.is_integer() else repr(value)
    lower = text.lower()
    if lower in _GAPS:
        return ""
    return lower if lower in _WORDS else text


def _header(first: Sequence[str], columns: Sequence[_Column], n_rows: int) -> tuple[bool, tuple[str, ...] | None]:
    """Whether the first row holds names, and these: None for the numbers 0, 1, 2, ... that pandas gives columns
    without a name.

    Names are no values that are known, and do not occur in their column.
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
    return True, tuple(cut(" ".join(cell.split()), _NAME) or column(i) for i, cell in enumerate(cells))


def _table(columns: Sequence[_Column], n_rows: int, named: tuple[str, ...] | None, name: str) -> Table:
    rows = [each.rows(n_rows) for each in columns]
    values = [_values(each, at) for each, at in zip(columns, rows, strict=True)]
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
    for i, (each, at, pair) in enumerate(zip(columns, rows, coded, strict=False)):
        if at is not None and len(pair) <= 2:
            codes[:, i] = np.array([meaning in pair[1:] for meaning in each.meanings])[at]
            gaps[:, i] = np.array([meaning == "" for meaning in each.meanings])[at]
    bits = all(pair in ((), _PAIRS[0]) for pair in coded)
    names = None if bits and named is None else Names(titles, () if bits else tuple(map(_texts, coded)))
    return Table(codes, gaps if gaps.any() else None, names)


def _values(each: _Column, at: NDArray[np.uint8] | None) -> tuple[str, ...]:
    """The values of a column in their order; some of them where there are too many."""
    found = list(each.meanings)
    used = found if at is None else [found[i] for i in np.unique(at)]
    return tuple(sorted((value for value in used if value), key=_in_order))


def _in_order(value: str) -> tuple[bool, float, str, str]:
    """Numbers by their value, before texts by their letters: no before yes, false before true."""
    number = _number(value)
    return number is None, number or 0.0, value.casefold(), value


def _coded(values: tuple[str, ...], signed: bool) -> tuple[str, ...]:
    """The values that the codes 0 and 1 stand for: a column of one value has the other one, too, where it is known.

    signed : 1 stands beside -1 and not beside 0
    """
    pairs = _PAIRS[1:] if signed else _PAIRS
    return next((pair for pair in pairs if values[0] in pair), values) if len(values) == 1 else values


def _texts(coded: tuple[str, ...]) -> tuple[str, ...]:
    """Values as they are shown: of more than two, the first ones."""
    return SPINS if coded == _PAIRS[1] else tuple(cut(" ".join(value.split())) for value in coded[:MOST_TEXTS])


# -- .npz ---------------------------------------------------------------------------------------------


def _from_npz(file: Source) -> Table:
    """The rows of the array v, or of the only one: 0 and 1, or -1 and 1."""
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
    off = -1 if (v.dtype.kind in "if" and (v == -1).any()) else 0
    for first in range(0, len(v), _ROWS):
        part = v[first : first + _ROWS]
        wrong = (part != off) & (part != 1)
        if wrong.any():
            row, at = (int(place) for place in np.unravel_index(wrong.argmax(), part.shape))
            raise ValueError(
                f"Row {first + row + 1}, column {at + 1} of {key} in {name} must be {off} or 1, not {part[row, at]:g}."
            )
    codes = (v == 1).astype(np.uint8, order="C") if off else v.astype(np.uint8, order="C", copy=False)
    if not off:
        return Table(codes)
    n_columns = codes.shape[1]
    return Table(codes, None, Names(tuple(column(i) for i in range(n_columns)), (SPINS,) * n_columns))
