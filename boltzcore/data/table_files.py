"""Tables from untrusted files: text, Excel and numpy's, with columns of few values, or of numbers."""

import csv
import io
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, count, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, array_names, file_name, read_arrays
from boltzcore.data.examples import BINARY
from boltzcore.data.reading import AUTOMATIC, SEPARATORS, Reading
from boltzcore.data.table import MOST_VALUES, Table, column, number_in, number_text
from boltzcore.data.table_columns import Column, clean, parse_column, unique_codes, values_of
from boltzcore.data.table_formats import (
    MAX_BYTES,
    MAX_CELLS,
    ZIP,
    members_of,
    named_stream,
    read_bytes,
    text_of_file,
)
from boltzcore.data.table_layout import Layout, find_table, reader_of
from boltzcore.data.table_names import FEW, PAIRS, Cells, check_last_row, drop_repeats, has_names, has_units
from boltzcore.names import Names
from boltzcore.quoting import Refusal, cut, listed, quoted

MAX_ROWS, MAX_COLUMNS = 100_000, 4_096
SPINS = ("-1", "+1")
MOST_DIFFERENT = 2**22  # largest number of different texts of all columns: forty columns of numbers may have as many
MOST_WRITTEN = 2**20  # largest number of cells whose original text is kept
MOST_TEXTS = 4  # number of texts kept for a column with too many values
ENDINGS = (".csv", ".tsv", ".txt", ".gz", ".zip", ".xlsx", ".npz", ".npy")
_SHOWN = 8  # rows in a preview
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")  # io.StringIO would take four bytes a character
_NAME = 120  # largest number of characters in the name of a column
_ROW_NUMBERS = re.compile(
    r"unnamed: ?\d+.*|(.*[ _.-]|row|respondent|case|person|subject)?(id|ids|index|nr|no|number|#|key)|row|row\.?names?",
    re.IGNORECASE,
)


def read_table(file: bytes | Source, reading: Reading = Reading()) -> Table:  # noqa: B008
    """Return the table in a file: text (such as CSV, also in gzip or zip), .xlsx, .npz or .npy; bytes, a path or a
    binary stream. `Table.reading` has the details of the reading.

    Raises Refusal naming the file and its invalid part, or a field of the reading that must be chosen.

    >>> from boltzcore.data import read_table
    >>> table = read_table(b"age,vote\\n18,yes\\n21,no\\n,yes\\n")
    >>> table.names.categories, table.codes[:2].tolist()
    ((('18', '21'), ('no', 'yes')), [[0, 1], [1, 0]])
    """
    _, table = look_at(file, reading)
    if isinstance(table, Refusal):
        raise table
    return table


def look_at(file: bytes | Source, reading: Reading = Reading()) -> tuple[list[list[str]], Table | Refusal]:  # noqa: B008
    """Return the first rows of a text or .xlsx file, including names, split into cells by the reading, or whole lines
    as cells if it cannot be split; and its table, or the Refusal with the reason why there is none.

    >>> from boltzcore.data import look_at
    >>> look_at(b"age,vote\\n18,yes\\n21,no\\n")[0]
    [['age', 'vote'], ['18', 'yes'], ['21', 'no']]
    """
    name, rows = file_name(file), list[list[str]]()
    try:
        content = read_bytes(file)
        if content.startswith(b"\x93NUMPY"):
            with zipfile.ZipFile(packed := named_stream(b"", name), "w") as archive:
                archive.writestr("v.npy", content)
            return rows, _from_npz(packed, name)
        if content.startswith(ZIP) and any(member.endswith(".npy") for member in members_of(content, name)):
            return rows, _from_npz(named_stream(content, name), name)
        text, reading = text_of_file(content, name, reading)
        rows = [[line.rstrip("\r\n")] for line in islice(io.StringIO(text[:1_000_000], newline=""), _SHOWN)]
        layout = find_table(text, reading, name)
        rows = layout.rows[:_SHOWN]
        return rows, _from_text(text, layout, reading, name)
    except Refusal as wrong:
        return rows, wrong


# -- cells ----------------------------------------------------------------------------------------------


