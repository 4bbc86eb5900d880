"""Runs on disk: a folder of files for each."""

import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from boltzcore.home import make_folder, now, sweep
from boltzcore.jobs.files import (
    CHECKPOINT,
    ENTRY,
    Entry,
    Saved,
    read_checkpoint,
    read_curve,
    read_entry,
    write_checkpoint,
    write_entry,
)
from boltzcore.jobs.summary import ID, finite_or_none
from boltzcore.measures.merit import last_merit
from boltzcore.training.status import Status
from boltzcore.training.trace import Curve

KEPT = 500  # runs
UNTOUCHED = 86_400.0  # seconds
LOST = "This run is damaged: its recipe is missing."
_DELETED = ".deleted-"  # what the name of a run's folder begins with while it is removed

logger = logging.getLogger(__name__)


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

        Raises ValueError where its recipe is lost. If its checkpoint cannot be read it has no state, and `damage` says
        so.
        """
        if not ID.fullmatch(id):
            return None
        if (entry := read_entry(self._files(id))) is None:
            if self._has_checkpoint(id):
                raise ValueError(LOST)
            return None
        damage = ""
        if entry.count or self._has_checkpoint(id):
            try:
                return replace(read_checkpoint(self._files(id)), name=entry.name)
            except ValueError as error:
                damage = f"The checkpoint of this run cannot be used: {error}"
        return Saved(**vars(entry) | {"damage": damage})

    def save(self, run: Saved) -> None:
        """Keep a run as it is now. Raises OSError where that cannot be done."""
        files = self._files(run.id)
        judge = run.recipe.stages[run.state.progress.stage if run.state else 0].entry.merit
        run = replace(
            run,
            updated=time.time(),
            count=run.state.count if run.state else 0,
            merit=finite_or_none(last_merit(run.records, judge)),
            best_value=finite_or_none(run.best_value),
        )
        make_folder(files)
        if run.state is not None:
            write_checkpoint(files, run)
        write_entry(files, run)

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
        return read_curve(self._files(id), tuple(names)) if ID.fullmatch(id) else None

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
            with suppress(OSError):  # a folder that cannot be read may be a run's
                names = os.listdir(files)
                if ENTRY in names:
                    (files / ENTRY).open("rb").close()
                if self._entry(files) is None and files.stat().st_mtime < untouched:
                    logger.warning("The folder %s belongs to no training; it was removed.", files)
                    delete(files.name)

    def _files(self, id: str) -> Path:
        return self._runs / id

    def _folders(self) -> Iterator[Path]:
        return (files for files in sorted(self._runs.iterdir()) if ID.fullmatch(files.name) and files.is_dir())

    def _has_checkpoint(self, id: str) -> bool:
        return (self._files(id) / CHECKPOINT).is_file()

    def _entry(self, files: Path) -> Entry | None:
        """None where the folder holds neither a recipe nor a state, as it does when a run is about to be saved."""
        entry, whole = self._read(files), self._has_checkpoint(files.name)
        if entry is None:
            when = files.stat().st_mtime
            return Entry(files.name, "", when, when, Status.FAILED, None, damage=LOST) if whole else None
        damage = "" if whole or entry.count == 0 else "This run is damaged: its checkpoint is missing."
        return replace(entry, damage=damage) if damage else entry

    def _read(self, files: Path) -> Entry | None:
        """Return the entry of a run, read again if its file has changed."""
        try:
            seen = (files / ENTRY).stat()
        except OSError:
            return None
        version = seen.st_ino, seen.st_mtime_ns, seen.st_size
        kept = self._entries.get(files.name)
        if kept is None or kept[0] != version:
            kept = self._entries[files.name] = version, read_entry(files)
        return kept[1]
