"""What any model shows while it trains: what judges it, every figure that is measured, its parameters as they are."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.figures import anything, images, reading
from boltzcore.figures.drawing import Along
from boltzcore.runs.course import Course
from boltzcore.runs.engine import Snapshot
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import Record
from pages.parts.plot import live_plot, picture
from pages.views.common import CHART_HEIGHT, IN_A_ROW, LARGE, Figures, first_images, scale

TILES = ""
PREVIEW = (
    "**Press Play**\n\n"
    "What judges the model is drawn here while it learns. Below it: every other figure that is measured, and the "
    "model's **parameters**."
)
MEASURED = "Measured at each record, over at most 5,000 rows of a split, or told by the learner as it goes."
PARAMETERS = (
    "The numbers that make the model, drawn as they lie in its arrays: blue positive, red negative, white zero."
)


def units(snapshot: Snapshot) -> int:
    return 0


def preview(recipe: Recipe, course: Course) -> None:
    dataset = course.dataset
    about = f"**What it learns from**: {recipe.data.title}, {len(dataset.train):,} rows"
    st.markdown(about, help=recipe.data.about)
    rows = first_images(dataset, recipe)
    if dataset.shape is None:
        st.dataframe(anything.table(rows, dataset.names), hide_index=True)
        return
    shown = images.pixel_tiles(anything.brightness(rows), dataset.shape)
    picture(shown.png, f"The first rows of {recipe.data.title}.", width=shown.width)


def figures(snapshot: Snapshot, recipe: Recipe) -> Figures:
    return _figures(snapshot.records)


def compared(records: Sequence[Record], recipe: Recipe, course: Course | None) -> Figures:
    return _figures(records)


def _figures(records: Sequence[Record]) -> Figures:
    values = records[-1].values if records else {}
    return [(anything.titled(name), anything.in_unit(name, value), MEASURED) for name, value in values.items()]


def curve(shown: reading.Curve, beside: reading.Curve | None, snapshot: Snapshot, recipe: Recipe, along: Along) -> None:
    """The figure that judges the model."""
    judge = anything.judge(shown.records, recipe)
    if judge is None:
        st.markdown("**Nothing that judges this model is measured.**" if shown.records else "**Nothing measured yet.**")
        return
    st.markdown(f"**{anything.titled(judge)}**", help=MEASURED)
    best = snapshot.best.count if snapshot.best else None
    figure = anything.over_time(shown, judge, pinned=beside, along=along, changes=recipe.changes, best=best)
    alt = reading.sentence(shown.records, judge, anything.titled(judge))
    live_plot(figure, key="curve", height=LARGE, alt=alt, version=snapshot.version)


def show(snapshot: Snapshot, recipe: Recipe, along: Along, page: int) -> None:
    """Every other figure over time, and the parameters."""
    judge = anything.judge(snapshot.records, recipe)
    names = [name for name in anything.measured(snapshot.records) if name != judge]
    mine = reading.curve(recipe.learner, snapshot.records)
    for first in range(0, len(names), IN_A_ROW):
        for column, name in zip(st.columns(IN_A_ROW, gap="medium"), names[first : first + IN_A_ROW], strict=False):
            with column:
                st.markdown(f"**{anything.titled(name)}**", help=MEASURED)
                figure = anything.over_time(mine, name, along=along, changes=recipe.changes)
                alt = reading.sentence(snapshot.records, name, anything.titled(name))
                live_plot(figure, key=f"figure {name}", height=CHART_HEIGHT, alt=alt, version=snapshot.version)
    st.markdown("**Parameters**", help=PARAMETERS)
    for name, array in anything.parameters(snapshot.state.model).items():
        _array(name, array)


goodness = anything.goodness


def look_into(model: Any, dataset: Dataset, key: str) -> None:
    """A model out of a file: its parameters."""
    st.subheader("Parameters", anchor=False)
    for name, array in anything.parameters(model).items():
        _array(name, array)


def _array(name: str, array: Any) -> None:
    alt = f"{name}: {anything.size(array)}"
    tiles = anything.as_picture(array)
    st.caption(alt)
    picture(tiles.png, f"{alt}, from {-tiles.limit:g} in red to {tiles.limit:g} in blue.", width=tiles.width)
    scale(tiles.limit)