def _from_text(text: str, layout: Layout, reading: Reading, name: str) -> Table:
    if layout.n_columns > MAX_COLUMNS:
        raise Refusal(f"{name} has more than {MAX_COLUMNS:,} columns.")
    missing = reading.missing_texts()[0]
    cells = [(clean(texts, missing), rows) for texts, rows in _cells(text, layout, name)]
    n_read, most = len(cells[0][1]), min(MAX_ROWS, MAX_CELLS // layout.n_columns)
    cells = _body(cells)
    n_dropped = n_read - len(cells[0][1])
    first = [texts[rows[0]] for texts, rows in cells]
    if layout.unnamed:
        first = ["", *first[:-1]]
    cells, notes = drop_repeats(first, cells, reading)
    header = has_names(first, cells, reading, name)
    n_rows = len(cells[0][1]) - header
    if n_rows == 0:
        raise Refusal(f"{name} has no rows below its header.")
    if n_rows > most or n_read > most + 1:  # no more are read
        raise Refusal(f"{name} has more than {most:,} rows, the most allowed for {layout.n_columns:,} columns.")
    if n_dropped:
        notes.append(f"{n_dropped:,} {'rows' if n_dropped > 1 else 'row'} with comments or no values left out.")
    if layout.short:
        notes.append(f"Row {layout.short:,} has fewer cells than others: those at its end are missing.")
    if layout.other:
        separators = {mark: separator for separator, mark in SEPARATORS.items()}
        notes.append(f"The separator may also be the {separators[layout.other]}: separator says which.")
    if header:
        cells = [(texts, rows[1:]) for texts, rows in cells]
        if n_rows > 1 and has_units(cells, layout, reading, name):
            cells = [(texts, rows[1:]) for texts, rows in cells]
            notes.append("The row below the names is left out, because it holds units.")
    check_last_row(cells, reading, name)
    columns = [parse_column(texts, rows, reading) for texts, rows in cells]
    shown = {each.decimal for each in columns} - {AUTOMATIC}
    found: dict[str, Any] = {"separator": layout.mark, "header": header, "skip_rows": layout.above}
    texts = [text for each in columns if each.doubtful and each.numbers is None for text in each.values]
    unclear = shown == {"point"} and any("." in text for text in texts)  # of thousands, or decimal
    found["decimal"] = shown.pop() if len(shown) == 1 and not unclear else reading.decimal
    reading = replace(reading, **found, names_row=layout.end if header else 0, notes=tuple(notes))
    for i, each in enumerate(columns):
        if each.doubtful and reading.decimal != AUTOMATIC:  # determined by another column
            columns[i] = parse_column(*cells[i], reading)
    titles = [cut(" ".join(cell.split()), _NAME) if header else "" for cell in first]
    return _table(columns, titles, layout.unnamed, reading, name, lambda i: map(cells[i][0].__getitem__, cells[i][1]))


def _cells(text: str, layout: Layout, name: str) -> Cells:
    """Return for each column its different texts, and the index into them for each row.

    A row that is too short is padded with empty texts.
    """
    n_columns, too_many = layout.n_columns, f"{name} has more than the {MOST_DIFFERENT:,} different values allowed."
    known: dict[str, int] = defaultdict(count().__next__)  # a number for each text of the table
    numbers, end = list[NDArray[np.int32]](), "\0"  # which occurs in no text
    reader = reader_of(chain((each[0] for each in _LINE.finditer(text, layout.start)), [end]), layout.mark)
    most, line = min(MAX_ROWS, MAX_CELLS // n_columns) + 2, layout.above + 1  # with a header, and one row too many
    try:
        for cells in reader:
            if cells and end in cells[-1]:
                if cells != [end]:
                    raise Refusal(f"Row {line:,} of {name} has an unclosed quotation mark.")
                break
            if len(cells) > n_columns:
                raise Refusal(f"Row {line:,} of {name} has {len(cells):,} columns, most others have {n_columns:,}.")
            if any("\n" in cell and _holds_rows(cell, layout) for cell in cells):
                raise Refusal(f"Row {line:,} of {name} has an unclosed quotation mark.")
            if cells:
                cells += [""] * (n_columns - len(cells))
                numbers.append(np.fromiter(map(known.__getitem__, cells), np.int32, n_columns))
            if len(known) > MOST_DIFFERENT:
                raise Refusal(too_many)
            if len(numbers) >= most:
                break
            line = layout.above + reader.line_num + 1
    except csv.Error:
        raise Refusal(f"Row {line:,} of {name} has an unclosed quotation mark, or too long a cell.") from None
    texts, found, n_different = [*known], list[tuple[list[str], NDArray[np.int32]]](), 0
    for each in np.array(numbers).T:
        used, rows = unique_codes(each.copy())
        if (n_different := n_different + len(used)) > MOST_DIFFERENT:
            raise Refusal(too_many)
        found.append(([texts[i] for i in used.tolist()], rows))
    return found


def _holds_rows(cell: str, layout: Layout) -> bool:
    """Return True if each inner line of a quoted cell would be a row of its own."""
    inner = cell.splitlines()[1:-1]
    return bool(inner) and all(line.count(layout.mark) == layout.n_columns - 1 > 0 for line in inner)


def _body(cells: Cells) -> Cells:
    """Return cells without empty rows and comments: rows that start with # and have fewer cells than others."""
    if len(cells) == 1:
        return cells
    texts, rows = cells[0]
    empty = [np.array([not text for text in others])[at] for others, at in cells]
    last = next((each for each in reversed(empty) if not each.all()), empty[-1])
    comments = np.array([bool(re.match(r"#+(\s|$)", text)) for text in texts])[rows] & last
    kept = ~(comments | np.logical_and.reduce(empty))
    return [(others, at[kept]) for others, at in cells] if kept.any() else cells


# -- tables -----------------------------------------------------------------------------------------


def _table(
    columns: Sequence[Column],
    titles: Sequence[str],
    unnamed: bool,
    reading: Reading,
    name: str,
    cells: Callable[[int], Iterable[str]],
) -> Table:
    """Return the table of columns with these titles; `cells` returns the original texts of one column."""
    header = reading.header == "yes"
    there = [i for i, (each, title) in enumerate(zip(columns, titles, strict=True)) if each.values or title]
    if not any(each.values for each in columns):
        raise Refusal(f"{name} has no values.")
    numbered = there if header else [0]
    index = {i for i in numbered if (unnamed and i == 0) or _is_index(columns[i], titles[i], header)}
    named = [title or column(i) for i, title in enumerate(titles)]
    kept = [i for i in there if i not in index] or there
    if empty := len(columns) - len(there):
        reading = replace(reading, notes=(*reading.notes, f"{empty:,} empty column{'s' * (empty > 1)} left out."))
    left_out = tuple(named[i] for i in there if i not in kept)
    apart = {i for i in there if i not in kept or len(columns[i].values) > MOST_VALUES}
    apart |= {i for i in kept if any(text != _shown(text) for text in columns[i].values)}
    long = [(place, i) for place, i in enumerate(there) if i in apart]
    long = long[: MOST_WRITTEN // len(columns[0].codes)]
    written = {place: (titles[i] if header else named[i], *cells(i)) for place, i in long}
    columns, titles = [columns[i] for i in kept], tuple(named[i] for i in kept)
    if twice := [title for title, n in Counter(named[i] for i in there).items() if n > 1]:
        raise Refusal(f"{name} has two columns called {quoted(twice[0])}: give one of them another name.")
    signed = any("-1" in each.values for each in columns)
    coded = [_coded(each.values, signed) for each in columns]
    gaps = np.column_stack([each.codes < 0 for each in columns])
    codes = np.zeros(gaps.shape, np.uint8)
    for i, (each, values) in enumerate(zip(columns, coded, strict=True)):
        if len(values) <= MOST_VALUES:
            codes[:, i] = np.array([*map(values.index, each.values), 0], np.uint8)[each.codes]
    many = {i: each for i, each in enumerate(columns) if len(each.values) > MOST_VALUES}
    numbers = {i: np.nan_to_num(each.numbers) for i, each in many.items() if each.numbers is not None}
    too_many = tuple(i for i, each in many.items() if i not in numbers or each.as_text)
    bits = all(pair in ((), PAIRS[0]) for pair in coded)
    names = Names(titles, () if bits else tuple(map(_texts, coded))) if header or index or not bits else None
    reading = replace(
        reading,
        left_out=left_out,
        missing=int(gaps.sum()),
        markers=tuple(sorted(frozenset().union(*(each.markers for each in columns)))),
        notes=(*reading.notes, *_notes(columns, titles)),
    )
    return Table(codes, gaps if gaps.any() else None, names, numbers, too_many, reading, written)


def _is_index(each: Column, title: str, header: bool) -> bool:
    """Return True if a column numbers or names the rows: its numbers increase, or its texts are all different, and it
    has no name or one such as id.

    header : True if other columns have names; else its numbers must be 1, 2, 3 and so on, or start from 0
    """
    n, gaps = len(each.codes), [text for text in each.markers if number_in(text) is None]
    if gaps or (title and (n <= BINARY or not _ROW_NUMBERS.fullmatch(title))):  # 9 may be a gap, and a row's number
        return False
    if each.numbers is None:
        return header and len(each.values) == n > BINARY
    steps = np.diff(each.numbers[each.codes >= 0])
    counts = n > FEW and each.numbers[0] in (0, 1) and (steps == 1).all()
    return bool((steps > 0).all() and not (each.numbers % 1 > 0).any() if header else counts)


def _notes(columns: Sequence[Column], titles: Sequence[str]) -> list[str]:
    """Return sentences on columns of many values, and on ambiguous columns."""
    notes, pairs = [], list(zip(columns, titles, strict=True))
    if many := [
        title + f" (no numbers: {listed(each.strange, '')})" * bool(each.strange)
        for each, title in pairs
        if len(each.values) > MOST_VALUES
    ]:
        notes.append(f"More than {MOST_VALUES} values: {listed(many, '')}.")
    if doubtful := [title for each, title in pairs if each.doubtful and each.numbers is None]:
        notes.append(f"Kept as text, as marks may be decimal marks: {listed(doubtful, '')}; decimal says which.")
    if strange := [f"{value} in {title}" for each, title in pairs if (value := _sentinel(each))]:
        notes.append(f"Read as values unless missing_values names them: {listed(strange, '')}.")
    return notes


def _sentinel(each: Column) -> str:
    """Return the number in a column that may mean a missing value, such as -99 among ratings; "" if there is none."""
    if each.numbers is None or np.isnan(each.numbers).all():
        return ""
    for value in (float(np.nanmin(each.numbers)), float(np.nanmax(each.numbers))):
        if re.fullmatch(r"-?9{2,5}|-[789]", text := number_text(value)):
            others = np.abs(each.numbers[each.numbers != value])
            if abs(value) > 5 * np.nanmax(others, initial=0) + 3 and not np.isnan(others).all():
                return text
    return ""


def _coded(values: tuple[str, ...], signed: bool) -> tuple[str, ...]:
    """Return the values for the codes 0 and 1: a column with one value also gets the other one, if it is known.

    signed : True if the other value of 1 is -1, not 0
    """
    pairs = PAIRS[1:] if signed else PAIRS
    cased = (tuple(map(form, pair)) for pair in pairs for form in (str.lower, str.title, str.upper))
    return next((pair for pair in cased if values[0] in pair), values) if len(values) == 1 else values


def _shown(text: str) -> str:
    """Return a value as names hold it, in one line."""
    return cut(" ".join(text.split()))


def _texts(coded: tuple[str, ...]) -> tuple[str, ...]:
    """Return values for display: the first ones of too many; the second of two that are cut alike gets its number."""
    shown = [_shown(each) for each in (coded if len(coded) <= MOST_VALUES else coded[:MOST_TEXTS])]
    apart = tuple(f"{text} ({i + 1})" if text in shown[:i] else text for i, text in enumerate(shown))
    return SPINS if coded == PAIRS[1] else apart


# -- .npz ---------------------------------------------------------------------------------------------


def _from_npz(file: io.BytesIO, name: str) -> Table:
    """Return the rows of the array v, or of the only one: codes from 0 to 63, or -1 and 1."""
    keys = array_names(file, limit_bytes=2 * MAX_BYTES)
    if "v" not in keys and len(keys) != 1:
        raise Refusal(f"{name} must hold an array named v, or one array only; it holds {listed(keys, 'none')}.")
    wanted = "v" if "v" in keys else keys[0]
    v = read_arrays(file, {wanted: ("biuf", 2)}, limit_bytes=2 * MAX_BYTES, finite=False)[wanted]
    key = name if len(keys) == 1 else f"{cut(wanted)} in {name}"
    if 0 in v.shape or v.shape[0] > MAX_ROWS or v.shape[1] > MAX_COLUMNS:
        raise Refusal(
            f"{key} must have 1 to {MAX_ROWS:,} rows and 1 to {MAX_COLUMNS:,} columns, not {v.shape[0]:,} and "
            f"{v.shape[1]:,}."
        )
    reading = Reading(format="array")
    spins = v.dtype.kind in "if" and (abs(v) == 1).all() and (v == -1).any()
    if not spins and not ((v >= 0) & (v < MOST_VALUES) & (v == np.floor(v))).all():
        if v.size > MOST_DIFFERENT or np.isinf(v).any() or (v.dtype.kind in "iu" and (v > 2**53).any()):
            raise Refusal(
                f"{key} must hold codes from 0 to {MOST_VALUES - 1}, -1 and 1, or at most {MOST_DIFFERENT:,} finite "
                "numbers, whole ones up to 2**53."
            )
        columns = []
        for numbers in v.T.astype(np.float64):
            texts, at = values_of(numbers)
            columns.append(Column(texts, at, frozenset({"nan"} if np.isnan(numbers).any() else ()), numbers))
        texts = v.T.astype(np.float64).tolist()
        return _table(columns, [""] * len(columns), False, reading, name, lambda i: map(number_text, texts[i]))
    codes = (v == 1).astype(np.uint8, order="C") if spins else v.astype(np.uint8, order="C", copy=False)
    most = np.maximum(codes.max(axis=0), 1)
    if not spins and (most == 1).all():
        return Table(codes, reading=reading)
    categories = tuple(SPINS if spins else tuple(map(str, range(highest + 1))) for highest in most.tolist())
    return Table(codes, None, Names(tuple(column(i) for i in range(codes.shape[1])), categories), reading=reading)
