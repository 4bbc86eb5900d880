"""Conversion of rows of codes to the text of a table, with its names and values, and back."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.table import Table, number_in, number_text
from boltzcore.names import Names, code_of, column_names, texts_of_values
from boltzcore.quoting import Refusal, listed, quoted

MISSING = -1  # code of a missing value
_BIN = re.compile(r"up to (N)|above (N)(?: to (N))?".replace("N", r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"))


@dataclass(frozen=True, eq=False)
class Filled:
    """Rows without gaps.

    rows : (n, columns) codes, the most probable completion of each row
    p : (n, columns) probability of each filled value, given the known values of its row; nan for known values
    draws : (draws, n, columns) codes, independent completions; `rows` has the known values of each
    """

    rows: NDArray[np.int32]
    p: NDArray[np.float64]
    draws: NDArray[np.int32]


def codes_of_table(table: Table, names: Names | None, cardinalities: Sequence[int]) -> NDArray[np.int16]:
    """Return a model's codes for the rows of a table, (n, variables), with -1 for gaps; numbers are binned by the
    model's bins. Raises Refusal naming a missing column, or a value that the model does not know.
    """
    found = []
    for i, (name, size) in enumerate(zip(column_names(names, len(cardinalities)), cardinalities, strict=True)):
        if names is None and len(table.columns) != len(cardinalities):
            raise Refusal(f"The table must have the {len(cardinalities):,} columns of the model.")
        if names is not None and name not in table.columns:
            raise Refusal(f"The table must have the column {quoted(name)} of the model.")
        texts = texts_of_values(names, i, size)
        cells, at = _cells(table, table.columns.index(name) if names else i)
        used, rows = np.unique(at, return_inverse=True)
        known = [MISSING if (cell := cells[k]) is None else code_in(cell, texts) for k in used.tolist()]
        if None in known:
            wrong = quoted(str(cells[used[known.index(None)]]))
            raise Refusal(f"{quoted(name)} must hold values of the model ({listed(texts, '')}), not {wrong}.")
        found.append(np.array(known, np.int16)[rows])
    return np.column_stack(found)


def _cells(table: Table, i: int) -> tuple[list[str | None], NDArray[np.intp]]:
    """Return the different cells of a column, None for a gap, and (n,) the index into them for each row."""
    if i in table.numbers:
        different, at = np.unique(table.numbers[i], return_inverse=True)
        cells: list[str | None] = [number_text(number) for number in different.tolist()]
    elif i in table.too_many:
        raise Refusal(f"Column {quoted(table.columns[i])} has too many different texts.")
    else:
        at = table.codes[:, i].astype(np.intp)
        cells = [*texts_of_values(table.names, i, int(at.max(initial=0)) + 1)]
    gaps = np.zeros(len(at), np.bool_) if table.missing is None else table.missing[:, i]
    return [*cells, None], np.where(gaps, len(cells), at)


def code_in(cell: str, texts: Sequence[str]) -> int | None:
    """Return the code of a value among the texts of a column (`code_of`), or of the bin with the number; None if there
    is none. Raises Refusal if the value may mean several.
    """
    if (code := code_of(cell, texts)) is not None:
        return code
    number = number_in(cell)
    for i, ends in enumerate(map(_BIN.fullmatch, texts) if number is not None else ()):
        low, high = (ends[2], ends[1] or ends[3]) if ends else (None, None)
        if ends and number is not None and (not low or float(low) < number) and (not high or number <= float(high)):
            return i
    return None


def filled_csv(table: Table, names: Names | None, sizes: Sequence[int], codes: NDArray[np.int16], found: Filled) -> str:
    """Return a table as CSV with the gaps in the model's columns filled, and the probability of each filled value; with
    draws, once for each draw instead of the most probable values. Columns keep their places.

    names, sizes, codes : of the model's columns, as `codes_of_table` takes and returns them
    """
    draws = len(found.draws)
    order = [table.columns.index(name) for name in names.columns] if names else list(range(len(sizes)))
    written = {name: texts for name, *texts in table.written.values()}
    known = {i for i, name in enumerate(table.columns) if i in table.numbers or i not in table.too_many}
    original = {i: np.array(cells, object)[at] for i in sorted(known) for cells, at in [_cells(table, i)]}
    uncut = dict[int, dict[str | None, str]]()  # {column: {text in the names: text in the file}}
    for i, name in enumerate(table.columns):
        if name in written:
            uncut[i] = dict(zip(original.get(i, ()), written[name], strict=False))
            original[i] = np.array(written[name], object)
    shown = sorted(original)
    others = {place: each for place, each in table.written.items() if each[0] not in table.columns}
    values = [
        [uncut.get(order[i], {}).get(text, text) for text in texts_of_values(names, i, size)]
        for i, size in enumerate(sizes)
    ]
    gappy = [i for i in range(len(order)) if (codes[:, i] < 0).any()]
    head = [table.columns[i] for i in shown]
    for place, (name, *_) in others.items():
        head.insert(place, name)
    head = ["draw", *head] if draws else [*head, *(f"p({table.columns[order[i]]})" for i in gappy)]
    lines = []
    for k, rows in enumerate(found.draws if draws else [found.rows]):
        texts = dict(original)
        for i in gappy:
            filled = np.array(values[i], object)[rows[:, i]]
            texts[order[i]] = np.where(codes[:, i] < 0, filled, original[order[i]])
        columns = [texts[i].tolist() for i in shown]
        for place, (_, *each) in others.items():
            columns.insert(place, each)
        p = [[f"{each:.4f}" if each == each else "" for each in found.p[:, i].tolist()] for i in gappy]
        columns = [[k + 1] * len(codes), *columns] if draws else [*columns, *p]
        lines += list(zip(*columns, strict=True))
    return csv_text(head, lines)


def rows_csv(rows: NDArray, names: Names | None, cardinalities: Sequence[int]) -> str:
    """Return rows of codes as CSV, with the names of the columns and their values."""
    values = [texts_of_values(names, i, size) for i, size in enumerate(cardinalities)]
    columns = [np.array(texts, object)[rows[:, i]].tolist() for i, texts in enumerate(values)]
    return csv_text(column_names(names, len(cardinalities)), zip(*columns, strict=True))


def probabilities_csv(
    given: Iterable[tuple[str, str]], found: Iterable[tuple[str, str, float]], shares: Iterable[float] = ()
) -> str:
    """Return (variable, value, probability) of values as CSV, each with the given (variable, value) pairs, and its
    share in the data if known.
    """
    condition = "; ".join(f"{name}={value}" for name, value in given)
    lines = [(*line, condition, share) for line, share in zip_longest(found, shares, fillvalue="")]
    return csv_text(("variable", "value", "probability", "given", "share"), lines)


def csv_text(head: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Return a header and lines as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return out.getvalue()
