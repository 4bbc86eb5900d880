"""Plotly figures of trainings, models, samples and comparisons.

Plotly is an extra: ``pip install 'boltzcore[plot]'``.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from boltzcore.display import Displayed
from boltzcore.measures.merit import in_words
from boltzcore.plotting import drawing, images
from boltzcore.plotting.drawing import AXES, Figure
from boltzcore.plotting.results import drawn, picture, training_curves
from boltzcore.training.loop import Record

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as PlotlyFigure

__all__ = ["plot", "plot_samples", "plot_training"]


def plot(result: Displayed, **options: Any) -> "PlotlyFigure":
    """Return a Plotly figure of a training (`Fit`), a comparison (`Result`) or a model.

    Parameters
    ----------
    result
        Of a training the figure that judges its model is drawn, of all splits of the data; of a comparison every trial
        and the medians; of an RBM its receptive fields, of an FVBM its couplings, of a log-linear model its largest
        terms.
    options
        Of a training `figure`, a name in its records, and `axis`: "epochs", "updates", "work" or "seconds". Of a model
        `kind`: "parameters", or "samples" of the model; `shape`: (height, width) of its rows as images, a square by
        default where they make one; `names` of its columns (`Names`); `order` of couplings: "table", "clustered", which
        puts strongly coupled columns next to each other, or "strength"; `seed` of the samples.

    Raises
    ------
    Refusal
        If there is nothing of this kind to draw.
    ImportError
        If Plotly is not installed.

    >>> from boltzcore import Recipe, fit
    >>> history = fit(Recipe("rbm", "bars-and-stripes", "CD"))
    >>> len(history.plot().data), history.chosen.model.plot(kind="samples").data[0].type
    (2, 'image')
    """
    return _plotly(drawn(result, **options))


def plot_training(
    records: Sequence[Record] | Mapping[str, Sequence[Record]],
    figure: str = "test_log_likelihood",
    *,
    axis: str = "epochs",
) -> "PlotlyFigure":
    """Plot a figure of one or several trainings over time.

    Parameters
    ----------
    records
        The records of a training, or {name: records} of several.
    figure
        The name of a figure in the records.
    axis
        "epochs", "updates", "work" or "seconds".

    Raises
    ------
    ValueError
        If no record has the figure, or the axis is unknown.

    >>> from boltzcore import Recipe, fit
    >>> from boltzcore.plotting import plot_training
    >>> found = fit(Recipe("rbm", "bars-and-stripes", "CD"))
    >>> len(plot_training(found.records, "train_log_likelihood").data)
    1
    """
    trainings = records if isinstance(records, Mapping) else {in_words(figure): records}
    if axis not in AXES:
        raise ValueError(f"axis must be one of {', '.join(AXES)}, not {axis!r}.")
    title = in_words(figure)
    lines = [(name, of, figure) for name, of in trainings.items()]
    drawn = training_curves(lines, drawing.axis_titles("Work")[axis], f"{title[:1].upper()}{title[1:]}", axis)
    if not drawn["data"]:
        raise ValueError(f"figure must be one that a record has, not {figure!r}.")
    if len(trainings) > 1:
        drawing.show_legend(drawn)
    return _plotly(drawn)


def plot_samples(rows: ArrayLike, shape: tuple[int, int]) -> "PlotlyFigure":
    """Plot the first 72 rows of pixels from 0 (black) to 1 (white) as images of this (height, width).

    >>> from boltzcore.plotting import plot_samples
    >>> plot_samples([[0, 1, 1, 0]], (2, 2)).data[0].type
    'image'
    """
    return _plotly(picture(images.pixel_tiles(rows, shape)))


def _plotly(figure: Figure) -> "PlotlyFigure":
    """Return a figure of Plotly. Raises ImportError if it is not installed."""
    try:
        from plotly.graph_objects import Figure as PlotlyFigure
    except ImportError:
        raise ImportError("Figures need Plotly: pip install 'boltzcore[plot]'.") from None
    return PlotlyFigure(figure)
