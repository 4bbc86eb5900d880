"""Marks over curves: live changes of hyper-parameters, and where a stage of a training begins."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from boltzcore.plotting import drawing
from boltzcore.plotting.drawing import Along, Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures.naming import value_sequence

NEAR = 0.05  # of the axis: labels of live changes closer than this are one


def mark_changes(
    figure: Figure, records: Sequence[Record], along: Along, changes: Sequence[Change], reach: Sequence[float]
) -> None:
    """Each live change as a line; those whose labels would overprint have one label."""
    groups: list[tuple[float, dict[str, list[Any]]]] = []
    for at, what, value in changes:
        x = _at(records, along, at)
        figure["layout"]["shapes"].append(drawing.up(x))
        if not groups or x - groups[-1][0] >= NEAR * (reach[1] - reach[0]):
            groups.append((x, {}))
        groups[-1][1].setdefault(what, []).append(value)
    for x, changed in groups:
        text = ", ".join(f"{what} {value_sequence(values)}" for what, values in changed.items())
        figure["layout"]["annotations"].append(drawing.upright(x, text))


def mark_stages(figure: Figure, records: Sequence[Record], along: Along, names: Sequence[str]) -> None:
    """Where each stage after the first begins, as a line with its name; a stage begins with a record of its own at the
    update at which the one before has ended.
    """
    begun = [record for last, record in pairwise(records) if record.count == last.count]
    for record, name in zip(begun, names, strict=False):
        x = along.where(record)
        figure["layout"]["shapes"].append(drawing.up(x))
        figure["layout"]["annotations"].append(drawing.upright(x, f"{name} from here", low=True))


def _at(records: Sequence[Record], along: Along, count: int) -> float:
    """Where update `count` lies on the axis, between the records around it."""
    if not records:
        return 0.0
    return float(np.interp(count, [r.count for r in records], [along.where(r) for r in records]))
