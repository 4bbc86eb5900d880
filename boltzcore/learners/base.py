"""Base class of learners: a frozen dataclass of hyper-parameters with pure functions."""

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.parameters import Parameters, check_arguments, parameter, whole
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle, portion

T = TypeVar("T")
MOST = 2**63 - 1  # largest number of updates
MOST_NUMBERS = 2**26  # of distinct rows, as a learner holds them: 512 MB


def rate_field(default: float, help: str, *, label: str = "") -> Any:
    """Declare a learner's step size along a gradient, which may change during training."""
    eta = "\N{GREEK SMALL LETTER ETA}"
    return parameter(default, low=1e-6, high=10.0, scale="log", symbol=eta, help=help, live=True, label=label)


def lower_rate(learner: Any) -> tuple[str, float]:
    """Return the field and value with which to continue after a divergence: a tenth of the rate."""
    return "rate", max(learner.rate / 10, learner.named("rate").low or 0.0)


def gibbs_steps_field(default: int, help: str, *, high: int = 1000, symbol: str = "K", live: bool = True) -> Any:
    """Declare a learner's number of Gibbs steps."""
    return parameter(default, low=1, high=high, scale="log", symbol=symbol, help=help, live=live, label="Gibbs steps")


@dataclass(frozen=True)
class StageProgress:
    """Values of the training loop, which a learner copies from State to State.

    seconds : time spent in updates so far, in all stages
    stage : number of the stage, from 0
    from_count, from_epoch : updates and epochs of all earlier stages
    best, stale_records : highest merit in the stage, and number of records since that have not exceeded it
    lowest_gap, gap_exceeded : smallest free-energy gap in the stage, and number of consecutive records that exceed it
        by more than the schedule's limit
    record_pending : True if the record of this State has not been taken yet
    """

    seconds: float = 0.0
    stage: int = 0
    from_count: int = 0
    from_epoch: float = 0.0
    best: float = -math.inf
    stale_records: int = 0
    lowest_gap: float = math.inf
    gap_exceeded: int = 0
    record_pending: bool = False


@dataclass(frozen=True, eq=False)
class State:
    """The state of a training: arrays, counters and figures.

    model : a snapshot of the parameters, safe to keep
    count : updates so far
    work : Gibbs transitions of one chain with all its copies, or message updates, so far
    seed : seed of all random streams of this training
    figures : values of the latest update that cost nothing to measure, for records and pages; no learner reads them
    done : True if the learner's own stopping rule holds
    operations : multiplications and additions of the paper's algorithm so far (`LearnerInfo.operations` in the registry
        says what is counted)
    progress : values of the training loop
    Subclasses add what the learner carries over; fields that belong together may be a dataclass of their own, whose
    arrays `advance` does not change. A `cache_field()` is one that `advance` can rebuild from the rest: it is
    neither kept in a checkpoint nor copied.
    """

    model: Any
    count: int
    work: int
    seed: int
    figures: Mapping[str, float] = field(default_factory=dict)
    done: bool = False
    operations: int = 0
    progress: StageProgress = StageProgress()

    @property
    def stage_count(self) -> int:
        """Updates of the present stage so far."""
        return self.count - self.progress.from_count

    def epochs(self, updates_per_epoch: int) -> float:
        """Return the epochs of all stages so far, for the updates of an epoch of the present stage."""
        return self.progress.from_epoch + self.stage_count / updates_per_epoch

    @property
    def chains_of_model(self) -> NDArray[np.uint8] | None:
        """Chains of the model (n, n_visible) of 0/1 that continue from update to update; None if there are none."""
        return None

    def copy(self) -> Self:
        """Return a copy of the State that a later `advance` of this one cannot change."""
        own: dict[str, Any] = {
            f.name: None if f.metadata.get("cache") else value.copy()
            for f in dataclasses.fields(self)
            if isinstance(value := getattr(self, f.name), np.ndarray) or f.metadata.get("cache")
        }
        return dataclasses.replace(self, **own)


S = TypeVar("S", bound=State)


def cache_field() -> Any:
    """Declare a State field as a cache: None after a copy or a checkpoint."""
    return field(default=None, metadata={"cache": True}, repr=False)


