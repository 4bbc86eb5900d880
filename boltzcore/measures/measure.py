"""Measures: functions of a model and rows, dispatched by the type of the model."""

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import singledispatch, update_wrapper
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.parameters import check_arguments, check_kind
from boltzcore.ticks import Tick, idle

Figures = dict[str, float]

NATS, SHARE = "nats per example", "share"  # units of figures
SPLITS = ("train", "validation", "test")
ROWS = 5000  # rows of each split: their mean has a standard error of 0.65 nats on MNIST, the same at every record


@dataclass(frozen=True)
class MeasureContext:
    """Settings that a measure or an observation depends on besides the model and the rows.

    seed, step : address of the random streams: the training's seed, and the update at which it is measured
    annealing : settings of the annealed importance sampling that estimates log Z if enumeration is infeasible
    inference : the inference for predictions with a conditional model, None for other models
    tick : called while it computes
    exact : True if a likelihood is computed exactly if feasible; a training decides it once
    gray : True if the data are gray, so that samples of the model are shown as gray values
    chains : (n, n_visible) the learner's own chains, which continue from update to update; None if it has none
    in_full : True if an estimate takes all chains and temperatures
    shared : results shared by measures of one model, empty at first; None if nothing is shared

    >>> import numpy as np
    >>> from boltzcore.data import load
    >>> from boltzcore.measures import MeasureContext, log_likelihood
    >>> from boltzcore.models import RBM
    >>> coins = RBM(np.zeros((9, 2)), np.zeros(9), np.zeros(2))
    >>> figures = log_likelihood(coins, load("bars-and-stripes"), MeasureContext(exact=False))
    >>> "test_log_likelihood_ais" in figures  # estimated
    True
    """

    seed: int = 0
    step: int = 0
    annealing: Annealing = USUAL
    inference: Inference | None = None
    tick: Tick = idle
    exact: bool = True
    gray: bool = False
    chains: NDArray[np.uint8] | None = None
    in_full: bool = True
    shared: dict[str, Any] | None = None


@dataclass(eq=False, repr=False)
class Measure:
    """A named measure, called as measure(model, rows, context) with the splits of a data set as rows.

    first : the function (model, rows, context) for the type of model in its signature
    units : {figure that it may return: its unit}; a figure that is unavailable is omitted
    uses : names of the settable fields of `MeasureContext` that it depends on
    lower : True if a figure is an error, the lower the better
    all_rows : True if it takes all rows of the data instead of the spread sample
    title : name of the figure in progress messages
    about : description of a figure, in a sentence or two
    numerics : version of its figures, raised whenever they change
    libraries : libraries whose versions its figures depend on, by their pip names
    Raises TypeError for an unsupported model; `register(kind, function)` adds another kind of model.
    """

    first: Callable[..., Figures]
    units: Mapping[str, str]
    uses: tuple[str, ...] = ()
    lower: bool = False
    all_rows: bool = False
    title: str = ""
    about: str = ""
    numerics: int = 1
    libraries: tuple[str, ...] = ()
    __name__: str = field(init=False)  # set by `update_wrapper`

    def __post_init__(self) -> None:
        update_wrapper(self, self.first)
        self.name = self.first.__name__
        self.title = self.title or self.name.replace("_", " ")
        self._by_kind = singledispatch(self._refuse)
        declared = typing.get_type_hints(self.first)["model"]
        for kind in typing.get_args(declared) or (declared,):
            self.register(kind, self.first)

    @check_arguments
    def __call__(self, model: Any, rows: Dataset, context: MeasureContext = MeasureContext()) -> Figures:
        return self._by_kind(model, rows, context)

    def _refuse(self, model: Any, rows: Dataset, context: MeasureContext) -> Figures:
        raise TypeError(f"{self.name} cannot be measured on a {type(model).__name__}.")

    def register(self, kind: type, function: Callable[..., Figures]) -> None:
        """Measure models of this kind with this function."""
        self._by_kind.register(kind, function)

    def takes(self, kind: type) -> bool:
        """Return True if it is available for models of this kind."""
        return self._by_kind.dispatch(check_kind(kind, type, "kind")) != self._refuse


def measure(units: Mapping[str, str], **given: Any) -> Callable[[Callable[..., Figures]], Measure]:
    """Return a decorator that makes a function a `Measure` with these arguments."""
    return lambda first: Measure(first, units, **given)


def rows_to_measure(dataset: Dataset, seed: int) -> Dataset:
    """Return at most 5,000 spread rows of each split, with pixels drawn once: the same rows at every record."""
    return dataset.mapped(lambda split: split.spread(ROWS).epoch(0, seed))


def all_rows(dataset: Dataset, seed: int) -> Dataset:
    """Return all rows of each split, with pixels drawn once."""
    return dataset.mapped(lambda split: split.epoch(0, seed))
