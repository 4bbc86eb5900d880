"""The trace of the next update of a training, computed by its reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import Learner, State, check_state
from boltzcore.parameters import check_arguments, whole
from boltzcore.quoting import Refusal
from boltzcore.reference.rbm import Arrays, Phases
from boltzcore.ticks import Tick, idle

LARGEST = 100_000_000  # largest number of values in a trace


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase of an update.

    kind : one of the kinds of its family in `equations.FAMILIES`
    at : index into `UpdateTrace.models` of the parameters during the phase
    arrays : {name: numbers} of the phase
    """

    kind: str
    at: int
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(eq=False)
class UpdateTrace:
    """One update of a learner.

    family : a key of `equations.FAMILIES`
    models : the model before the update, and after each step of the parameters in it
    row : number of the shown row of the mini-batch, and of the shown chain
    rows : number of rows that can be shown; 1 if the update treats all rows alike
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
        """Append a phase, and the model after it if the parameters move; matrices are stored in single precision."""
        if model is not None:
            self.models.append(model)
        shown = {name: np.array(each) for name, each in arrays.items()}
        shown |= {
            name: each.astype(np.float32) for name, each in shown.items() if each.dtype == float and each.ndim > 1
        }
        self.phases.append(Phase(kind, len(self.models) - 1, shown))

    def add_phases(self, update: Phases, shown: Callable[[str, Arrays], Arrays | None], tick: Tick) -> Self:
        """Append the phases of a reference update with the arrays that `shown` selects, omitting phases with None;
        "new" and "back" are steps of the parameters, with their changes.
        """
        for kind, arrays in update:
            tick(0.0)
            if kind in ("new", "back"):
                before = self.models[-1]
                model = type(before)(**{name: arrays[name].astype(np.float32) for name in before.ARRAYS})
                self.add(kind, {name: getattr(model, name) - getattr(before, name) for name in before.ARRAYS}, model)
            elif (few := shown(kind, arrays)) is not None:
                self.add(kind, few)
        return self


@singledispatch
def follow(learner: Any, state: Any, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """Return the trace of the next update of a learner; an implementation is registered for each class."""
    raise NotImplementedError


@check_arguments
def trace(learner: Learner, state: State, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle) -> UpdateTrace:
    """Return the next update of a training, computed by its reference; `state` is not changed.

    Parameters
    ----------
    learner : Learner
    state : State
        Before the update.
    data : Examples or array (n, n_visible)
    row : int
        Row of the mini-batch to show.
    tick : Tick
        Called at each phase.

    Raises
    ------
    NotImplementedError
        If the learner has no reference update, see `has_reference`.
    Refusal
        If state and data do not belong together, there is no such row, or the trace would be too large.
    """
    if not has_reference(learner):
        raise NotImplementedError(f"{type(learner).__name__} has no reference update.")
    check_state(learner, state)
    return follow(learner, state, data, row, tick)


def has_reference(learner: Any) -> bool:
    """Return True if `trace` can follow the updates of a learner; False for subclasses, which may change them."""
    return type(learner) in follow.registry


def check_size(numbers: int, what: str) -> None:
    """Raise Refusal if an update has too many numbers to be stored."""
    if numbers > LARGEST:
        raise Refusal(f"{what} has {numbers:,} numbers, more than the {LARGEST:,} that can be shown.", "data")
