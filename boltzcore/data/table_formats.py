"""Untrusted files of tables: extraction of their text from gzip, zip and Excel, and its encoding."""

import csv
import gzip
import io
import re
import zipfile
from contextlib import suppress
from dataclasses import replace

from boltzcore.arrays import UNREADABLE, Source, file_name, stream_of, zip_archive
from boltzcore.data.reading import AUTOMATIC, Reading
from boltzcore.quoting import Refusal, cut, listed

MAX_BYTES = 2**26
MAX_CELLS = MAX_BYTES // 2  # no file has more, unless its rows are short: a missing cell also counts
_SHEET_ROWS = 2**20  # rows of all sheets, including empty ones: as many as one sheet of Excel may have
_TAGS, _ROW = 2**18, re.compile(rb"</?(?:\w+:)?(?:row|si)\b")  # tags between two of these, which memory holds together
ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # start of a zip file: with an entry, or empty
_OTHER_FORMATS = re.compile(
    r"\s*(?:[{[]\s*[\"{[\]}]|[({[][^]({[)}\r\n]*[])}][,;]?\s*$|<[!?]|<\w+[ >]|%PDF-|(?:%[^\r\n]*[\r\n]\s*)*@relation )",
    re.IGNORECASE | re.MULTILINE,
)
_THOUSANDS = re.compile(r"\s*[-+]?[1-9]\d{0,2}(?:\.\d{3})+\s*")
_DAMAGED = re.compile("[\udc80-\udcff]+")  # bytes that are not UTF-8
_CODE = re.compile(  # a line of a program in Python, R or a similar language
    r"\s*(?:(?!\d)[\w.$]+(?:\[[^\]]*\])?\s*(?:<-|=|\+=)\s*\S|(?:import|from|def|class|library|require|using)\b\W*\w[^,;]*$|"
    r"(?:for|if|while|else|elif|try|with|return|function)\b.*[:{})\w]\s*$|[\w.]+\(.*\)[;,]?\s*$|[\])}]+[;,]?\s*$)"
)
_STATEMENT = re.compile(r"\s*(?:(?!\d)[\w.$]+\s*(?:<-|=)\s*\S|(?:import|from|def|class|library)\b\W*\w)")
_RULES = re.compile(r"^(?=[^\r\n]*[+|])(?=[^\r\n]*--)[-+|: ]+(?:\r\n?|\n|\Z)", re.MULTILINE)  # of databases, Markdown


def named_stream(content: bytes, name: str) -> io.BytesIO:
    """Return bytes as a file with a name."""
    stream = io.BytesIO(content)
    stream.name = name
    return stream


def read_bytes(file: bytes | Source) -> bytes:
    if isinstance(file, bytes):
        content = file
    else:
        with stream_of(file) as stream:
            content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise Refusal(f"{file_name(file)} has more than the {MAX_BYTES:,} bytes allowed.")
    return content


