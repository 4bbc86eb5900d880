"""Plotly figures of trainings, models, samples and comparisons.

Plotly is an extra: ``pip install 'boltzcore[plot]'``.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from boltzcore.comparison.result import Result
from boltzcore.display import Displayed
from boltzcore.measures.merit import in_words
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM
from boltzcore.names import column_names
from boltzcore.plotting import comparison_curves, couplings, drawing, images
from boltzcore.plotting.drawing import AXES, Figure
from boltzcore.plotting.results import drawn, picture, training_curves
from boltzcore.training.loop import Record

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as PlotlyFigure

__all__ = [
    "plot",
    "plot_comparison",
    "plot_couplings",
    "plot_receptive_fields",
    "plot_samples",
    "plot_training",
]


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
        default where they make one; `names` of its columns (`Names`); `seed` of the samples.

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


def plot_receptive_fields(model: RBM | InfiniteRBM | CRBM, shape: tuple[int, int]) -> "PlotlyFigure":
    """Plot the weights of the first 72 hidden units as images of this (height, width), blue positive, red negative.

    >>> from boltzcore.models import RBM
    >>> from boltzcore.plotting import plot_receptive_fields
    >>> plot_receptive_fields(RBM([[0.5, 1], [-1, 0]], [0, 0], [0, 0]), (1, 2)).data[0].type
    'image'
    """
    weights = model.units[:, :-1] if isinstance(model, InfiniteRBM) else model.W.T
    return _plotly(picture(images.weight_tiles(weights, shape)))


def plot_samples(rows: ArrayLike, shape: tuple[int, int]) -> "PlotlyFigure":
    """Plot the first 72 rows of pixels from 0 (black) to 1 (white) as images of this (height, width).

    >>> from boltzcore.plotting import plot_samples
    >>> plot_samples([[0, 1, 1, 0]], (2, 2)).data[0].type
    'image'
    """
    return _plotly(picture(images.pixel_tiles(rows, shape)))


def plot_couplings(model: FVBM, names: Sequence[str] | None = None, *, order: str = couplings.TABLE) -> "PlotlyFigure":
    """Plot the couplings of all pairs of columns, and the biases, as a heat map.

    Parameters
    ----------
    names
        Names of the columns; x1, x2 and so on if None.
    order
        "table", "clustered" (strongly coupled columns next to each other) or "strength".

    >>> from boltzcore.models import FVBM
    >>> from boltzcore.plotting import plot_couplings
    >>> plot_couplings(FVBM([[0, 1], [1, 0]], [0, 0]), ["tea", "milk"]).data[0].type
    'heatmap'
    """
    called = column_names(None, model.n_visible) if names is None else names
    return _plotly(couplings.heat_map(model.M, model.b, called, order=order))


def plot_comparison(result: Result) -> "PlotlyFigure":
    """Plot every trial of a comparison over its cost, and the median of each contender.

    >>> from boltzcore import Comparison, Recipe, compare
    >>> from boltzcore.plotting import plot_comparison
    >>> contenders = {"CD-1": {}, "CD-9": {"CD.K": 9}}
    >>> result = compare(Comparison(Recipe("rbm", "bars-and-stripes", "CD"), contenders, trials=2, budget=50_000))
    >>> sorted({line.name for line in plot_comparison(result).data})
    ['CD-1', 'CD-9']
    """
    return _plotly(comparison_curves.merits(result))


def _plotly(figure: Figure) -> "PlotlyFigure":
    """Return a figure of Plotly. Raises ImportError if it is not installed."""
    try:
        from plotly.graph_objects import Figure as PlotlyFigure
    except ImportError:
        raise ImportError("Figures need Plotly: pip install 'boltzcore[plot]'.") from None
    return PlotlyFigure(figure)
