"""View of any model while it trains: its merit, every figure that is measured, and its parameters as they are."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.plotting import images
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from pages.common.picture import Still, note, picture
from pages.figures import generic, measurements, packing
from pages.figures.frame import Chart, Figures, Frame, Item, NamedFigure, Panel, Picture, ViewInputs
from pages.views.common import CHART_HEIGHT, IN_A_ROW, LARGE, curve_chart, first_images
from pages.web.encoding import data_uri

MEASURED = "Measured at each record, over at most 5,000 rows of a split, or reported by the learner."
PARAMETERS = "The arrays of the model: blue is positive, red negative, white zero."


def preview(recipe: Recipe, prepared: PreparedData) -> None:
    dataset = prepared.dataset
    rows = ("row" if (shape := dataset.shape) is None else "image") + "s" * (len(dataset.train) != 1)
    rows += "" if dataset.train.gaps is None else f", {len(dataset.train.gaps):,} more with gaps"
    st.markdown(f"**Training data**: {recipe.data.title}, {len(dataset.train):,} {rows}", help=recipe.data.about)
    if shape is None:
        first = first_images(dataset, recipe)
        st.dataframe(generic.table(first, dataset.names), hide_index=True)
        values = generic.brightness(first)
        lines = images.pixel_tiles(values.reshape(1, -1), values.shape)
        note(Still(data_uri(lines.png), f"The first rows of {recipe.data.title}, white where a value is 1."))
        return
    shown = images.pixel_tiles(generic.brightness(first_images(dataset, recipe)), shape)
    picture(shown.png, f"The first images of {recipe.data.title}.", width=shown.width)


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot = inputs.snapshot
    curve = Item("curve", inputs.chart_sources, lambda: _curve(inputs), "numbers")
    if snapshot.state is None:
        return Frame(_figures(snapshot.records), curve)
    judge = generic.judge(snapshot.records, inputs.recipe)
    names = [each for each in dict.fromkeys(n for record in snapshot.records for n in record.values) if each != judge]
    figures = [Item(f"figure {n}", inputs.curve_sources, partial(_figure, inputs, n), "numbers") for n in names]
    arrays, of = packing.parameters(snapshot.state.model).items(), inputs.parameter_sources
    parameters = [Item(f"array {name}", of, partial(_array, name, it), "samples") for name, it in arrays if it.size]
    rows = [tuple(figures[first : first + IN_A_ROW]) for first in range(0, len(figures), IN_A_ROW)]
    return Frame(_figures(snapshot.records), curve, below=(*rows, tuple(parameters)))


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    return _figures(records)


def _figures(records: Sequence[Record]) -> Figures:
    values = records[-1].values if records else {}
    return [
        NamedFigure(generic.headline(name), generic.in_unit(name, value), MEASURED, measured=True)
        for name, value in values.items()
    ]


def _curve(inputs: ViewInputs) -> Panel:
    """Return the panel of the figure that judges the model."""
    records = inputs.shown.records
    if (judge := generic.judge(records, inputs.recipe)) is None:
        return Panel("No measure of this model's quality" if records else "Not measured yet")
    describe = partial(measurements.sentence, key=judge, name=generic.headline(judge))
    chart = curve_chart(inputs, generic.plot_over_time(inputs.curves, judge), describe, height=LARGE)
    return Panel(generic.headline(judge), chart, about=MEASURED, choices=(inputs.axis,))


def _figure(inputs: ViewInputs, name: str) -> Panel:
    """Return the panel of any other figure over time."""
    figure = generic.plot_over_time(inputs.curves.alone, name)
    chart = Chart(figure, CHART_HEIGHT, measurements.sentence(inputs.snapshot.records, name, generic.headline(name)))
    return Panel(generic.headline(name), chart, about=MEASURED)


def _array(name: str, array: Any) -> Panel:
    rest = f": {generic.size(array)}"
    tiles = generic.as_picture(array)
    alt = f"{name}{rest}, from {-tiles.limit:g} in red to {tiles.limit:g} in blue."
    return Panel(name, (Picture.from_tiles(tiles, alt),), rest, PARAMETERS)


goodness = generic.goodness
