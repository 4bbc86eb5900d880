"""What a sweep adds to an objective that it climbs, on a logarithmic scale."""

import math
from collections.abc import Sequence

from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import EPOCHS, Along, Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures.marks import mark_changes
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
    figure, curves = drawing.over(along, "Increase per sweep, nats"), [*pinned, curve]
    sizes = [tolerance] if tolerance > 0 else []
    for each in curves:
        known = [r for r in drawing.thinned(each.records, of=len(curves)) if drawing.is_known(r, INCREASE)]
        if not known:
            continue
        x, y = [along.where(r) for r in known], [r.values[INCREASE] for r in known]
        colour = palette.hue(each.family) if each is curve else palette.pinned(each.family, curve.family)
        width, dash = 2.5 if each is curve else 1.5, each.dash if pinned else "solid"
        rises = [value if value > 0 else None for value in y]
        line = drawing.drawn_line(x, y, each.name, colour, width, dash) | {"y": rises, "connectgaps": False}
        # a point between two gaps is no line, and would not be seen
        alone = [7 if lonely else 0 for lonely in _alone(rises)]
        marks = {"mode": "lines+markers", "marker": {"color": colour, "size": alone}, "hovertemplate": "%{y:.3g}"}
        figure["data"].append(line | marks)
        falls = [(at, -value) for at, value in zip(x, y, strict=True) if value < 0]
        if falls:
            marker = {"symbol": "x-thin", "size": 7, "line": {"width": 1.5, "color": colour}}
            figure["data"].append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "x": [at for at, _ in falls],
                    "y": [size for _, size in falls],
                    "name": f"{each.name} fell by",
                    "showlegend": False,
                    "marker": marker,
                    "hovertemplate": "%{y:.3g}",
                }
            )
        sizes += [abs(value) for value in y if value]
    limits = _decades(sizes)
    if pinned:
        drawing.show_legend(figure)
    drawing.mark_tolerance(figure, tolerance)
    reach = along.reach(curve.records, *(each.records for each in pinned))
    mark_changes(figure, curve.records, along, changes, reach)
    drawing.framed(figure, reach, limits)
    figure["layout"]["margin"]["l"] = 72
    figure["layout"]["yaxis"] |= {"type": "log", "dtick": max(1, round((limits[1] - limits[0]) / 7))}
    figure["layout"]["yaxis"] |= {"exponentformat": "power", "minor": {"nticks": 0}}
    return figure


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


def _alone(values: Sequence[float | None]) -> list[bool]:
    """Which values have none on either side."""
    around = [None, *values, None]
    return [
        value is not None and before is None and after is None
        for before, value, after in zip(around, around[1:], around[2:], strict=False)
    ]


def _decades(sizes: Sequence[float]) -> tuple[float, float]:
    """Whole powers of ten, as logarithms, that hold all of these."""
    if not sizes:
        return -5.0, 5.0
    low, high = math.floor(math.log10(min(sizes))), math.ceil(math.log10(max(sizes)))
    return float(low), float(max(high, low + 1))
