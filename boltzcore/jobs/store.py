"""Runs on disk: a folder of files for each.

<folder>/runs/<id>/run.json, trace.csv, best.npz, state.npz
"""

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from boltzcore.home import make_folder, now, sweep
from boltzcore.jobs.files import BEST, STATE, TRACE, read_files, write_files
from boltzcore.jobs.summary import FILE, ID, RunSummary, finite_or_none, read_summary, write_summary
from boltzcore.learners.base import State
from boltzcore.measures.merit import last_merit
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.trace import Curve, read_curve

KEPT = 500  # runs
UNTOUCHED = 86_400.0  # seconds
LOST = "This run is damaged: its recipe is missing."
_DELETED = ".deleted-"  # what the name of a run's folder begins with while it is removed

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Entry:
    """A run in the list of all.

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
    state, best : None before the first update, and where they cannot be read, as `damage` (sentences) says
    records : where `damage` says so, only those before the first that cannot be read
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
    """Runs in a folder. Any thread may call; one thread at a time writes one run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._runs = folder, folder / "runs"
        self._lock = threading.Lock()  # held while a folder or its summary is put in the place of another
        # {id: (the version of the file, its content)}
        self._summaries: dict[str, tuple[tuple[int, ...], RunSummary | None]] = {}
        make_folder(self._runs)
        for gone in self._runs.glob(f"{_DELETED}*"):  # the process ended while it deleted a run
            shutil.rmtree(gone, ignore_errors=True)

    def list(self) -> tuple[Entry, ...]:
        """Every run, the last updated first; one whose recipe is lost with a sentence that says so. Raises OSError
        where the folder cannot be read.
        """
        found = [entry for files in self._folders() if (entry := self._entry(files)) is not None]
        return tuple(sorted(found, key=lambda entry: entry.updated, reverse=True))

    def load(self, id: str) -> Saved | None:
        """A run, or None where there is none of this id.

        Raises ValueError where its recipe is lost. Of damaged files the intact ones are used: the newest whole state,
        and the records before the damage; `damage` says what is missing.
        """
        if not ID.fullmatch(id):
            return None
        if (summary := read_summary(self._files(id))) is None:
            if self._holds_a_state(id):
                raise ValueError(LOST)
            return None
        found = read_files(self._files(id), summary.recipe, summary.count)
        records, status, reason = found.records, summary.status, summary.reason
        if found.state is not None and found.state.count != summary.count:
            status, reason = "running", ""
        elif summary.n_records is not None:  # a longer schedule has none where the shorter one ended
            records = records[: summary.n_records]
        return Saved(
            id=summary.id,
            name=summary.name,
            key_hash=summary.key_hash,
            created=summary.created,
            status=status,
            reason=reason,
            recipe=summary.recipe,
            state=found.state,
            best=found.best,
            records=records,
            best_value=summary.best_value if found.best else None,
            damage=found.damage,
            pace=summary.pace,
        )

    def save(self, run: Saved) -> None:
        """Keep a run as it is now. Raises OSError where that cannot be done."""
        files = self._files(run.id)
        judge = run.recipe.stages[run.state.progress.stage if run.state else 0].entry.merit
        summary = RunSummary(
            id=run.id,
            name=run.name,
            key_hash=run.key_hash,
            created=run.created,
            updated=time.time(),
            status=run.status,
            reason=run.reason,
            recipe=run.recipe,
            count=run.state.count if run.state else 0,
            merit=finite_or_none(last_merit(run.records, judge)),
            n_records=len(run.records),
            best_value=finite_or_none(run.best_value),
            pace=run.pace,
        )
        make_folder(files)
        # The summary goes first: were the process to end here, a later recipe with an earlier state is still true.
        write_summary(files, summary)
        if run.state is not None:
            write_files(files, run.state, run.best, run.records)

    def rename(self, id: str, name: str) -> None:
        """Change the name of a run that nothing is writing, and leave its place in the list; nothing happens if there
        is no such run. Raises OSError if that cannot be done.
        """
        if not ID.fullmatch(id):
            return
        with self._lock:
            if (summary := read_summary(self._files(id))) is not None:
                write_summary(self._files(id), replace(summary, name=name))

    def curve(self, id: str, names: Sequence[str]) -> Curve | None:
        """One figure of a run over its updates: the first of `names` that was measured last. None where there is none,
        or nothing that can be read.
        """
        return read_curve(self._files(id) / TRACE, tuple(names)) if ID.fullmatch(id) else None

    def delete(self, id: str) -> None:
        """Forget a run and its files; nothing happens where there is none. Raises OSError where that cannot be done."""
        if not ID.fullmatch(id):
            return
        gone = self._runs / f"{_DELETED}{id}-{time.time_ns()}"
        with self._lock:
            self._summaries.pop(id, None)
            if not self._files(id).exists():
                return
            # From here on nothing brings the run back, also after a crash: its folder is no run's any more.
            self._files(id).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def tidy(self, delete: Callable[[str], None] | None = None) -> None:
        """Forget runs that a day ago had not made an update yet, the oldest beyond the 500 last used, and what no run
        needs: half-written files, and folders that a day ago held neither a recipe nor a state.

        delete : what forgets the run of an id, or spares it; `self.delete` by default
        """
        delete, untouched = delete or self.delete, now() - UNTOUCHED
        for place, entry in enumerate(self.list()):
            if place >= KEPT or (entry.recipe is not None and entry.count == 0 and entry.updated < untouched):
                delete(entry.id)
        sweep(self._runs, "*/.*")
        for files in self._folders():
            with suppress(OSError):  # of what cannot be read it is not known whose it is
                names = os.listdir(files)
                if FILE in names:
                    (files / FILE).open("rb").close()
                if self._entry(files) is None and files.stat().st_mtime < untouched:
                    logger.warning("The folder %s belongs to no training; it was removed.", files)
                    delete(files.name)

    def _files(self, id: str) -> Path:
        return self._runs / id

    def _folders(self) -> Iterator[Path]:
        return (files for files in sorted(self._runs.iterdir()) if ID.fullmatch(files.name) and files.is_dir())

    def _holds_a_state(self, id: str) -> bool:
        return any((self._files(id) / name).is_file() for name in (STATE, BEST))

    def _entry(self, files: Path) -> Entry | None:
        """None where the folder holds neither a recipe nor a state, as it does when a run is about to be saved."""
        id, summary = files.name, self._summary(files)
        whole = self._holds_a_state(id)
        if summary is None:
            if not whole:
                return None
            when = files.stat().st_mtime
            return Entry(id, "", when, when, "failed", None, 0, None, LOST)
        damage = "" if whole or summary.count == 0 else "This run is damaged: its checkpoint is missing."
        return Entry(
            id,
            summary.name,
            summary.created,
            summary.updated,
            summary.status,
            summary.recipe,
            summary.count,
            summary.merit,
            damage,
        )

    def _summary(self, files: Path) -> RunSummary | None:
        """Return the summary of a run, read again if its file has changed."""
        try:
            seen = (files / FILE).stat()
        except OSError:
            return None
        version = seen.st_ino, seen.st_mtime_ns, seen.st_size
        kept = self._summaries.get(files.name)
        if kept is None or kept[0] != version:
            kept = self._summaries[files.name] = version, read_summary(files)
        return kept[1]
