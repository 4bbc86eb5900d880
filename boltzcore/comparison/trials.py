"""Store of trials: a training is not made again while its recipe, its data and its numerics are the same."""

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

from boltzcore.comparison.trial import Trial, packed, reached, unpacked
from boltzcore.data import grants
from boltzcore.data.source import Source
from boltzcore.home import locked, make_folder, replacing, sweep
from boltzcore.quoting import explained, why
from boltzcore.training.numerics import versions_of
from boltzcore.training.recipe import Recipe

MOST_BYTES = 2**31  # of all trials; the least recently used go first
SMALL = 2**23  # bytes of a trial that has ended, above which its states are not kept
COUNTED_EVERY = 60.0  # seconds between two counts of what all trials take
SUFFIX = ".npz"
_OWN = "of-"  # begins the folder of a table of somebody's own

logger = logging.getLogger(__name__)


class TrialStore:
    """Trials in a folder, each in a file that is named by all that determines its numbers: the recipe with its seed,
    the data, and the versions of what computes them. Trials on an uploaded table have a folder for each table; they are
    deleted once no one may open it. Any number of threads and processes may use the same folder.

    large_states : whether the states of large models stay once their trials have ended
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES, *, large_states: bool = False) -> None:
        self._folder, self._most_bytes, self._large_states = folder, most_bytes, large_states
        make_folder(folder)
        for below in ("", f"{_OWN}*/"):
            sweep(folder, f"{below}.*{SUFFIX}.*")
        self._tidy()
        self._sizes: dict[Path, tuple[float, int]] = {}  # when each was used last, and its bytes
        self._counted = -math.inf
        self._lock = threading.Lock()

    def get(self, recipe: Recipe) -> Trial | None:
        """Return the trial of a recipe; None if there is none of these versions, it is damaged, or no one may open its
        table any more.
        """
        if not self._open(recipe):
            return None
        place = self._place(recipe)
        try:
            with locked(self._folder / f".lock-{place.name[0]}"):
                content = place.read_bytes()
                try:
                    found = unpacked(content, recipe)
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                    logger.warning("The stored trial %s is left aside: %s.", place.name, why(error))
                    place.unlink()  # it is in the way of none that is made anew
                    return None
        except FileNotFoundError:
            return None
        except OSError as error:
            explained(error, f"The stored trial {place.name} cannot be read")
            return None
        with suppress(OSError):
            os.utime(place)
        return found

    def put(self, trial: Trial) -> None:
        """Keep a trial in place of what was there of it, unless that is further on, for two races may make the same.
        Nothing of one on a table that nobody may open any more. Raises OSError where it cannot be written.
        """
        if trial.state is None or not self._open(trial.recipe):
            return
        place = self._place(trial.recipe)
        content = packed(trial)
        if trial.ended and not self._large_states and len(content) > SMALL:
            content = packed(trial, states=False)
        with locked(self._folder / f".lock-{place.name[0]}"):
            if (trial.ended, trial.state.count) < reached(place):
                return
            make_folder(place.parent)
            with replacing(place) as stream:
                stream.write(content)
        with self._lock:
            self._make_room(but=place)

    def _place(self, recipe: Recipe) -> Path:
        own = sorted(_tables(recipe))
        return self._folder.joinpath(*([_OWN + own[0]] if own else []), key_of(recipe)[:32] + SUFFIX)

    def _open(self, recipe: Recipe) -> bool:
        """Whether somebody may open all tables that a recipe learns from; of one that nobody may the trials go."""
        own = _tables(recipe)
        return not own or own <= self._tidy()

    def _tidy(self) -> set[str]:
        """Remove trials on tables that nobody may open any more: the digests of the others. Nothing goes while that
        cannot be known.
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
        now = time.monotonic()
        if now > self._counted + COUNTED_EVERY:  # others put theirs here, too
            places = [place for below in ("", f"{_OWN}*/") for place in self._folder.glob(f"{below}[!.]*{SUFFIX}")]
            self._sizes = {place: _size(place) for place in places}
            self._counted = now
        self._sizes[but] = _size(but)
        left = sum(size for _, size in self._sizes.values()) - self._most_bytes
        for place in sorted(self._sizes, key=self._sizes.__getitem__) if left > 0 else ():
            if place != but and left > 0:
                with suppress(OSError):
                    place.unlink(missing_ok=True)
                left -= self._sizes.pop(place)[1]


def _tables(recipe: Recipe) -> set[str]:
    """The digests of the tables of somebody's own that a recipe learns from."""
    return {str(stage.data.values()["digest"]) for stage in recipe.stages if stage.data.private}


def _size(place: Path) -> tuple[float, int]:
    """When a trial was used last, and its bytes; nothing of one that is gone."""
    try:
        return (found := place.stat()).st_mtime, found.st_size
    except OSError:
        return 0.0, 0


def key_of(recipe: Recipe) -> str:
    """Return a digest of all that determines the numbers of a training: its recipe without fields at their default, its
    data, and the versions of what computes them.
    """
    data = [data_digest(stage.data) for stage in recipe.stages]
    named = json.dumps([recipe.to_query(), data, versions_of([recipe])], sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()


@lru_cache(maxsize=64)
def data_digest(source: Source) -> str:
    """Of the rows of a data set, their weights and its labels."""
    dataset = source.load()
    arrays = [array for split in dataset.splits.values() for array in (split.v, split.x, split.weight)]
    digest = hashlib.sha256(repr(dataset.shape).encode())
    for array in (*arrays, *(dataset.labels[name] for name in sorted(dataset.labels))):
        if array is not None:
            digest.update(repr((array.dtype.str, array.shape)).encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
