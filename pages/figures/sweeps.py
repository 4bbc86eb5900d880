"""What a sweep adds to an objective that it climbs, on a logarithmic scale."""

import math
from collections.abc import Sequence
from typing import Any

from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.plotting import drawing
from boltzcore.plotting.drawing import EPOCHS, Along, Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures.curves import Line, curves
from pages.figures.naming import Curve


def increase(
    curve: Curve,
    *,
    pinned: Sequence[Curve] = (),
    along: Along = EPOCHS,
    tolerance: float = 0.0,
    changes: Sequence[Change] = (),
) -> Figure:
    """The increase of each sweep that was measured; beside it that of pinned trainings, thinner, under their names.

    A logarithm has no place for what is not positive: there the line has a gap, and a cross marks by how much the
    objective fell.

    tolerance : an increase that a training stops below, a horizontal line; none where it is 0
    changes : live changes, marked at the update they were made
    """

    def limits(values: list[float]) -> tuple[float, float]:
        sizes = [*(abs(value) for value in values if value), *([tolerance] if tolerance > 0 else [])]
        logs = [math.log10(size) for size in sizes] or [-5.0, 5.0]
        low, high = math.floor(min(logs)), math.ceil(max(logs))
        return float(low), float(max(high, low + 1))

    figure = curves(
        "Increase per sweep, nats",
        curve,
        [Line(INCREASE, curve.name, 2.5)],
        limits,
        pinned=pinned,
        along=along,
        hover="%{y:.3g}",
        decorate=_with_falls,
        legend=bool(pinned),
        changes=changes,
    )
    drawing.mark_tolerance(figure, tolerance)
    low, high = figure["layout"]["yaxis"]["range"]
    figure["layout"]["margin"]["l"] = 72
    figure["layout"]["yaxis"] |= {"type": "log", "dtick": max(1, round((high - low) / 7))}
    figure["layout"]["yaxis"] |= {"exponentformat": "power", "minor": {"nticks": 0}}
    return figure


def _with_falls(line: dict[str, Any], _records: list[Record], _key: str) -> list[dict[str, Any]]:
    """The line with gaps, and crosses where the objective fell."""
    rises = [value if value > 0 else None for value in line["y"]]
    traces = [line | {"y": rises, "connectgaps": False}]
    if None in rises:  # a point between two gaps is no line, and would not be seen
        traces[0] |= {"mode": "lines+markers"}
    falls = [(x, -y) for x, y in zip(line["x"], line["y"], strict=True) if y < 0]
    if falls:
        x, y = map(list, zip(*falls, strict=True))
        marker = {"symbol": "x-thin", "size": 7, "line": {"width": 1.5, "color": line["line"]["color"]}}
        crosses = {"mode": "markers", "x": x, "y": y, "name": f"{line['name']} fell by", "marker": marker}
        traces.append(line | crosses | {"showlegend": False})
    return traces


def sentence(records: Sequence[Record]) -> str:
    """How often the objective fell in a sweep that was measured, and by how much; "" before the first."""
    known = [r.values[INCREASE] for r in records if drawing.is_known(r, INCREASE)]
    falls = [-value for value in known if value < 0]
    if not known:
        return ""
    if not falls:
        return f"It fell in none of the {len(known):,} sweeps that were measured."
    return (
        f"It fell in {len(falls):,} of the {len(known):,} sweeps that were measured, by {max(falls):.3g} nats at most."
    )
