"""Tables out of untrusted files: text, Excel and numpy's, with columns of few values, or of numbers."""

import csv
import gzip
import io
import os
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source, array_names, file_name, opened, read_arrays, zip_archive
from boltzcore.data.examples import BINARY
from boltzcore.data.reading import AUTOMATIC, SEPARATORS, Reading
from boltzcore.data.table import MOST_VALUES, Table, column, number_in, number_text
from boltzcore.data.table_columns import WITH_COMMA, Column, numbers_in, parse_column, plain, values_of
from boltzcore.names import Names
from boltzcore.parameters import Refusal
from boltzcore.quoting import cut, listed, quoted

MAX_ROWS, MAX_COLUMNS, MAX_BYTES = 100_000, 4_096, 2**26
MAX_CELLS = MAX_BYTES // 2  # no file has more, unless its rows are short: each of these would count as a whole one
SPINS = ("-1", "+1")
MOST_DIFFERENT = 2**22  # texts of all columns: forty columns of different numbers may have as many
MOST_TEXTS = 4  # of a column of too many values that are kept
ENDINGS = (".csv", ".tsv", ".txt", ".gz", ".zip", ".xlsx", ".npz", ".npy")
_PAIRS = (("0", "1"), ("-1", "1"), ("no", "yes"), ("false", "true"))  # a column of one value may be half of
_YES_NO = {True: "yes", False: "no"}
_WORDS = {"no", "yes", "false", "true"}
_YEARS = range(1800, 2101)
_FEW = 8  # rows below which a further value of a column is no surprise
_ALIKE = 0.6  # of the rows have the same number of cells
_FIRST_ROWS, _SNIFFED = 2**20, 2_000  # characters and lines of the file in which the separator is looked for
_JUDGED = 1_000  # rows against which the first one is judged
_NAME = 120  # characters of the name of a column
_SHEET_ROWS = 2**21  # of all sheets, empty ones among them
_CELLS = 2**22  # read at a time, so that a large file takes little memory
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # begin a zip file: with an entry, or without any
_SEP_LINE = re.compile(r'"?sep=([,;|\t])"?\s*', re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:#(?!\s*[,;|\t])[^\r\n]*)?\s*")  # or an empty line; no column called #
_MARKS = re.compile(r"[,;|\t]")
_OTHER_MARKS = re.compile(r"[,;|\t:~^]|\S\s+\S")  # in a cell that may be a whole line
_UNIT = re.compile(
    r"[\[(<].+[\])>]|[^\d\s]+/[^\s]+|[%‰°$€£].?|years?|yrs?|months?|days?|hours?|h|min|mm?Hg|[kcmdµnMG]?(?:m|g|l|L|s|W|V|A|Hz|J|Pa|K|N|t|mol)[²³23]?"
)
_OTHER_FORMATS = re.compile(r"\s*(?:[{[]\s*[\"{[\]}]|<[!?]|<\w+[ >]|(?:%.*\s+)*@relation\s)", re.IGNORECASE)
_RULES = re.compile(r"^(?=[^\r\n]*[+|])[-+|: ]*--[-+|: ]*(?:\r\n?|\n|$)", re.MULTILINE)  # of Markdown and databases
_ROW_NUMBERS = re.compile(
    r"unnamed: ?\d+.*|(.*[ _.-]|row|respondent|case|person|subject)?(id|ids|index|nr|no|number|#|key)|row|row\.?names?",
    re.IGNORECASE,
)


def read_table(file: bytes | Source, reading: Reading = Reading()) -> Table:  # noqa: B008
    """Return the table in a file: text (such as CSV, also in gzip or zip), .xlsx, .npz or .npy; bytes, a path or a
    binary stream. `Table.reading` says how it was read.

    Raises ValueError naming the file and the part of it that cannot be taken, and Refusal of a field of the reading
    which has to be chosen.

    >>> from boltzcore.data import read_table
    >>> table = read_table(b"age,vote\\n18,yes\\n21,no\\n,yes\\n")
    >>> table.names.categories, table.codes[:2].tolist()
    ((('18', '21'), ('no', 'yes')), [[0, 1], [1, 0]])
    """
    content, name = _content(file), called(file)
    if content.startswith(b"\x93NUMPY"):
        with zipfile.ZipFile(packed := _stream(b"", name), "w") as archive:
            archive.writestr("v.npy", content)
        return _from_npz(packed, name)
    if content.startswith(_ZIP) and any(member.endswith(".npy") for member in _members(content, name)):
        return _from_npz(_stream(content, name), name)
    text, reading = _text(content, name, reading)
    return _from_text(text, reading, name)


def preview(file: bytes | Source, reading: Reading = Reading(), rows: int = 8) -> list[list[str]]:  # noqa: B008
    """Return the first rows of a text or .xlsx file, names among them, split into cells as the reading says; whole
    lines as cells if it cannot be split.
    """
    name = called(file)
    text, reading = _text(_content(file), name, reading)
    with suppress(Refusal):
        layout = _layout(text, reading, name)
        return [row.cells for row in _rows(layout.lines, layout.mark)[:rows]]
    return [[line.rstrip("\r\n")] for line in io.StringIO(text[:_FIRST_ROWS], newline="")][:rows]


def called(file: bytes | Source) -> str:
    """The name of a file in a sentence."""
    return "The file" if isinstance(file, bytes) else file_name(file)


def _stream(content: bytes, name: str) -> io.BytesIO:
    """Return bytes as a file with a name."""
    stream = io.BytesIO(content)
    stream.name = name  # type: ignore[attr-defined]
    return stream


# -- bytes and texts ----------------------------------------------------------------------------------


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


def _members(content: bytes, name: str) -> dict[str, zipfile.ZipInfo]:
    """Return the files in a zip archive, whose unpacked sizes are bounded."""
    with zip_archive(_stream(content, name), MAX_BYTES) as (archive, _, _):
        files = [each for each in archive.infolist() if not each.is_dir() and "__MACOSX" not in each.filename]
    if any(each.filename.endswith(".npy") for each in files):
        return {each.filename: each for each in files}  # each is checked when it is read
    if any(
        each.flag_bits & 1 or each.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for each in files
    ):
        raise ValueError(f"{name} is encrypted, or compressed in a way that is not read.")
    if sum(each.file_size for each in files) > MAX_BYTES:
        raise ValueError(f"{name} has more than the {MAX_BYTES:,} bytes, unpacked, that are read.")
    return {each.filename: each for each in files}


def _text(content: bytes, name: str, reading: Reading) -> tuple[str, Reading]:
    """Return the text of a file, and the reading with its format."""
    packed = ""
    try:
        if content.startswith(b"\x1f\x8b"):
            packed, content = "gzip, ", gzip.GzipFile(fileobj=io.BytesIO(content)).read(MAX_BYTES + 1)
        elif content.startswith(_ZIP):
            members = _members(content, name)
            if "xl/workbook.xml" in members:
                return _excel(content, name, reading)
            if len(members) != 1:
                raise ValueError(f"{name} must hold one table, not {listed(members, 'no file')}.")
            with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(*members) as stream:
                packed, content = "zip, ", stream.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError):
        raise ValueError(f"{name} is damaged: it cannot be unpacked.") from None
    if len(content) > MAX_BYTES:
        raise ValueError(f"{name} has more than the {MAX_BYTES:,} bytes, unpacked, that are read.")
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise ValueError(f"{name} is of an old Excel format: save it as .xlsx or CSV.")
    encodings = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}
    start = content[:1000]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = {"utf-16": "UTF-16"}
    elif 3 * start.count(0) > len(start):
        encodings = {"utf-16-le" if start[1:2] == b"\0" else "utf-16-be": "UTF-16"}
    for encoding, title in encodings.items():
        with suppress(UnicodeDecodeError):
            if "\0" not in (text := content.decode(encoding)):
                if _OTHER_FORMATS.match(text):
                    raise Refusal(f"{name} is no table of rows and cells, but JSON, HTML, XML or ARFF: save it as CSV.")
                text = _RULES.sub("", text) if _RULES.search(text[:_FIRST_ROWS]) else text
                return text, replace(reading, format=packed + title)
    raise ValueError(
        f"{name} is neither a table as text (in UTF-8, UTF-16 or Windows-1252) nor an .xlsx, .npz or .npy file."
    )


