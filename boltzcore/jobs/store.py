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
from boltzcore.jobs.status import Status
from boltzcore.jobs.summary import FILE, ID, Entry, finite_or_none, read_entry, write_entry
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
class Saved(Entry):
    """A run as it is kept: its entry, its newest and its best state, and its records.

    status : "running" where the process ended before all that it had begun to save was on disk
    state, best : None before the first update, and where they cannot be read, as `damage` says
    records : where `damage` says so, only those before the first that cannot be read
    """

    recipe: Recipe
    state: State | None = None
    best: State | None = None
    records: tuple[Record, ...] = ()


class Store:
    """Runs in a folder. Any thread may call; one thread at a time writes one run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._runs = folder, folder / "runs"
        self._lock = threading.Lock()  # held while a folder or its entry is put in the place of another
        # {id: (the version of the file, its content)}
        self._entries: dict[str, tuple[tuple[int, ...], Entry | None]] = {}
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
        if (entry := read_entry(self._files(id))) is None:
            if self._holds_a_state(id):
                raise ValueError(LOST)
            return None
        assert entry.recipe is not None
        found = read_files(self._files(id), entry.recipe, entry.count)
        records, status, reason = found.records, entry.status, entry.reason
        if found.state is not None and found.state.count != entry.count:
            status, reason = Status.RUNNING, ""
        elif entry.n_records is not None:  # a longer schedule has none where the shorter one ended
            records = records[: entry.n_records]
        best_value = entry.best_value if found.best else None
        now = vars(entry) | {"status": status, "reason": reason, "best_value": best_value, "damage": found.damage}
        return Saved(**now, state=found.state, best=found.best, records=records)

    def save(self, run: Saved) -> None:
        """Keep a run as it is now. Raises OSError where that cannot be done."""
        files = self._files(run.id)
        judge = run.recipe.stages[run.state.progress.stage if run.state else 0].entry.merit
        entry = replace(
            run,
            updated=time.time(),
            count=run.state.count if run.state else 0,
            merit=finite_or_none(last_merit(run.records, judge)),
            n_records=len(run.records),
            best_value=finite_or_none(run.best_value),
        )
        make_folder(files)
        # The entry goes first: were the process to end here, a later recipe with an earlier state is still true.
        write_entry(files, entry)
        if run.state is not None:
            write_files(files, run.state, run.best, run.records)

    def rename(self, id: str, name: str) -> None:
        """Change the name of a run that nothing is writing, and leave its place in the list; nothing happens if there
        is no such run. Raises OSError if that cannot be done.
        """
        if not ID.fullmatch(id):
            return
        with self._lock:
            if (entry := read_entry(self._files(id))) is not None:
                write_entry(self._files(id), replace(entry, name=name))

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
            self._entries.pop(id, None)
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
        entry, whole = self._read(files), self._holds_a_state(files.name)
        if entry is None:
            when = files.stat().st_mtime
            return Entry(files.name, "", when, when, Status.FAILED, None, damage=LOST) if whole else None
        damage = "" if whole or entry.count == 0 else "This run is damaged: its checkpoint is missing."
        return replace(entry, damage=damage) if damage else entry

    def _read(self, files: Path) -> Entry | None:
        """Return the entry of a run, read again if its file has changed."""
        try:
            seen = (files / FILE).stat()
        except OSError:
            return None
        version = seen.st_ino, seen.st_mtime_ns, seen.st_size
        kept = self._entries.get(files.name)
        if kept is None or kept[0] != version:
            kept = self._entries[files.name] = version, read_entry(files)
        return kept[1]
