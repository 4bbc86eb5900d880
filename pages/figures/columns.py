"""Weights of units by the columns of a table that they are about: what tiles of pixels are for images."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.names import Names, column_names
from boltzcore.plotting import drawing, images
from boltzcore.plotting.drawing import Figure
from boltzcore.quoting import cut
from pages.figures.frame import Chart, Choice, Panel

MOST = 60  # columns that are drawn: those of the largest weights, in the table's order
_LINE, _AROUND = 18, 90  # pixels of a column, and of what stands around the map
_CHARACTERS, _CHARACTER = 18, 7  # of a label, and the pixels that one takes
_TICKS, _STRONGEST = 16, 5


ABOUT = (
    "The weights between hidden units and the columns of the table: a line for each column, a place across for each "
    "unit. Blue: where the column has its second value it switches the unit on; red: off. Point at a square for its "
    "value."
)


def panel(
    title: str,
    weights: NDArray[Any],
    names: Names | None,
    units: Sequence[str],
    *,
    rest: str = "",
    about: str = ABOUT,
    below: str = "",
    choices: tuple[Choice, ...] = (),
    limit: float | None = None,
) -> Panel:
    """Weights of hidden units, (units, columns), by the names of a table's columns."""
    called = column_names(names, weights.shape[1])
    figure = weights_map(weights, called, units, limit=limit)
    chart = Chart(figure, height(weights), sentence(weights, called, units))
    return Panel(title, chart, rest, about, " ".join(filter(None, (below, _only(weights)))), choices)


def drawn(weights: ArrayLike) -> NDArray[np.intp]:
    """The columns that a map of these weights, (units, columns), shows."""
    table = np.abs(np.asarray(weights))
    if table.shape[1] <= MOST:
        return np.arange(table.shape[1])
    strongest = np.argsort(-table.max(axis=0, initial=0.0), kind="stable")[:MOST]
    return np.sort(strongest)


def height(weights: ArrayLike) -> int:
    """Pixels of the map, that of a large chart at least."""
    return max(drawing.HEIGHT, _AROUND + _LINE * len(drawn(weights)))


def weights_map(
    weights: ArrayLike, columns: Sequence[str], units: Sequence[str], *, limit: float | None = None
) -> Figure:
    """A line for each column of the table, a place across for each unit: blue positive, red negative, white zero.

    weights : (units, columns); columns, units : what they are called
    limit : of the colours, that of these weights unless it is given
    """
    table, shown = np.asarray(weights, np.float64), drawn(weights)
    labels = drawing.labels([columns[i] for i in shown], _CHARACTERS)
    limit = images.symmetric_limit(table) if limit is None else limit
    unit_labels = drawing.labels(units, _CHARACTERS)
    figure = drawing.heat_map(table[:, shown].T, unit_labels, labels, limit, "%{y}, hidden unit %{x}: %{z}")
    figure["layout"]["margin"] = {"l": 18 + _CHARACTER * max(map(len, labels)), "r": 12, "t": 36, "b": 40}
    figure["layout"]["xaxis"] |= {"tickangle": 0, "nticks": _TICKS, "title": {"text": "hidden unit"}}
    return figure


def sentence(weights: ArrayLike, columns: Sequence[str], units: Sequence[str]) -> str:
    """The strongest weights in words, for those who do not see the map."""
    table = np.asarray(weights, np.float64)
    count = min(_STRONGEST, table.size)
    few = np.argsort(-np.abs(table), axis=None, kind="stable")[:count]
    places = (np.unravel_index(at, table.shape) for at in few)
    found = [f"{cut(columns[j])}, hidden unit {units[i]}, {table[i, j]:.3g}" for i, j in places]
    return f"Weights of {table.shape[0]:,} units by {table.shape[1]:,} columns, the strongest: {'; '.join(found)}."


def _only(weights: ArrayLike) -> str:
    """How many of the columns the map shows, where it is not all of them; else ""."""
    every, shown = np.asarray(weights).shape[1], len(drawn(weights))
    return f"The {shown} columns of the largest weights, of {every:,}." if shown < every else ""
