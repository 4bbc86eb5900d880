"""Drawing that the views of several models share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from boltzcore.data import Dataset
from boltzcore.data.examples import Examples
from boltzcore.plotting import drawing, images
from boltzcore.plotting.drawing import Figure
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from pages.figures import charts, measurements
from pages.figures.frame import Chart, Panel, ViewInputs

LARGE, CHART_HEIGHT = drawing.HEIGHT, 260
IN_A_ROW = 3  # charts


def first_images(dataset: Dataset, recipe: Recipe, count: int = images.PER_PAGE) -> Examples:
    """Return the first training images as the first epoch sees them."""
    return dataset.train.head(count).epoch(0, recipe.schedule.seed)


def data_of(prepared: PreparedData | None) -> Dataset | None:
    """Return the data of a training; None until they are loaded."""
    return prepared.dataset if prepared else None


def same_rows(dataset: Dataset | None) -> bool:
    """True if the test rows are the training rows."""
    return dataset is not None and dataset.test is dataset.train


def curve_chart(
    inputs: ViewInputs,
    figure: Figure,
    describe: Callable[[Sequence[Record]], str],
    alt: str = "",
    *,
    height: int = CHART_HEIGHT,
) -> Chart:
    """The chart of a training's curve, beside pinned ones.

    describe : says records in words; alt : the words on the training's own, if they are others
    """
    alt = alt or describe(inputs.shown.records)
    if inputs.beside:
        pinned = (f"Pinned, {each.name}: {describe(each.records)}" for each in inputs.beside)
        alt = " ".join([f"{inputs.shown.name}: {alt}", *pinned])
    return Chart(figure, height, alt)


def exact_likelihood(inputs: ViewInputs, about: str, best: int | None = None) -> Panel:
    """Return the panel of the exact log-likelihood, with that of the truth if it is known.

    about : explanation of the panel
    best : the update of the best state, if it is to be marked
    """
    dataset, kind = inputs.snapshot.prepared.dataset, measurements.EXACT
    alike = same_rows(dataset)
    figure = charts.likelihood(
        replace(inputs.curves, best=best),
        which=kind,
        base_rate=inputs.snapshot.base_rate,
        upper_bound=charts.upper_bound(dataset),
        truth=charts.truth(dataset),
        alike=alike,
    )
    describe = partial(measurements.sentence, key=kind.train if alike else kind.test, name=kind.title)
    return Panel(kind.title, curve_chart(inputs, figure, describe), ", exact", about)
