"""A trial: a training of a comparison as far as it has gone, and its file."""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boltzcore.arrays import array_names, read_arrays
from boltzcore.learners.base import State
from boltzcore.training.checkpoint import arrays_of, limit_of, load_state
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING, Status
from boltzcore.training.trace import read_whole_records, trace_csv

DAMAGED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # raised by reading a damaged file
_ENTRY, _TRACE, _STATE, _BEST = "trial", "trace", "newest.", "best."  # arrays of the file, and prefixes of names


@dataclass(frozen=True)
class Trial:
    """A training of a recipe as far as it has gone.

    reason : a sentence if the status needs one
    state, best : the newest and the best State with its merit; None before the first update, and of a large model that
        has ended
    share, cost : share of the training that is done, from 0 to 1, and its cost; 0 of one that was stored before its end
    stored : whether it had ended before, and was not trained now
    """

    recipe: Recipe
    status: Status = Status.QUEUED
    reason: str = ""
    records: tuple[Record, ...] = ()
    state: State | None = None
    best: State | None = None
    best_value: float | None = None
    share: float = 0.0
    cost: float = 0.0
    stored: bool = False

    @property
    def ended(self) -> bool:
        """True if its training is over."""
        return self.status not in MOVING


def packed(trial: Trial, *, states: bool = True) -> bytes:
    """Return a trial that has a state as one .npz file: its entry, its records and, with `states`, its states."""
    assert trial.state is not None
    fields = {
        "recipe": trial.recipe.to_json(),
        "status": trial.status if trial.ended else Status.QUEUED,
        "reason": trial.reason,
        "count": trial.state.count,
        "best_value": None if trial.best_value is None else float(trial.best_value),
    }
    arrays = {
        _ENTRY: np.array(json.dumps(fields)),
        _TRACE: np.frombuffer(trace_csv(trial.records).encode(), np.uint8),
    }
    for prefix, state in ((_STATE, trial.state), (_BEST, trial.best)):
        if states and state is not None:
            arrays |= arrays_of(state, prefix)
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def unpacked(content: bytes, recipe: Recipe) -> Trial:
    """Return the trial of `recipe` whose file `packed` made. Raises `DAMAGED` if it is damaged or another recipe's."""
    file = io.BytesIO(content)
    fields, names = _entry(file), array_names(file, limit_bytes=limit_of(file))
    if Recipe.from_json(fields["recipe"]) != recipe:
        raise ValueError("it is of another recipe, or of other defaults")
    state, best = (
        load_state(file, recipe, prefix) if any(name.startswith(prefix) for name in names) else None
        for prefix in (_STATE, _BEST)
    )
    status = Status(fields["status"])
    if status == Status.QUEUED and state is None:
        raise ValueError("its state is missing")
    trace = read_arrays(file, {_TRACE: ("u1", 1)}, limit_bytes=limit_of(file))[_TRACE]
    records, whole = read_whole_records(io.BytesIO(trace.tobytes()))
    if not whole:
        raise ValueError("its records are damaged")
    value = float(fields["best_value"]) if best is not None else None
    ended = status != Status.QUEUED
    return Trial(recipe, status, str(fields["reason"]), records, state, best, value, float(ended), stored=ended)


def reached(file: Path) -> tuple[bool, int]:
    """Return whether the trial in a file has ended, and its updates; (False, 0) if it cannot be read."""
    try:
        fields = _entry(file)
        return fields["status"] != Status.QUEUED, int(fields["count"])
    except DAMAGED:
        return False, 0


def _entry(file: Path | io.BytesIO) -> dict[str, Any]:
    return dict(json.loads(str(read_arrays(file, {_ENTRY: ("U", 0)}, limit_bytes=limit_of(file))[_ENTRY])))
