"""Runs on disk, with a folder of files for each."""

import logging
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from boltzcore.home import now
from boltzcore.jobs.files import CHECKPOINT, ENTRY, ID, Entry, Saved, read_checkpoint, read_entry, text_of
from boltzcore.measures.merit import last_merit
from boltzcore.quoting import Refusal
from boltzcore.store import FileStore
from boltzcore.training.checkpoint import pack
from boltzcore.training.status import Status

KEPT = 500  # number of runs
UNTOUCHED = 86_400.0  # seconds
LOST = "This run is damaged: its recipe is missing."

logger = logging.getLogger(__name__)


class Store:
    """Runs in a folder, each in a subfolder of `runs`. Any number of threads and processes may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._runs = folder, FileStore(folder / "runs")
        # {id: (the version of the file, its content)}
        self._entries: dict[str, tuple[tuple[int, ...], Entry | None]] = {}

    def list(self) -> tuple[Entry, ...]:
        """Return every run, the last updated first; if its recipe is lost, with a sentence on that. Raises OSError if
        the folder cannot be read.
        """
        found = [entry for files in self._folders() if (entry := self._entry(files)) is not None]
        return tuple(sorted(found, key=lambda entry: entry.updated, reverse=True))

    def load(self, id: str) -> Saved | None:
        """Return a run, or None if there is none with this id.

        Raises Refusal if its recipe is lost. If its checkpoint cannot be read it has no state, and `damage` has a
        sentence.
        """
        if not ID.fullmatch(id):
            return None
        if (entry := read_entry(self._files(id))) is None:
            if self._has_checkpoint(id):
                raise Refusal(LOST)
            return None
        damage = ""
        if entry.count or self._has_checkpoint(id):
            try:
                return replace(read_checkpoint(self._files(id)), name=entry.name)
            except Refusal as error:
                damage = f"The checkpoint of this run cannot be used: {error}"
        return Saved(**vars(entry) | {"damage": damage})

    def save(self, run: Saved) -> None:
        """Store a run in its current state. Raises OSError if that fails."""
        stage, count = (run.state.progress.stage, run.state.count) if run.state else (0, 0)
        judge, merit = last_merit([record.values for record in run.records], run.recipe.stages[stage].entry.merit)
        # JSON has no nan
        merit, best_value = (None if x is None or math.isnan(x) else float(x) for x in (merit, run.best_value))
        run = replace(run, updated=time.time(), count=count, merit=merit, judge=judge, best_value=best_value)
        with self._runs.lock(run.id):
            if run.state is not None:
                self._runs.write(f"{run.id}/{CHECKPOINT}", pack(text_of(run), run.records, run.state, run.best))
            self._write_entry(run)

    def rename(self, id: str, name: str) -> None:
        """Rename a run that is not being written, without changing its place in the list; ignored if there is no such
        run. Raises OSError if that fails.
        """
        if not ID.fullmatch(id):
            return
        with self._runs.lock(id):
            if (entry := read_entry(self._files(id))) is not None:
                self._write_entry(replace(entry, name=name))

    def delete(self, id: str) -> None:
        """Delete a run and its files; ignored if there is none. Raises OSError if that fails."""
        if not ID.fullmatch(id):
            return
        with self._runs.lock(id):
            self._entries.pop(id, None)
            self._runs.delete(id)

    def tidy(self, delete: Callable[[str], None] | None = None) -> None:
        """Delete runs that are older than a day without an update, the oldest beyond the 500 last used, and debris:
        partial files, and folders that are older than a day without a recipe or a state.

        delete : deletes the run with an id, or spares it; `self.delete` by default
        """
        delete, untouched = delete or self.delete, now() - UNTOUCHED
        for place, entry in enumerate(self.list()):
            if place >= KEPT or (entry.recipe is not None and entry.count == 0 and entry.updated < untouched):
                delete(entry.id)
        self._runs.sweep()
        for files in self._folders():
            with suppress(OSError):  # a folder that cannot be read may belong to a run
                names = os.listdir(files)
                if ENTRY in names:
                    (files / ENTRY).open("rb").close()
                if self._entry(files) is None and files.stat().st_mtime < untouched:
                    logger.warning("The folder %s belongs to no run; it was removed.", files)
                    delete(files.name)

    def _write_entry(self, entry: Entry) -> None:
        self._runs.write(f"{entry.id}/{ENTRY}", text_of(entry).encode())

    def _files(self, id: str) -> Path:
        return self._runs.folder / id

    def _folders(self) -> Iterator[Path]:
        return (files for files in sorted(self._runs.folder.iterdir()) if ID.fullmatch(files.name) and files.is_dir())

    def _has_checkpoint(self, id: str) -> bool:
        return (self._files(id) / CHECKPOINT).is_file()

    def _entry(self, files: Path) -> Entry | None:
        """Return the entry; None if the folder holds neither a recipe nor a state, as before the first save."""
        entry, whole = self._read(files), self._has_checkpoint(files.name)
        if entry is None:
            with suppress(FileNotFoundError):  # another thread deletes the run
                when = files.stat().st_mtime
                return Entry(files.name, "", when, when, Status.FAILED, None, damage=LOST) if whole else None
            return None
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
        if kept is None or kept[0] != version or kept[1] is None:  # an error may have passed
            kept = self._entries[files.name] = version, read_entry(files)
        return kept[1]
