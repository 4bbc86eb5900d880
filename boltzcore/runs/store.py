"""Runs on disk: an SQLite index, and a folder of files for each run.

<folder>/index.sqlite
<folder>/runs/<id>/state.npz, best.npz, trace.csv
"""

import csv
import io
import logging
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from boltzcore.learners.base import State
from boltzcore.measures.merit import merit
from boltzcore.runs.checkpoint import load_state, replacing, save_state
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import Record, stage_of

ID = re.compile("[0-9a-f]{16}")
KEPT = 500  # runs
UNTOUCHED = 86_400.0  # seconds
LARGEST_TRACE = 2**28  # bytes
_AXES = ("count", "epoch", "work", "seconds")
# the last holds the merit, whatever the model
_COLUMNS = "id, name, key_hash, created, updated, status, reason, recipe, count, log_likelihood"
_STATUSES = ("queued", "starting", "running", "paused", "stopped", "finished", "failed", "diverged")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Entry:
    """A run as the index lists it.

    created, updated : seconds since 1970
    count : updates done; merit : at the last record, see `measures.merit`, None where not measured
    damage : "" or a sentence on why the run cannot be opened; `recipe` may then be None
    """

    id: str
    name: str
    created: float
    updated: float
    status: str
    recipe: Recipe | None
    count: int
    merit: float | None
    damage: str = ""


@dataclass(frozen=True)
class Saved:
    """All that is kept of a run.

    key_hash : SHA-256 of the owner's key
    state, best : None before the first update, and where `damage` (a sentence) tells why they cannot be read
    """

    id: str
    name: str
    key_hash: str
    created: float
    status: str
    reason: str
    recipe: Recipe
    state: State | None = None
    best: State | None = None
    records: tuple[Record, ...] = ()
    damage: str = ""


