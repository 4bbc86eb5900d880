"""Couplings of a Potts model in words: the strongest pairs of columns, and the couplings of their values."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.models import Potts
from boltzcore.names import Names, column_names
from boltzcore.plotting.couplings import strongest_pairs
from boltzcore.quoting import cut
from pages.figures.frame import Column, Table
from pages.figures.questions import value_text

LISTED = 12  # pairs
_NAME = 24  # characters of a name

Pair = tuple[int, int]


def short_names(model: Potts, names: Names | None) -> list[str]:
    """The columns of a model, in short."""
    return [cut(name, _NAME) for name in column_names(names, model.n_visible)]


def sentence(model: Potts, pair: Pair, names: Names | None) -> str:
    """Return a sentence on the strongest coupling of the values of two columns. It is true of the largest and of the
    smallest coupling of a pair alone: without the couplings, the mean of their exponentials lies between the two.
    """
    table, columns = _values(model.zero_sum(), pair), [short_names(model, names)[k] for k in pair]
    if not table.any():
        return f"{columns[0]} and {columns[1]} are not coupled: given all other columns, they are independent."
    at = np.unravel_index(np.abs(table).argmax(), table.shape)
    values = [f"{c} = {value_text(names, k, int(x))}" for c, k, x in zip(columns, pair, at, strict=True)]
    often = "more" if table[at] > 0 else "less"
    return (
        f"Given all other columns, {values[0]} and {values[1]} occur together {often} often than they would if "
        f"{columns[0]} and {columns[1]} were not coupled."
    )


def strongest(model: Potts, names: Names | None, strengths: NDArray[np.float64]) -> Table | None:
    """Return the strongest pairs of columns, each with the values that occur most and least often together; None if no
    columns are coupled.
    """
    pairs = [pair for pair in strongest_pairs(strengths, LISTED) if strengths[pair] > 0]
    columns, gauged = short_names(model, names), model.zero_sum()

    def values(pair: Pair, sign: int) -> str:
        table = sign * _values(gauged, pair)
        at = np.unravel_index(table.argmax(), table.shape)
        return ", ".join(value_text(names, k, int(x)) for k, x in zip(pair, at, strict=True))

    listed = (
        Column("Columns", tuple(f"{columns[i]}, {columns[j]}" for i, j in pairs)),
        Column.from_numbers("Strength", [strengths[pair] for pair in pairs], ".3f"),
        Column("More often", tuple(values(pair, 1) for pair in pairs)),
        Column("Less often", tuple(values(pair, -1) for pair in pairs)),
    )
    return Table("couplings", listed) if pairs else None


def _values(model: Potts, pair: Pair) -> NDArray[np.float64]:
    """(values of the one, values of the other) couplings of a pair of columns."""
    i, j = (model.of_value == k for k in pair)
    return model.J[np.ix_(i, j)]
