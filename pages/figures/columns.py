"""Weights of units by the columns of a table, in place of the tiles of pixels that images have."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.names import Names, column_names
from boltzcore.plotting import drawing
from boltzcore.quoting import cut
from pages.figures.frame import Chart, Choice, Panel

MOST = 60  # columns that are drawn: those of the largest weights, in the table's order
_LINE, _AROUND = 18, 90  # pixels of a column, and around the map
_CHARACTERS, _CHARACTER = 18, 7  # of a label, and the pixels of each
_TICKS, _STRONGEST = 16, 5


ABOUT = (
    "Weights between the columns of the table (rows) and the hidden units (across). Blue: the column's second value "
    "switches the unit on; red: off. Hover over a square for its value."
)


def panel(
    title: str,
    weights: NDArray[Any],
    names: Names | None,
    units: Sequence[str],
    *,
    rest: str = "",
    below: str = "",
    choices: tuple[Choice, ...] = (),
    limit: float,
) -> Panel:
    """Weights of hidden units, (units, columns), by the names of a table's columns: a line for each column, of at most
    `MOST`, a place across for each unit.

    units : their names; limit : of the colours
    """
    called = column_names(names, weights.shape[1])
    strongest = np.argsort(-np.abs(weights).max(axis=0, initial=0.0), kind="stable")[:MOST]
    shown = np.sort(strongest)
    labels = drawing.labels([called[i] for i in shown], _CHARACTERS)
    unit_labels = drawing.labels(units, _CHARACTERS)
    figure = drawing.heat_map(weights[:, shown].T, unit_labels, labels, limit, "%{y}, hidden unit %{x}: %{z}")
    figure["layout"]["margin"] = {"l": 18 + _CHARACTER * max(map(len, labels)), "r": 12, "t": 36, "b": 40}
    figure["layout"]["xaxis"] |= {"tickangle": 0, "nticks": _TICKS, "title": {"text": "hidden unit"}}
    height = max(drawing.HEIGHT, _AROUND + _LINE * len(shown))
    only = f"The {MOST} columns with the largest weights, of {len(called):,}." if len(called) > MOST else ""
    chart = Chart(figure, height, _sentence(weights, called, units))
    return Panel(title, chart, rest, ABOUT, " ".join(filter(None, (below, only))), choices)


def _sentence(weights: NDArray[Any], columns: Sequence[str], units: Sequence[str]) -> str:
    """Return the strongest weights in words, as text alternative of the map."""
    few = np.argsort(-np.abs(weights), axis=None, kind="stable")[:_STRONGEST]
    places = (np.unravel_index(at, weights.shape) for at in few)
    found = [f"{cut(columns[j])}, hidden unit {units[i]}, {weights[i, j]:.3g}" for i, j in places]
    return f"Weights of {weights.shape[0]:,} units by {weights.shape[1]:,} columns, the strongest: {'; '.join(found)}."
