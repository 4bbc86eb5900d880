"""What the views of several models draw alike."""

from typing import Any

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.data.examples import Examples
from boltzcore.figures import drawing, images
from boltzcore.runs.course import Course
from boltzcore.runs.recipe import Recipe
from pages.parts.plot import picture

LARGE, CHART_HEIGHT = drawing.HEIGHT, 260
IN_A_ROW = 3  # charts
SCALE_WIDTH = 120  # with a figure on either side it fits the narrowest screen


def first_images(dataset: Dataset, recipe: Recipe, count: int = images.PER_PAGE) -> Examples:
    """The first training images as the first epoch sees them."""
    return dataset.train.head(count).epoch(0, recipe.schedule.seed)


def data_of(course: Course | None) -> Dataset | None:
    """The data of a training; None until they are loaded."""
    return course.dataset if course else None


def same_rows(dataset: Dataset | None) -> bool:
    """Whether the rows that are tested are those that are learnt from."""
    return dataset is not None and dataset.test is dataset.train


def tile_shape(dataset: Dataset) -> tuple[int, int]:
    """The shape in which a row is drawn: that of its image, or a line where it is none."""
    return dataset.shape or (1, dataset.train.n_visible)


def scale(limit: float) -> None:
    """The colours of weights, from -limit to limit."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"\N{MINUS SIGN}{limit:g}", width="content")
        picture(
            images.weight_scale(),
            f"Colour scale from minus {limit:g} in red over zero in white to {limit:g} in blue.",
            width=SCALE_WIDTH,
        )
        st.caption(f"{limit:g}", width="content")


def weights(title: str, what: str, rows: Any, shape: tuple[int, int]) -> None:
    """Weights as tiles, page by page."""
    st.subheader(title, anchor=False)
    pages = images.pages(len(rows))
    page = st.pagination(pages, key=f"page of {title}") if pages > 1 else 1
    tiles = images.weight_tiles(rows, shape, page=page - 1)
    alt = f"{what} {tiles.first} to {tiles.last} of {tiles.count}"
    picture(tiles.png, f"{alt}: blue positive, red negative, white zero.")
    st.caption(f"{alt}; blue is positive, red negative, white zero, darkest at ±{tiles.limit:g}.")
