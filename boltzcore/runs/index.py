"""The index of runs: an SQLite table with a row for each, checked before it is believed."""

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

_COLUMNS = {
    "id": "TEXT PRIMARY KEY",
    "name": "TEXT",
    "key_hash": "TEXT",
    "created": "REAL",
    "updated": "REAL",
    "status": "TEXT",
    "reason": "TEXT",
    "recipe": "TEXT",
    "count": "INTEGER",
    "log_likelihood": "REAL",
}
_NAMES = ", ".join(_COLUMNS)
# What says nothing against the file: it is locked, the disk is full, the process has no memory or file handle left.
_PASSING = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_CANTOPEN,
    )
)

Row = dict[str, Any]


class Index:
    """The table in one file. Whoever calls sees to it that one thread at a time does."""

    def __init__(self, file: Path) -> None:
        self.file, self.patience = file, 5.0  # seconds to wait for another process

    def fault(self) -> str:
        """What is wrong with the file, as the end of a sentence; "" where nothing is."""
        if not os.path.lexists(self.file):
            return "is missing"
        if not self.file.is_file():
            return "is not a file"
        if not os.access(self.file, os.R_OK | os.W_OK):
            return "cannot be read and written"
        if self.file.stat().st_size == 0:
            return "is empty"
        try:
            with self._open() as index:
                (told,) = index.execute("PRAGMA quick_check(1)").fetchone()
                layout = {name: bool(key) for _, name, _, _, _, key in index.execute("PRAGMA table_info(runs)")}
        except sqlite3.DatabaseError as error:
            if not self.is_damaged(error):
                raise
            return f"is damaged ({error})"
        if told != "ok":
            return f"is damaged ({told})"
        return "" if layout == {name: name == "id" for name in _COLUMNS} else "is not one of Boltzmann Lab"

    def is_damaged(self, error: sqlite3.DatabaseError) -> bool:
        """Whether an error tells of damage, which a new file would mend, and not of a disk or of another process."""
        code = getattr(error, "sqlite_errorcode", None)  # a text that is none has no code
        return code is None or code & 0xFF not in _PASSING or (self.file.exists() and not self.file.is_file())

    def set_aside(self) -> Path | None:
        """Move the file, and what SQLite keeps beside it, to another name; None where there was nothing in it."""
        aside = self.file.with_name(f"index-damaged-{time.time_ns()}.sqlite")
        for end in ("-journal", "-wal", "-shm"):
            beside = self.file.with_name(self.file.name + end)
            if os.path.lexists(beside):
                beside.rename(aside.with_name(aside.name + end))
        if not os.path.lexists(self.file):
            return None
        if self.file.is_file() and self.file.stat().st_size == 0:
            self.file.unlink()
            return None
        self.file.rename(aside)
        return aside

    def make(self, rows: Iterable[Row]) -> None:
        """Make the file, with these rows."""
        with self._open() as index:
            columns = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())
            index.execute(f"CREATE TABLE IF NOT EXISTS runs ({columns})")
            _put(index, rows)

    def rows(self) -> list[Row]:
        """Every row, the last updated first."""
        with self._open() as index:
            return [dict(row) for row in index.execute(f"SELECT {_NAMES} FROM runs ORDER BY updated DESC")]

    def row(self, id: str) -> Row | None:
        """One row, or None."""
        with self._open() as index:
            row = index.execute(f"SELECT {_NAMES} FROM runs WHERE id = ?", (id,)).fetchone()
        return None if row is None else dict(row)

    def put(self, rows: Iterable[Row]) -> None:
        """Add rows, each in place of the one with its id."""
        with self._open() as index:
            _put(index, rows)

    def remove(self, id: str) -> None:
        """Take a row out; nothing happens where there is none."""
        with self._open() as index:
            index.execute("DELETE FROM runs WHERE id = ?", (id,))

    def superfluous(self, kept: int, untouched: float) -> list[str]:
        """The ids beyond the `kept` last updated, and of those that had not made an update by the time `untouched`."""
        with self._open() as index:
            found = index.execute(
                "SELECT id FROM runs WHERE count = 0 AND updated < ? UNION "
                "SELECT id FROM (SELECT id FROM runs ORDER BY updated DESC LIMIT -1 OFFSET ?)",
                (untouched, kept),
            )
            return [str(row["id"]) for row in found]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.file, timeout=self.patience)) as connection, connection:
            connection.row_factory = sqlite3.Row
            yield connection


def _put(index: sqlite3.Connection, rows: Iterable[Row]) -> None:
    marks = ", ".join(f":{name}" for name in _COLUMNS)
    index.executemany(f"INSERT OR REPLACE INTO runs ({_NAMES}) VALUES ({marks})", rows)


def salvaged(file: Path) -> list[Row]:
    """The rows that can still be read in a damaged file, up to the first that cannot."""
    rows: list[Row] = []
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            rows.extend(dict(row) for row in connection.execute(f"SELECT {_NAMES} FROM runs"))
    except sqlite3.Error:
        pass
    return rows
