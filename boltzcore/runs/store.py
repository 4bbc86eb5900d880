"""Runs on disk: a folder of files for each, and an index that can be made anew from the folders.

<folder>/index.sqlite
<folder>/runs/<id>/run.json, trace.csv, best.npz, state.npz, looks.bin
"""

import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from boltzcore.data import Own
from boltzcore.home import sweep
from boltzcore.learners.base import State
from boltzcore.measures.merit import last_merit
from boltzcore.quoting import why
from boltzcore.runs.album import Album
from boltzcore.runs.files import BEST, LOOKS, STATE, TRACE, read_files, write_files
from boltzcore.runs.index import Index, Row, salvaged
from boltzcore.runs.notes import ID, Note, note_of, noted_merit, read_note, with_plain_figures, write_note
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.trace import Curve, read_curve
from boltzcore.runs.training import Record, stage_of

KEPT = 500  # runs
UNTOUCHED = 86_400.0  # seconds
_DELETED = ".deleted-"  # what the name of a run's folder begins with while it is removed

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """A run as the index lists it.

    created, updated : seconds since 1970, before the year 3000
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
    status : "running" where the process ended before all that it had begun to save was on disk
    state, best : None before the first update, and where `damage` (sentences) tells why they cannot be read
    records : where `damage` tells so, only those before the first that cannot be read
    best_value : the merit of `best`, None where unknown
    pace : updates a second that it is held back to, None for as fast as it can
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
    best_value: float | None = None
    damage: str = ""
    pace: float | None = None


class Store:
    """Runs in a folder. Any thread may call; one thread at a time writes one run.

    An index that is damaged, missing or not ours is moved aside and made anew from the folders, when the store is
    opened and whenever it turns out.

    notice : "" or sentences on what was mended
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.notice = folder, ""
        self._runs, self._index = folder / "runs", Index(folder / "index.sqlite")
        self._lock = threading.RLock()  # held while the index is used, so that nobody meets one half made
        self._runs.mkdir(parents=True, exist_ok=True)
        try:
            self._check()
        except (OSError, sqlite3.Error) as error:  # locked or the disk full: another try may do
            logger.exception("The index of runs could not be checked.")
            self.notice = f"The index of trainings could not be checked when the server started: {why(error)}."

    def list(self) -> tuple[Entry, ...]:
        """Every run, the last updated first. A damaged one is listed with a sentence. Raises OSError or sqlite3.Error
        where that cannot be done.
        """
        rows = self._use(Index.rows)
        if not all(_is_known(row) for row in rows):
            self._check()
            rows = self._use(Index.rows)
        return tuple({entry.id: entry for entry in map(self._entry, rows)}.values())

    def owned_tables(self) -> Iterator[tuple[str, str]]:
        """(SHA-256 of the owner's key, digest of the table) of each run that learns from an uploaded table."""
        for entry in self.list():
            table = entry.recipe.data if entry.recipe is not None else None
            if isinstance(table, Own) and (note := read_note(self._files(entry.id))) is not None:
                yield note.key_hash, table.digest

    def load(self, id: str) -> Saved | None:
        """A run, or None where there is none of this id.

        Raises ValueError where neither its folder nor the index tells its recipe. Of damaged files the intact ones
        are used: the newest whole state, and the records before the damage; `damage` says what is missing.
        """
        note = read_note(self._files(id)) if ID.fullmatch(id) else None
        if note is None:
            row = self._use(lambda index: index.row(id))
            if row is None:
                return None
            if (note := _noted(row)) is None:
                raise ValueError(_damage(row))
        found = read_files(self._files(id), note.recipe, note.count)
        records, status, reason = found.records, note.status, note.reason
        if found.state is not None and found.state.count != note.count:
            status, reason = "running", ""
        elif note.n_records is not None:  # a longer schedule has none where the shorter one ended
            records = records[: note.n_records]
        return Saved(
            id=note.id,
            name=note.name,
            key_hash=note.key_hash,
            created=note.created,
            status=status,
            reason=reason,
            recipe=note.recipe,
            state=found.state,
            best=found.best,
            records=records,
            best_value=note.best_value if found.best else None,
            damage=found.damage,
            pace=note.pace,
        )

    def save(self, run: Saved) -> None:
        """Keep a run as it is now. Raises OSError or sqlite3.Error where that cannot be done."""
        files = self._files(run.id)
        judge = run.recipe.stages[stage_of(run.state) if run.state else 0].entry.merit
        note = Note(
            id=run.id,
            name=run.name,
            key_hash=run.key_hash,
            created=run.created,
            updated=time.time(),
            status=run.status,
            reason=run.reason,
            recipe=run.recipe,
            count=run.state.count if run.state else 0,
            merit=noted_merit(last_merit(run.records, judge)),
            n_records=len(run.records),
            best_value=noted_merit(run.best_value),
            pace=run.pace,
        )
        files.mkdir(parents=True, exist_ok=True)
        # The note goes first: were the process to end here, a later recipe with an earlier state still tells the truth.
        # The index goes last: it can be made of the rest.
        write_note(files, note)
        if run.state is not None:
            write_files(files, run.state, run.best, run.records)
        self._use(lambda index: index.put([note.row()]))

    def rename(self, id: str, name: str) -> None:
        """Give a run that nobody is writing another name, and leave its place in the list; nothing happens where there
        is none. Raises OSError or sqlite3.Error where that cannot be done.
        """
        if not ID.fullmatch(id):
            return
        with self._lock:
            row = self._use(lambda index: index.row(id))
            note = read_note(self._files(id)) or (_noted(row) if row else None)
            if note is None:
                return
            note = replace(note, name=name)
            self._files(id).mkdir(exist_ok=True)
            write_note(self._files(id), note)
            self._use(lambda index: index.put([note.row()]))

    def curve(self, id: str, names: Sequence[str]) -> Curve | None:
        """One figure of a run over its updates: the first of `names` that was measured last. None where there is none,
        or nothing that can be read.
        """
        return read_curve(self._files(id) / TRACE, tuple(names)) if ID.fullmatch(id) else None

    def delete(self, id: str) -> None:
        """Forget a run and its files; nothing happens where there is none. Raises OSError or sqlite3.Error where that
        cannot be done.
        """
        if not ID.fullmatch(id):
            return
        gone = self._runs / f"{_DELETED}{id}-{time.time_ns()}"
        with self._lock:
            # From here on nothing brings the run back, also after a crash: its folder is no run's any more.
            if self._files(id).exists():
                self._files(id).rename(gone)
            self._remove(id)
        shutil.rmtree(gone, ignore_errors=True)

    def album(self, id: str) -> Album:
        """The looks back at a run, which are written when they are taken. One holder at a time."""
        return Album(self._files(id) / LOOKS)

    def tidy(self) -> None:
        """Forget runs that a day ago had not made an update yet, the oldest beyond the 500 last used, and what no run
        needs: half-written files, and folders that a day ago nothing told the recipe of.
        """
        untouched = time.time() - UNTOUCHED
        for id in self._use(lambda index: index.superfluous(KEPT, untouched)):
            self.delete(id)
        sweep(self._runs, "*/.*")
        known = {row["id"] for row in self._use(Index.rows)}
        for files in self._folders():
            if files.name not in known and read_note(files) is None and files.stat().st_mtime < untouched:
                logger.warning("The folder %s belongs to no training; it was removed.", files)
                self.delete(files.name)

    def _files(self, id: str) -> Path:
        return self._runs / id

    def _folders(self) -> Iterator[Path]:
        return (files for files in sorted(self._runs.iterdir()) if ID.fullmatch(files.name) and files.is_dir())

    # -- the index --------------------------------------------------------------------------------------

    def _use(self, work: Callable[[Index], T]) -> T:
        """What `work` makes of the index; one that turns out to be damaged is mended first."""
        with self._lock:
            try:
                return work(self._index)
            except sqlite3.DatabaseError as error:
                if not self._index.is_damaged(error):
                    raise
                self._mend(self._index.fault() or f"is damaged ({error})")
                return work(self._index)

    def _remove(self, id: str) -> None:
        self._use(lambda index: index.remove(id))

    def _check(self) -> None:
        """See that the index is whole, and tells what the folders tell."""
        with self._lock:
            if fault := self._index.fault():
                self._mend(fault)
            for gone in tuple(self._runs.glob(f"{_DELETED}*")):  # the process ended in the middle of it
                self._remove(gone.name.removeprefix(_DELETED)[:16])
                shutil.rmtree(gone, ignore_errors=True)
            if not all(_is_known(row) for row in self._use(Index.rows)):
                self._mend("holds entries that are not of Boltzmann Lab")
            self._agree({row["id"]: row for row in self._use(Index.rows)})

    def _mend(self, fault: str) -> None:
        """Move the index aside and make a new one of the folders, and of the rows that can still be read."""
        aside = self._index.set_aside()
        rows = {note.id: note.row() for row in (salvaged(aside) if aside else ()) if (note := _noted(row))}
        there = list(self._folders())
        for files in there:
            note = read_note(files)
            if note is not None:
                rows[files.name] = note.row()
            elif files.name not in rows:
                rows[files.name] = _lost(files)
        self._index.make(rows.values())
        if aside is None and not there:  # the first start
            return
        found = sum(row["recipe"] is not None for row in rows.values())
        moved = f", so it was moved to {aside.name}" if aside else ""
        sentence = (
            f"The index of trainings {fault}{moved}. A new one was made of the folders of the trainings: {found:,} of "
            f"{len(rows):,} are listed as they were."
        )
        logger.warning("%s", sentence)
        self.notice = sentence

    def _agree(self, rows: dict[str, Row]) -> None:
        """Make index and folders tell the same: the note in a folder goes first, a folder without one gets it."""
        notes = {files.name: read_note(files) for files in self._folders()}
        told = {id: note.row() for id, note in notes.items() if note is not None}
        self._use(lambda index: index.put(row for id, row in told.items() if rows.get(id) != row))
        for id, row in rows.items():
            if id in told or (note := _noted(row)) is None:
                continue
            try:
                self._files(id).mkdir(exist_ok=True)
                write_note(self._files(id), note)
            except OSError as error:
                logger.warning("The entry of run %s could not be copied to its folder: %s", id, error)

    # -- one run ----------------------------------------------------------------------------------------

    def _entry(self, row: Row) -> Entry:
        id = str(row["id"])
        note = _noted(row, strictly=True) or (read_note(self._files(id)) if ID.fullmatch(id) else None) or _noted(row)
        if note is None:
            name, status = (text if isinstance(text := row[what], str) else "" for what in ("name", "status"))
            return Entry(id, name, 0.0, 0.0, status, None, 0, None, _damage(row))
        damage = ""
        if note.count > 0 and not any((self._files(id) / name).is_file() for name in (STATE, BEST)):
            damage = "This run is damaged: its checkpoint is missing."
        return Entry(
            note.id, note.name, note.created, note.updated, note.status, note.recipe, note.count, note.merit, damage
        )


def _is_known(row: Row) -> bool:
    """Whether the id of a row could be a run's."""
    return ID.fullmatch(str(row["id"])) is not None


def _noted(row: Row, *, strictly: bool = False) -> Note | None:
    """What a row tells, without the figures that are only shown to people where these are damaged; None where it does
    not tell a run, or, `strictly`, not all of it.
    """
    for told in (row,) if strictly else (row, with_plain_figures(row)):
        try:
            return note_of(told)
        except ValueError:
            pass
    return None


def _damage(row: Row) -> str:
    """A sentence on why a row does not tell a run; "" where it does."""
    try:
        note_of(with_plain_figures(row))
    except ValueError as error:
        return f"This run is damaged: {error}"
    return ""


def _lost(files: Path) -> Row:
    """The row of a folder whose recipe nothing tells."""
    when = files.stat().st_mtime
    texts = {"id": files.name, "name": "", "key_hash": "", "status": "failed", "reason": ""}
    return texts | {"created": when, "updated": when, "recipe": None, "count": None, "log_likelihood": None}
