"""Tables out of untrusted CSV and .npz files: columns of few values, however they are written, and of numbers."""

import csv
import io
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, array_names, file_name, opened, read_arrays
from boltzcore.data.examples import BINARY
from boltzcore.data.table import MOST_VALUES, Table, column, number_in, number_text
from boltzcore.data.table_columns import GROUPED, Column, meaning_of, parse_column, stripped
from boltzcore.names import Names
from boltzcore.quoting import cut, listed, quoted

MAX_ROWS, MAX_COLUMNS, MAX_BYTES = 100_000, 4_096, 2**26
MAX_CELLS = MAX_BYTES // 2  # no file has more, unless its rows are short: each of these would count as a whole one
SPINS = ("-1", "+1")
MOST_DIFFERENT = 2**22  # texts of all columns: forty columns of different numbers may have as many
MOST_TEXTS = 4  # of a column of too many values that are kept
_PAIRS = (("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"))  # a column of one value may be half of
_WITH_COMMA = re.compile(rf"[-+]?\d*,\d+(?:[eE][-+]?\d+)?|{GROUPED.pattern}")
_PREAMBLE = re.compile(
    r"(?:[ \t]*#[^\r\n]*(?:\r\n?|\n))*(?:sep=([,;|:\t])(?:\r\n?|\n))?"
)  # comments, Excel's separator
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # begin a zip file: with an entry, or without any
_FIRST_ROWS = 2**20  # characters of the file in which the separator is looked for
_NAME = 120  # characters of the name of a column
_CELLS = 2**22  # read at a time, so that a large file takes little memory


def read_table(file: bytes | Source) -> Table:
    """Return the table in a CSV or .npz file: bytes, a path or a binary stream.

    Raises ValueError naming the file and the part of it that cannot be taken.

    >>> from boltzcore.data import read_table
    >>> table = read_table(b"age,vote\\n18,yes\\n21,no\\n,yes\\n")
    >>> table.names.categories, table.codes[:2].tolist()
    ((('18', '21'), ('no', 'yes')), [[0, 1], [1, 0]])
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
        raise ValueError(f"{called(file)} has more than the {MAX_BYTES:,} bytes allowed.")
    return content


# -- CSV ----------------------------------------------------------------------------------------------


def _from_csv(content: bytes, name: str) -> Table:
    text = _decoded(content, name)
    preamble = _PREAMBLE.match(text)
    assert preamble is not None  # each part of it may be empty
    text = text[preamble.end() :]
    separator, n_columns = _sniff(text, preamble[1], name)
    if n_columns > MAX_COLUMNS:
        raise ValueError(f"{name} has more than {MAX_COLUMNS:,} columns.")
    cells = _cells(text, separator, n_columns, name)
    first = [stripped(texts[0]) for texts, _ in cells]
    below = [parse_column(texts, rows[1:]) for texts, rows in cells]
    header = _is_header(first, below)
    n_rows, most = len(below[0].codes) + 1 - header, min(MAX_ROWS, MAX_CELLS // n_columns)
    if n_rows == 0:
        raise ValueError(f"{name} has no rows below its header.")
    if n_rows > most:
        raise ValueError(f"{name} has more than {most:,} rows, the most allowed for {n_columns:,} columns.")
    if not header:
        return _table([parse_column(*column) for column in cells], None, name)
    if first[0] == "" and n_columns > 1 and below[0].numbers is not None and (np.diff(below[0].numbers) > 0).all():
        first, below = first[1:], below[1:]  # the index that pandas writes
    titles = tuple(cut(" ".join(cell.split()), _NAME) or column(i) for i, cell in enumerate(first))
    return _table(below, None if _are_counted(first) else titles, name)


def _decoded(content: bytes, name: str) -> str:
    encodings = ("utf-16",) if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            if "\0" not in (text := content.decode(encoding)):
                return text
    raise ValueError(f"{name} is neither a CSV file (text in UTF-8, UTF-16 or Windows-1252) nor an .npz file.")


def _sniff(text: str, declared: str | None, name: str) -> tuple[str, int]:
    """Return the separator, a regular expression for blanks, and the number of columns.

    It is the first of ; | and tab that splits each line into as many cells and leaves no comma but in numbers; else
    what splits the first line into the most cells.
    """
    head = text[:_FIRST_ROWS]
    lines = [line for line in io.StringIO(head, newline="") if line.strip()]
    if not lines:
        raise ValueError(f"{name} has no rows.")
    if len(head) < len(text) and len(lines) > 1:
        lines.pop()  # which may be cut off
    found = {mark: rows for mark in (declared or ";|\t,") if (rows := _split(lines, mark))}
    if not found:
        raise ValueError(f"The first row of {name} has a cell that is too long to be a value.")
    for mark, rows in found.items():
        cells = (cell.strip() for row in rows[1:] or rows for cell in row if "," in cell)
        if len({len(row) for row in rows}) == 1 < len(rows[0]) and all(map(_WITH_COMMA.fullmatch, cells)):
            return mark, len(rows[0])
    separator = max(found, key=lambda mark: len(found[mark][0]))
    blank = lines[min(1, len(lines) - 1)].split(None, MAX_COLUMNS)
    if len(found[separator][0]) == 1 < len(blank) and all(number_in(cell.strip('"')) is not None for cell in blank):
        return r"\s+", len(lines[0].split(None, MAX_COLUMNS))
    return separator, len(found[separator][0])


def _split(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Return the cells of each row; none if one is too long to be a value."""
    with suppress(csv.Error):
        return list(csv.reader(lines, delimiter=separator, skipinitialspace=True))
    return []