def _excel(content: bytes, name: str, reading: Reading) -> tuple[str, Reading]:
    """Return the first sheet that is not empty as CSV."""
    try:
        import openpyxl
    except ImportError:
        raise ValueError(f"{name} needs openpyxl (pip install 'boltzcore[excel]'), or save it as CSV.") from None
    out, n_rows, n_cells = io.StringIO(), 0, 0
    writer = csv.writer(out)
    try:
        sheets = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets
        for sheet in sheets:
            sheet.reset_dimensions()  # which a file may claim as it likes
            for row in sheet.iter_rows(values_only=True):
                n_rows, n_cells = n_rows + 1, n_cells + len(row)
                if n_rows > _SHEET_ROWS or n_cells > MAX_CELLS or out.tell() > MAX_BYTES:
                    raise Refusal(f"{name} has more rows or cells than are read.")
                texts = [_cell(cell) for cell in row]
                while texts and not texts[-1]:
                    texts.pop()
                if texts:
                    writer.writerow(texts)
            if out.tell():
                which = f"sheet {cut(sheet.title)}{', the first of several' if len(sheets) > 1 else ''}"
                decimal = "point" if reading.decimal == AUTOMATIC else reading.decimal  # its numbers are no texts
                reading = replace(reading, format=f"Excel ({which})", separator="comma", decimal=decimal)
                return out.getvalue(), reading
    except Refusal:
        raise
    except Exception:  # openpyxl raises what it likes at damage
        raise ValueError(f"{name} cannot be read as an Excel file.") from None
    raise ValueError(f"{name} has no rows.")


