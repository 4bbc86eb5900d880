"""Drawings of a training of any model: every figure by its name, parameters as their arrays."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Examples
from boltzcore.measures.measure import SHARE
from boltzcore.measures.merit import describe_measure, judging, sign, title_of
from boltzcore.names import Names, column_names
from boltzcore.plotting import drawing, images
from boltzcore.plotting.drawing import Figure
from boltzcore.quoting import number
from boltzcore.registry import unit_of
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Recipe
from pages.figures.curves import Line, TrainingCurves, curves
from pages.figures.measurements import percent

MOST = 256  # rows and columns of an array that are drawn


def judge(records: Sequence[Record], recipe: Recipe) -> str | None:
    """Return the figure that judges a training; None if none was measured."""
    return judging(records[-1].values, recipe.entry.merit) if records else None


def headline(name: str) -> str:
    """Return a figure as a title: "Log-likelihood of the training rows"."""
    text = title_of(name)
    return text[:1].upper() + text[1:]


def in_unit(name: str, value: float) -> str:
    """Return a figure with its unit."""
    if unit_of(name) == SHARE:
        return percent(value)
    return f"{number(value)} {unit_of(name)}".rstrip()


def goodness(recipe: Recipe, reached: float, judge: str) -> str:
    """Quality of a model of this recipe, by its merit; judge : the figure that it is, "" if that is unknown."""
    figures = [judge] if judge else recipe.entry.merit
    names = " or ".join(dict.fromkeys(map(describe_measure, figures)))
    return f"{names} {in_unit(figures[0], sign(figures[0]) * reached)}"


def plot_over_time(training: TrainingCurves, name: str, *, least: float = 0.0) -> Figure:
    """Draw one figure of trainings over time.

    least : the least span of the axis, so that rounding noise is not visible
    """

    def limits(values: list[float]) -> tuple[float, float]:
        low, high = min(values, default=0.0), max(values, default=1.0)
        room = max((high - low) / 20, (least - high + low) / 2)  # the former for the ring
        return drawing.round_limits(low - room, high + room)

    line, title = Line(name, training.curve.name), unit_of(name) or headline(name)
    return curves(training, title, [line], limits, legend=bool(training.pinned), judges=[(name, "best")])


def size(array: NDArray) -> str:
    """Size of an array: "3 × 4 numbers"."""
    return f"{' × '.join(f'{length:,}' for length in array.shape)} number{'s' * (array.size != 1)}"


def as_picture(array: ArrayLike) -> images.Tiles:
    """Return an array as one tile, rows below each other: at most the first 256 rows and columns."""
    table = np.asarray(array)
    table = table.reshape(1, -1) if table.ndim < 2 else table.reshape(len(table), -1)
    table = table[:MOST, :MOST]
    height, width = table.shape
    return images.weight_tiles(table.reshape(1, -1), (height, width))


def brightness(rows: Examples) -> NDArray[np.float64]:
    """Return codes as pixels from 0 to 1."""
    return rows.v / np.maximum(np.asarray(rows.levels) - 1, 1)


def table(rows: Examples, names: Names | None) -> dict[str, list[Any]]:
    """Return rows of codes as columns of a table, with the names of columns and categories, if they have any."""
    columns = column_names(names, rows.n_visible)
    categories = names.categories if names and names.categories else [()] * len(columns)
    return {
        name: [texts[code] if code < len(texts) else int(code) for code in codes]
        for name, texts, codes in zip(columns, categories, rows.v.T, strict=True)
    }
