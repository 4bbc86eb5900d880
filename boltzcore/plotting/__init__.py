"""Plotly figures of trainings, models, samples and comparisons.

Plotly is an extra: ``pip install 'boltzcore[plot]'``.
"""

import base64
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from boltzcore.comparison.result import Result
from boltzcore.measures.merit import in_words
from boltzcore.models import CRBM, FVBM, RBM, InfiniteRBM
from boltzcore.names import column_names
from boltzcore.plotting import comparison_curves, couplings, drawing, images
from boltzcore.plotting.drawing import AXES, Figure
from boltzcore.training.loop import Record

if TYPE_CHECKING:
    from plotly.graph_objects import Figure as PlotlyFigure

__all__ = ["plot_comparison", "plot_couplings", "plot_receptive_fields", "plot_samples", "plot_training"]


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
    drawn = drawing.blank(drawing.axis_titles("Work")[axis], f"{title[:1].upper()}{title[1:]}")
    for i, (name, of) in enumerate(trainings.items()):
        known = [r for r in of if drawing.is_known(r, figure)]
        x, y = [float(AXES[axis](r)) for r in known], [float(r.values[figure]) for r in known]
        colours, dashes = comparison_curves.COLOURS, comparison_curves.DASHES
        colour, dash = colours[i % len(colours)], dashes[i // len(colours) % len(dashes)]
        if known:
            drawn["data"].append(drawing.drawn_line(x, y, drawing.labels([name], 60)[0], colour, 2.5, dash))
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
    return _picture(images.weight_tiles(weights, shape))


def plot_samples(rows: ArrayLike, shape: tuple[int, int]) -> "PlotlyFigure":
    """Plot the first 72 rows of pixels from 0 (black) to 1 (white) as images of this (height, width).

    >>> from boltzcore.plotting import plot_samples
    >>> plot_samples([[0, 1, 1, 0]], (2, 2)).data[0].type
    'image'
    """
    return _picture(images.pixel_tiles(rows, shape))


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


def _picture(tiles: images.Tiles) -> "PlotlyFigure":
    source = "data:image/png;base64," + base64.b64encode(tiles.png).decode()
    hidden = {"visible": False}
    layout: Figure = {"width": tiles.width, "height": tiles.height, "margin": dict.fromkeys("lrtb", 0)}
    trace = {"type": "image", "source": source, "hoverinfo": "skip"}
    return _plotly({"data": [trace], "layout": layout | {"xaxis": hidden, "yaxis": hidden}})


def _plotly(figure: Figure) -> "PlotlyFigure":
    try:
        from plotly.graph_objects import Figure as PlotlyFigure
    except ImportError:
        raise ImportError("Figures need Plotly: pip install 'boltzcore[plot]'.") from None
    return PlotlyFigure(figure)