def _cell(value: object) -> str:
    """Return the text of a cell in a sheet, whole numbers and days as such."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).removesuffix(" 00:00:00")


# -- where a table is in a text -----------------------------------------------------------------------


_Cells = list[tuple[list[str], NDArray[np.int32]]]  # of each column its texts, and which of them each row has


@dataclass(frozen=True)
class _Layout:
    """Where a table is in a text.

    start, above : characters and lines above its first row
    rows : the cells of its first rows
    end : the line of the file that its first row ends with, from 1
    unnamed : its first row has no name for the first column, which names the rows
    """

    mark: str
    start: int
    above: int
    rows: list[list[str]]
    end: int
    n_columns: int
    unnamed: bool = False


def _layout(text: str, reading: Reading, name: str) -> _Layout:
    """Return where the table is.

    The separator is what splits most rows into the same number of cells; of several, the first of ; | and tab that
    leaves no comma but in numbers, else what gives the most cells. Blanks separate if nothing else does.
    """
    lines = list(islice(io.StringIO(text[:_FIRST_ROWS], newline=""), _SNIFFED))
    if 1 < len(lines) < _SNIFFED and len(text) > _FIRST_ROWS:
        lines.pop()  # which may be cut off
    marks, above = [*";|\t,", " "], 0
    if reading.skip_rows != AUTOMATIC:
        above = int(reading.skip_rows)
    else:
        while above < len(lines) and (_SEP_LINE.fullmatch(lines[above]) or _COMMENT.fullmatch(lines[above])):
            above += 1
        above -= _are_names(lines[above - 1 : above + 1])
    if reading.separator != AUTOMATIC:
        marks = [SEPARATORS[reading.separator]]
    elif declared := next(filter(None, map(_SEP_LINE.fullmatch, lines[:above])), None):
        marks = [declared[1]]
    hashes = re.match(r"\s*#+\s*(?![\s,;|])", lines[above]) if above < len(lines) else None
    dropped = hashes.end() if hashes else 0  # before names in a comment
    lines[above : above + 1] = [line[dropped:] for line in lines[above : above + 1]]
    if not any(line.strip() for line in lines[above:]):
        raise ValueError(f"{name} has no rows{' below those that are skipped' if above else ''}.")
    found = dict[tuple, _Layout]()
    for mark in marks:
        rows = _rows(lines[above:], mark)
        if mark == " " and len(marks) > 1 and (any(n > 1 for n, *_ in found) or not _has_numbers(rows)):
            continue
        if rows:
            found.setdefault(*_placed(rows, mark, lines, above, dropped, reading))
    if not found:
        raise ValueError(f"The first row of {name} has a cell that is too long to be a value.")
    (_, share, *_), best = max(found.items(), key=lambda each: each[0])
    if len(best.rows) == 1 and sum(map(len, lines)) < len(text):
        raise ValueError(f"The first row of {name} is too long.")
    _check_cells(best, reading, name)
    if share < _ALIKE and reading.separator == AUTOMATIC:
        raise Refusal(f"separator must be chosen: {name} has rows of different numbers of cells.", "separator")
    return best


def _are_names(lines: Sequence[str]) -> bool:
    """Return whether a comment holds a name for each cell of the line below, which has numbers."""
    comment, below = lines if len(lines) == BINARY else ("", "")
    if not comment.lstrip().startswith("#"):
        return False
    for mark in [*";|\t,", None]:
        names, cells = comment.strip(" \t\r\n#").split(mark), below.split(mark)
        whole = all(len(name.split()) == 1 and not _is_number(name) for name in names)
        if len(cells) > 1 and whole and len(names) == len(set(names)) == len(cells) and any(map(_is_number, cells)):
            return True
    return False


def _rows(lines: Iterable[str], mark: str) -> list[tuple[list[str], int]]:
    """Return the cells of each row that is not blank, and the line that it ends with; none if a cell is too long."""
    if mark == " ":
        lines = (line.replace("\t", " ").strip() for line in lines)
    reader = csv.reader(lines, delimiter=mark, skipinitialspace=True)
    with suppress(csv.Error):
        return [(cells, reader.line_num) for cells in reader if len(cells) > 1 or any(cell.strip() for cell in cells)]
    return []


def _placed(
    rows: list[tuple[list[str], int]], mark: str, lines: list[str], above: int, dropped: int, reading: Reading
) -> tuple[tuple, _Layout]:
    """Return how well a mark separates the cells, as a key, and where the table is if it does."""
    counts = Counter(len(cells) for cells, _ in rows)
    n = max(counts, key=lambda count: (counts[count], count))
    filled = Counter(_filled(cells) for cells, _ in rows).most_common(1)[0][0]
    k = 0
    while (
        reading.skip_rows == AUTOMATIC
        and k < len(rows) - 1
        and _is_title(rows[k][0], rows[k + 1][0], min(n, filled), n)
    ):
        k += 1
    table = [cells for cells, _ in rows[k:]]
    above, end = above + (rows[k - 1][1] if k else 0), above + rows[k][1]
    first, body = table[0], table[1:] or table
    share = round(sum(len(cells) == n for cells in body) / len(body), 2)
    commas = (cell.strip() for cells in body for cell in cells if "," in cell)
    tidy = mark not in ", " and all(map(WITH_COMMA.fullmatch, commas))
    unnamed = (
        len(first) == n - 1
        and not any(map(_is_number, first))
        and _are_row_names([cells[0] for cells in body], by_one=mark == ",")
    )
    n_columns = max(n, len(first))
    layout = _Layout(mark, dropped + sum(map(len, lines[:above])), above, table, end, n_columns, unnamed)
    quotes = any('"' in cell for cells in body for cell in cells)  # of cells that another mark separates
    return (n > 1, share, not quotes, tidy, n), layout


def _filled(cells: Sequence[str]) -> int:
    """Return the number of cells without empty ones at the end."""
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1].strip()), 0)


def _is_title(cells: Sequence[str], following: Sequence[str], filled: int, n: int) -> bool:
    """Return whether a row without numbers is above the table, most of whose rows have n cells, the filled ones first."""
    if any(map(_is_number, cells)):
        return False
    if filled > BINARY:
        return _filled(cells) <= 1 or _filled(cells) > n
    return len(cells) == 1 < filled and len(following) == n and not any(map(_is_number, following))


def _is_number(cell: str) -> bool:
    return bool(number_in(cell := cell.strip()) is not None or WITH_COMMA.fullmatch(cell))


def _has_numbers(rows: Sequence[tuple[list[str], int]]) -> bool:
    """Return whether a column below the first row has numbers only."""
    body = [cells for cells, _ in rows[1:] or rows]
    return any(all(map(_is_number, column)) for column in zip(*body, strict=False))


def _are_row_names(cells: Sequence[str], by_one: bool) -> bool:
    """Return whether cells are different, and rise if they are numbers.

    by_one : as 1, 2, 3
    """
    numbers = [number_in(cell) for cell in cells]
    if None in numbers:
        return len(set(cells)) == len(cells)
    steps = np.diff(np.array(numbers, np.float64))
    return bool((steps == 1 if by_one else steps > 0).all())


def _check_cells(layout: _Layout, reading: Reading, name: str) -> None:
    """Raise Refusal if a row would be one cell, or the first one has fewer names than the others have values."""
    first, body = layout.rows[0], layout.rows[1:_JUDGED]
    if all(_filled(cells) <= 1 for cells in layout.rows[:_JUDGED]):
        like = _MARKS if reading.separator != AUTOMATIC else _OTHER_MARKS
        whole = [cell for row in layout.rows[:_JUDGED] for cell in row if like.search(cell.strip())]
        whole = [cell for cell in whole if not WITH_COMMA.fullmatch(cell.strip())]
        if 2 * len(whole) > 1 + len(body):
            raise Refusal(
                f"separator must be what is between the cells of {name}: each row would be one cell, such as "
                f"{quoted(whole[-1])}.",
                "separator",
            )
    elif len(first) < layout.n_columns and not layout.unnamed and any("".join(cells[len(first) :]) for cells in body):
        raise Refusal(
            f"separator or skip_rows must be chosen: line {layout.end:,} of {name} has {len(first):,} cells, but most "
            f"rows below it have {layout.n_columns:,}.",
            "separator",
        )


# -- cells ----------------------------------------------------------------------------------------------


def _from_text(text: str, reading: Reading, name: str) -> Table:
    layout = _layout(text, reading, name)
    if layout.n_columns > MAX_COLUMNS:
        raise ValueError(f"{name} has more than {MAX_COLUMNS:,} columns.")
    cells = _cells(text[layout.start :], layout, name)
    first = [texts[rows[0]] for texts, rows in cells]
    if layout.unnamed:
        first = ["", *first[:-1]]
    first = [plain([cell])[0] for cell in first]
    header = _is_header(first, cells, reading, name)
    n_rows, most = len(cells[0][1]) - header, min(MAX_ROWS, MAX_CELLS // layout.n_columns)
    if n_rows == 0:
        raise ValueError(f"{name} has no rows below its header.")
    if n_rows > most:
        raise ValueError(f"{name} has more rows than the {most:,} that are read of {layout.n_columns:,} columns.")
    notes = []
    if header:
        cells = [(texts, rows[1:]) for texts, rows in cells]
        if n_rows > 1 and _is_below_names(cells, layout, reading, name):
            cells = [(texts, rows[1:]) for texts, rows in cells]
            notes.append("The row below the names is left out, as it holds units.")
    _check_end(cells, reading, name)
    columns = [parse_column(texts, rows, reading) for texts, rows in cells]
    shown = {each.decimal for each in columns} - {AUTOMATIC}
    reading = replace(
        reading,
        separator=next((title for title, mark in SEPARATORS.items() if mark == layout.mark), AUTOMATIC),
        header=_YES_NO[header],
        decimal=shown.pop() if len(shown) == 1 else reading.decimal,
        skip_rows=str(layout.above),
        names_row=layout.end if header else 0,
        notes=tuple(notes),
    )
    for i, each in enumerate(columns):
        if each.doubtful and reading.decimal != AUTOMATIC:  # which another column shows
            columns[i] = parse_column(*cells[i], reading)
    titles = [cut(" ".join(cell.split()), _NAME) if header else "" for cell in first]
    return _table(columns, titles, layout.unnamed, reading, name)


def _cells(text: str, layout: _Layout, name: str) -> _Cells:
    """Return of each column its different texts, and which of them each row has; without comment lines.

    A row that is too short ends with empty texts.
    """
    import pandas as pd  # here, for only this needs it, and it takes its time

    n_columns = layout.n_columns
    different: list[dict[str, int]] = [{} for _ in range(n_columns)]
    rows: list[list[NDArray[np.int32]]] = [[] for _ in range(n_columns)]
    try:
        with pd.read_csv(
            io.BytesIO(text.encode()),
            sep=r"\s+" if layout.mark == " " else layout.mark,
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
                    raise ValueError(f"{name} has more than the {MOST_DIFFERENT:,} different values that are read.")
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as wrong:
        raise ValueError(_in_words(str(wrong), layout, name)) from None
    found = [(list(texts), np.concatenate(parts)) for texts, parts in zip(different, rows, strict=True)]
    return _body(found)


def _body(cells: _Cells) -> _Cells:
    """Return cells without comments, which begin with #, and without empty rows at the end."""
    texts, rows = cells[0]
    if len(cells) == 1:
        return cells
    empty = [np.isin(at, [i for i, text in enumerate(others) if not text.strip()]) for others, at in cells]
    kept = np.ones(len(rows), np.bool_)
    kept[len(rows) - int(np.logical_and.reduce(empty)[::-1].argmin()) :] = False
    if marked := [i for i, text in enumerate(texts) if text.startswith("#")]:
        alone = np.isin(rows, marked) & np.logical_and.reduce(empty[1:])
        spaced = np.isin(rows, [i for i in marked if texts[i].startswith("# ")])
        kept &= ~(alone | (spaced & (2 * spaced.sum() < len(rows))))
    if not kept.all():
        cells = [(others, at[kept]) for others, at in cells]
    return cells


