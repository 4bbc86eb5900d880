"""Curves of a comparison: every trial as a thin line, the median as a thick one."""

import html
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.comparison.trial import Outcome
from boltzcore.measures.merit import sign, title_of
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import Figure
from boltzcore.registry import info_of
from boltzcore.training.status import MOVING

COLOURS = tuple(palette.FAMILIES[family] for family in ("CD", "LR", "PL", "DCP", "BP", "MDL"))
DASHES = (*palette.DASHES, "longdashdot")  # as many as colours, some of which look alike with some colour blindness
TITLES = {  # titles of the axis of costs
    "operations": "Operations (multiplications and additions)",
    "updates": "Updates",
    "epochs": "Epochs",
}
POINTS, FEW = 100, 50  # points of a thick line, and of a thin one
THIN, THICK = 1.0, 3.5
FAINT = 0.35  # opacity of a trial


def colours(comparison: Comparison) -> dict[str, str]:
    """Return {contender: its colour}: that of its learner's family if it is still free."""
    found: dict[str, str] = {}
    for name, recipe in comparison.contenders:
        hue = palette.hue(info_of(recipe.learner).family)
        free = [each for each in COLOURS if each not in found.values()]
        found[name] = hue if hue in free else free[0]
    return found


def assign_dashes(comparison: Comparison) -> dict[str, str]:
    """Return {contender: the dash of its lines} by position: no two differ in colour alone."""
    return {name: DASHES[place] for place, name in enumerate(comparison.names)}


def plot(result: Result) -> Figure:
    """Return the compared figure against the cost: every trial thin, the median of each contender thick."""
    comparison, shades, strokes = result.comparison, colours(result.comparison), assign_dashes(result.comparison)
    flip = sign(_figure_name(result))
    title = title_of(_figure_name(result)) or "merit"
    figure = drawing.blank(TITLES[comparison.axis], title[0].upper() + title[1:])
    values: list[float] = []
    for name, outcomes in result.outcomes.items():
        text = html.escape(name, quote=False)  # Plotly treats < and & as markup
        trials = [each for outcome in outcomes if (each := _thin_out(outcome, flip))[0]]
        values += (value for _, y in trials for value in y if math.isfinite(value))
        if trials:
            figure["data"].append(_trial_lines(trials, text, palette.translucent(shades[name], FAINT)))
        x, y = median_curve(outcomes, flip) if comparison.tuning is None else ([], [])
        if x:
            figure["data"].append(drawing.drawn_line(x, y, text, shades[name], THICK, strokes[name]))
    limits = drawing.round_limits(min(values), max(values)) if values else (0.0, 1.0)
    drawing.show_legend(figure)
    last = [each.costs[-1] for outcomes in result.outcomes.values() for each in outcomes if each.costs]
    drawing.fix_axes(figure, [0.0, max([float(comparison.cost), *last])], limits)  # a trial may end beyond the budget
    if comparison.target is not None:
        drawing.add_level(figure, comparison.target, "target", "dash")
    return figure


def _trial_lines(trials: Sequence[tuple[list[float], list[float]]], name: str, colour: str) -> dict[str, Any]:
    """Return the trials of a contender as one line with gaps, which is drawn much faster than a line for each."""
    x: list[float | None] = [value for each, _ in trials for value in (*each, None)]
    y: list[float | None] = [value for _, each in trials for value in (*each, None)]
    line = drawing.drawn_line([], [], name, colour, THIN, "solid")
    mode = "lines" if max(len(each) for each, _ in trials) > 1 else "markers"
    shown = {"hoverinfo": "skip", "hovertemplate": None, "showlegend": False}
    return line | shown | {"x": x[:-1], "y": y[:-1], "mode": mode}


def median_curve(outcomes: Sequence[Outcome], flip: int = 1) -> tuple[list[float], list[float]]:
    """Return (costs, median over the trials of the last merit known by then), if all trials have one: from the last
    first record to the current cost of the slowest trial. A finished trial keeps its last merit.
    """
    if not outcomes or not all(each.costs for each in outcomes):
        return [], []
    under_way = [each.costs[-1] for each in outcomes if each.status in MOVING]
    first, last = max(each.costs[0] for each in outcomes), min(under_way or [max(each.costs[-1] for each in outcomes)])
    every = np.unique([cost for each in outcomes for cost in each.costs if first <= cost <= last])
    if not every.size:
        return [], []
    costs = np.append(every[: -1 : max(1, len(every) // POINTS)], every[-1])
    known = [np.asarray(each.merits)[np.searchsorted(each.costs, costs, "right") - 1] for each in outcomes]
    return costs.tolist(), (flip * np.median(known, axis=0)).tolist()


def _figure_name(result: Result) -> str:
    return result.figure or next(reversed(result.comparison.merit), "")


def _thin_out(outcome: Outcome, flip: int) -> tuple[list[float], list[float]]:
    step = max(1, -(-len(outcome.costs) // FEW))
    kept = sorted({*range(0, len(outcome.costs), step), *range(len(outcome.costs))[-1:]})
    return [float(outcome.costs[i]) for i in kept], [flip * outcome.merits[i] for i in kept]


def describe(result: Result) -> str:
    """Return the text alternative of `plot`."""
    parts = []
    for name, outcomes in result.outcomes.items():
        _, medians = median_curve(outcomes, sign(_figure_name(result)))
        if medians:
            parts.append(f"{name} from {medians[0]:.3g} to {medians[-1]:.3g}")
    if not parts:
        return "Not measured yet."
    return f"Median over {result.comparison.trials} trials of the {result.figure_title}: {'; '.join(parts)}."
