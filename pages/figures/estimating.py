"""Estimates with their standard errors as a table that sorts, and the strongest coupling."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.data import Dataset
from boltzcore.measures.estimates import Estimates, estimated, labels
from boltzcore.models import FVBM
from boltzcore.names import column_names
from boltzcore.plotting.couplings import strongest_pairs
from boltzcore.quoting import number
from boltzcore.ticks import Tick, idle
from pages.figures.frame import Column, Table

LEVEL = 0.95
_LEAST = 0.0001  # smaller p are written as this

_decimal = partial(number, form="z.4f")


def estimates_of(model: FVBM, dataset: Dataset, tick: Tick = idle) -> Estimates | str:
    """The estimates of a model from the rows that it learnt from, or the sentence that says why there are none."""
    try:
        return estimated(model, dataset.train, names=dataset.names, tick=tick)
    except ValueError as refusal:
        return str(refusal)


def table(found: Estimates, columns: Sequence[str]) -> Table:
    """A line for each parameter; `columns` are the names of the data's."""
    low, high = found.interval(LEVEL)
    numbers = [
        _column("Estimate", found.theta, _decimal),
        _column("Standard error", found.standard_error, _decimal),
        _column("95 % from", low, _decimal),
        _column("to", high, _decimal),
        _column("z", found.z, partial(number, form="z.2f")),
        _column("p", found.p, lambda value: f"{value:.4f}" if value >= _LEAST else f"< {_LEAST}"),
    ]
    return Table("estimates", (Column("Parameter", tuple(labels(tuple(columns)))), *numbers))


class Pair(NamedTuple):
    """The names of two columns, their coupling, and the share of the training rows in which both are equal."""

    names: tuple[str, str]
    coupling: float
    alike: float


def strongest(model: FVBM, dataset: Dataset) -> Pair:
    """The pair with the largest coupling, of either sign. The machine has two columns or more."""
    ((j, k),) = strongest_pairs(model.M, 1)
    names, rows = column_names(dataset.names, model.n_visible), dataset.train
    return Pair((names[j], names[k]), float(model.M[j, k]), rows.average(rows.v[:, j] == rows.v[:, k]))


def _column(title: str, values: NDArray[np.float64], write: Callable[[float], str]) -> Column:
    return Column(title, tuple(map(write, values)), tuple(values.tolist()))