class Store:
    """Runs in a folder. Any thread may call; one thread at a time writes one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "runs").mkdir(parents=True, exist_ok=True)
        try:
            self._make_index()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # locked or out of disk, not damaged
                raise
            aside = folder / f"index-damaged-{time.time_ns()}.sqlite"
            logger.warning("The index of runs is damaged (%s); it was moved to %s and a new one begun.", error, aside)
            (folder / "index.sqlite").rename(aside)
            self._make_index()

    def list(self) -> tuple[Entry, ...]:
        """Every run, the last updated first. A damaged one is listed with a sentence."""
        with self._index() as index:
            rows = index.execute(f"SELECT {_COLUMNS} FROM runs ORDER BY updated DESC").fetchall()
        return tuple(self._entry(row) for row in rows)

    def load(self, id: str) -> Saved | None:
        """A run, or None where there is none of this id.

        Raises ValueError where its row in the index is damaged; damaged files leave state, best and
        records empty and say so in `damage`.
        """
        with self._index() as index:
            row = index.execute(f"SELECT {_COLUMNS} FROM runs WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        entry = self._entry(row)
        if entry.recipe is None:
            raise ValueError(entry.damage)
        saved = Saved(
            entry.id, entry.name, str(row["key_hash"]), entry.created, entry.status, str(row["reason"]), entry.recipe
        )
        try:
            return self._with_files(saved, entry)
        except ValueError as error:
            return Saved(**{**vars(saved), "damage": f"The files of this run are damaged: {error}"})

    def save(self, run: Saved) -> None:
        """Keep a run as it is now. Raises OSError or sqlite3.Error where that cannot be done."""
        files = self._files(run.id)
        judge = run.recipe.stages[stage_of(run.state) if run.state else 0].entry.merit
        last = merit(run.records[-1].values, judge) if run.records else None
        count = run.state.count if run.state else 0
        # The row goes first: were the process to end here, a later recipe with an earlier state still tells the truth.
        with self._index() as index:
            index.execute(
                f"INSERT OR REPLACE INTO runs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    run.id,
                    run.name,
                    run.key_hash,
                    run.created,
                    time.time(),
                    run.status,
                    run.reason,
                    run.recipe.to_json(),
                    count,
                    last,
                ),
            )
        if run.state is None:
            return
        files.mkdir(exist_ok=True)
        with replacing(files / "trace.csv") as stream:
            stream.write(trace_csv(run.records).encode())
        if run.best is not None:
            save_state(files / "best.npz", run.best)
        save_state(files / "state.npz", run.state)

    def delete(self, id: str) -> None:
        """Forget a run and its files; nothing happens where there is none."""
        with self._index() as index:
            index.execute("DELETE FROM runs WHERE id = ?", (id,))
        if ID.fullmatch(id):
            shutil.rmtree(self._files(id), ignore_errors=True)

    def tidy(self) -> None:
        """Forget runs that a day ago had not made an update yet, and the oldest beyond the 500 last used."""
        with self._index() as index:
            untouched = index.execute(
                "SELECT id FROM runs WHERE count = 0 AND updated < ?", (time.time() - UNTOUCHED,)
            ).fetchall()
            oldest = index.execute("SELECT id FROM runs ORDER BY updated DESC LIMIT -1 OFFSET ?", (KEPT,)).fetchall()
        for row in (*untouched, *oldest):
            self.delete(str(row["id"]))

    def _files(self, id: str) -> Path:
        return self.folder / "runs" / id

    def _make_index(self) -> None:
        with self._index() as index:
            index.execute(
                "CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, name TEXT, key_hash TEXT, created REAL, updated "
                "REAL, "
                "status TEXT, reason TEXT, recipe TEXT, count INTEGER, log_likelihood REAL)"
            )

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        # A connection for each use: none is shared between threads, and a page never waits for another's.
        with closing(sqlite3.connect(self.folder / "index.sqlite", timeout=5.0)) as connection, connection:
            connection.row_factory = sqlite3.Row
            yield connection

    def _entry(self, row: sqlite3.Row) -> Entry:
        recipe, damage = None, ""
        figures: tuple[float, float, int, float | None] = (0.0, 0.0, 0, None)
        try:
            figures = (
                float(row["created"]),
                float(row["updated"]),
                int(row["count"]),
                None if row["log_likelihood"] is None else float(row["log_likelihood"]),
            )
            recipe = Recipe.from_json(str(row["recipe"]))
            if row["status"] not in _STATUSES or not ID.fullmatch(str(row["id"])):
                raise ValueError("its entry is not one of Boltzmann Lab.")
            if figures[2] > 0 and not (self._files(row["id"]) / "state.npz").is_file():
                damage = "This run is damaged: its checkpoint is missing."
        except (ValueError, TypeError, OverflowError) as error:
            recipe, damage = None, f"This run is damaged: {error}"
        created, updated, count, reached = figures
        return Entry(
            str(row["id"]), str(row["name"]), created, updated, str(row["status"]), recipe, count, reached, damage
        )

    def _with_files(self, saved: Saved, entry: Entry) -> Saved:
        files = self._files(saved.id)
        if not entry.count and not (files / "state.npz").exists():
            return saved
        state = load_state(files / "state.npz", saved.recipe)
        best = load_state(files / "best.npz", saved.recipe) if (files / "best.npz").exists() else None
        if state.count > entry.count and best is not None:  # the process ended while it went back to the best state
            state = best
        if best is not None and best.count > state.count:
            best = None
        records = tuple(record for record in read_trace(files / "trace.csv") if record.count <= state.count)
        return Saved(**{**vars(saved), "state": state, "best": best, "records": records})


def trace_csv(records: Sequence[Record]) -> str:
    """Records as CSV: count, epoch, work, seconds, then every figure; one that a record lacks stays empty."""
    names = tuple(dict.fromkeys(name for record in records for name in record.values))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*_AXES, *names))
    writer.writerows(
        (r.count, r.epoch, r.work, r.seconds, *(r.values.get(name, "") for name in names)) for r in records
    )
    return text.getvalue()


def read_trace(file: Path) -> tuple[Record, ...]:
    """The records that `trace_csv` wrote. ValueError where the file is missing or damaged."""
    damaged = ValueError(f"{file.name} is missing, or not a trace of Boltzmann Lab.")
    try:
        if file.stat().st_size > LARGEST_TRACE:
            raise damaged
        with file.open(newline="", encoding="utf-8") as stream:
            head, *rows = csv.reader(stream)
            if tuple(head[: len(_AXES)]) != _AXES:
                raise damaged
            return tuple(_record(head, row) for row in rows)
    except (OSError, ValueError, csv.Error):
        raise damaged from None


def _record(head: Sequence[str], row: Sequence[str]) -> Record:
    count, epoch, work, seconds = row[: len(_AXES)]
    values = {name: float(text) for name, text in zip(head, row, strict=True) if text and name not in _AXES}
    return Record(int(count), float(epoch), int(work), float(seconds), values)
