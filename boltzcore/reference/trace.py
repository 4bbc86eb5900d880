"""The trace of the next update of a training, computed by its reference."""

from functools import singledispatch
from typing import Any

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import State
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.parameters import Refusal
from boltzcore.ticks import Tick, idle

LARGEST = 100_000_000  # numbers of a trace


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
    if (taken := learner.trace_update(state, data, row=row, tick=tick)) is None:
        raise NotImplementedError(f"{type(learner).__name__} has no reference update.")
    return taken


def has_reference(learner: Any) -> bool:
    """Return True if `trace` can follow the updates of a learner."""
    return trace.dispatch(type(learner)) is not trace.dispatch(object) or learner.traces_updates


def check_size(numbers: int, what: str) -> None:
    """Refuse an update of more numbers than can be kept."""
    if numbers > LARGEST:
        raise Refusal(f"{what} has {numbers:,} numbers, more than the {LARGEST:,} that can be shown.", "data")
