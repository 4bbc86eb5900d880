"""What the views of several models draw alike."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.data.examples import Examples
from boltzcore.figures import charts, columns, drawing, images, naming, reading
from boltzcore.figures.frame import Chart, Frame, Item, Panel, ViewInputs
from boltzcore.names import Names
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from pages.common.picture import picture
from pages.frames.component import play
from pages.frames.films import Film

LARGE, CHART_HEIGHT = drawing.HEIGHT, 260
IN_A_ROW = 3  # charts
SCALE_WIDTH = 120  # with a figure on either side it fits the narrowest screen
_previews: WeakKeyDictionary[PreparedData, tuple[images.Tiles, ...]] = WeakKeyDictionary()


def first_images(dataset: Dataset, recipe: Recipe, count: int = images.PER_PAGE) -> Examples:
    """The first training images as the first epoch sees them."""
    return dataset.train.head(count).epoch(0, recipe.schedule.seed)


def preview_tiles(
    recipe: Recipe, prepared: PreparedData, draw: Callable[[], tuple[images.Tiles, ...]]
) -> tuple[images.Tiles, ...]:
    """The pictures of a preview: drawn once for all visitors, and kept while the prepared data are. Those of somebody's
    own data are drawn each time.
    """
    if recipe.private:
        return draw()
    if (tiles := _previews.get(prepared)) is None:
        tiles = _previews[prepared] = draw()
    return tiles


def data_of(prepared: PreparedData | None) -> Dataset | None:
    """The data of a training; None until they are loaded."""
    return prepared.dataset if prepared else None


def same_rows(dataset: Dataset | None) -> bool:
    """Whether the rows that are tested are those that are learnt from."""
    return dataset is not None and dataset.test is dataset.train


def shape_of(dataset: Dataset | None, n_visible: int) -> tuple[int, int] | None:
    """The shape in which rows are drawn: that of their images, None of a table's; of what no data say, a square
    where it is one.
    """
    return images.square(n_visible) if dataset is None else dataset.shape


def exact_likelihood(inputs: ViewInputs, about: str, best: int | None = None) -> Panel:
    """The exact log-likelihood, beside that of the truth where it is known.

    about : what the panel says of itself
    best : the update of the best state, which is marked then
    """
    dataset, kind = inputs.snapshot.prepared.dataset, reading.EXACT
    alike = same_rows(dataset)
    figure = charts.likelihood(
        inputs.shown,
        which=kind,
        pinned=inputs.beside,
        base_rate=inputs.snapshot.base_rate,
        upper_bound=charts.upper_bound(dataset),
        truth=charts.truth(dataset),
        alike=alike,
        changes=inputs.recipe.changes,
        best=best,
        along=inputs.along,
    )
    describe = partial(reading.sentence, key=kind.train if alike else kind.test, name=kind.title)
    alt = naming.together(describe(inputs.shown.records), inputs.shown, inputs.beside, describe)
    return Panel(kind.title, Chart(figure, CHART_HEIGHT, alt), ", exact", about)


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


def weights(title: str, what: str, rows: Any, shape: tuple[int, int] | None, names: Names | None = None) -> None:
    """Weights of units page by page: as tiles, or, of rows that are no images, by the names of their columns."""
    st.header(title, anchor=False)
    pages = images.pages(len(rows))
    page = st.pagination(pages, key=f"page of {title}") if pages > 1 else 1
    if shape is None:
        _by_column(title, rows, names, (page - 1) * images.PER_PAGE)
        return
    tiles = images.weight_tiles(rows, shape, page=page - 1)
    alt = f"{what} {tiles.first} to {tiles.last} of {tiles.count}"
    picture(tiles.png, f"{alt}: blue positive, red negative, white zero.")
    st.caption(f"{alt}; blue is positive, red negative, white zero, darkest at ±{tiles.limit:g}.")


def _by_column(title: str, rows: Any, names: Names | None, first: int) -> None:
    shown, limit = rows[first : first + images.PER_PAGE], images.symmetric_limit(rows)
    units = [str(first + i + 1) for i in range(len(shown))]
    digest = hashlib.blake2s(rows.tobytes(), digest_size=16).hexdigest()
    panel = Item("weights", (), lambda: columns.panel("", shown, names, units, limit=limit), "samples")
    film = Film((title, digest, names, first), 1, lambda _: Frame(curve=panel))
    play(f"{title} {digest} {first}", film, page="library", every=1.0, height=columns.height(shown))
