"""Tables of one's own: rows of 0 and 1 out of a CSV or .npz file, kept on this machine."""

import hashlib
import io
import os
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Source as FileOrPath
from boltzcore.arrays import array_names, file_name, opened, read_arrays
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import DataUnavailable
from boltzcore.data.source import Source
from boltzcore.home import folder
from boltzcore.parameters import Refusal, parameter
from boltzcore.quoting import cut, listed, quoted
from boltzcore.ticks import Tick

MAX_ROWS, MAX_COLUMNS, MAX_BYTES = 100_000, 4_096, 2**26
_BITS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1}
UNUSED = 86_400.0  # seconds that a table is kept for nobody
_ROWS = 1000  # looked at at a time
_FEW = 50  # rows below which none is held out unless asked for


@dataclass(frozen=True)
class Own(Source):
    """A table that was uploaded to this machine, named by the digest of its rows."""

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "Your own data"
    about: ClassVar[str] = (
        "A table of 0 and 1 of your own, one example a row, from a CSV or .npz file: "
        f"at most {MAX_ROWS:,} rows and {MAX_COLUMNS:,} columns. It stays on this machine."
    )

    digest: str = parameter(
        "", pattern="([0-9a-f]{32})?", help="Names the table by its content; uploading it gives the digest."
    )
    test: str = parameter(
        "every fifth row",
        choices=("every fifth row", "the training rows"),
        help="Rows to test on: every fifth is held out, or those that are learnt from.",
    )

    width: int = parameter(
        0,
        low=0,
        high=MAX_COLUMNS,
        help="Pixels in a line, where each row is an image; 0 for a table that is none.",
        label="Image width",
    )

    def at_hand(self) -> bool:
        return bool(self.digest) and _place(self.digest).is_file()

    def _load(self, tick: Tick) -> Dataset:
        if not self.digest:
            raise DataUnavailable(
                "digest is empty: upload a CSV or .npz table of 0 and 1 first, which names it.", "digest"
            )
        place = _place(self.digest)
        if not place.is_file():
            raise DataUnavailable(
                f"The table with digest {self.digest} is not on this machine: upload the same rows here again."
            )
        v = _npz_rows(place)
        if _digest(v) != self.digest:
            raise DataUnavailable(
                f"The table kept as {place.name} is damaged: remove it and upload the same rows here again."
            )
        return _dataset(v, held_out=self.test == "every fifth row", width=self.width)


def upload(file: bytes | FileOrPath) -> Own:
    """Keep the rows of a CSV or .npz file on this machine; the `Own` by which a recipe names them.

    Every fifth row is the test set, unless the table is so short that all its rows are. ValueError where the file is
    not a table of 0 and 1.
    """
    content = _content(file)
    packed = content.startswith(b"PK")
    v = (
        _npz_rows(io.BytesIO(content) if isinstance(file, bytes) else file)
        if packed
        else _csv_rows(content, _called(file))
    )
    digest = _digest(v)
    try:
        if _place(digest).is_file():
            os.utime(_place(digest))  # it is wanted anew: see `tidy`
        else:
            with tempfile.TemporaryDirectory(dir=folder("uploads")) as part:
                np.savez_compressed(Path(part) / "rows.npz", v=v)
                os.replace(Path(part) / "rows.npz", _place(digest))
    except OSError as error:
        raise ValueError(f"{_called(file)} cannot be kept on this machine: {error.strerror}.") from None
    return Own(digest, "every fifth row" if len(v) >= _FEW else "the training rows")


def tidy(in_use: Collection[str]) -> None:
    """Forget the tables that were last uploaded more than a day ago, except those with these digests."""
    for place in folder("uploads").glob("*.npz"):
        if place.stem not in in_use and place.stat().st_mtime < time.time() - UNUSED:
            place.unlink(missing_ok=True)


def rows_from_csv(file: bytes | FileOrPath) -> Dataset:
    """The rows of a CSV of 0 and 1 (a header is passed over), to learn from and to test on; nothing is kept.

    ValueError naming row and column of what is neither 0 nor 1, and where there are too many rows or columns.
    """
    return _dataset(_csv_rows(_content(file), _called(file)), held_out=False)


