"""Store of trials: a training is not repeated while its recipe, its data and its numerics are the same."""

import hashlib
import json
import logging
import math
import os
import shutil
import threading
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np

from boltzcore.comparison.trial import DAMAGED, Trial, packed, unpacked
from boltzcore.data import grants
from boltzcore.data.source import Source
from boltzcore.home import locked, make_folder, replacing, sweep
from boltzcore.quoting import explained, why
from boltzcore.training.numerics import versions_of
from boltzcore.training.recipe import Recipe

MOST_BYTES = 2**31  # of all trials; the least recently used go first
SMALL = 2**23  # bytes of a trial that has ended, above which its states are not kept
COUNTED_EVERY = 60.0  # seconds between two counts of the bytes of all trials
ROOM = 0.95  # share of the most bytes down to which trials are removed
SUFFIX = ".npz"
_OWN = "of-"  # prefix of the folder of a private table

logger = logging.getLogger(__name__)


class TrialStore:
    """Trials in a folder, each in a file that is named by all that determines its numbers: the recipe with its seed,
    the data, and the versions of what computes them. Trials on a private table have a folder for each table; they are
    deleted once no one may open it. The states of large models go as their trials end. Any number of threads and
    processes may use the same folder.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        make_folder(folder)
        for below in ("", f"{_OWN}*/"):
            sweep(folder, f"{below}.*{SUFFIX}.*")
        self._tidy()
        self._counted = -math.inf
        self._size = 0  # bytes of all trials, as far as known
        self._lock = threading.Lock()

    def get(self, recipe: Recipe) -> Trial | None:
        """Return the trial of a recipe; None if there is none of these versions, it is damaged, or no one may open its
        table any more.
        """
        if not self._is_open(recipe):
            return None
        place = self._place(recipe)
        try:
            with locked(self._lock_of(place)):
                with suppress(OSError):
                    os.utime(place)
                return self._read(place, recipe)
        except OSError as error:
            explained(error, f"The stored trial {place.name} cannot be read")
            return None

    def put(self, trial: Trial) -> None:
        """Replace what is stored of a trial, unless that is further on, for two races may train the same. Nothing is
        stored of a private table that no one may open any more. Raises OSError if it cannot be written.
        """
        if trial.state is None or not self._is_open(trial.recipe):
            return
        place = self._place(trial.recipe)
        content = packed(trial)
        if trial.ended and len(content) > SMALL:
            content = packed(trial, states=False)
        with locked(self._lock_of(place)):
            found = self._read(place, trial.recipe)
            if found is not None and (found.ended or (found.count > trial.count and not trial.ended)):
                return
            make_folder(place.parent)
            with replacing(place) as stream:
                stream.write(content)
        with self._lock:
            self._size += len(content)
            if self._size > self._most_bytes or time.monotonic() > self._counted + COUNTED_EVERY:
                self._make_room(but=place)

    @staticmethod
    def _read(place: Path, recipe: Recipe) -> Trial | None:
        try:
            return unpacked(place.read_bytes(), recipe)
        except FileNotFoundError:
            return None
        except DAMAGED as error:
            logger.warning("The stored trial %s is left aside: %s.", place.name, why(error))
            place.unlink()
            return None

    def _place(self, recipe: Recipe) -> Path:
        own = sorted(_tables(recipe))
        return self._folder.joinpath(*([_OWN + own[0]] if own else []), key_of(recipe)[:32] + SUFFIX)

    def _lock_of(self, place: Path) -> Path:
        return self._folder / f".lock-{place.name[0]}"

    def _is_open(self, recipe: Recipe) -> bool:
        """Return whether all tables that a recipe learns from may be opened; trials on others are removed."""
        own = _tables(recipe)
        return not own or own <= self._tidy()

    def _tidy(self) -> set[str]:
        """Remove trials on tables that no one may open any more and return the digests of the others. Nothing is
        removed while that cannot be known.
        """
        try:
            digests = grants.digests()
        except OSError as error:
            explained(error, "It is not known which tables are in use")
            return set()
        known = {_OWN + digest for digest in digests}
        for place in self._folder.glob(f"{_OWN}*"):
            if place.name not in known:
                shutil.rmtree(place, ignore_errors=True)
        return digests

    def _make_room(self, but: Path) -> None:
        """Count the bytes of all trials and remove the least recently used while these are too many."""
        found = []
        for below in ("", f"{_OWN}*/"):
            for place in self._folder.glob(f"{below}[!.]*{SUFFIX}"):
                with suppress(OSError):  # another process has removed it
                    found.append((place.stat().st_mtime, place.stat().st_size, place))
        self._size, self._counted = sum(size for _, size, _ in found), time.monotonic()
        most = self._most_bytes * (ROOM if self._size > self._most_bytes else 1)
        for _, size, place in sorted(found):
            if self._size > most and place != but:
                with suppress(OSError):
                    place.unlink(missing_ok=True)
                self._size -= size


def _tables(recipe: Recipe) -> set[str]:
    """Return the digests of the private tables that a recipe learns from."""
    return {str(stage.data.values()["digest"]) for stage in recipe.stages if stage.data.private}


def key_of(recipe: Recipe) -> str:
    """Return a digest of all that determines the numbers of a training: its recipe without fields at their default, its
    data, and the versions of what computes them.
    """
    data = [data_digest(stage.data) for stage in recipe.stages]
    named = json.dumps([recipe.to_query(), data, versions_of([recipe])], sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()


@lru_cache(maxsize=64)
def data_digest(source: Source) -> str:
    """Return a digest of the rows of a data set, their weights and its labels."""
    dataset = source.load()
    arrays = [array for split in dataset.splits.values() for array in (split.v, split.x, split.weight)]
    digest = hashlib.sha256(repr(dataset.shape).encode())
    for array in (*arrays, *(dataset.labels[name] for name in sorted(dataset.labels))):
        if array is not None:
            digest.update(repr((array.dtype.str, array.shape)).encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
