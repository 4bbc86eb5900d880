"""Curves of a training over time, with those of pinned trainings, live changes and stages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures.naming import Curve, value_sequence
from pages.figures.time_axis import EPOCHS, Along, thin_out

NEAR = 0.05  # of the axis: labels of live changes closer than this are one
PINNED = 2.0  # pixels: the width of pinned curves

Trace = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of a training.

    key : the figure of its records that is drawn; name : its name
    """

    key: str
    name: str
    width: float = 3.0
    dash: str = "solid"


@dataclass(frozen=True)
class TrainingCurves:
    """A training, and pinned trainings on the same data, with all that their curves need.

    along : the axis of the curves
    changes : live changes, each marked at its update
    best : the update of the best state, marked with a ring
    """

    curve: Curve
    pinned: Sequence[Curve] = ()
    along: Along = EPOCHS
    changes: Sequence[Change] = ()
    best: int | None = None

    @property
    def alone(self) -> "TrainingCurves":
        """The same without pinned trainings."""
        return replace(self, pinned=())


def curves(
    training: TrainingCurves,
    y_title: str,
    lines: Sequence[Line],
    limits: Callable[[list[float]], tuple[float, float]],
    *,
    compared: Callable[[Curve], str] | None = None,
    factor: float = 1.0,
    hover: str = "%{y:.4f}",
    decorate: Callable[[Trace, list[Record], str], list[Trace]] | None = None,
    legend: bool = True,
    judges: Sequence[tuple[str, str]] = (),
) -> Figure:
    """Draw lines of a training, and one line of each pinned training, thinner and under its name.

    Pinned curves are grey if they are of the same family. Beside them a single line of the training has its name.

    Parameters
    ----------
    limits
        The ends of the vertical axis, of all drawn values.
    compared
        The key that is drawn of a pinned training; None draws the first line's.
    factor
        Multiplies all values.
    decorate
        Makes one or more traces of the trace of a line, its records and its key; bands go below all lines.
    judges
        Keys with names: the ring of the best state is on the first of these that it has.
    """
    curve, pinned, along = training.curve, training.pinned, training.along
    drawn = [
        (each, Line(compared(each) if compared else lines[0].key, each.name, PINNED, each.dash)) for each in pinned
    ]
    for line in lines:
        if pinned and len(lines) == 1:
            line = replace(line, name=curve.name, dash=curve.dash)
        elif pinned:
            line = replace(line, name=f"{curve.name}, {line.name}")
        drawn.append((curve, line))
    figure, values = along.blank(y_title), list[float]()
    found = []
    for each, line in drawn:
        known = [r for r in thin_out(each.records, of=len(drawn)) if drawing.is_known(r, line.key)]
        if known:
            y = [factor * r.values[line.key] for r in known]
            found.append((each, line, known, y))
            values += y
    reach = along.reach(curve.records, *(each.records for each in pinned))
    drawing.fix_axes(figure, reach, limits(values))
    for each, line, known, y in found:
        colour = palette.hue(each.family) if each is curve else palette.pinned_colour(each.family, curve.family)
        x = [float(along.where(r)) for r in known]
        trace = drawing.drawn_line(x, y, line.name, colour, line.width, line.dash) | {"hovertemplate": hover}
        figure["data"] += decorate(trace, known, line.key) if decorate else [trace]
    figure["data"].sort(key=lambda trace: "fill" not in trace)
    for record in curve.records if judges else ():
        known_judge = next((judge for judge in judges if drawing.is_known(record, judge[0])), None)
        if record.count == training.best and known_judge:
            ring = drawing.ring(along.where(record), factor * record.values[known_judge[0]], known_judge[1])
            figure["data"].append(ring | {"hovertemplate": hover})
    if legend:
        drawing.show_legend(figure)
    _mark_changes(figure, curve.records, along, training.changes)
    return figure


def from_zero(values: Sequence[float], least: float = 0.1) -> tuple[float, float]:
    """Return the ends of an axis that contains 0, a least upper end, and all values."""
    return drawing.round_limits(min([0.0, *values]), max([least, *values]))


def _mark_changes(figure: Figure, records: Sequence[Record], along: Along, changes: Sequence[Change]) -> None:
    """Mark each live change with a line; changes whose labels would overlap share one."""
    groups: list[tuple[float, dict[str, list[Any]]]] = []
    low, high = figure["layout"]["xaxis"]["range"]
    counts, places = [r.count for r in records] or [0], [along.where(r) for r in records] or [0.0]
    if along.axis != "seconds" and (along.budget or 0) > counts[-1]:  # changes after the last record
        counts, places = [*counts, along.budget], [*places, along.reach(records)[1]]
    for at, what, value in changes:
        x = float(np.interp(at, counts, places))
        figure["layout"]["shapes"].append(drawing.vertical_line(x))
        if not groups or x - groups[-1][0] >= NEAR * (high - low):
            groups.append((x, {}))
        groups[-1][1].setdefault(what, []).append(value)
    for x, changed in groups:
        text = ", ".join(f"{what} {value_sequence(values)}" for what, values in changed.items())
        figure["layout"]["annotations"].append(drawing.vertical_text(x, text))


def mark_stages(figure: Figure, records: Sequence[Record], along: Along, names: Sequence[str]) -> None:
    """Mark the beginning of each stage after the first with its name.

    A stage begins with a record of its own at the last update of the stage before.
    """
    begun = [record for last, record in pairwise(records) if record.count == last.count]
    for record, name in zip(begun, names, strict=False):
        x = along.where(record)
        figure["layout"]["shapes"].append(drawing.vertical_line(x))
        figure["layout"]["annotations"].append(drawing.vertical_text(x, f"{name} from here", height=drawing.LOW))
