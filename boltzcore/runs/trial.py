"""A training as far as it was made, and its files."""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from boltzcore.learners.base import State
from boltzcore.runs.checkpoint import load_state, replacing
from boltzcore.runs.files import BEST, STATE, TRACE, read_files, write_files
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.summary import CHECKSUM, checksum, finite_or_none
from boltzcore.runs.trace import read_whole_records
from boltzcore.runs.training import Record

FILE = "trial.json"
LARGEST = 2**20  # bytes of that file
BEGUN, FINISHED, DIVERGED = "begun", "finished", "diverged"


class TrialFailed(Exception):
    """What a trial failed of, in a sentence."""


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


def write_trial(place: Path, trial: Trial) -> None:
    """Write the files of a trial that has a state into a folder. Raises OSError where it cannot be written."""
    assert trial.state is not None
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
        stream.write(json.dumps(fields | {CHECKSUM: checksum(fields)}, indent=1).encode())


def read_trial(place: Path, recipe: Recipe) -> Trial:
    """The trial of `recipe` in a folder.

    Raises FileNotFoundError where there is none, and OSError, ValueError, KeyError, TypeError, AttributeError or
    RecursionError where what there is is damaged or another recipe's.
    """
    with (place / FILE).open("rb") as stream:
        fields = json.loads(stream.read(LARGEST))
    if fields.pop(CHECKSUM) != checksum(fields) or fields["recipe"] != recipe.to_json():
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
    state, best = states
    value = float(fields["best_value"]) if best is not None else None
    texts = {name: str(fields[name]) for name in ("status", "reason", "processor")}
    return Trial(recipe, records=records, state=state, best=best, best_value=value, **texts)


def reached(place: Path) -> tuple[bool, int]:
    """Whether the trial in a folder has ended, and after how many updates; (False, 0) where there is none that could be
    read.
    """
    try:
        with (place / FILE).open("rb") as stream:
            fields = json.loads(stream.read(LARGEST))
        return fields["status"] != BEGUN, int(fields["count"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False, 0


def packed(trial: Trial) -> dict[str, bytes]:
    """The files of a trial that has a state, {name: content}."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        write_trial(place, trial)
        return {file.name: file.read_bytes() for file in place.iterdir()}


def unpacked(files: Mapping[str, bytes], recipe: Recipe) -> Trial:
    """The trial of `recipe` that `packed` made these files of. Raises what `read_trial` does."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        for file in {FILE, STATE, BEST, TRACE} & files.keys():
            (place / file).write_bytes(files[file])
        return read_trial(place, recipe)