def _check_end(cells: _Cells, reading: Reading, name: str) -> None:
    """Raise ValueError if the last row looks like a note: it has empty cells, and others that no column has."""
    last = [plain([texts[rows[-1]]])[0] for texts, rows in cells]
    n = len(cells[0][1]) - 1
    if "" not in last or n < BINARY:
        return
    columns = [parse_column(texts, rows[-_JUDGED:-1], reading) for texts, rows in cells]
    judged = [(cell, each) for cell, each in zip(last, columns, strict=True) if 0 < len(each.values) <= n / 2]
    votes = _votes([cell for cell, _ in judged], [each for _, each in judged], reading)
    if votes.others and not votes.values:
        raise ValueError(f"The last row of {name} ({listed(filter(None, last), '')}) looks like a note: delete it.")


def _in_words(trouble: str, layout: _Layout, name: str) -> str:
    if found := re.search(r"Expected \d+ fields in line (\d+), saw (\d+)", trouble):
        row, n = (int(number) for number in found.groups())
        return f"Row {row + layout.above:,} of {name} has {n:,} columns, most others have {layout.n_columns:,}."
    if found := re.search(r"EOF inside string starting at row (\d+)", trouble):
        return f"Row {int(found[1]) + 1 + layout.above:,} of {name} has a quotation mark that nothing closes."
    return f"{name} cannot be read as a table."


