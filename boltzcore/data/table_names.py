"""Rows of a table without values: names, units, repeated names, and notes."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import BINARY
from boltzcore.data.reading import AUTOMATIC, Reading
from boltzcore.data.table import number_text
from boltzcore.data.table_columns import numbers_in, parse_column
from boltzcore.data.table_layout import JUDGED, Layout
from boltzcore.quoting import Refusal, listed

Cells = list[tuple[list[str], NDArray[np.int32]]]  # texts of each column, and the index into them for each row
PAIRS = (("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"))  # pairs that complete a column with one value
_LABEL = re.compile(r"[^\W\d][^:]*:\s")  # starts a note
_TOTAL = re.compile(  # names a row that sums up the others
    r"(grand |overall )?(totals?|average|mean|sum)|(gesamt|summe|mittelwert|durchschnitt).*", re.IGNORECASE
)
FEW = 8  # number of rows below which a new value in a column is no surprise
_UNIT = re.compile(
    r"[\[(<].+[\])>]|[^\d\s]+/\S+|[%‰°$€£].?|(year|yr|month|day|hour)s?|h|min|mm?Hg|"
    r"[kcmdµnMG]?([mglLsWVAJKNt]|Hz|Pa|mol)[²³23]?"
)


def _votes(first: Sequence[str], cells: Cells, reading: Reading, to_value: bool = False) -> Counter[str]:
    """Count the cells of a row that are values of the columns of cells, and others. Of the latter, "text" counts those
    above numbers, and "sure" new ones in columns with only two values in many rows, and blanks above row numbers.

    to_value : stop at the first value
    """
    votes, missing = Counter[str](), reading.missing_texts()[0]
    for cell, (texts, rows) in zip(first, cells, strict=True):
        if to_value and votes["value"]:
            break
        each = parse_column(texts, rows[:JUDGED], reading)
        n, numbers = len(each.codes), each.numbers
        if cell.lower() in missing:
            votes["sure"] += not cell and n > BINARY and numbers is not None and bool((np.diff(numbers) == 1).all())
            continue
        found = None if numbers is None else numbers_in([cell], reading.decimal)
        number = None if found is None else float(found[0][0])
        meaning = cell if number is None else number_text(number)
        paired = {value for pair in PAIRS if meaning.lower() in pair for value in pair}
        is_value = meaning in each.values or (bool(paired) and not each.values)
        is_value = is_value or not paired.isdisjoint(map(str.lower, each.values))
        if not is_value and numbers is not None and number is not None:
            known = len(each.values) > BINARY or n >= FEW or each.values in (*PAIRS, ("0",), ("1",))
            within = bool(np.nanmin(numbers) <= number <= np.nanmax(numbers))
            is_value = within or not (known and cell.isdecimal())
        votes["value" if is_value else "other"] += 1
        if not is_value:
            votes["text"] += (text := numbers is not None and number is None)
            votes["sure"] += (sure := len(each.values) <= BINARY and n >= FEW)
            votes["clear"] += text or sure
    return votes


def has_names(first: Sequence[str], cells: Cells, reading: Reading, name: str) -> bool:
    """Return True if the first row holds names: none of its cells is a value of its column, or they are numbered."""
    if reading.header != AUTOMATIC:
        return reading.header == "yes"
    votes = _votes(first, [(texts, rows[1:]) for texts, rows in cells], reading)
    numbers = [float(cell) for cell in first if cell.isdecimal()]
    run = len(numbers) > 1 and len(steps := set(np.diff(numbers).tolist())) == 1 and min(steps) > 0
    long = run and len(numbers) > BINARY
    if not votes["value"]:
        return bool(votes["other"] or long)
    run = run and votes["other"] > 0
    if (run and (long or votes["sure"] or votes["text"])) or (votes["sure"] and not first[0]):
        return True
    if votes["clear"] >= 2 * votes["value"] and len(set(first) - {""}) == len(first):
        return True  # a name may also be a value
    if long or run or votes["text"] or 4 * votes["sure"] > votes["value"]:
        raise Refusal(
            f"header must be yes or no: the first row of {name} ({listed(first, 'empty')}) may hold names or values.",
            "header",
        )
    return False


def drop_repeats(first: Sequence[str], cells: Cells, reading: Reading) -> tuple[Cells, list[str]]:
    """Return cells without repetitions of the first row, if it holds names, and without the questions and ids that
    Qualtrics writes below it; and sentences on what was left out.
    """
    notes = list[str]()
    if all(len(rows) > BINARY and texts[rows[2]].startswith('{"ImportId"') for texts, rows in cells):
        cells = [(texts, np.delete(rows, [1, 2])) for texts, rows in cells]
        notes.append("The two rows of questions and ids below the names are left out.")
    kept = np.logical_or.reduce([rows != rows[0] for _, rows in cells])
    votes = Counter[str]()
    if len(cells) > 1 and not kept[1:].all():
        votes = _votes(first, [(texts, rows[kept]) for texts, rows in cells], reading, to_value=True)
    kept[0] = True
    if votes["value"] or not votes["text"]:
        return cells, notes
    return [(texts, rows[kept]) for texts, rows in cells], [*notes, "Rows that repeat the names are left out."]


def has_units(cells: Cells, layout: Layout, reading: Reading, name: str) -> bool:
    """Return True if the first row holds units, some of them above numbers. Raises Refusal if it may hold names."""
    first = [texts[rows[0]] for texts, rows in cells]
    votes = _votes(first, [(texts, rows[1:]) for texts, rows in cells], reading, to_value=True)
    if votes["value"] or not votes["text"]:
        return False
    if all(not cell or _UNIT.fullmatch(cell) for cell in first):
        return True
    if votes["text"] > 1 and all(first) and reading.header == AUTOMATIC:
        raise Refusal(
            f"skip_rows must be the number of rows above the names in {name}: two rows may hold them, line "
            f"{layout.end:,} and the next.",
            "skip_rows",
        )
    return False


def check_last_row(cells: Cells, reading: Reading, name: str) -> None:
    """Raise Refusal if the last row looks like a note: its first cell alone names a total, or none of its cells is a
    value, and one is a text among numbers, or starts with words and a colon or has more words, unlike all above it, or
    the row has empty cells and others with texts that no column of few values has.
    """
    last = [texts[rows[-1]] for texts, rows in cells]
    above = [(texts, rows[:-1]) for texts, rows in cells]
    n = len(above[0][1])
    if n < FEW // 2:
        return
    votes, at = _votes(last, above, reading), cells[0][1]
    total = _TOTAL.fullmatch(last[0]) and (at[:-1] != at[-1]).all()
    if not total and (votes["value"] or not votes["other"]):
        return
    few = [i for i, (_, rows) in enumerate(above) if len(np.unique(rows)) <= n / 2]
    is_note = len(last) > 1 and (total or votes["text"] > 0 or _is_sentence(last[0], *above[0]))
    if is_note or ("" in last and _votes([last[i] for i in few], [above[i] for i in few], reading)["other"]):
        raise Refusal(f"The last row of {name} ({listed(filter(None, last), '')}) looks like a note: delete it.")


def _is_sentence(last: str, texts: Sequence[str], rows: NDArray[np.int32]) -> bool:
    """Return True if a text has a colon after words, or more than two words, unlike all others in a column."""
    others = [texts[i] for i in np.unique(rows).tolist()]
    colon = _LABEL.match(last) is not None and not any(map(_LABEL.match, others))
    return colon or len(last.split()) > max(BINARY, *(len(text.split()) for text in others))
