"""The trace of the next update of a training, computed by its reference."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import State
from boltzcore.parameters import Refusal
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


@dataclass(frozen=True, eq=False)
class UpdateTrace:
    """One update of a learner.

    family : a key of `FAMILIES`
    phases : in the order in which they happen
    models : before the update, and after each step of the parameters in it
    row : number of the row of the mini-batch, and of the chain, whose numbers are shown
    rows : how many rows can be shown; 1 if the update treats all rows alike
    """

    family: str
    phases: tuple[Phase, ...]
    models: tuple[Any, ...]
    row: int = 0
    rows: int = 1

    def __post_init__(self) -> None:
        known = FAMILIES[self.family]
        for phase in self.phases:
            if phase.kind not in known:
                raise ValueError(f"kind must be one of {', '.join(known)}, not {phase.kind!r}.")


@singledispatch
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
    raise NotImplementedError(f"{type(learner).__name__} has no reference update.")


def has_reference(learner: Any) -> bool:
    """Return True if `trace` can follow the updates of a learner."""
    return trace.dispatch(type(learner)) is not trace.dispatch(object)


def check_size(numbers: int, what: str) -> None:
    """Refuse an update of more numbers than can be kept."""
    if numbers > LARGEST:
        raise Refusal(f"{what} has {numbers:,} numbers, more than the {LARGEST:,} that can be shown.", "data")