# -- names ----------------------------------------------------------------------------------------------


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
            certain += each.numbers is not None and cell == "" and _counts(each.numbers)
            continue
        found = None if each.numbers is None else numbers_in([cell], reading.decimal)
        number = None if found is None else float(found.values[0])
        meaning = cell if number is None else number_text(number)
        meaning = meaning.lower() if meaning.lower() in _WORDS else meaning
        paired = {value for pair in _PAIRS if meaning in pair for value in pair}
        if not {meaning, *paired}.isdisjoint(each.values) or (paired and not each.values):
            values += 1
        elif number is not None and each.numbers is not None and len(each.values) > BINARY:
            low, high = np.nanmin(each.numbers), np.nanmax(each.numbers)
            if low <= number <= high:
                values += 1
            elif number in _YEARS and (low > _YEARS[-1] or high < _YEARS[0]):
                others += 1
        else:
            others += 1
            above_numbers += each.numbers is not None and number is None
            certain += len(each.values) <= BINARY and len(each.codes) >= _FEW
    return _Votes(values, others, above_numbers, certain)


def _counts(numbers: NDArray[np.float64]) -> bool:
    return bool(numbers[0] in (0, 1) and (np.diff(numbers) == 1).all())


def _is_header(first: Sequence[str], cells: _Cells, reading: Reading, name: str) -> bool:
    """Return whether the first row holds names: none of its cells is a value of its column, or they are numbered."""
    if reading.header != AUTOMATIC:
        return reading.header == _YES_NO[True]
    below = [parse_column(texts, rows[1:_JUDGED], reading) for texts, rows in cells]
    votes = _votes(first, below, reading)
    again = sum(bool((rows[1:] == rows[0]).any()) for cell, (_, rows) in zip(first, cells, strict=True) if cell)
    numbers = [number for cell in first if (number := number_in(cell)) is not None and number.is_integer()]
    run = len(numbers) > BINARY and len(steps := set(np.diff(numbers).tolist())) == 1 and min(steps) > 0
    if not votes.values and not again:
        return bool(votes.others or run)
    beyond = run and not any(number_text(numbers[-1]) in each.values for each in below)
    if (beyond and votes.others) or (votes.certain and first[0] == ""):
        return True
    if run or votes.above_numbers or 4 * votes.certain > max(votes.values, again):
        raise Refusal(
            f"header must be yes or no: the first row of {name} ({listed(first, 'empty')}) may hold names or values.",
            "header",
        )
    return False