def members_of(content: bytes, name: str) -> list[str]:
    """Return the names of the files in a zip archive, with a limit on their unpacked sizes."""
    with zip_archive(named_stream(content, name), MAX_BYTES) as (archive, _, _):
        files = [each for each in archive.infolist() if not each.is_dir() and "__MACOSX" not in each.filename]
    names, plain = [each.filename for each in files], (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    if any(each.endswith(".npy") for each in names):
        return names  # each is checked when it is read
    if any(each.flag_bits & 1 or each.compress_type not in plain for each in files):
        raise Refusal(f"{name} is encrypted, or compressed in an unsupported way.")
    if sum(each.file_size for each in files) > MAX_BYTES:
        raise Refusal(f"{name} unpacks to more than the {MAX_BYTES:,} bytes allowed.")
    return names


def text_of_file(content: bytes, name: str, reading: Reading) -> tuple[str, Reading]:
    """Return the text of a file, and the reading with its format."""
    packed, members = "", members_of(content, name) if content.startswith(ZIP) else []
    if "xl/workbook.xml" in members:
        return _excel(content, name, reading)
    if len(members) != 1 and content.startswith(ZIP):
        raise Refusal(f"{name} must hold one table, not {listed(members, 'no file')}.")
    try:
        if content.startswith(b"\x1f\x8b"):
            packed, content = "gzip, ", gzip.GzipFile(fileobj=io.BytesIO(content)).read(MAX_BYTES + 1)
        elif members:
            with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(members[0]) as stream:
                packed, content = "zip, ", stream.read(MAX_BYTES + 1)
    except UNREADABLE:
        raise Refusal(f"{name} is damaged: it cannot be unpacked.") from None
    if len(content) > MAX_BYTES:
        raise Refusal(f"{name} unpacks to more than the {MAX_BYTES:,} bytes allowed.")
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise Refusal(f"{name} is in an old Excel format: save it as .xlsx or CSV.")
    encodings = {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}
    start = content[:1000]
    text, n = _DAMAGED.subn("\ufffd", content.decode("utf-8-sig", "surrogateescape"))
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = {"utf-16": "UTF-16"}
    elif 3 * start.count(0) > len(start):
        encodings = {"utf-16-le" if start[1:2] == b"\0" else "utf-16-be": "UTF-16"}
    elif 0 < 2 * n < len(text) - len(text.encode("ascii", "ignore")):  # most of what is not ASCII is UTF-8
        title = f"UTF-8 with {n:,} damaged character{'s' * (n > 1)} (read as \ufffd)"
        content, encodings = text.encode(), {"utf-8": title}
    for encoding, title in encodings.items():
        with suppress(UnicodeDecodeError):
            if "\0" not in (text := content.decode(encoding).replace("\ufeff", "")):  # of joined files
                if _OTHER_FORMATS.match(text) or _is_code(text):
                    raise Refusal(f"{name} is not a table of rows and cells, but JSON, HTML, a program or the like.")
                text = _RULES.sub("", text) if _RULES.search(text[: 2**20]) else text
                return text, replace(reading, format=packed + title)
    raise Refusal(
        f"{name} is neither a table as text (in UTF-8, UTF-16 or Windows-1252) nor an .xlsx, .npz or .npy file."
    )


def _is_code(text: str) -> bool:
    """Return True if most of the first lines, without comments, are from a program."""
    lines = [line for line in text[:10_000].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    code = [line for line in lines if _CODE.match(line)]
    return 5 * len(code) > 3 * len(lines) and any(map(_STATEMENT.match, code))


def _excel(content: bytes, name: str, reading: Reading) -> tuple[str, Reading]:
    """Return the first sheet that is not empty as CSV."""
    try:
        import openpyxl
    except ImportError:
        raise Refusal(f"{name} needs openpyxl (pip install 'boltzcore[excel]'), or save it as CSV.") from None
    out, n_rows, n_cells, unclear = io.StringIO(), 0, 0, False
    writer = csv.writer(out)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for part in map(archive.read, archive.namelist()):
                plain = b"<!" not in part and part.count(b"<?") < 2  # no row is in a comment
                pieces = _ROW.split(part, 2 * _SHEET_ROWS) if plain else [part]
                if b"<!DOCTYPE" in part or max(piece.count(b"<") for piece in pieces) > _TAGS:
                    raise Refusal(f"{name} has more rows or cells than are allowed.")
        sheets = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets
        for sheet in [each for each in sheets if each.sheet_state == "visible"] or sheets:
            sheet.reset_dimensions()  # the file may claim any
            for row in sheet.iter_rows(values_only=True):
                n_rows, n_cells = n_rows + 1, n_cells + len(row)
                if n_rows > _SHEET_ROWS or n_cells > MAX_CELLS or out.tell() > MAX_BYTES:
                    raise Refusal(f"{name} has more rows or cells than are allowed.")
                texts = [_cell(cell) for cell in row]
                unclear = unclear or any(isinstance(cell, str) and _THOUSANDS.fullmatch(cell) for cell in row)
                while texts and not texts[-1]:
                    texts.pop()
                if texts:
                    writer.writerow(texts)
            if out.tell():
                which = f"sheet {cut(sheet.title)}{', the first of several' if len(sheets) > 1 else ''}"
                # its numbers are not texts
                decimal = "point" if reading.decimal == AUTOMATIC and not unclear else reading.decimal
                reading = replace(reading, format=f"Excel ({which})", separator="comma", decimal=decimal)
                return out.getvalue(), reading
    except Refusal:
        raise
    except Exception:  # openpyxl raises various errors at damage
        raise Refusal(f"{name} cannot be read as an Excel file.") from None
    raise Refusal(f"{name} has no rows.")


def _cell(value: object) -> str:
    """Return the text of a cell in a sheet, with days in short form, and numbers with as many digits as Excel shows."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.15g}"
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(" 00:00:00")
