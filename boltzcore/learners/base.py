"""The protocol of learners: a frozen dataclass of hyper-parameters with pure functions."""

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference import Inference
from boltzcore.names import Names
from boltzcore.parameters import Parameters, parameter, whole
from boltzcore.ticks import Tick, idle

MOST = 2**63 - 1  # updates, and the largest seed


def rate_field(default: float, help: str, *, label: str = "") -> Any:
    """Declare a learner's step along a gradient, which may change while it trains."""
    eta = "\N{GREEK SMALL LETTER ETA}"
    return parameter(default, low=1e-6, high=10.0, scale="log", symbol=eta, help=help, live=True, label=label)


def gibbs_steps_field(default: int, help: str, *, high: int = 1000, symbol: str = "K", live: bool = True) -> Any:
    """Declare a learner's number of Gibbs steps."""
    return parameter(default, low=1, high=high, scale="log", symbol=symbol, help=help, live=live, label="Gibbs steps")


@dataclass(frozen=True)
class StageProgress:
    """Values of the training loop, which a learner passes on from State to State.

    seconds : spent in updates so far, in all stages
    stage : number of the stage, from 0
    from_count, from_epoch : updates and epochs of the stages before
    best, stale_records : highest merit in the stage, and how many records have not exceeded it since
    lowest_gap, gap_exceeded : smallest free-energy gap in the stage, and how many records in a row exceed it by more
        than the schedule's limit
    record_pending : the record of this State has still to be taken
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
    work : Gibbs transitions of one chain, or message updates, so far
    seed : of every random stream of this training
    figures : figures of the latest update that cost nothing to measure, for records and pages; no learner reads them
    done : the learner's own stopping rule holds
    operations : multiplications and additions of the algorithm as its paper has it, so far (`Learner.counted` says
        which)
    progress : values of the training loop
    Subclasses add what the learner carries on. A field made with `carried()` is a cache that `advance`
    can rebuild from the rest: it is neither kept in a checkpoint nor copied.

    >>> from itertools import islice
    >>> from boltzcore import Recipe, train
    >>> recipe = Recipe("rbm", "bars-and-stripes", "CD")
    >>> *_, tenth = islice(train(recipe), 11)
    >>> next(train(recipe, resume=tenth.state)).record.epoch  # it goes on from there
    11.0
    """

    model: Any
    count: int
    work: int
    seed: int
    figures: Mapping[str, float] = field(default_factory=dict)
    done: bool = False
    operations: int = 0
    progress: StageProgress = StageProgress()

    def copy(self) -> Self:
        """A State that a later `advance` of this one cannot change."""
        own: dict[str, Any] = {
            f.name: None if f.metadata.get("cache") else value.copy()
            for f in dataclasses.fields(self)
            if isinstance(value := getattr(self, f.name), np.ndarray) or f.metadata.get("cache")
        }
        return dataclasses.replace(self, **own)


@dataclass(frozen=True)
class First:
    """The settings of a first training: a learner with its fields, and the length of its training, with a record each
    `every` epochs or updates.
    """

    learner: "Learner"
    length: int
    unit: str = "updates"
    every: int = 1


def carried() -> Any:
    """Declare a State field as a cache: None after a copy or a checkpoint."""
    return field(default=None, metadata={"cache": True}, repr=False)


