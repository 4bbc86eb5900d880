"""Layout of a table in a text: the lines above it, the separator of its cells, and the number of its columns."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from boltzcore.data.examples import BINARY
from boltzcore.data.reading import AUTOMATIC, SEPARATORS, Reading
from boltzcore.data.table import number_in
from boltzcore.data.table_columns import WITH_COMMA
from boltzcore.quoting import Refusal, quoted

JUDGED = 1_000  # rows with which the first one is compared
_ALIKE = 0.6  # share of the rows that must have the same number of cells
_FIRST_ROWS, _SNIFFED = 2**20, 2_000  # characters and lines of the file that are searched for the separator
_SEP_LINE = re.compile(r'"?sep=([,;|\t])"?\s*', re.IGNORECASE)
_COMMENT = re.compile(r"\s*+(?:#(?!\s*[,;|\t])[^\r\n]*)?\s*")  # or an empty line; but not a column called #
_MARKS = re.compile(r"[,;|\t]")
_OTHER_MARKS = re.compile(r"[,;|\t:~^&=]|\S\s+\S")  # separators in a cell that may be a whole line


@dataclass(frozen=True)
class Layout:
    """Layout of a table in a text.

    start, above : characters and lines above its first row
    rows : the cells of its first rows
    end : the line of the file where its first row ends, from 1
    unnamed : True if its first row has no name for the first column, which names the rows
    short : the line of the first row with fewer cells than the others; 0 if there is none
    other : another mark that would also give a table; "" if there is none
    """

    mark: str
    start: int
    above: int
    rows: list[list[str]]
    end: int
    n_columns: int
    unnamed: bool
    short: int
    other: str = ""


def find_table(text: str, reading: Reading, name: str) -> Layout:
    """Return the layout of the table.

    The separator is the mark that splits most rows into the same number of cells; of several, the first of ; | and tab
    that leaves commas only in numbers, else the one with the most cells. In a tie, a mark followed by blanks, like
    commas in texts, loses to the other, or else one that gives no numbers. Blanks separate if nothing else does.

    Raises Refusal for `separator` if two marks give equally good tables.
    """
    lines = list(islice(io.StringIO(text[:_FIRST_ROWS], newline=""), _SNIFFED))
    if 1 < len(lines) < _SNIFFED and len(text) > _FIRST_ROWS:
        lines.pop()  # it may be truncated
    marks, above = [*";|\t,", " "], 0
    if reading.skip_rows != AUTOMATIC:
        above = int(reading.skip_rows)
    else:
        while above < len(lines) and (_SEP_LINE.fullmatch(lines[above]) or _COMMENT.fullmatch(lines[above])):
            above += 1
        above -= 0 < above < len(lines) and _are_names(*lines[above - 1 : above + 1])
    if reading.separator != AUTOMATIC:
        marks = [SEPARATORS[reading.separator]]
    elif declared := next(filter(None, map(_SEP_LINE.fullmatch, lines[:above])), None):
        marks = [declared[1]]
    hashes = re.match(r"\s*#+\s*(?![\s,;|])", lines[above]) if above < len(lines) else None
    dropped = hashes.end() if hashes else 0  # before names in a comment
    lines[above : above + 1] = [line[dropped:] for line in lines[above : above + 1]]
    if not any(line.strip() for line in lines[above:]):
        raise Refusal(f"{name} has no rows{' below those that are skipped' if above else ''}.")
    found = list[tuple[tuple, Layout]]()
    for mark in marks:
        if not (rows := _rows(lines[above:], mark)):
            continue
        if mark == " " and len(marks) > 1:  # blanks also occur within texts
            columns = zip(*(cells for cells, _ in rows[1:] or rows), strict=False)
            numeric = [all(map(_is_number, column)) for column in columns]
            if not (all(numeric) if any(key[0] for key, _ in found) else any(numeric)):
                continue
        found.append(_locate(rows, mark, lines, above, dropped, reading))
    key, best = max(found, key=lambda each: each[0], default=((False, 0), None))
    rivals = [each for known, each in found if key[0] and known[:-1] == key[:-1] and _strip_count(each.rows[-1]) > 1]
    if best and len(rivals) > 1 < len(best.rows):
        below = "".join(lines[above:])  # a mark that always directly follows a text and precedes a blank is punctuation
        others = [each for each in rivals if re.search(rf"\s{re.escape(each.mark)}|{re.escape(each.mark)}\S", below)]
        if len(others) != 1:
            others = [
                each
                for each in rivals
                if any(all(map(_is_number, column)) for column in zip(*each.rows[1:], strict=False))
            ]
        if len(others) != 1:
            named = " or ".join(name for name, mark in SEPARATORS.items() if mark in [each.mark for each in rivals])
            raise Refusal(f"separator must be {named}: each would split all rows of {name} alike.", "separator")
        best = replace(others[0], other=next(each.mark for each in rivals if each is not others[0]))
    if best is None or (len(best.rows) == 1 and sum(map(len, lines)) < len(text)):
        raise Refusal(f"The first row of {name} is too long.")
    _check_cells(best, key[1] < _ALIKE, reading, name)
    return best


def _are_names(comment: str, below: str) -> bool:
    """Return True if a comment has a word for each cell of the line below, which has numbers."""
    for mark in [*";|\t,", " "] if comment.lstrip().startswith("#") else []:
        rows = [cells for cells, _ in _rows([comment.strip("\r\n# \t"), below], mark)]
        names, cells = rows if len(rows) == BINARY else ([], [])
        words = all(len(name.split()) == 1 and not _is_number(name) for name in names)
        if words and len(set(names)) == len(cells) > 1 and any(map(_is_number, cells)):
            return True
    return False


def reader_of(lines: Iterable[str], mark: str) -> Any:
    """Return a csv reader of the cells of each row, with `line_num` the line where it ends."""
    if mark == " ":
        lines = (line.replace("\t", " ").strip() for line in lines)
    return csv.reader(lines, delimiter=mark, skipinitialspace=True)


def _rows(lines: Iterable[str], mark: str) -> list[tuple[list[str], int]]:
    """Return the cells of each row that is not blank, and the line where it ends; [] if a cell is too long."""
    reader = reader_of(lines, mark)
    with suppress(csv.Error):
        return [(cells, reader.line_num) for cells in reader if len(cells) > 1 or any(cell.strip() for cell in cells)]
    return []


def _locate(
    rows: list[tuple[list[str], int]], mark: str, lines: list[str], above: int, dropped: int, reading: Reading
) -> tuple[tuple, Layout]:
    """Return a key for the quality of a mark as separator, and the resulting layout of the table."""
    counts = Counter(len(cells) for cells, _ in rows)
    n = max(counts, key=lambda count: (counts[count], count))
    filled = min(n, Counter(_strip_count(cells) for cells, _ in rows).most_common(1)[0][0])
    k, last = 0, len(rows) - 1 if reading.skip_rows == AUTOMATIC else 0
    while k < last and _is_title(rows[k][0], rows[k + 1][0], filled, n):
        k += 1
    table = [cells for cells, _ in rows[k:]]
    short = next((above + line for cells, line in rows[k + 1 :] if len(cells) < n), 0)
    above, end = above + (rows[k - 1][1] if k else 0), above + rows[k][1]
    first, body = table[0], table[1:] or table
    share = round(sum(len(cells) == n for cells in body) / len(body), 2)
    commas = (cell.strip() for cells in body for cell in cells if "," in cell)
    tidy = mark != "," and all(map(WITH_COMMA.fullmatch, commas))
    keys = [cells[0].strip() for cells in body]
    counted = keys == [str(i + 1) for i in range(len(keys))]
    if mark != "," and not any(map(_is_number, first)):  # otherwise it may be a short row, or have decimal commas
        counted = len(set(keys)) == len(keys)
    unnamed = len(first) == n - 1 and counted
    n_columns = max(n, len(first))
    layout = Layout(mark, dropped + sum(map(len, lines[:above])), above, table, end, n_columns, unnamed, short)
    quotes = any('"' in cell for cells in body for cell in cells)  # from cells that another mark separates
    return (n > 1, share, k == 0, len(first) >= n, not quotes, tidy, n), layout


def _strip_count(cells: Sequence[str]) -> int:
    """Return the number of cells without trailing empty ones."""
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1].strip()), 0)


def _is_title(cells: Sequence[str], following: Sequence[str], filled: int, n: int) -> bool:
    """Return True if a row without numbers is above the table, most of whose rows have n cells."""
    if any(map(_is_number, cells)):
        return False
    if filled > BINARY:
        return _strip_count(cells) <= 1 or _strip_count(cells) > n
    return len(cells) == 1 < filled and len(following) == n and not any(map(_is_number, following))


def _is_number(cell: str) -> bool:
    return bool(number_in(cell := cell.strip()) is not None or WITH_COMMA.fullmatch(cell))


def _check_cells(layout: Layout, ragged: bool, reading: Reading, name: str) -> None:
    """Raise Refusal if most rows would be one cell, or have other numbers of cells than the first one or each other."""
    first, body = layout.rows[0], layout.rows[1:JUDGED]
    if all(_strip_count(cells) <= 1 for cells in (first, *body)):
        like = _MARKS if reading.separator != AUTOMATIC else _OTHER_MARKS
        cells = [cell.strip() for row in (first, *body) for cell in row]
        whole = [cell for cell in cells if like.search(cell) and not WITH_COMMA.fullmatch(cell)]
        if 2 * len(whole) > 1 + len(body):
            raise Refusal(
                f"separator must be what is between the cells of {name}: each row would be one cell, such as "
                f"{quoted(whole[-1])}.",
                "separator",
            )
    short = len(first) < layout.n_columns and not layout.unnamed and any("".join(cells[len(first) :]) for cells in body)
    if short or (ragged and reading.separator == AUTOMATIC) or (layout.mark == " " and layout.short):
        raise Refusal(
            f"separator or skip_rows must be chosen: line {layout.end:,} of {name} has {len(first):,} cells, and rows "
            f"below it have different numbers of them, most {layout.n_columns:,}.",
            "separator",
        )
