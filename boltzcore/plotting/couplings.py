"""Couplings of pairs of columns as a heat map, with the biases beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from boltzcore.data.examples import Dataset
from boltzcore.models import FVBM
from boltzcore.names import column_names
from boltzcore.plotting import drawing, images
from boltzcore.plotting.drawing import Figure

MOST = 200  # columns that are drawn: the figures of more would be too much to send several times a second
TABLE, CLUSTERED, STRENGTH = "table", "clustered", "strength"
ORDERS = {TABLE: "as in the table", CLUSTERED: "clustered", STRENGTH: "by strength"}
_STRONGEST = 3  # pairs that are named in the text
_FAINT = 0.1  # no scale ends below: what is nothing but rounding is white
_CHARACTERS = 14  # of a name beside the map
_CHARACTER = 6.5  # pixels
_ACROSS = 150  # pixels that names have below the map on a phone


def in_order(M: NDArray, order: str) -> NDArray[np.intp]:
    """The columns as they are drawn.

    M : (d, d) couplings
    order : one of `ORDERS`. Clustered: columns that are strongly coupled, whatever the sign, stand together (average
        linkage of |M|); by strength: those whose couplings are the largest in all come first
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


def heat_map(
    M: NDArray, b: NDArray, names: Sequence[str], *, order: str = TABLE, hover: Sequence[str] | None = None
) -> Figure:
    """The couplings of pairs of columns, blue positive, red negative, white zero, and the bias of each in a strip of
    its own at the right; the first `MOST` columns of the order.

    M : (d, d) symmetric; b : (d,)
    names : of the columns; order : one of `ORDERS`
    hover : what is said more of each parameter where somebody points at it, b first, then M's upper triangle row by row
    """
    shown = in_order(M, order)[:MOST]
    labels = drawing.labels([names[i] for i in shown], _CHARACTERS)
    limit = max(_FAINT, images.symmetric_limit(np.append(M, b)))
    couplings = _rounded(M[np.ix_(shown, shown)], limit)
    for i, row in enumerate(couplings):
        row[i] = None
    strip = min(0.12, 1 / (len(shown) + 1.5))
    figure = drawing.blank("", "")
    # From the lowest row up: the text of a square is found by the place of its row on the axis.
    common = {"type": "heatmap", "y": labels[::-1], "coloraxis": "coloraxis", "hoverongaps": False}
    pairs: dict[str, Any] = {"x": labels, "z": couplings[::-1], "hovertemplate": "%{y} and %{x}: %{z}<extra></extra>"}
    biases: dict[str, Any] = {
        "x": ["b"],
        "z": [[each] for each in _rounded(b[shown], limit)][::-1],
        "xaxis": "x2",
        "hovertemplate": "bias of %{y}: %{z}<extra></extra>",
    }
    if hover is not None:
        of_pairs, of_biases = _spread(hover, len(M))
        pairs |= {
            "customdata": [[of_pairs[i, j] for j in shown] for i in shown[::-1]],
            "hovertemplate": "%{y} and %{x}: %{customdata}<extra></extra>",
        }
        biases |= {
            "customdata": [[of_biases[i]] for i in shown[::-1]],
            "hovertemplate": "bias of %{y}: %{customdata}<extra></extra>",
        }
    figure["data"] += [common | pairs, common | biases]
    longest = _CHARACTER * min(_CHARACTERS, max(len(names[i]) for i in shown))
    turned = longest * len(labels) > _ACROSS
    axis = {"type": "category", "tickfont": {"size": 12}, "showgrid": False, "ticklen": 0}
    below = axis | {"tickangle": -90 if turned else 0}
    figure["layout"] |= {
        "margin": {"l": 18 + longest, "r": 12, "t": 36, "b": 18 + longest if turned else 30},
        "hovermode": "closest",
        "uirevision": order,
        "xaxis": below | {"domain": [0, 1 - 1.5 * strip]},
        "xaxis2": axis | {"tickangle": 0, "domain": [1 - strip, 1], "anchor": "y"},
        "yaxis": axis,
        "coloraxis": drawing.signed_scale(limit),
    }
    return figure


def sentence(M: NDArray, names: Sequence[str]) -> str:
    """The strongest couplings in words, for those who do not see the map."""
    rows, columns = np.triu_indices(len(M), 1)
    if not len(rows):
        return "One column: nothing is coupled."
    values = M[rows, columns]
    strength, count = np.abs(values), min(_STRONGEST, len(values))
    few = np.flatnonzero(strength >= np.partition(strength, -count)[-count])  # of two million, sorting all takes long
    strongest = few[np.argsort(-strength[few], kind="stable")][:count]
    found = [f"{names[rows[i]]} and {names[columns[i]]} {values[i]:.3g}" for i in strongest]
    return f"Couplings of {len(M):,} columns, the strongest: {'; '.join(found)}."


@dataclass(frozen=True)
class Pair:
    """Two columns of a table.

    names : of the columns
    coupling : what a machine has between them
    alike : the share of the training rows in which both have the same value
    """

    names: tuple[str, str]
    coupling: float
    alike: float


def strongest(model: FVBM, dataset: Dataset) -> Pair:
    """The pair with the largest coupling, of either sign. The machine has two columns or more."""
    rows, columns = np.triu_indices(model.n_visible, 1)
    at = int(np.argmax(np.abs(model.M[rows, columns])))
    j, k = int(rows[at]), int(columns[at])
    names, distinct = column_names(dataset.names, model.n_visible), dataset.train.distinct()
    same = distinct.v[:, j] == distinct.v[:, k]
    alike = float(np.average(same, weights=distinct.weight))
    return Pair((names[j], names[k]), float(model.M[j, k]), alike)


def _spread(hover: Sequence[str], d: int) -> tuple[NDArray, NDArray]:
    """((d, d) texts of the couplings, (d,) texts of the biases)."""
    pairs = np.full((d, d), "", object)
    pairs[np.triu_indices(d, 1)] = hover[d:]
    return np.where(np.tri(d, dtype=bool), pairs.T, pairs), np.array(hover[:d], object)


def _rounded(values: NDArray, limit: float) -> list[Any]:
    """Numbers in four digits of the largest: more are not seen, and have to be sent."""
    return np.round(values, 4 - int(np.floor(np.log10(limit)) + 1)).tolist()
