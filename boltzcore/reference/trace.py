"""The trace of the next update of a training, computed by its reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import Learner, State, check_state
from boltzcore.parameters import Refusal, check_arguments, whole
from boltzcore.reference.rbm import Arrays, Phases
from boltzcore.ticks import Tick, idle

LARGEST = 100_000_000  # numbers of a trace


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase of an update.

    kind : one of those that its family lists in `equations.FAMILIES`
    at : index into `UpdateTrace.models` of the parameters that hold during the phase
    arrays : {name: numbers} of the phase
    """

    kind: str
    at: int
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(eq=False)
class UpdateTrace:
    """One update of a learner.

    family : a key of `equations.FAMILIES`
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
        if model is not None:
            self.models.append(model)
        shown = {name: np.array(each) for name, each in arrays.items()}
        shown |= {
            name: each.astype(np.float32) for name, each in shown.items() if each.dtype == float and each.ndim > 1
        }
        self.phases.append(Phase(kind, len(self.models) - 1, shown))

    def add_step(self, kind: str, parameters: Mapping[str, NDArray]) -> None:
        """Append a phase that ends with these parameters; its arrays are their changes."""
        before = self.models[-1]
        model = type(before)(**{name: parameters[name].astype(np.float32) for name in before.ARRAYS})
        self.add(kind, {name: getattr(model, name) - getattr(before, name) for name in before.ARRAYS}, model)

    def add_phases(self, update: Phases, shown: Callable[[str, Arrays], Arrays | None], tick: Tick) -> Self:
        """Append the phases of a reference update with the arrays that are shown of each, those with none left out;
        "new" and "back" are steps of the parameters.
        """
        for kind, arrays in update:
            tick(0.0)
            if kind in ("new", "back"):
                self.add_step(kind, arrays)
            elif (few := shown(kind, arrays)) is not None:
                self.add(kind, few)
        return self


@singledispatch
def follow(learner: Any, state: Any, data: Examples | NDArray, row: int, tick: Tick) -> UpdateTrace:
    """Return the trace of the next update of a learner, for whose class a function is registered."""
    raise NotImplementedError


@check_arguments
def trace(learner: Learner, state: State, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle) -> UpdateTrace:
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
    if not has_reference(learner):
        raise NotImplementedError(f"{type(learner).__name__} has no reference update.")
    check_state(learner, state)
    return follow(learner, state, data, row, tick)


def has_reference(learner: Any) -> bool:
    """Return True if `trace` can follow the updates of a learner; a subclass may change them and is not followed."""
    return type(learner) in follow.registry


def check_size(numbers: int, what: str) -> None:
    """Refuse an update of more numbers than can be kept."""
    if numbers > LARGEST:
        raise Refusal(f"{what} has {numbers:,} numbers, more than the {LARGEST:,} that can be shown.", "data")