def _cells(text: str, separator: str, n_columns: int, name: str) -> list[tuple[list[str], NDArray[np.int32]]]:
    """Return of each column its different texts, and which of them each row has.

    A row that is too short ends with empty texts.
    """
    import pandas as pd  # here, for only this needs it, and it takes its time

    different: list[dict[str, int]] = [{} for _ in range(n_columns)]
    rows: list[list[NDArray[np.int32]]] = [[] for _ in range(n_columns)]
    try:
        with pd.read_csv(
            io.BytesIO(text.encode()),
            sep=separator,
            header=None,
            names=range(n_columns),
            index_col=False,
            dtype=object,
            na_filter=False,
            low_memory=False,  # chunks are small enough
            skipinitialspace=True,
            nrows=min(MAX_ROWS, MAX_CELLS // n_columns) + 2,  # with a header, and one to refuse
            chunksize=max(1, _CELLS // n_columns),
        ) as reader:
            for chunk in reader:
                cells = chunk.to_numpy()
                for i, known in enumerate(different):
                    at, there = pd.factorize(cells[:, i])
                    codes = [known.setdefault(text, len(known)) for text in there]
                    rows[i].append(np.array(codes, np.int32)[at])
                if sum(map(len, different)) > MOST_DIFFERENT:
                    raise ValueError(f"{name} has more than the {MOST_DIFFERENT:,} different values allowed.")
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as wrong:
        raise ValueError(_in_words(str(wrong), n_columns, name)) from None
    return [(list(texts), np.concatenate(parts)) for texts, parts in zip(different, rows, strict=True)]


def _in_words(trouble: str, n_columns: int, name: str) -> str:
    if found := re.search(r"Expected \d+ fields in line (\d+), saw (\d+)", trouble):
        row, n = (int(number) for number in found.groups())
        return f"Row {row:,} of {name} has {n:,} columns, the first one has {n_columns:,}."
    if found := re.search(r"EOF inside string starting at row (\d+)", trouble):
        return f"Row {int(found[1]) + 1:,} of {name} has an unclosed quotation mark."
    return f"{name} cannot be read as a CSV file."


# -- tables -----------------------------------------------------------------------------------------


def _are_counted(names: Sequence[str], first: int = 0) -> bool:
    """Return whether columns have numbers for names, as pandas gives them."""
    return len(names) > BINARY and list(names) == [str(first + i) for i in range(len(names))]


def _is_header(first: Sequence[str], below: Sequence[Column]) -> bool:
    """Return whether the first row holds names: its cells are numbered, or none of them is a value of its column."""
    counted = first[1:] if first[0] == "" else first
    if _are_counted(counted) or (
        _are_counted(counted, 1) and not any(counted[-1] in each.values for each in below[-len(counted) :])
    ):
        return True
    return any(first) and not any(_is_value(cell, each) for cell, each in zip(first, below, strict=True))


def _is_value(cell: str, below: Column) -> bool:
    """Return whether a cell may be a value of the column below it: it or the other one of its pair occurs there, or
    both are of many numbers.
    """
    number = None if below.form is None else below.form.read(cell)
    meaning = meaning_of(cell) if number is None else number_text(number)
    if not meaning:
        return False
    if number is not None and len(below.values) > BINARY:
        return True
    paired = {value for pair in _PAIRS if meaning in pair for value in pair}
    return not {meaning, *paired}.isdisjoint(below.values) or (bool(paired) and not below.values)


def _table(columns: Sequence[Column], titles: tuple[str, ...] | None, name: str) -> Table:
    named, titles = titles is not None, titles or tuple(column(i) for i in range(len(columns)))
    n = len(columns)
    while n and not columns[n - 1].values and titles[n - 1] == column(n - 1):
        n -= 1  # every line ends with a comma
    columns, titles = columns[:n], titles[:n]
    if not any(each.values for each in columns):
        raise ValueError(f"{name} has no values.")
    if len(set(titles)) < n:
        twice = next(title for i, title in enumerate(titles) if title in titles[:i])
        raise ValueError(f"{name} has two columns called {quoted(twice)}: give one of them another name.")
    signed = any("-1" in each.values for each in columns)
    coded = [_coded(each.values, signed) for each in columns]
    gaps = np.column_stack([each.codes < 0 for each in columns])
    codes = np.zeros(gaps.shape, np.uint8)
    numbers, too_many = {}, []
    for i, (each, values) in enumerate(zip(columns, coded, strict=True)):
        if len(values) <= MOST_VALUES:
            codes[:, i] = np.array([*map(values.index, each.values), 0], np.uint8)[each.codes]
        elif each.numbers is not None:
            numbers[i] = np.nan_to_num(each.numbers)
        else:
            too_many.append(i)
    bits = all(pair in ((), _PAIRS[0]) for pair in coded)
    names = Names(titles, () if bits else tuple(map(_texts, coded))) if named or not bits else None
    return Table(codes, gaps if gaps.any() else None, names, numbers, tuple(too_many))


def _coded(values: tuple[str, ...], signed: bool) -> tuple[str, ...]:
    """The values that the codes 0 and 1 stand for: a column of one value has the other one, too, where it is known.

    signed : 1 is the other one of -1, not of 0
    """
    pairs = _PAIRS[1:] if signed else _PAIRS
    return next((pair for pair in pairs if values[0] in pair), values) if len(values) == 1 else values


def _texts(coded: tuple[str, ...]) -> tuple[str, ...]:
    """Values as they are shown: of too many, the first ones."""
    shown = coded if len(coded) <= MOST_VALUES else coded[:MOST_TEXTS]
    return SPINS if coded == _PAIRS[1] else _apart(cut(" ".join(value.split())) for value in shown)


def _apart(texts: Iterable[str]) -> tuple[str, ...]:
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
    wrong = (abs(v) != 1) if spins else (v < 0) | (v >= MOST_VALUES) | (v != np.floor(v))
    if wrong.any():
        row, at = (int(place) for place in np.unravel_index(wrong.argmax(), v.shape))
        allowed = "-1 or 1" if spins else f"a whole number from 0 to {MOST_VALUES - 1}"
        raise ValueError(f"Row {row + 1}, column {at + 1} of {key} in {name} must be {allowed}, not {v[row, at]:g}.")
    codes = (v == 1).astype(np.uint8, order="C") if spins else v.astype(np.uint8, order="C", copy=False)
    most = np.maximum(codes.max(axis=0), 1)
    if not spins and (most == 1).all():
        return Table(codes)
    categories = tuple(SPINS if spins else tuple(map(str, range(highest + 1))) for highest in most.tolist())
    return Table(codes, None, Names(tuple(column(i) for i in range(codes.shape[1])), categories))
