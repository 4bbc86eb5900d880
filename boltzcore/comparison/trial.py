"""A training as far as it was made, and its file."""

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boltzcore.arrays import array_names, read_arrays
from boltzcore.jobs.summary import CHECKSUM, checksum, finite_or_none
from boltzcore.learners.base import State
from boltzcore.training.checkpoint import arrays_of, limit_of, load_state
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.trace import read_whole_records, trace_csv

BEGUN, FINISHED, DIVERGED = "begun", "finished", "diverged"
_ENTRY, _TRACE, _STATE, _BEST = "trial", "trace", "newest.", "best."  # arrays of the file, and beginnings of names


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


def packed(trial: Trial, *, states: bool = True) -> bytes:
    """A trial that has a state as one .npz file: its entry, its records and, with `states`, its states."""
    assert trial.state is not None
    fields = {
        "recipe": trial.recipe.to_json(),
        "status": trial.status,
        "reason": trial.reason,
        "count": trial.state.count,
        "best_value": finite_or_none(trial.best_value),
        "processor": trial.processor,
    }
    arrays = {
        _ENTRY: np.array(json.dumps(fields | {CHECKSUM: checksum(fields)})),
        _TRACE: np.frombuffer(trace_csv(trial.records).encode(), np.uint8),
    }
    for prefix, state in ((_STATE, trial.state), (_BEST, trial.best)):
        if states and state is not None:
            arrays |= arrays_of(state, prefix)
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def unpacked(content: bytes, recipe: Recipe) -> Trial:
    """The trial of `recipe` that `packed` made this file of. Raises ValueError, KeyError, TypeError, AttributeError or
    RecursionError where it is damaged or another recipe's.
    """
    file = io.BytesIO(content)
    fields, names = _entry(file), array_names(file, limit_bytes=limit_of(file))
    if fields.pop(CHECKSUM) != checksum(fields) or Recipe.from_json(fields["recipe"]) != recipe:
        raise ValueError("its entry is not that of this recipe")
    state, best = (
        load_state(file, recipe, prefix) if any(name.startswith(prefix) for name in names) else None
        for prefix in (_STATE, _BEST)
    )
    if fields["status"] == BEGUN and state is None:
        raise ValueError("its state is missing")
    trace = read_arrays(file, {_TRACE: ("u1", 1)}, limit_bytes=limit_of(file))[_TRACE]
    records, whole = read_whole_records(io.BytesIO(trace.tobytes()))
    if not whole:
        raise ValueError("its records are damaged")
    value = float(fields["best_value"]) if best is not None else None
    texts = {name: str(fields[name]) for name in ("status", "reason", "processor")}
    return Trial(recipe, records=records, state=state, best=best, best_value=value, **texts)


def reached(file: Path) -> tuple[bool, int]:
    """Whether the trial in a file has ended, and after how many updates; (False, 0) where there is none that could be
    read.
    """
    try:
        fields = _entry(file)
        return fields["status"] != BEGUN, int(fields["count"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False, 0


def _entry(file: Path | io.BytesIO) -> dict[str, Any]:
    return dict(json.loads(str(read_arrays(file, {_ENTRY: ("U", 0)}, limit_bytes=limit_of(file))[_ENTRY])))