@dataclass(frozen=True)
class Learner(Parameters, ABC):
    """A frozen dataclass of hyper-parameters with pure functions; the families' files hold the learners themselves.

    An update is the algorithm's own smallest step: a mini-batch, a sweep, an inserted unit, a greedy step. However a
    training is cut into calls of `advance`, the numbers are the same. `start` and `advance` are what a learner must
    say; all else has a default.

    title, source : for people: its name, its short name in brackets at the end, and where it is published
    about : for people: what an update does, in a sentence or two
    family : learners of one family share a hue
    models : names of the models in the registry that it fits
    state_type : of the States it makes
    numerics : version of its numbers, raised whenever a training gives others, as after a change of a default
    libraries : whose versions its numbers depend on, as pip names them
    random : False where no number depends on the seed
    same_everywhere : False where numbers come of BLAS or LAPACK, whose sums differ between kinds of processors
    hidden_units : False where its model has some and it makes no use of them
    length : (number, "epochs" or "updates") of a training whose length nobody names; one that ends by a rule of its own
        asks for as much as that may take
    extra_metrics : {figure: its unit} of what it measures for free and leaves in a State's `figures`, from where it
        goes into each record, and of its `estimates`

    >>> from boltzcore.data import load
    >>> from boltzcore.learners import CD
    >>> from boltzcore.models import RBMSetup
    >>> cd, rows = CD(rate=0.1), load("bars-and-stripes").train
    >>> start = cd.start(RBMSetup(hidden=4).initial(rows, seed=0), rows, seed=0)
    >>> cut = cd.advance(cd.advance(start, rows), rows, updates=3)
    >>> bool((cut.model.W == cd.advance(start, rows, updates=4).model.W).all())  # however it is cut
    True
    """

    title: ClassVar[str]
    family: ClassVar[str]
    models: ClassVar[tuple[str, ...]]
    source: ClassVar[str]
    about: ClassVar[str] = ""
    state_type: ClassVar[type[State]] = State
    numerics: ClassVar[int] = 1
    libraries: ClassVar[tuple[str, ...]] = ()
    random: ClassVar[bool] = True
    same_everywhere: ClassVar[bool] = True
    hidden_units: ClassVar[bool] = True
    length: ClassVar[tuple[int, str]] = (50, "epochs")
    extra_metrics: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @property
    def counted(self) -> str:
        """Which multiplications and additions `State.operations` counts, in a sentence; "" where none are counted."""
        return ""

    def memory(self, rows: int, n_visible: int, n_hidden: int) -> int:
        """Bytes that a training on so many rows carries beside data and parameters, where that may be much."""
        return 0

    @abstractmethod
    def start(self, model: Any, data: Examples | NDArray, *, seed: int) -> State:
        """The State before the first update. `data` may be a plain (n, n_visible) array of codes everywhere."""

    @abstractmethod
    def advance(self, state: Any, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle) -> State:
        """The State `updates` later, or where the learner's own rule comes to hold on the way, whatever was asked for.

        From a State that is done it goes on. Carried arrays of `state` may be reused, never `model`.
        """

    def observe(self, state: Any, data: Examples | NDArray) -> Mapping[str, NDArray]:
        """Arrays of the latest update by name, which a page draws beside those of the model; {} where there are none.
        `state` stays as it is.
        """
        return {}

    def estimates(self, state: Any, *, tick: Tick = idle) -> Mapping[str, float]:
        """Figures among `extra_metrics` that are too costly for every State: of records in full."""
        return {}

    def chains_of_model(self, state: Any) -> NDArray[np.uint8] | None:
        """(n, n_visible) of 0/1, the chains of its model that go on from update to update; None where none do."""
        return None

    @property
    def keeps_chains(self) -> bool:
        """Whether it has such chains, at the latest once it is under way."""
        return type(self).chains_of_model is not Learner.chains_of_model

    def check(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> None:
        """Raise Refusal before a training where such rows cannot be learnt from; names are those of the columns."""

    def data_warning(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> str:
        """Return a warning about these rows, shown before a training, in a sentence or two; "" for none."""
        return ""

    def epoch_length(self, data: Examples | NDArray) -> int:
        """Updates in an epoch."""
        return 1

    @property
    def cost(self) -> str:
        """The cost of an update, in a sentence."""
        return ""

    @property
    def transitions(self) -> int | None:
        """Gibbs steps of each chain in an update; None where there are no chains to compare."""
        return None

    @classmethod
    def budget_fields(cls, transitions: int) -> dict[str, int]:
        """Return the fields with which an update takes this number of Gibbs steps, for a fair comparison; {} where no
        values of them do.
        """
        return {}

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """The settings of a first training on so many rows and columns, chosen so that it visibly learns."""
        return First(cls(), *cls.length)

    def inference(self, epoch: float) -> Inference | None:
        """The inference that predicts with the model after so many epochs; None where nothing is predicted."""
        return None

    def advice(self) -> tuple[str, ...]:
        """The advice after a divergence, each as the object of "Try"."""
        return ()

    def exploded(self, state: Any) -> str:
        """The sign in a State that its parameters are beyond reason though finite, as the beginning of a sentence; ""
        where there is none.
        """
        return ""

    def remedy(self) -> tuple[str, float] | None:
        """(a field that may change while it runs, the value to go on with after a divergence); None without one."""
        return None

    def inserted(self, updates: int) -> float:
        """Hidden units that it puts into a model in so many updates at most; inf where they may count a fraction."""
        return 0.0

    @property
    def stop_reason(self) -> str:
        """The sentence shown where a training stops by this learner's own rule; "" where it has no such rule."""
        return ""

    def why_ended(self, state: State) -> str:
        """Return the sentence that says why a training stopped at this State."""
        return self.stop_reason


def check_advance(learner: Learner, state: State, updates: Any) -> None:
    """ValueError where a State is another learner's, or `updates` no number of updates."""
    if type(state) is not learner.state_type:
        raise ValueError(
            f"{type(learner).__name__} goes on from a {learner.state_type.__name__}, such as its start gives, "
            f"not from a {type(state).__name__}."
        )
    whole("updates", updates, 0, MOST)
