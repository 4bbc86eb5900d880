"""Measures: functions of a model and rows, chosen by the type of the model."""

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
from boltzcore.parameters import check_arguments
from boltzcore.ticks import Tick, idle

Figures = dict[str, float]

NATS, SHARE = "nats per example", "share"  # units of figures
SPLITS = ("train", "validation", "test")
ROWS = 5000  # of each split: their mean has a standard error of 0.65 nats on MNIST, the same at every record


@dataclass(frozen=True)
class MeasureContext:
    """Everything that a measure or an observation depends on besides the model and the rows.

    seed, step : of the random streams: the training's seed, and the update at which it is measured
    annealing : the annealed importance sampling that estimates log Z where it is out of reach of enumeration
    inference : the inference with which a conditional model predicts, None for other models
    tick : called while it computes
    exact : whether a likelihood is computed exactly where that is in reach; a training decides it once
    gray : whether the data are gray, so that samples of the model are shown as gray values
    chains : (n, n_visible) the learner's own chains, which go on from update to update; None where it has none
    in_full : whether an estimate takes all chains and temperatures
    shared : what measures of one model leave to each other, empty at first; None where nothing is shared

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
    """A measure by its name: call it with (model, rows, context), where rows are the splits of a data set.

    first : the function (model, rows, context) that measures the models that its first argument is declared to be
    units : {figure that it may give: its unit}; a figure that cannot be had is left out
    uses : names of the fields of `MeasureContext` that it depends on and that can be set
    lower : whether a figure is an error, the lower the better
    all_rows : whether it wants all rows of the data, and not the spread sample
    title : name of the figure in progress messages
    about : what a figure says, in a sentence or two
    numerics : version of its figures, raised whenever they change
    libraries : whose versions its figures depend on, as pip names them
    Raises TypeError for a model of which it cannot be taken; `register(kind, function)` adds another kind of model.
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
    __name__: str = field(init=False)  # by `update_wrapper`

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
        """Measure models of this kind by this function."""
        self._by_kind.register(kind, function)

    def takes(self, kind: type) -> bool:
        """Return whether it can be measured of models of this kind."""
        return self._by_kind.dispatch(kind) != self._refuse


def measure(units: Mapping[str, str], **given: Any) -> Callable[[Callable[..., Figures]], Measure]:
    """Make a function a `Measure` with these arguments."""
    return lambda first: Measure(first, units, **given)


def rows_to_measure(dataset: Dataset, seed: int) -> Dataset:
    """At most 5,000 rows of each split, spread over it, with pixels drawn once: the same rows at every record."""
    return dataset.mapped(lambda split: split.spread(ROWS).epoch(0, seed))


def all_rows(dataset: Dataset, seed: int) -> Dataset:
    """All rows of each split, with pixels drawn once."""
    return dataset.mapped(lambda split: split.epoch(0, seed))
