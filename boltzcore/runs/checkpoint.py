"""A State on disk: an .npz file of its arrays, and one text with everything else.

Arrays are named as the State's fields, those of the model `model.<field>`; in the text the values of the training loop
are `progress.<field>`. The text gives each array's type and shape too, so that a file put together from two others is
noticed.
"""

import dataclasses
import io
import json
import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import LIMIT_BYTES, file_name, read_arrays
from boltzcore.home import replacing
from boltzcore.learners.base import StageProgress, State
from boltzcore.runs.recipe import Recipe

_TEXT = "state"
_PARTS = ("model", "progress")  # fields of a State that have fields of their own


def save_state(file: Path, state: State) -> None:
    """Write a State as .npz without pickle, whole or not at all. Caches (`carried()`) are left out."""
    with replacing(file) as stream:
        np.savez(stream, **arrays_of(state))  # type: ignore[arg-type]


def arrays_of(state: State, prefix: str = "") -> dict[str, NDArray]:
    """All of a State but its caches as arrays, whose names begin with `prefix`."""
    arrays: dict[str, NDArray] = {}
    values: dict[str, Any] = {}
    for owner, of in ((state, ""), *((getattr(state, part), f"{part}.") for part in _PARTS)):
        for name in _fields(type(owner)):
            value = getattr(owner, name)
            (arrays if isinstance(value, np.ndarray) else values)[of + name] = value
    layout = {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()}
    text = json.dumps({"layout": layout, "values": values}, default=lambda number: number.item())
    return {prefix + name: array for name, array in {_TEXT: np.array(text), **arrays}.items()}


def load_state(file: Path | io.BytesIO, recipe: Recipe, prefix: str = "") -> State:
    """The State of a training of `recipe` that `save_state` wrote, or whose `arrays_of` are in the file.

    Raises ValueError with a sentence where the file is missing, damaged or another training's.
    """
    foreign = ValueError(f"{file_name(file)} is not a checkpoint of this training.")
    limit = limit_of(file)
    text = str(read_arrays(file, {prefix + _TEXT: ("U", 0)}, limit_bytes=limit)[prefix + _TEXT])
    try:
        kept = json.loads(text)
        layout = {
            str(name): (np.dtype(str(dtype)), tuple(int(n) for n in shape))
            for name, (dtype, shape) in kept["layout"].items()
        }
        values = dict(kept["values"])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise foreign from None
    if any(dtype.kind not in "fiub" for dtype, _ in layout.values()):
        raise foreign
    wanted = {prefix + name: (dtype.kind, shape) for name, (dtype, shape) in layout.items()}
    arrays = {key.removeprefix(prefix): each for key, each in read_arrays(file, wanted, limit_bytes=limit).items()}
    if any(array.dtype != layout[name][0] for name, array in arrays.items()):
        raise foreign
    parts: dict[str, dict[str, Any]] = {part: {} for part in ("", *_PARTS)}
    for name, value in (values | arrays).items():
        part, _, field = name.rpartition(".")
        parts.setdefault(part, {})[field] = value
    types = {field.name: type(field.default) for field in dataclasses.fields(StageProgress)}
    if {name: type(value) for name, value in parts["progress"].items()} != types:
        raise foreign
    progress = StageProgress(**parts["progress"])
    if not 0 <= progress.stage < len(recipe.stages):
        raise foreign
    stage = recipe.stages[progress.stage]
    kind = type(stage.learner).state_type
    if parts.keys() != {"", *_PARTS} or parts[""].keys() != set(_fields(kind)):
        raise foreign
    try:
        state: State = kind(model=stage.entry.kind.from_arrays(parts["model"]), progress=progress, **parts[""])
    except TypeError:
        raise foreign from None
    counters = (state.count, state.work, state.seed, state.operations, progress.stale_records, progress.gap_exceeded)
    if (
        not all(type(number) is int and number >= 0 for number in counters)
        or not all(0 <= time < math.inf for time in (progress.seconds, progress.from_epoch))
        or not 0 <= progress.from_count <= state.count
        or type(state.done) is not bool
        or not isinstance(state.figures, dict)
        or not all(type(value) in (int, float) for value in state.figures.values())
    ):
        raise foreign
    if state.seed != stage.schedule.seed:
        raise ValueError(f"{file_name(file)} belongs to a training with seed {state.seed}, not {stage.schedule.seed}.")
    return state


def limit_of(file: Path | io.BytesIO) -> int:
    """What the arrays of a checkpoint may take: as much as the file itself, for what is written is not compressed. It
    is our own: chains that were as large in memory a moment ago come back.
    """
    with suppress(OSError):  # that it is missing is said by who reads it
        return max(LIMIT_BYTES, file.stat().st_size if isinstance(file, Path) else len(file.getbuffer()))
    return LIMIT_BYTES


def _fields(kind: type) -> list[str]:
    """Return the names of the fields that are kept by themselves."""
    return [f.name for f in dataclasses.fields(kind) if f.name not in _PARTS and not f.metadata.get("cache")]
