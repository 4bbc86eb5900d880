"""What every learner is: a frozen dataclass of hyper-parameters with pure functions."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.parameters import Parameter, whole
from boltzcore.ticks import Tick, idle

MOST = 2**63 - 1  # updates, and the largest seed


@dataclass(frozen=True, eq=False)
class State:
    """Where a training stands: arrays and counters only.

    model : a snapshot of the parameters, safe to keep
    count : updates so far
    work : Gibbs transitions of one chain, or message updates, so far
    seed : of every random stream of this training
    info : figures that were measured for free
    done : the learner's own stopping rule holds
    Subclasses add what the learner carries on. A field made with `carried()` is a cache that `advance`
    can rebuild from the rest: it is neither kept in a checkpoint nor copied.
    """

    model: Any
    count: int
    work: int
    seed: int
    info: Mapping[str, float] = field(default_factory=dict)
    done: bool = False

    def copy(self) -> Self:
        """A State that a later `advance` of this one cannot change."""
        own: dict[str, Any] = {
            f.name: None if f.metadata.get("cache") else _copied(getattr(self, f.name))
            for f in dataclasses.fields(self)
            if f.name != "model"
        }
        return dataclasses.replace(self, **own)


def carried() -> Any:
    """Declare a State field as a cache: None after a copy or a checkpoint."""
    return field(default=None, metadata={"cache": True}, repr=False)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray | dict) else value


def check_advance(learner: Any, state: State, updates: Any) -> None:
    """ValueError where a State is another learner's, or `updates` no number of updates."""
    if type(state) is not learner.state_type:
        raise ValueError(
            f"{type(learner).__name__} goes on from a {learner.state_type.__name__}, such as its start gives, not from "
            f"a {type(state).__name__}."
        )
    whole("updates", updates, 0, MOST)


class Learner(Protocol):
    """The contract; the families' files hold the learners themselves.

    An update is the algorithm's own smallest step. However a training is cut into calls of `advance`,
    the numbers are the same.
    """

    title: ClassVar[str]
    family: ClassVar[str]
    models: ClassVar[tuple[str, ...]]
    source: ClassVar[str]
    state_type: ClassVar[type[State]]

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]: ...
    def values(self) -> dict[str, Any]: ...
    def changed(self, **values: Any) -> Self: ...

    def start(self, model: Any, data: Examples | NDArray, *, seed: int) -> State:
        """The State before the first update. `data` may be a plain (n, n_visible) array of 0/1 everywhere."""
        ...

    def epoch_length(self, data: Examples | NDArray) -> int:
        """Updates in an epoch."""
        ...

    def advance(self, state: State, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle) -> State:
        """The State `updates` later. Carried arrays of `state` may be reused, never `model`."""
        ...
