"""A training on disk: an .npz file of its entry, its records, its newest and its best State.

A State is stored as its arrays and one text with everything else. Arrays have the names of its fields, those of a group
such as the model `model.<field>`; in the text the values of the training loop are `progress.<field>`. The text also
gives each array's type and shape, so that a file combined from two others is detected.
"""

import dataclasses
import io
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import LIMIT_BYTES, array_names, file_name, read_arrays
from boltzcore.learners.base import StageProgress, State, flat_fields
from boltzcore.quoting import Refusal
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from boltzcore.training.trace import read_records, trace_csv

_ENTRY, _TRACE, _STATES, _TEXT = "entry", "trace", ("newest.", "best."), "state"  # array names, and prefixes


class TrainingFile:
    """A file written by `pack`. All methods raise Refusal if the file is missing or damaged.

    entry : the text that was passed to `pack`
    """

    def __init__(self, file: Path | io.BytesIO) -> None:
        self._file, self._limit = file, limit_of(file)
        self.entry = str(read_arrays(file, {_ENTRY: ("U", 0)}, limit_bytes=self._limit)[_ENTRY])

    @property
    def records(self) -> tuple[Record, ...]:
        """Return all records."""
        trace = read_arrays(self._file, {_TRACE: ("u1", 1)}, limit_bytes=self._limit)[_TRACE]
        try:
            return read_records(io.BytesIO(trace.tobytes()))
        except ValueError:
            raise Refusal(f"The records in {file_name(self._file)} are damaged.") from None

    def states(self, recipe: Recipe) -> tuple[State | None, State | None]:
        """Return the newest and the best State of a training of `recipe`, each None if the file has none."""
        names = array_names(self._file, limit_bytes=self._limit)
        newest, best = (
            load_state(self._file, recipe, prefix) if any(name.startswith(prefix) for name in names) else None
            for prefix in _STATES
        )
        return newest, best


def pack(entry: str, records: Sequence[Record], *states: State | None) -> bytes:
    """Return an .npz file, without pickle, of a training: the text of its entry, its records and, if there are any, its
    newest and best State.
    """
    arrays = {_ENTRY: np.array(entry), _TRACE: np.frombuffer(trace_csv(records).encode(), np.uint8)}
    for prefix, state in zip(_STATES, states, strict=False):
        arrays |= arrays_of(state, prefix) if state is not None else {}
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def arrays_of(state: State, prefix: str = "") -> dict[str, NDArray]:
    """Return a State without its caches as arrays, whose names begin with `prefix`."""
    fields = flat_fields(state)
    arrays = {name: value for name, value in fields.items() if isinstance(value, np.ndarray)}
    values = {name: value for name, value in fields.items() if name not in arrays}
    layout = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    text = json.dumps({"layout": layout, "values": values}, default=lambda number: number.item())
    return {prefix + name: array for name, array in {_TEXT: np.array(text), **arrays}.items()}


def load_state(file: Path | io.BytesIO, recipe: Recipe, prefix: str = "") -> State:
    """Return the State of a training of `recipe` from its `arrays_of` in the file.

    Raises Refusal if the file is missing, damaged or belongs to another training.
    """
    foreign = Refusal(f"{file_name(file)} is not a checkpoint of this run.")
    limit = limit_of(file)
    text = str(read_arrays(file, {prefix + _TEXT: ("U", 0)}, limit_bytes=limit)[prefix + _TEXT])
    try:
        kept = json.loads(text)
        layout = {
            str(name): (np.dtype(str(dtype)), tuple(int(n) for n in shape))
            for name, (dtype, shape) in kept["layout"].items()
        }
        values = dict(kept["values"])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, SyntaxError):
        raise foreign from None
    if any(dtype.kind not in "fiub" for dtype, _ in layout.values()):
        raise foreign
    wanted = {prefix + name: (dtype.kind, shape) for name, (dtype, shape) in layout.items()}
    arrays = {key.removeprefix(prefix): each for key, each in read_arrays(file, wanted, limit_bytes=limit).items()}
    if any(array.dtype != layout[name][0] for name, array in arrays.items()):
        raise foreign
    fields = values | arrays
    try:
        progress: StageProgress = _make_group(StageProgress, _take_group(fields, "progress"))
        if not 0 <= progress.stage < len(recipe.stages):
            raise foreign
        stage = recipe.stages[progress.stage]
        model = stage.entry.kind.from_arrays(_take_group(fields, "model"))
        state: State = _make_group(type(stage.learner).state_type, fields | {"model": model, "progress": progress})
    except TypeError:
        raise foreign from None
    counters = (state.count, state.work, state.seed, state.operations, progress.stale_records, progress.gap_exceeded)
    if (
        not all(type(number) is int and number >= 0 for number in counters)
        or not all(0 <= time < math.inf for time in (progress.seconds, progress.from_epoch))
        or not 0 <= progress.from_count <= state.count
        or not isinstance(state.figures, dict)
        or not all(type(value) in (int, float) for value in state.figures.values())
    ):
        raise foreign
    if state.seed != stage.schedule.seed:
        raise Refusal(f"{file_name(file)} belongs to a run with seed {state.seed}, not {stage.schedule.seed}.")
    return state


def limit_of(file: Path | io.BytesIO) -> int:
    """Return the largest size in bytes of a checkpoint's arrays: that of the file, which is not compressed."""
    with suppress(OSError):  # a missing file is reported when it is read
        return max(LIMIT_BYTES, file.stat().st_size if isinstance(file, Path) else len(file.getbuffer()))
    return LIMIT_BYTES


def _take_group(fields: dict[str, Any], group: str) -> dict[str, Any]:
    """Remove the fields of a group from those named by `flat_fields`, and return them."""
    names = [name for name in fields if name.startswith(f"{group}.")]
    return {name.removeprefix(f"{group}."): fields.pop(name) for name in names}


def _make_group(kind: Any, fields: dict[str, Any]) -> Any:
    """Return a dataclass with exactly these fields, named as by `flat_fields`.

    Raises TypeError if there are other fields, or numbers of another type than their default.
    """
    kept = [each for each in dataclasses.fields(kind) if not each.metadata.get("cache")]
    for each in kept:
        if own := _take_group(fields, each.name):
            fields[each.name] = _make_group(each.type, own)
        elif type(each.default) in (bool, int, float) and type(fields.get(each.name)) is not type(each.default):
            raise TypeError
    if fields.keys() != {each.name for each in kept}:
        raise TypeError
    return kind(**fields)