def _is_below_names(cells: _Cells, layout: _Layout, reading: Reading, name: str) -> bool:
    """Return whether the first row holds units: texts above each column of numbers, and nothing above others. Raises
    Refusal if it may hold names, too.
    """
    below = [parse_column(texts, rows[1:_JUDGED], reading) for texts, rows in cells]
    first = [plain([texts[rows[0]]])[0] for texts, rows in cells]
    votes = _votes(first, below, reading)
    number = [each.numbers is not None for each in below]
    if votes.values or not votes.above_numbers:
        return False
    written = [cell for cell in first if cell]
    units = sum(bool(_UNIT.fullmatch(cell)) for cell in written)
    if votes.above_numbers == sum(number) == len(written) < 2 * units:
        return True
    if votes.above_numbers > 1 and all(first) and reading.header == AUTOMATIC:
        raise Refusal(
            f"skip_rows must be the number of rows above the names in {name}: two rows may hold them, line "
            f"{layout.end:,} and the next.",
            "skip_rows",
        )
    return False


# -- tables -----------------------------------------------------------------------------------------


def _table(columns: Sequence[Column], titles: Sequence[str], unnamed: bool, reading: Reading, name: str) -> Table:
    header = reading.header == _YES_NO[True]
    if not any(each.values for each in columns):
        raise ValueError(f"{name} has no values.")
    there = [i for i, (each, title) in enumerate(zip(columns, titles, strict=True)) if each.values or title]
    index = {i for i in there if (unnamed and i == 0) or _is_index(columns[i], titles[i], header and not titles[i], i)}
    kept = [i for i in there if i not in index] or there
    named = tuple(title or column(i) for i, title in enumerate(titles))
    empty = f"{len(columns) - len(there):,} empty column{'s' * (len(columns) - len(there) > 1)} left out."
    reading = replace(
        reading,
        left_out=tuple(named[i] for i in there if i not in kept),
        notes=(*reading.notes, *([empty] if len(there) < len(columns) else [])),
    )
    columns, titles = [columns[i] for i in kept], tuple(named[i] for i in kept)
    if len(set(titles)) < len(titles):
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
            continue
        if each.numbers is not None:
            numbers[i] = np.nan_to_num(each.numbers)
        if each.numbers is None or each.as_text:
            too_many.append(i)
    bits = all(pair in ((), _PAIRS[0]) for pair in coded)
    names = Names(titles, () if bits else tuple(map(_texts, coded))) if header or not bits else None
    reading = replace(
        reading,
        missing=int(gaps.sum()),
        markers=tuple(sorted(frozenset().union(*(each.markers for each in columns)))),
        notes=(*reading.notes, *_notes(columns, titles)),
    )
    return Table(codes, gaps if gaps.any() else None, names, numbers, tuple(too_many), reading)


