"""Couplings of pairs of columns as a heat map, with the biases to the right; for a pair of a Potts model by values."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from boltzcore.models import Potts
from boltzcore.names import Names, column_names, texts_of_values
from boltzcore.plotting import drawing, images
from boltzcore.plotting.drawing import Figure

MOST = 200  # largest number of columns: figures of more would be too large to send several times a second
TABLE, CLUSTERED, STRENGTH = "table", "clustered", "strength"
ORDERS = {TABLE: "as in the table", CLUSTERED: "clustered", STRENGTH: "by strength"}
_STRONGEST = 3  # number of pairs named in the text
_FAINT = 0.1  # smallest end of the scale, so that rounding errors are white
_CHARACTERS = 14  # characters of a name next to the map
_CHARACTER = 6.5  # pixels per character
_ACROSS = 150  # pixels for names below the map on a phone


def column_order(M: NDArray, order: str) -> NDArray[np.intp]:
    """Return the order in which columns are drawn.

    M : (d, d) couplings
    order : one of `ORDERS`. Clustered: columns with strong couplings of either sign are adjacent (average linkage of
        |M|); by strength: columns with the largest total couplings come first
    """
    strength = np.abs(M)
    if order == STRENGTH:
        return np.argsort(-strength.sum(axis=1), kind="stable")
    if order == CLUSTERED and len(M) > 2:
        apart = strength.max() - strength
        np.fill_diagonal(apart, 0.0)
        tree = linkage(squareform(apart, checks=False), "average", optimal_ordering=len(M) <= MOST)  # else for minutes
        return np.asarray(leaves_list(tree))
    return np.arange(len(M))


def heat_map(M: NDArray, b: NDArray | None, names: Sequence[str], *, order: str = TABLE) -> Figure:
    """Return the couplings of pairs of columns, blue positive, red negative, white zero, and the biases in a separate
    strip to the right; of the first `MOST` columns in the order.

    M : (d, d) symmetric; b : (d,), None for no strip: then M are strengths, none below 0
    names : of the columns; order : one of `ORDERS`
    """
    shown = column_order(M, order)[:MOST]
    labels = drawing.labels([names[i] for i in shown], _CHARACTERS)
    limit = max(_FAINT, images.symmetric_limit(M if b is None else np.append(M, b)))
    pairs = M[np.ix_(shown, shown)].astype(object)
    np.fill_diagonal(pairs, None)
    longest = _CHARACTER * max(map(len, labels))
    turned = longest * len(labels) > _ACROSS
    strip = min(0.12, 1 / (len(shown) + 1.5))
    figure = drawing.heat_map(pairs, labels, labels, limit, "%{y} and %{x}: %{z}")
    layout = figure["layout"]
    margin = {"l": 18 + longest, "r": 12, "t": 36, "b": 18 + longest if turned else 30}
    layout |= {"uirevision": order, "margin": margin}
    if b is not None:
        biases = drawing.heat_map(b[shown, None], ["b"], labels, limit, "bias of %{y}: %{z}")["data"][0]
        figure["data"].append(biases | {"xaxis": "x2"})
        layout["xaxis2"] = layout["xaxis"] | {"tickangle": 0, "domain": [1 - strip, 1], "anchor": "y"}
    else:
        colours = layout["coloraxis"]
        blue = [[2 * at - 1, colour] for at, colour in colours["colorscale"] if at >= 0.5]
        colours |= {"cmin": 0, "colorscale": blue, "colorbar": colours["colorbar"] | {"tickvals": [0, limit]}}
    layout["xaxis"] |= {"tickangle": -90 if turned else 0, "domain": [0, 1 if b is None else 1 - 1.5 * strip]}
    return figure


def value_map(model: Potts, pair: Sequence[int], names: Names | None) -> Figure:
    """Return the couplings J_ij(a, b) of a pair of columns (i, j), in the zero-sum gauge: blue above 0, red below. Rows
    are values of column i, columns are values of j.
    """
    i, j = pair
    table = model.zero_sum().J[np.ix_(model.of_value == i, model.of_value == j)]
    down, across = (
        drawing.labels(texts_of_values(names, k, size), _CHARACTERS) for k, size in zip(pair, table.shape, strict=True)
    )
    titles = drawing.labels([column_names(names, model.n_visible)[k] for k in pair], _CHARACTERS)
    hover = f"{titles[0]} %{{y}}, {titles[1]} %{{x}}: %{{z}}"
    figure = drawing.heat_map(table, across, down, max(_FAINT, images.symmetric_limit(table)), hover)
    for axis, title in zip(("yaxis", "xaxis"), titles, strict=True):
        figure["layout"][axis] |= {"title": {"text": title}, "automargin": True}
    return figure


def strongest_pairs(M: NDArray, count: int) -> list[tuple[int, int]]:
    """Return the pairs of columns with the largest couplings, of either sign, in falling order."""
    rows, columns = np.triu_indices(len(M), 1)
    strength = np.abs(M[rows, columns])
    count = min(count, len(rows))
    few: NDArray = np.argpartition(-strength, count - 1)[:count] if count else rows  # sorting two million takes long
    return sorted(((int(rows[i]), int(columns[i])) for i in few), key=lambda pair: -abs(M[pair]))


def sentence(M: NDArray, names: Sequence[str]) -> str:
    """Return the strongest couplings in words, for a screen reader."""
    found = [f"{names[i]} and {names[j]} {M[i, j]:.3g}" for i, j in strongest_pairs(M, _STRONGEST)]
    return f"Couplings of {len(M):,} columns, the strongest: {'; '.join(found)}." if found else "One column."
