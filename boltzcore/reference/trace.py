"""The trace of the next update of a training, computed by its reference."""

from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from inspect import getattr_static
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import State
from boltzcore.parameters import Refusal, whole
from boltzcore.reference.equations import FAMILIES
from boltzcore.ticks import Tick, idle

LARGEST = 100_000_000  # numbers of a trace


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase of an update.

    kind : one of those that its family lists in `FAMILIES`
    at : index into `UpdateTrace.models` of the parameters that hold during the phase
    arrays : {name: numbers} of the phase
    """

    kind: str
    at: int
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(eq=False)
class UpdateTrace:
    """One update of a learner.

    family : a key of `FAMILIES`
    models : before the update, and after each step of the parameters in it
    row : number of the row of the mini-batch, and of the chain, whose numbers are shown
    rows : how many rows can be shown; 1 if the update treats all rows alike
    phases : in the order in which they happen
    """

    family: str
    models: list[Any]
    row: int = 0
    rows: int = 1
    phases: list[Phase] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.row = whole("row", self.row, 0, self.rows - 1)

    def add(self, kind: str, arrays: Mapping[str, Any], model: Any = None) -> None:
        """Append a phase, and the model after it if the parameters move; matrices are kept in single precision."""
        if kind not in FAMILIES[self.family]:
            raise ValueError(f"kind must be one of {', '.join(FAMILIES[self.family])}, not {kind!r}.")
        if model is not None:
            self.models.append(model)
        found = {name: np.array(each) for name, each in arrays.items()}
        shown = {name: each.astype(np.float32) if _is_wide(each) else each for name, each in found.items()}
        self.phases.append(Phase(kind, len(self.models) - 1, shown))

    def add_step(self, kind: str, parameters: Mapping[str, NDArray]) -> None:
        """Append a phase that ends with these parameters; its arrays are their changes."""
        before = self.models[-1]
        model = type(before)(**{name: parameters[name].astype(np.float32) for name in before.ARRAYS})
        self.add(kind, {name: getattr(model, name) - getattr(before, name) for name in before.ARRAYS}, model)


def _is_wide(array: NDArray[Any]) -> bool:
    return array.dtype == np.float64 and array.ndim > 1


Follow = Callable[[Any, Any, Examples | NDArray, int, Tick], UpdateTrace]
_FOLLOWED: dict[type, Follow] = {}


def follows(*learners: type) -> Callable[[Follow], Follow]:
    """Register a function of learner, state, data, row and tick that traces the updates of these classes."""

    def register(follow: Follow) -> Follow:
        _FOLLOWED.update(dict.fromkeys(learners, follow))
        return follow

    return register


def trace(learner: Any, state: State, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle) -> UpdateTrace:
    """Return the next update of a training, computed by its reference; `state` stays as it is.

    Parameters
    ----------
    learner : Learner
    state : State
        Before the update.
    data : Examples or array (n, n_visible)
    row : int
        Of the mini-batch, whose numbers are shown.
    tick : Tick
        Called at each phase.

    Raises
    ------
    NotImplementedError
        If the learner has no reference update, see `has_reference`.
    ValueError
        If state and data do not belong together, if there is no such row, or if the numbers are too many.
    """
    if (kind := _followed_as(type(learner))) is None:
        raise NotImplementedError(f"{type(learner).__name__} has no reference update.")
    return _FOLLOWED[kind](learner, state, data, row, tick)


def has_reference(learner: Any) -> bool:
    """Return True if `trace` can follow the updates of a learner.

    Its class has one, or derives from such a class with other texts and defaults of fields alone.
    """
    return _followed_as(type(learner)) is not None


def _followed_as(kind: type) -> type | None:
    """Return the class with a reference whose updates those of a class are."""
    base = next((each for each in kind.__mro__ if each in _FOLLOWED), None)
    if base is None:
        return None
    defaults = {each.name for each in fields(base)}
    names = [name for name in {*dir(base)} - {*dir(ABC)} - defaults if not name.startswith("__")]
    pairs = [(getattr_static(kind, name), getattr_static(base, name)) for name in names]
    return base if all(own is its or isinstance(its, str) for own, its in pairs) else None


def check_size(numbers: int, what: str) -> None:
    """Refuse an update of more numbers than can be kept."""
    if numbers > LARGEST:
        raise Refusal(f"{what} has {numbers:,} numbers, more than the {LARGEST:,} that can be shown.", "data")
