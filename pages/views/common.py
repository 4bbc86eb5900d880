"""What the views of several models draw alike."""

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.data.examples import Examples
from boltzcore.figures import images
from boltzcore.runs.recipe import Recipe
from pages.parts.plot import picture

Figures = list[tuple[str, str, str]]  # name, value, and what it is

LARGE, CHART_HEIGHT = 400, 260
SCALE_WIDTH = 120  # with a figure on either side it fits the narrowest screen


def first_images(dataset: Dataset, recipe: Recipe, count: int = images.PER_PAGE) -> Examples:
    """The first training images as the first epoch sees them."""
    return dataset.train.head(count).epoch(0, recipe.schedule.seed)


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
