"""The hidden units of an infinite RBM: a gallery in the order of insertion, the inputs that each responds to, and their
number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boltzcore.data.examples import Examples
from boltzcore.learners.base import State
from boltzcore.learners.insertion.frank_wolfe import ALPHA, UNITS, FrankWolfeState
from boltzcore.models import InfiniteRBM
from boltzcore.plotting import drawing, images, palette
from boltzcore.plotting.drawing import Figure
from boltzcore.training.loop import Record
from pages.figures import charts
from pages.figures.curves import Line, TrainingCurves, curves, from_zero
from pages.figures.time_axis import Along

PER_PAGE, COLUMNS = 144, 12
GHOST = 0.3  # factor of the weights of a removed unit, which is drawn pale
_SHOWN = 0.97  # share of the weights within the scale of the gallery: a few strong units would leave all others white
_WIDE = 720  # pixels


# -- all units ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Gallery:
    """All present and former units of a model, in the order of insertion: each keeps its place.

    weights : (n, n_visible + 1) float32, the hidden bias last
    counts : (n,) the count of each, 0 for removed ones
    arrived, left : (n,) the update at which each was inserted, at most 0 for initial ones, and at which it was removed,
        0 if it is present
    """

    weights: NDArray[np.float32]
    counts: NDArray[np.float32]
    arrived: NDArray[np.int64]
    left: NDArray[np.int64]

    @classmethod
    def from_state(cls, state: State) -> "Gallery":
        """Return the gallery of a training; of a State without arrivals, the units of its model."""
        model: InfiniteRBM = state.model
        there = np.zeros(model.n_units, np.int64)
        if not isinstance(state, FrankWolfeState):
            return cls(model.units, model.counts, there, there)
        arrived = np.concatenate([state.arrived, state.removed_arrived])
        order = np.argsort(arrived, kind="stable")
        weights = np.concatenate([model.units, state.removed])
        counts = np.concatenate([model.counts, np.zeros(len(state.removed), np.float32)])
        return cls(weights[order], counts[order], arrived[order], np.concatenate([there, state.removed_at])[order])

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def removed(self) -> NDArray[np.bool_]:
        """(n,) whether each was removed."""
        return self.left > 0

    @property
    def present(self) -> NDArray[np.intp]:
        """The places, from 0, of the present units, in the model's order."""
        return np.flatnonzero(~self.removed)


def tiles(gallery: Gallery, shape: tuple[int, int], *, page: int, places: int, new: int, family: str) -> images.Tiles:
    """Return tiles of a page of the gallery, on the scale of the present units; removed ones pale and struck out.

    places : the final number of units, for which room is kept
    new : units inserted after this update are framed
    """
    weights = gallery.weights[:, :-1]
    alive = weights[gallery.present] if len(gallery.present) else weights
    limit = images.symmetric_limit(np.quantile(np.abs(alive), _SHOWN))
    # clipped first, so that weights beyond the scale become pale, too
    faded = np.where(gallery.removed[:, None], np.float32(GHOST) * np.clip(weights, -limit, limit), weights)
    columns = max(1, min(COLUMNS, _WIDE // (shape[1] + 1)))
    return images.weight_tiles(
        faded,
        shape,
        page=page,
        per_page=PER_PAGE,
        limit=limit,
        columns=columns,
        lines=-(-min(max(places, len(gallery)), PER_PAGE) // columns),
        marked=np.flatnonzero(gallery.arrived > new).tolist(),
        struck=np.flatnonzero(gallery.removed).tolist(),
        mark=palette.hue(family),
    )


# -- one unit -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Answer:
    """Response of a unit to some rows.

    rows : (k, n_visible) the rows at which it is on most probably, the first of them first, each once
    probabilities : (k,) p(h = 1 | v) of them
    share : mean p(h = 1 | v) over all rows
    """

    rows: NDArray
    probabilities: NDArray[np.float64]
    share: float


def answer(unit: NDArray, rows: Examples, most: int) -> Answer:
    """Response of a unit to rows, with the `most` that it responds to most."""
    fields = np.asarray(rows.v, np.float32) @ unit[:-1] + unit[-1]  # its last weight is the hidden bias
    p = expit(fields.astype(np.float64))
    order = np.argsort(-fields, kind="stable")
    _, first = np.unique(rows.v[order[: most * 20]], axis=0, return_index=True)
    chosen = order[np.sort(first)[:most]]
    return Answer(rows.v[chosen], p[chosen], rows.average(p))


# -- curves -------------------------------------------------------------------------------------------


def mark_size(figure: Figure, records: Sequence[Record], along: Along, best: int | None) -> Figure:
    """Return the figure with a line at the best state, labelled with its number of units."""
    found = next((r for r in records if r.count == best and drawing.is_known(r, UNITS)), None)
    if found is None:
        return figure
    x, (low, high) = along.where(found), figure["layout"]["xaxis"]["range"]
    before = x - low > 0.9 * (high - low)
    figure["layout"]["shapes"].append(drawing.vertical_line(x))
    text = f"best: {count_units(found.values[UNITS])}"
    height = drawing.free_height(figure, x, before=before)
    figure["layout"]["annotations"].append(drawing.vertical_text(x, text, height=height, before=before))
    return figure


def count_units(units: float) -> str:
    """Number of units, in words."""
    return f"{units:,.0f} unit{'s' * (units != 1)}"


def alpha_differs(records: Sequence[Record]) -> bool:
    """True if alpha, the sum of the counts of all units, is not the number of units."""
    return any(r.values.get(UNITS) != r.values.get(ALPHA) for r in records)


def size(training: TrainingCurves) -> Figure:
    """Number of hidden units, and dotted alpha, the sum of their counts, if that differs; with pinned trainings the
    units alone.
    """
    lines = [Line(UNITS, "units")]
    if not training.pinned and alpha_differs(training.curve.records):
        lines.append(Line(ALPHA, "\N{GREEK SMALL LETTER ALPHA}", 2.0, "dot"))
    return curves(training, "Units", lines, partial(from_zero, least=1.0), hover="%{y:,.4~g}")


def size_sentence(records: Sequence[Record]) -> str:
    """Return the same in words."""
    known = [r for r in records if UNITS in r.values]
    if not known:
        return "No unit yet."
    last = known[-1].values
    alpha = "" if last[ALPHA] == last[UNITS] else f", with a total count of {last[ALPHA]:.4g}"
    return f"{count_units(last[UNITS])}{alpha}, after update {known[-1].count:,}."


def gap(training: TrainingCurves, limit: float) -> Figure:
    """The free-energy gap, and how far it may rise above its smallest value before the training ends.

    limit : of the schedule; 0 for none
    """
    figure = charts.free_energy_gap(training)
    known = [r.values[charts.GAP] for r in training.curve.records if drawing.is_known(r, charts.GAP)]
    if limit and known:
        at = min(known) + limit
        low, high = figure["layout"]["yaxis"]["range"]
        figure["layout"]["yaxis"]["range"] = list(drawing.round_limits(low, max(high, at)))
        drawing.add_level(figure, at, "ends above", "dash")
    return figure
