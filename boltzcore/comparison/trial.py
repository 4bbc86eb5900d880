"""A trial: a training of a comparison as far as it has gone, and its file."""

import io
import json
from dataclasses import dataclass

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
    def count(self) -> int:
        """Updates so far, as far as its state is known."""
        return self.state.count if self.state else 0

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
    limit = limit_of(file)
    plain = read_arrays(file, {_ENTRY: ("U", 0), _TRACE: ("u1", 1)}, limit_bytes=limit)
    fields, names = json.loads(str(plain[_ENTRY])), array_names(file, limit_bytes=limit)
    if Recipe.from_json(fields["recipe"]) != recipe:
        raise ValueError("it is of another recipe, or of other defaults")
    state, best = (
        load_state(file, recipe, prefix) if any(name.startswith(prefix) for name in names) else None
        for prefix in (_STATE, _BEST)
    )
    status = Status(fields["status"])
    if status == Status.QUEUED and state is None:
        raise ValueError("its state is missing")
    records, whole = read_whole_records(io.BytesIO(plain[_TRACE].tobytes()))
    if not whole:
        raise ValueError("its records are damaged")
    value = float(fields["best_value"]) if best is not None else None
    ended = status != Status.QUEUED
    return Trial(recipe, status, str(fields["reason"]), records, state, best, value, float(ended), stored=ended)