def _is_index(each: Column, title: str, blank: bool, i: int) -> bool:
    """Return whether a column numbers the rows, or names them in their order: it rises, and has no name or one such as
    id.
    """
    n = len(each.codes)
    if (each.codes < 0).any():
        return False
    if not title and not blank:  # a table without names
        return i == 0 and n > _FEW and each.numbers is not None and _counts(each.numbers)
    if not blank and (n <= BINARY or not _ROW_NUMBERS.fullmatch(title)):
        return False
    if each.numbers is not None:
        return bool((np.diff(each.numbers) > 0).all())
    if len(each.values) < n:
        return False
    texts = [re.sub(r"\d+", lambda digits: digits[0].zfill(20), each.values[code]) for code in each.codes.tolist()]
    return all(one < other for one, other in pairwise(texts))


def _notes(columns: Sequence[Column], titles: Sequence[str]) -> list[str]:
    """Return sentences on columns of many values, and on those that could be read in another way."""
    notes = []
    pairs = list(zip(columns, titles, strict=True))
    if many := [title for each, title in pairs if len(each.values) > MOST_VALUES]:
        notes.append(f"More than {MOST_VALUES} values: {listed(many, '')}.")
    if doubtful := [title for each, title in pairs if each.doubtful and each.numbers is None]:
        notes.append(f"{listed(doubtful, '')} stays text, as its marks may be decimal ones: decimal says which.")
    if strange := [f"{value} in {title}" for each, title in pairs if (value := _sentinel(each))]:
        notes.append(f"Values, unless missing_values names them: {listed(strange, '')}.")
    return notes


