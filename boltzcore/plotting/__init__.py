"""Plotly figures of trainings, models, samples and comparisons.

Plotly is an extra: ``pip install 'boltzcore[plot]'``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from boltzcore.display import Displayed
from boltzcore.plotting import images
from boltzcore.plotting.drawing import Figure
from boltzcore.plotting.results import drawn, picture
from boltzcore.training.loop import Fit

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as PlotlyFigure

__all__ = ["plot", "plot_samples"]


def plot(result: Displayed | Mapping[str, Fit], **options: Any) -> "PlotlyFigure":
    """Return a Plotly figure of a training (`Fit`), of several ({name: training}), a comparison (`Result`) or a model.

    Parameters
    ----------
    result
        A training is drawn as the figure that judges its model, for all splits of the data; a comparison as every trial
        and the medians; an RBM as its receptive fields, an FVBM as its couplings, a Potts model as the strength of the
        couplings of each pair of columns, a log-linear model as its largest terms.
    options
        For a training `figure`, a name in its records, and `axis`: "epochs", "updates", "work" or "seconds". For a
        model `kind`: "parameters", or "samples" of the model; `shape`: (height, width) of its rows as images, a square
        by default if possible; `names` of its columns (`Names`); `order` of couplings: "table", "clustered", which puts
        strongly coupled columns next to each other, or "strength"; `pair`, the names of two columns of a Potts model,
        for the couplings of their values; `seed` of the samples.

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


def plot_samples(rows: ArrayLike, shape: tuple[int, int]) -> "PlotlyFigure":
    """Plot the first 72 rows of pixels from 0 (black) to 1 (white) as images of this (height, width).

    >>> from boltzcore.plotting import plot_samples
    >>> plot_samples([[0, 1, 1, 0]], (2, 2)).data[0].type
    'image'
    """
    return _plotly(picture(images.pixel_tiles(rows, shape)))


def _plotly(figure: Figure) -> "PlotlyFigure":
    """Return a Plotly figure object. Raises ImportError if Plotly is not installed."""
    try:
        from plotly.graph_objects import Figure as PlotlyFigure
    except ImportError:
        raise ImportError("Figures need Plotly: pip install 'boltzcore[plot]'.") from None
    return PlotlyFigure(figure)
