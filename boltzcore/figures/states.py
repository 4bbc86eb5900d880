"""The states of a few columns of two values: how probable a model makes them, how often they occur, how probable they
are in truth.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.figures import drawing, palette
from boltzcore.figures.drawing import Figure
from boltzcore.models import FVBM
from boltzcore.quoting import cut

MOST = 12  # columns whose states are told apart
ALL = 6  # columns of which every state is drawn; of more, the most probable ones
_LISTED = 32  # states
SIGNS = ("\N{MINUS SIGN}", "+")
LONGEST = 18  # characters of a name, where somebody points at a bar
MODEL, DATA, TRUTH = "model", "data", "truth"


def codes(d: int) -> NDArray[np.uint8]:
    """(2**d, d) every state of d columns, the first column fastest."""
    return (np.arange(2**d)[:, None] >> np.arange(d) & 1).astype(np.uint8)


def frequencies(rows: Examples) -> NDArray[np.float64]:
    """(2**d,) the share of the rows, by their weights, that are in each state, in the order of `codes`."""
    index = rows.v @ (1 << np.arange(rows.n_visible))
    return np.bincount(index, rows.weight, 2**rows.n_visible) / rows.total


def shares(model: FVBM, dataset: Dataset) -> dict[str, NDArray[np.float64]]:
    """What stands side by side of a model and the data that it learns from; at most `MOST` columns."""
    return {MODEL: model.probabilities(), **_known(dataset)}


@lru_cache(maxsize=16)
def _known(dataset: Dataset) -> dict[str, NDArray[np.float64]]:
    known = {DATA: frequencies(dataset.train)}
    if dataset.truth is not None:
        known[TRUTH] = np.exp(dataset.truth.log_probability(codes(dataset.train.n_visible)))
    return known


def chosen(shares: Mapping[str, NDArray]) -> NDArray[np.intp]:
    """The states that are drawn: all, in their order, of a few columns; else those that are the most probable by model
    or data, the first of them first.
    """
    count = len(shares[MODEL])
    if count <= 2**ALL:
        return np.arange(count)
    return np.argsort(-np.maximum(shares[MODEL], shares[DATA]), kind="stable")[:_LISTED]


def side_by_side(
    shares: Mapping[str, NDArray], names: Sequence[str], categories: Sequence[Sequence[str]] = (), *, family: str
) -> Figure:
    """Bars of the model's probability and the data's frequency of each state, and the truth as a mark.

    shares : {`MODEL`: (2**d,) probabilities, `DATA`: frequencies, `TRUTH`: probabilities, where that is known}
    names, categories : of the columns, and of their codes where those have any
    """
    shown = chosen(shares)
    states = codes(len(names))[shown]
    labels = ["".join(map(str, state)) for state in states]
    said = _said(drawing.labels(names, LONGEST), [drawing.labels(each, LONGEST) for each in categories])
    figure = drawing.blank("State: a code for each column", "Probability")
    common = {
        "x": labels,
        "customdata": [said(state) for state in states],
        "hovertemplate": "%{fullData.name} %{y:.4f}<br>%{customdata}<extra></extra>",
    }
    model = {"type": "bar", "name": MODEL, "y": _rounded(shares[MODEL][shown])}
    data = {"type": "bar", "name": DATA, "y": _rounded(shares[DATA][shown])}
    figure["data"] += [
        common | model | {"marker": {"color": palette.hue(family), "line": {"width": 0}}},
        common | data | {"marker": {"color": palette.PINNED, "line": {"width": 0}}},
    ]
    if TRUTH in shares:
        marker = {"symbol": "line-ew", "size": 12, "line": {"width": 2, "color": palette.REFERENCE}}
        truth = {"type": "scatter", "mode": "markers", "name": TRUTH, "y": _rounded(shares[TRUTH][shown])}
        figure["data"].append(common | truth | {"marker": marker})
    figure["layout"] |= {
        "barmode": "group",
        "bargap": 0.25,
        "hovermode": "closest",
        "uirevision": "states",
        "showlegend": True,
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
    }
    upright = 8 * len(names) * len(shown) > 300
    figure["layout"]["margin"] |= {"l": 72, "b": 34 + (8 * len(names) if upright else 12)}
    figure["layout"]["xaxis"] |= {
        "type": "category",
        "showgrid": False,
        "tickangle": -90 if upright else 0,
        "tickfont": {"size": 12, "family": "monospace"},
    }
    top = max(float(each[shown].max()) for each in shares.values())
    figure["layout"]["yaxis"] |= {"range": [0, drawing.ceiling(top * 1.02)], "autorange": False}
    return figure


def sentence(shares: Mapping[str, NDArray], names: Sequence[str], categories: Sequence[Sequence[str]] = ()) -> str:
    """The most probable state in words, for those who do not see the bars."""
    most = int(shares[MODEL].argmax())
    said = _said([cut(name) for name in names], [[cut(text) for text in each] for each in categories])
    state = said(codes(len(names))[most])
    return (
        f"{len(chosen(shares)):,} of {len(shares[MODEL]):,} states. The model's most probable one, {state}: "
        f"{shares[MODEL][most]:.3f} by the model, {shares[DATA][most]:.3f} of the data."
    )


def _said(columns: Sequence[str], texts: Sequence[Sequence[str]]) -> Callable[[NDArray], str]:
    """What a state is called: by each column's name the text of its code, a sign where codes have no texts."""
    texts = texts or [SIGNS] * len(columns)
    return lambda state: ", ".join(
        f"{name} {text[code]}" for name, text, code in zip(columns, texts, state, strict=True)
    )


def _rounded(shares: NDArray) -> list[float]:
    return np.round(shares, 6).tolist()