def _called(file: bytes | FileOrPath) -> str:
    return "The file" if isinstance(file, bytes) else file_name(file)


def _content(file: bytes | FileOrPath) -> bytes:
    if isinstance(file, bytes):
        content = file
    elif isinstance(file, str | os.PathLike):
        with opened(file) as stream:
            content = stream.read(MAX_BYTES + 1)
    else:
        file.seek(0)
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"{_called(file)} has more than the {MAX_BYTES:,} bytes that are read.")
    return content


def _csv_rows(content: bytes, name: str) -> NDArray[np.uint8]:
    try:
        lines = io.StringIO(content.decode("utf-8-sig"), newline=None)
    except UnicodeDecodeError:
        raise ValueError(f"{name} is neither a CSV file (text in UTF-8) nor an .npz file.") from None
    rows: list[bytes] = []
    n, separator, header_allowed = 0, "", True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if header_allowed:
            separator = next((mark for mark in ",;\t" if mark in line), "")
        cells = [
            cell.strip(" \n\t\"'")
            for cell in (line.split(separator, MAX_COLUMNS) if separator else line.split(None, MAX_COLUMNS))
        ]
        if len(cells) > MAX_COLUMNS:
            raise ValueError(f"Row {number} of {name} has more than {MAX_COLUMNS:,} columns.")
        if header_allowed and _is_header(cells):
            header_allowed, n = False, len(cells)
            continue
        header_allowed, n = False, n or len(cells)
        if len(cells) != n:
            raise ValueError(f"Row {number} of {name} has {len(cells)} columns, the rows before it have {n}.")
        bits = [_BITS.get(cell, 2) for cell in cells]
        if 2 in bits:
            at = bits.index(2)
            raise ValueError(f"Row {number}, column {at + 1} of {name} must be 0 or 1, not {quoted(cells[at])}.")
        if len(rows) == MAX_ROWS:
            raise ValueError(f"{name} has more than {MAX_ROWS:,} rows.")
        rows.append(bytes(bits))
    if not rows:
        raise ValueError(f"{name} has no rows of 0 and 1.")
    return np.frombuffer(b"".join(rows), np.uint8).reshape(-1, n)


def _is_header(cells: list[str]) -> bool:
    """Names, or the numbers 0, 1, 2, ... that pandas gives columns without a name."""
    return not any(_is_number(cell) for cell in cells) or (
        len(cells) > 2 and cells == [str(column) for column in range(len(cells))]
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _npz_rows(file: FileOrPath) -> NDArray[np.uint8]:
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
    for first in range(0, len(v), _ROWS):
        part = v[first : first + _ROWS]
        wrong = (part != 0) & (part != 1)
        if wrong.any():
            row, column = (int(at) for at in np.unravel_index(wrong.argmax(), part.shape))
            raise ValueError(
                f"Row {first + row + 1}, column {column + 1} of {key} in {name} must be 0 or 1, not "
                f"{part[row, column]:g}."
            )
    return v.astype(np.uint8, order="C", copy=False)


def _dataset(v: NDArray[np.uint8], held_out: bool, width: int = 0) -> Dataset:
    n_rows, n_columns = v.shape
    if held_out and n_rows < 5:
        raise Refusal(
            f"test must be the training rows for a table of {n_rows} rows; every fifth row would hold out none.", "test"
        )
    if width and n_columns % width:
        raise Refusal(
            f"width must be 0, or divide the {n_columns:,} columns of the table into lines of an image, not {width}.",
            "width",
        )
    fifth = np.arange(n_rows) % 5 == 4
    train, test = (Examples(v[~fifth]), Examples(v[fifth])) if held_out else (Examples(v), Examples(v))
    return Dataset(train, None, test, shape=(n_columns // width, width) if width else None)


def _digest(v: NDArray[np.uint8]) -> str:
    return hashlib.sha256(f"{v.shape}".encode() + np.packbits(v).tobytes()).hexdigest()[:32]


def _place(digest: str) -> Path:
    return folder("uploads") / f"{digest}.npz"
