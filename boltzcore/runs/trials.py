"""Trainings kept by content: one that was made is never made again by the same code."""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from boltzcore.data.source import Source
from boltzcore.home import sweep
from boltzcore.learners.base import State
from boltzcore.quoting import why
from boltzcore.runs.checkpoint import load_state, replacing
from boltzcore.runs.code_digest import code_digest
from boltzcore.runs.files import BEST, STATE, TRACE, read_files, write_files
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.summary import finite_or_none
from boltzcore.runs.trace import read_whole_records
from boltzcore.runs.training import Record

FILE = "trial.json"
LARGEST = 2**20  # bytes of that file
MOST_BYTES = 2**31  # of all trials; the least recently used go first
SMALL = 2**22  # bytes of the states of a trial that has ended, above which they are not kept
BEGUN, FINISHED, DIVERGED = "begun", "finished", "diverged"
_CHECKSUM = "sha256"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Trial:
    """A training of a recipe as far as it was made.

    status : "begun", "finished" or "diverged"; reason : a sentence where it diverged
    records : all so far
    state, best : the newest and the best State with its merit; None before the first update, and of a large model that
        has ended
    processor : that made it
    """

    recipe: Recipe
    status: str = BEGUN
    reason: str = ""
    records: tuple[Record, ...] = ()
    state: State | None = None
    best: State | None = None
    best_value: float | None = None
    processor: str = ""

    @property
    def ended(self) -> bool:
        """Whether there is no more to make of it."""
        return self.status != BEGUN


class TrialStore:
    """Trials in a folder, each in one of its own that is named by all that determines its numbers: the recipe with its
    seed, the data, and the code. Trials on somebody's own data are not kept.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder, "*/.*")

    def get(self, recipe: Recipe) -> Trial | None:
        """The trial of a recipe by this code; None where there is none, or what there is is damaged."""
        if recipe.private:
            return None
        place = self._place(recipe)
        try:
            with (place / FILE).open("rb") as stream:
                fields = json.loads(stream.read(LARGEST))
            if fields.pop(_CHECKSUM) != _checksum(fields) or fields["recipe"] != recipe.to_json():
                raise ValueError("its entry is not that of this recipe")
            if fields["status"] == BEGUN:
                found = read_files(place, recipe, int(fields["count"]))
                if found.state is None or found.damage:
                    raise ValueError("its state or its records are damaged")
                states, records = [found.state, found.best], found.records
            else:
                files = [place / name for name in (STATE, BEST)]
                states = [load_state(file, recipe) if file.exists() else None for file in files]
                records, whole = read_whole_records(place / TRACE)
                if not whole:
                    raise ValueError("its records are damaged")
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            logger.warning("The stored trial %s is left aside: %s.", place.name, why(error))
            return None
        with suppress(OSError):
            os.utime(place)
        state, best = states
        value = float(fields["best_value"]) if best is not None else None
        texts = {name: str(fields[name]) for name in ("status", "reason", "processor")}
        return Trial(recipe, records=records, state=state, best=best, best_value=value, **texts)

    def put(self, trial: Trial) -> None:
        """Keep a trial in place of what was there of it; nothing of one on somebody's own data. Raises OSError where it
        cannot be written.
        """
        if trial.recipe.private or trial.state is None:
            return
        place = self._place(trial.recipe)
        place.mkdir(exist_ok=True)
        write_files(place, trial.state, trial.best, trial.records)
        fields = {
            "recipe": trial.recipe.to_json(),
            "status": trial.status,
            "reason": trial.reason,
            "count": trial.state.count,
            "best_value": finite_or_none(trial.best_value),
            "processor": trial.processor,
        }
        with replacing(place / FILE) as stream:
            stream.write(json.dumps(fields | {_CHECKSUM: _checksum(fields)}, indent=1).encode())
        states = [place / name for name in (STATE, BEST) if (place / name).exists()]
        if trial.ended and sum(file.stat().st_size for file in states) > SMALL:
            for file in states:
                file.unlink()
        self._make_room(but=place)

    def _place(self, recipe: Recipe) -> Path:
        return self._folder / key_of(recipe)[:32]

    def _make_room(self, but: Path) -> None:
        places = [(place.stat().st_mtime, place) for place in self._folder.iterdir() if place.is_dir()]
        sizes = {place: sum(file.stat().st_size for file in place.iterdir()) for _, place in places}
        left = sum(sizes.values()) - self._most_bytes
        for _, place in sorted(places):
            if left <= 0:
                return
            if place != but:
                shutil.rmtree(place, ignore_errors=True)
                left -= sizes[place]


def key_of(recipe: Recipe) -> str:
    """Name all that determines the numbers of a training: its recipe, its data, and the code that makes them."""
    data = [_data_digest(stage.data) for stage in recipe.stages]
    return hashlib.sha256(json.dumps([recipe.to_json(), data, code_digest(recipe)]).encode()).hexdigest()


@lru_cache(maxsize=64)
def _data_digest(source: Source) -> str:
    """Of the rows of a data set, their weights and its labels."""
    dataset = source.load()
    arrays = [array for split in dataset.splits.values() for array in (split.v, split.x, split.weight)]
    digest = hashlib.sha256(repr(dataset.shape).encode())
    for array in (*arrays, *(dataset.labels[name] for name in sorted(dataset.labels))):
        if array is not None:
            digest.update(repr((array.dtype.str, array.shape)).encode())
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _checksum(fields: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()