@dataclass(frozen=True, eq=False)
class CachedState(State):
    """A State that caches the data as prepared by its learner.

    given : the prepared data; its field `data` is the original
    """

    given: Any = cache_field()

    def given_for(self, data: Examples | NDArray, make: Callable[[Any, Examples | NDArray, Tick], T], tick: Tick) -> T:
        """Return the prepared data: from the cache if it was made from `data`, else make(model, data, tick)."""
        return self.given if self.given is not None and self.given.data is data else make(self.model, data, tick)


def flat_fields(owner: Any, prefix: str = "") -> dict[str, Any]:
    """Return {name: value} of a State without its caches; fields of a group, such as the model, as `group.field`."""
    found: dict[str, Any] = {}
    for each in dataclasses.fields(owner):
        if not each.metadata.get("cache"):
            name, value = prefix + each.name, getattr(owner, each.name)
            found |= flat_fields(value, f"{name}.") if dataclasses.is_dataclass(value) else {name: value}
    return found


@dataclass(frozen=True)
class Learner(Parameters, ABC):
    """A frozen dataclass of hyper-parameters with pure functions; each family of learners has a file of its own.

    An update is the algorithm's smallest step: a mini-batch, a sweep, an inserted unit, a greedy step. The numbers do
    not depend on how a training is divided into calls of `advance`. Descriptions of a learner for people and forms are
    in its entry of the registry (`LearnerInfo`).

    state_type : type of its States
    numerics : version of its numbers, raised whenever a training gives others, for example after a change of a default
    libraries : libraries whose versions its numbers depend on, by their pip names
    random : False if no number depends on the seed
    begins_empty : True if a training begins with all parameters 0, ignoring the model's setup
    takes_gaps : True if it also learns from `Examples.gaps`
    same_everywhere : False if numbers come from BLAS or LAPACK, whose sums differ between kinds of processors

    >>> from boltzcore.data import load
    >>> from boltzcore.learners import CD
    >>> from boltzcore.models import RBMSetup
    >>> cd, rows = CD(rate=0.1), load("bars-and-stripes").train
    >>> start = cd.start(RBMSetup(hidden=4).initial(rows, seed=0), rows, seed=0)
    >>> cut = cd.advance(cd.advance(start, rows), rows, updates=3)
    >>> bool((cut.model.W == cd.advance(start, rows, updates=4).model.W).all())  # however it is cut
    True
    """

    state_type: ClassVar[type[State]] = State
    numerics: ClassVar[int] = 1
    libraries: ClassVar[tuple[str, ...]] = ()
    random: ClassVar[bool] = True
    begins_empty: ClassVar[bool] = False
    takes_gaps: ClassVar[bool] = False
    same_everywhere: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        if "start" in vars(cls):
            cls.start = check_arguments(cls.start)  # type: ignore[method-assign]

    @abstractmethod
    def start(self, model: Any, data: Examples | NDArray, *, seed: int) -> State:
        """Return the State before the first update. `data` may always be a plain (n, n_visible) array of codes."""

    def advance(self, state: S, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle) -> S:
        """Return the State `updates` later, or earlier if the learner's own stopping rule holds.

        A State that is already done continues. Carried arrays of `state` may be reused, never `model`. Raises
        Refusal if State, data and learner do not belong together, or `updates` is no number of updates.
        """
        check_state(self, state)
        return self._advance(state, data, updates, tick) if whole("updates", updates, 0, MOST) else state

    def _advance(self, state: Any, data: Examples | NDArray, updates: int, tick: Tick) -> Any:
        """Return the State after one or more updates; every learner implements this."""
        raise NotImplementedError


def check_state(learner: Learner, state: State) -> None:
    """Raise Refusal if a State belongs to another learner."""
    if type(state) is not learner.state_type:
        raise Refusal(
            f"{type(learner).__name__} continues from a {learner.state_type.__name__}, as returned by its start, not "
            f"from a {type(state).__name__}."
        )


def check_numbers(rows: int, columns: int) -> None:
    """Raise Refusal if distinct rows are too many for a learner that holds some numbers for each of their columns."""
    if rows * columns > MOST_NUMBERS:
        start = f"data must have at most {MOST_NUMBERS:,} numbers in distinct rows for this learner"
        raise Refusal(f"{start}, not {rows:,} rows of {columns:,}.", "data")


def repeat_update(state: Any, updates: int, update: Callable[[Any, Tick], Any], tick: Tick) -> Any:
    """Return the State after this number of updates, or the first that is done; one already done continues."""
    beyond = state.done
    for k in range(updates):
        if state.done and not beyond:
            break
        state = update(state, portion(tick, k / updates, 1 / updates))
    return state