def _sentinel(each: Column) -> str:
    """Return the number of a column that may stand for a missing one, as -99 among ratings; "" if none does."""
    if each.numbers is None or np.isnan(each.numbers).all():
        return ""
    different = np.unique(each.numbers[~np.isnan(each.numbers)])
    for at, others in ((0, different[1:]), (-1, different[:-1])):
        value = number_text(float(different[at]))
        if (
            re.fullmatch(r"-?9{2,5}|-[789]", value)
            and len(others)
            and abs(different[at]) > 5 * np.abs(others).max() + 3
        ):
            return value
    return ""


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


def _from_npz(file: io.BytesIO, name: str) -> Table:
    """Return the rows of the array v, or of the only one: codes from 0 to 63, or -1 and 1."""
    keys = array_names(file, limit_bytes=2 * MAX_BYTES)
    if "v" not in keys and len(keys) != 1:
        raise ValueError(f"{name} must hold an array named v, or one array only; it holds {listed(keys, 'none')}.")
    wanted = "v" if "v" in keys else keys[0]
    v = read_arrays(file, {wanted: ("biuf", 2)}, limit_bytes=2 * MAX_BYTES, finite=False)[wanted]
    key = f"{cut(wanted)} in {name}"
    if 0 in v.shape or v.shape[0] > MAX_ROWS or v.shape[1] > MAX_COLUMNS:
        raise ValueError(
            f"{key} must have 1 to {MAX_ROWS:,} rows and 1 to {MAX_COLUMNS:,} columns, not {v.shape[0]:,} and "
            f"{v.shape[1]:,}."
        )
    reading = Reading(format="array")
    spins = v.dtype.kind in "if" and (abs(v) == 1).all() and (v == -1).any()
    if not spins and not ((v >= 0) & (v < MOST_VALUES) & (v == np.floor(v))).all():
        return _from_numbers(v, key, reading, name)
    codes = (v == 1).astype(np.uint8, order="C") if spins else v.astype(np.uint8, order="C", copy=False)
    most = np.maximum(codes.max(axis=0), 1)
    if not spins and (most == 1).all():
        return Table(codes, reading=reading)
    categories = tuple(SPINS if spins else tuple(map(str, range(highest + 1))) for highest in most.tolist())
    return Table(codes, None, Names(tuple(column(i) for i in range(codes.shape[1])), categories), reading=reading)


def _from_numbers(v: NDArray, key: str, reading: Reading, name: str) -> Table:
    if v.size > MOST_DIFFERENT:
        raise ValueError(f"{key} has more than the {MOST_DIFFERENT:,} numbers, other than codes, that are read.")
    if np.isinf(v).any() or (v.dtype.kind in "iu" and (v > 2**53).any()):
        raise ValueError(f"{key} must hold finite numbers, whole ones up to 2**53.")
    columns = []
    for numbers in v.T.astype(np.float64):
        values, codes = values_of(numbers)
        columns.append(Column(values, codes, frozenset({"nan"} if np.isnan(numbers).any() else ()), numbers))
    return _table(columns, [""] * len(columns), False, reading, name)
