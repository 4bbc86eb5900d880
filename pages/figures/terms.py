"""Terms of a log-linear model: meaning, gain and cost, number by order, and the variables that share them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.learners.base import Learner, State
from boltzcore.learners.log_linear.greedy import GreedyMDL, GreedyState, prices_of
from boltzcore.measures.estimates import Estimates
from boltzcore.measures.term_estimates import odds_ratio, odds_ratios
from boltzcore.models import LogLinear
from boltzcore.models.spectrum import Layout
from boltzcore.models.term_words import case
from boltzcore.names import Names
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import Figure
from boltzcore.quoting import cut
from pages.figures.frame import Column, Table

LEVEL = 0.95  # of intervals
WITH_INTERVAL = "{} ({}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{})"
LISTED = 500  # terms in the table
_WIDTHS = (1.0, 2.0, 3.5, 5.5, 8.0)  # pixels of an edge
_AROUND = 10  # characters of a name next to a point


@dataclass(frozen=True, eq=False)
class Purchases:
    """Purchases of the terms of a model.

    gains, prices : (terms,) nats per example; updates : (terms,) when each was bought
    """

    gains: NDArray[np.float64]
    prices: NDArray[np.float64]
    updates: NDArray[np.int64]


def get_purchases(state: State, learner: Learner, dataset: Dataset) -> Purchases | None:
    """Return the purchases of a greedy search; None for a learner that buys no terms."""
    if not (isinstance(state, GreedyState) and isinstance(learner, GreedyMDL)):
        return None
    return Purchases(state.gains, prices_of(learner, state.model, dataset.train), state.bought)


def table(
    model: LogLinear, names: Names | None = None, purchases: Purchases | None = None, found: Estimates | None = None
) -> Table:
    """Return a table with a line for each term, the strongest first; at most `LISTED`.

    found : the values of maximum likelihood, with intervals
    """
    every = model.layout.digits(model.terms)
    order, signs = np.count_nonzero(every, axis=1), np.where(model.values > 0, 1, -1)
    shown = np.argsort(-(2.0**order) * np.abs(model.values), kind="stable")[:LISTED]
    more, less = (
        [case(y, sign * side, model.cardinalities, names) for y, sign in zip(every[shown], signs[shown], strict=True)]
        for side in (1, -1)
    )
    odds = odds_ratio(order, np.abs(model.values))[shown]
    listed = [Column("More often", tuple(more)), Column.from_numbers("Odds ratio", odds, ".3g")]
    if found is not None:
        ratios = zip(("Estimate", "95 % from", "to"), odds_ratios(found, order, signs, LEVEL), strict=True)
        estimate, *ends = (Column.from_numbers(title, each[shown], ".3g", "file") for title, each in ratios)
        texts = tuple(map(WITH_INTERVAL.format, estimate.texts, *(each.texts for each in ends)))
        listed += [replace(estimate, texts=texts, room=""), *ends]
        listed.append(Column.from_numbers("p, Holm", found.holm[shown], ".2g"))
    listed.append(Column.from_numbers("Value", model.values[shown], ".3f", "wide"))
    listed.append(Column("Less often", tuple(less), room="file"))
    if purchases is not None:
        room = "wide" if found else ""
        listed += [
            Column.from_numbers("Gain", purchases.gains[shown], ".4f", room),
            Column.from_numbers("Price", purchases.prices[shown], ".4f", room),
            Column.from_numbers("Update", purchases.updates[shown], room="wide"),
        ]
    return Table("terms", tuple(listed))


# -- pictures -----------------------------------------------------------------------------------------


def _free_columns(model: LogLinear) -> NDArray[np.int64]:
    """Return the variables of more than one value, at most 26: no term depends on any other."""
    return np.flatnonzero(model.cardinalities > 1)


def shared_gains(model: LogLinear, purchases: Purchases | None = None) -> NDArray[np.float64]:
    """Return the (n, n) sums over pairs of variables of more than one value: of the gains of the terms that depend on
    both or, without purchases, of the sizes of their parameters; on the diagonal over all terms of the variable.
    """
    varying = Layout(tuple(model.cardinalities[_free_columns(model)].tolist()))
    depends = (varying.digits(model.terms) != 0).astype(np.float64)
    weights = np.abs(model.values) if purchases is None else np.maximum(purchases.gains, 0.0)
    return np.asarray((depends * weights[:, None]).T @ depends)


def graph(model: LogLinear, names: Sequence[str], purchases: Purchases | None = None, *, family: str) -> Figure:
    """Draw the variables of more than one value on a circle, and an edge between each two that share terms: the
    thicker, the more those terms gain.
    """
    weight = shared_gains(model, purchases)
    n = len(weight)
    angle = np.pi / 2 - 2 * np.pi * np.arange(n) / n
    x, y = np.cos(angle).round(4).tolist(), np.sin(angle).round(4).tolist()
    labels = drawing.labels([names[i] for i in _free_columns(model)], _AROUND)
    figure = drawing.blank("", "")
    colour, unit = palette.hue(family), "gain" if purchases else "size"
    pairs = [(i, j, weight[i, j]) for i in range(n) for j in range(i) if weight[i, j] > 0]
    most = max((w for *_, w in pairs), default=1.0)
    common = {"type": "scatter", "mode": "markers", "hovertemplate": "%{customdata}<extra></extra>"}
    thickness = [min(int(w / most * len(_WIDTHS)), len(_WIDTHS) - 1) for *_, w in pairs]
    edges = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [at for (i, j, _), k in zip(pairs, thickness, strict=True) if k == level for at in (x[i], x[j], None)],
            "y": [at for (i, j, _), k in zip(pairs, thickness, strict=True) if k == level for at in (y[i], y[j], None)],
            "line": {"color": palette.translucent(colour, 0.75), "width": width},
            "hoverinfo": "skip",
        }
        for level, width in enumerate(_WIDTHS)  # few lines with gaps are drawn many times as fast as one for each pair
    ]
    middles = {
        "x": [(x[i] + x[j]) / 2 for i, j, _ in pairs],
        "y": [(y[i] + y[j]) / 2 for i, j, _ in pairs],
        "customdata": [f"{labels[j]} and {labels[i]}: {unit} {w:.4f}" for i, j, w in pairs],
        "marker": {"size": 9, "opacity": 0},
        "name": "shared",
    }
    points = {
        "mode": "markers+text",
        "x": x,
        "y": y,
        "text": labels,
        "textposition": [_side_of(*place) for place in zip(x, y, strict=True)],
        "textfont": {"size": 12},
        "cliponaxis": False,
        "customdata": [f"{label}: {unit} {w:.4f}" for label, w in zip(labels, weight.diagonal(), strict=True)],
        "marker": {"size": 10, "color": colour},
        "name": "variables",
    }
    figure["data"] = [*edges, common | middles, common | points]
    hidden = {"visible": False, "range": [-1.5, 1.5], "autorange": False}
    figure["layout"] |= {"margin": {"l": 4, "r": 4, "t": 4, "b": 4}, "hovermode": "closest", "uirevision": "graph"}
    figure["layout"]["xaxis"] = hidden | {"constrain": "domain"}
    figure["layout"]["yaxis"] = hidden | {"scaleanchor": "x"}
    return figure


def _side_of(x: float, y: float) -> str:
    """Return the place of a name outside a circle, in Plotly's terms."""
    up = "middle" if abs(y) < 0.15 else "top" if y > 0 else "bottom"
    return f"{up} {'center' if abs(x) < 0.15 else 'right' if x > 0 else 'left'}"


def graph_sentence(model: LogLinear, names: Sequence[str], purchases: Purchases | None = None) -> str:
    """Return the strongest pairs in words, as text alternative of the graph."""
    weight = np.triu(shared_gains(model, purchases), 1)
    strongest = np.argsort(-weight, axis=None, kind="stable")[:3]
    pairs = [divmod(int(at), len(weight)) for at in strongest if weight.flat[at] > 0]
    joined = int(np.count_nonzero(weight))
    if not pairs:
        return "No two variables share a term."
    called = [cut(names[i]) for i in _free_columns(model)]
    most = "; ".join(f"{called[i]} and {called[j]}" for i, j in pairs)
    return f"{joined:,} pair{'s' * (joined > 1)} of variables share{'s' * (joined == 1)} a term, most strongly {most}."
