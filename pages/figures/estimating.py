"""Estimates with their standard errors as a table that sorts, and the strongest coupling."""

from collections.abc import Sequence
from typing import NamedTuple

from boltzcore.data import Dataset
from boltzcore.measures.estimates import Estimates, estimate, labels
from boltzcore.models import FVBM
from boltzcore.names import column_names
from boltzcore.plotting.couplings import strongest_pairs
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle
from pages.figures.frame import Column, Table

LEVEL = 0.95
_LEAST = 0.0001  # smaller p are written as this


def estimates_of(model: FVBM, dataset: Dataset, tick: Tick = idle) -> Estimates | str:
    """Return the estimates of a model from its training rows, or a sentence on why there are none."""
    try:
        return estimate(model, dataset.train, names=dataset.names, tick=tick)
    except Refusal as refusal:
        return str(refusal)


def table(found: Estimates, columns: Sequence[str]) -> Table:
    """Return a table with a line for each parameter; `columns` are the names of the data's columns."""
    low, high = found.interval(LEVEL)
    numbers = [
        Column.from_numbers("Estimate", found.theta, ".4f"),
        Column.from_numbers("Standard error", found.standard_error, ".4f"),
        Column.from_numbers("95 % from", low, ".4f"),
        Column.from_numbers("to", high, ".4f"),
        Column.from_numbers("z", found.z, ".2f"),
        Column("p", tuple(f"{p:.4f}" if p >= _LEAST else f"< {_LEAST}" for p in found.p), tuple(found.p.tolist())),
    ]
    return Table("estimates", (Column("Parameter", tuple(labels(tuple(columns)))), *numbers))


class Pair(NamedTuple):
    """The names of two columns, their coupling, and the share of the training rows in which both are equal."""

    names: tuple[str, str]
    coupling: float
    alike: float


def strongest(model: FVBM, dataset: Dataset) -> Pair:
    """Return the pair with the largest coupling, of either sign. The machine has two columns or more."""
    ((j, k),) = strongest_pairs(model.M, 1)
    names, rows = column_names(dataset.names, model.n_visible), dataset.train
    return Pair((names[j], names[k]), float(model.M[j, k]), rows.average(rows.v[:, j] == rows.v[:, k]))
