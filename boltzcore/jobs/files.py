"""The files of a run: its entry in the list of all, and a checkpoint with all that belongs together.

<folder>/runs/<id>/run.json, run.npz
"""

import io
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from boltzcore.arrays import array_names, read_arrays
from boltzcore.home import replacing
from boltzcore.jobs.summary import CHECKSUM, checksum
from boltzcore.learners.base import State
from boltzcore.training.checkpoint import arrays_of, limit_of, load_state
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status
from boltzcore.training.trace import Curve, curve_of, read_whole_records, trace_csv

ENTRY, CHECKPOINT = "run.json", "run.npz"
LARGEST = 2**24  # bytes of an entry; the recipe with its live changes is nearly all of it
_ENTRY, _TRACE, _STATE, _BEST = "entry", "trace", "newest.", "best."  # arrays of a checkpoint, beginnings of names
_NOT_WRITTEN = "damage", "state", "best", "records"  # fields that are no part of the text of an entry


@dataclass(frozen=True)
class Entry:
    """A run without its states and records, as the list of all has it.

    created, updated : seconds since 1970
    count : updates done; merit : at the last record, see `measures.merit`, None where not measured
    damage : "" or a sentence on what is missing; `recipe` may then be None
    key_hash : SHA-256 of the owner's key
    best_value : the merit of the best state, None if there is none
    pace : updates a second that it is held back to, None for as fast as it can
    """

    id: str
    name: str
    created: float
    updated: float
    status: Status
    recipe: Recipe | None
    count: int = 0
    merit: float | None = None
    damage: str = ""
    key_hash: str = ""
    reason: str = ""
    best_value: float | None = None
    pace: float | None = None


@dataclass(frozen=True)
class Saved(Entry):
    """A run as it is kept: its entry, its newest and its best state, and its records.

    state, best : None before the first update, and if the checkpoint cannot be read, as `damage` says
    """

    recipe: Recipe
    state: State | None = None
    best: State | None = None
    records: tuple[Record, ...] = ()


def write_checkpoint(folder: Path, run: Saved) -> None:
    """Write all of a run that has a state into its folder, whole or not at all."""
    trace = np.frombuffer(trace_csv(run.records).encode(), np.uint8)
    arrays = {_ENTRY: np.array(_text(run)), _TRACE: trace}
    for prefix, state in ((_STATE, run.state), (_BEST, run.best)):
        if state is not None:
            arrays |= arrays_of(state, prefix)
    with replacing(folder / CHECKPOINT) as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


def read_checkpoint(folder: Path) -> Saved:
    """Return the run in its folder. Raises ValueError if its checkpoint is missing, damaged or another run's."""
    file = folder / CHECKPOINT
    limit = limit_of(file)
    entry = _entry(str(read_arrays(file, {_ENTRY: ("U", 0)}, limit_bytes=limit)[_ENTRY]), folder.name)
    if entry is None or entry.recipe is None:
        raise ValueError(f"{CHECKPOINT} is not a checkpoint of this training.")
    records, whole = read_whole_records(_trace(file))
    if not whole:
        raise ValueError(f"The records in {CHECKPOINT} are damaged.")
    state = load_state(file, entry.recipe, _STATE)
    has_best = any(name.startswith(_BEST) for name in array_names(file, limit_bytes=limit))
    best = load_state(file, entry.recipe, _BEST) if has_best else None
    return Saved(**vars(entry), state=state, best=best, records=records)


def write_entry(folder: Path, entry: Entry) -> None:
    """Write an entry that has a recipe into a run's folder, whole or not at all."""
    with replacing(folder / ENTRY) as stream:
        stream.write(_text(entry).encode())


def read_entry(folder: Path) -> Entry | None:
    """Return the entry in the folder of a run; None where it is missing, damaged or another run's."""
    try:
        with (folder / ENTRY).open("rb") as stream:
            return _entry(stream.read(LARGEST), folder.name)
    except OSError:
        return None


def read_curve(folder: Path, names: tuple[str, ...]) -> Curve | None:
    """Return `curve_of` the records in the folder of a run; the curves of the last few hundred checkpoints are
    remembered until these change.
    """
    try:
        status = (folder / CHECKPOINT).stat()
    except OSError:
        return None
    return _curve(folder / CHECKPOINT, names, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=512)
def _curve(file: Path, names: tuple[str, ...], _changed: int, _size: int) -> Curve | None:
    with suppress(ValueError):
        return curve_of(read_whole_records(_trace(file))[0], names)
    return None


def _trace(file: Path) -> io.BytesIO:
    return io.BytesIO(read_arrays(file, {_TRACE: ("u1", 1)}, limit_bytes=limit_of(file))[_TRACE].tobytes())


def _text(entry: Entry) -> str:
    assert entry.recipe is not None
    fields: Mapping[str, Any] = {name: value for name, value in vars(entry).items() if name not in _NOT_WRITTEN}
    fields = {**fields, "recipe": entry.recipe.to_json()}
    return json.dumps({**fields, CHECKSUM: checksum(fields)}, indent=1)


def _entry(text: str | bytes, id: str) -> Entry | None:
    """Return the entry of the run with this id; None if the text is damaged or another run's."""
    try:
        fields = json.loads(text)
        if fields.pop(CHECKSUM) != checksum(fields) or fields["id"] != id:
            return None
        recipe, status = Recipe.from_json(fields["recipe"]), Status(fields["status"])
        return Entry(**fields | {"recipe": recipe, "status": status})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
