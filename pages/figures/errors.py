"""Curves of a conditional model: wrong pixels, inference that converges, residuals (Ping and Ihler, section 6 and
figure 4).
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from boltzcore.data.examples import Dataset
from boltzcore.measures.pixels import pixel_errors
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import EPOCHS, Along, Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures import curve_selection
from pages.figures.marks import mark_changes
from pages.figures.naming import Curve

PERCENT = " %"
_FLOOR = 1e-7  # residuals below are drawn here, a logarithm has no zero; or a decade below the tolerance


def pixel_error(
    curve: Curve,
    *,
    pinned: Sequence[Curve] = (),
    along: Along = EPOCHS,
    nothing: float | None = None,
    changes: Sequence[Change] = (),
    best: int | None = None,
) -> Figure:
    """Share of wrong pixels among all, of the validation images (of the test images where there is no such split), in
    %.

    pinned : earlier trainings on the same data and corruption, drawn thinner on the same axes, in grey where they are
        of the same family
    along : what the curves are drawn over
    nothing : the share that is wrong where nothing is done, a horizontal line
    changes : live changes, marked at the update they were made
    best : the update of the best state, that of the lowest error, marked with a ring
    """
    figure = drawing.over(along, "Wrong pixels, %")
    curves = [*pinned, curve]
    limits = _limits([100 * r.values[key] for each in curves for key, r in _judged(each.records)], nothing)
    for each in curves:
        split = curve_selection.judged(each.records)
        x, y = _percent(each.records, along, f"{split}_error", of=len(curves))
        if not x:
            continue
        colour = palette.hue(each.family) if each is curve else palette.pinned(each.family, curve.family)
        # a single curve needs no dash, and gaps would look like noise
        name, dash = (each.name, each.dash) if pinned else (split, "solid")
        figure["data"].append(_line(x, y, name, colour, 3.5 if each is curve else 2.0, dash))
        if each is curve:
            found = [r for r in each.records if r.count == best and drawing.is_known(r, f"{split}_error")]
            figure["data"] += [
                drawing.ring(along.where(r), 100 * r.values[f"{split}_error"], "best") | {"hovertemplate": "%{y:.2f} %"}
                for r in found
            ]
    drawing.show_legend(figure)
    if nothing is not None:
        drawing.level(figure, 100 * nothing, "doing nothing", "dash", PERCENT)
    reach = along.reach(curve.records, *(each.records for each in pinned))
    mark_changes(figure, curve.records, along, changes, reach)
    return drawing.framed(figure, reach, limits)


def changed_error(
    records: Sequence[Record],
    *,
    family: str,
    along: Along = EPOCHS,
) -> Figure:
    """Share of wrong pixels among those that the corruption changed, in %: what is not undone."""
    figure = drawing.over(along, "Wrong, % of those changed")
    split = curve_selection.judged(records)
    x, y = _percent(records, along, f"{split}_changed_error")
    if x:
        figure["data"].append(_line(x, y, split, palette.hue(family), 2.0, "solid"))
    return drawing.framed(figure, along.reach(records), (0.0, drawing.rounded(0.0, max([10.0, *y]))[1]))


def convergence(
    records: Sequence[Record],
    *,
    family: str,
    along: Along = EPOCHS,
) -> Figure:
    """Share of images on which the inference converged in time, in %: training images in the epoch under way (thin)
    and test images (thick).
    """
    figure = drawing.over(along, "Converged, % of images")
    for key, name, width in (("converged", "training", 1.5), ("test_converged", "test", 3.5)):
        x, y = _percent(records, along, key)
        if x:
            figure["data"].append(_line(x, y, name, palette.hue(family), width, "solid"))
    drawing.show_legend(figure)
    return drawing.framed(figure, along.reach(records), (-3.0, 103.0))


def residuals(changes: ArrayLike, tolerance: float, *, family: str) -> Figure:
    """The largest change of any belief in each iteration, on a logarithmic scale, a line for each image, with the
    tolerance as a level.

    changes : (n, iterations), nan once the inference of an image has stopped
    """
    changes = np.asarray(changes, np.float64)
    floor = tolerance / 10 if tolerance > 0 else _FLOOR
    figure = drawing.blank("Iteration", "Largest change of a belief")
    for i, row in enumerate(changes):
        y = np.maximum(row[np.isfinite(row)], floor)
        line = drawing.drawn_line(
            drawing.plain(np.arange(1, len(y) + 1)),
            drawing.plain(y),
            f"image {i + 1}",
            palette.hue(family),
            1.5,
            "solid",
        )
        figure["data"].append(line | {"hovertemplate": "%{y:.2g}"})
    drawing.mark_tolerance(figure, tolerance)
    figure["layout"]["xaxis"] |= {"range": [0.5, max(changes.shape[-1], 2) + 0.5], "autorange": False}
    figure["layout"]["yaxis"] |= {
        "type": "log",
        "range": [math.log10(floor) - 0.2, 0.1],
        "autorange": False,
        "dtick": 1,
        "exponentformat": "power",
    }
    figure["layout"] |= {"uirevision": "residuals", "hovermode": "closest"}
    return figure


@lru_cache(maxsize=16)
def doing_nothing(rows: Dataset) -> float:
    """The share of wrong pixels where corrupted images are taken as they are, over those that judge a training.

    rows : those that are measured, with inputs
    """
    judges = rows.validation or rows.test
    return pixel_errors(judges.v, judges.x, judges.x, judges.weight).all  # type: ignore[arg-type]


# -- parts ------------------------------------------------------------------------------------------


def _judged(records: Sequence[Record]) -> list[tuple[str, Record]]:
    """The records that have the error which judges a training, with its name."""
    key = f"{curve_selection.judged(records)}_error"
    return [(key, r) for r in records if drawing.is_known(r, key)]


def _percent(records: Sequence[Record], along: Along, key: str, *, of: int = 1) -> tuple[list[float], list[float]]:
    x, y = drawing.points_of(drawing.thinned(records, of=of), along, key)
    return x, [100 * value for value in y]


def _line(x: list[float], y: list[float], name: str, colour: str, width: float, dash: str) -> dict[str, Any]:
    return drawing.drawn_line(x, y, name, colour, width, dash) | {"hovertemplate": "%{y:.2f} %"}


def _limits(values: Sequence[float], nothing: float | None) -> tuple[float, float]:
    """Limits, in %, that hold what was measured and the error of doing nothing, and move only in round steps.

    Errors far above doing nothing, as before the first epoch, are cut off once there are others: they would flatten all
    else.
    """
    if not values and nothing is None:
        return 0.0, 100.0
    if nothing is None or len(values) < 2:
        return 0.0, drawing.rounded(0.0, max([*values, *([] if nothing is None else [100 * nothing])]))[1]
    level = 100 * nothing
    room = max(level - min(values), 0.25 * level) / 2
    return drawing.rounded(max(0.0, min(*values, level) - room), min(max(*values, level), level + room))
