"""Curves of single kinds of models: wrong pixels and convergence of conditional ones (Ping and Ihler, section 6),
description length of log-linear ones, increase per sweep of fully visible ones.
"""

import math
from collections.abc import Sequence
from functools import lru_cache, partial

from boltzcore.data.examples import Dataset
from boltzcore.learners.log_linear.greedy import COST
from boltzcore.learners.log_linear.tables import KL
from boltzcore.learners.pseudo_likelihood import INCREASE
from boltzcore.measures.pixels import pixel_errors
from boltzcore.plotting import drawing
from boltzcore.plotting.drawing import Figure
from boltzcore.training.loop import Record
from pages.figures import measurements
from pages.figures.charts import PERCENT
from pages.figures.curves import Line, Trace, TrainingCurves, curves, from_zero

_HOVER = f"%{{y:.2f}}{PERCENT}"


def pixel_error(training: TrainingCurves, nothing: float | None = None) -> Figure:
    """Share of wrong pixels among all, of the validation images (of the test images if there is no such split), in %.

    nothing : the share without any restoration, a horizontal line
    """
    split = measurements.judging_split(training.curve.records)
    line = Line(f"{split}_error", split, 3.5)
    figure = curves(
        training,
        "Wrong pixels, %",
        [line],
        partial(_error_limits, nothing=nothing),
        compared=lambda each: f"{measurements.judging_split(each.records)}_error",
        factor=100,
        hover=_HOVER,
        judges=[(line.key, "best")],
    )
    if nothing is not None:
        drawing.add_level(figure, 100 * nothing, "no restoration", "dash")
    return figure


def changed_error(training: TrainingCurves) -> Figure:
    """Share of wrong pixels among those that the corruption changed, in %: the part that is not restored."""
    split = measurements.judging_split(training.curve.records)
    line, limits = Line(f"{split}_changed_error", split, 2.0), partial(from_zero, least=10.0)
    return curves(training.alone, "Wrong, % of changed", [line], limits, factor=100, hover=_HOVER, legend=False)


def convergence(training: TrainingCurves) -> Figure:
    """Share of images on which the inference converged in time, in %: training images in the epoch under way (thin)
    and test images (thick).
    """
    lines = [Line("converged", "training", 1.5), Line("test_converged", "test", 3.5)]
    return curves(training.alone, "Converged, % of images", lines, lambda _: (-3.0, 103.0), factor=100, hover=_HOVER)


@lru_cache(maxsize=16)
def input_error(rows: Dataset) -> float:
    """Return the share of wrong pixels without any restoration, over the images that judge a training.

    rows : those that are measured, with inputs
    """
    judges = rows.validation or rows.test
    return pixel_errors(judges.v, judges.x, judges.x, judges.weight).all  # type: ignore[arg-type]


def _error_limits(values: Sequence[float], *, nothing: float | None) -> tuple[float, float]:
    """Limits, in %, that contain the measured errors and the error of doing nothing, and move only in round steps.

    Errors far above doing nothing, as before the first epoch, are cut off once there are others: they would flatten all
    else.
    """
    if not values and nothing is None:
        return 0.0, 100.0
    if nothing is None or len(values) < 2:
        return 0.0, drawing.round_limits(0.0, max([*values, *([] if nothing is None else [100 * nothing])]))[1]
    level = 100 * nothing
    room = max(level - min(values), 0.25 * level) / 2
    return drawing.round_limits(max(0.0, min(*values, level) - room), min(max(*values, level), level + room))


# -- log-linear models --------------------------------------------------------------------------------

TO_TRUTH = "kl_to_truth"
# names that fit next to the plot on a phone
LINES = {COST: ("cost", "solid", 3.5), KL: ("KL data", "solid", 1.8), TO_TRUTH: ("KL truth", "dot", 2.2)}
SAID = {COST: "Description length", KL: "KL to the data", TO_TRUTH: "KL to the truth"}


def main_figure(records: Sequence[Record]) -> str:
    """Return the figure by which trainings are compared: the cost, or if no record has one, the KL divergence."""
    return next((key for key in LINES if any(drawing.is_known(r, key) for r in records)), COST)


def description_length(training: TrainingCurves) -> Figure:
    """The cost of a description (thick), the distance of the model from the data (thin) and from the truth (dotted), if
    measured, less the entropy of the data; of each pinned training its cost alone.
    """
    lines = [Line(key, part, width, dash) for key, (part, dash, width) in LINES.items()]
    title = "Nats per example, lower is better"
    return curves(training, title, lines, from_zero, compared=lambda each: main_figure(each.records))


def description_sentence(records: Sequence[Record]) -> str:
    """Text alternative: first and last value of each line."""
    sentences = []
    for key, name in SAID.items():
        values = [r.values[key] for r in records if drawing.is_known(r, key)]
        if values:
            first, last = (measurements.figure(value, 4) for value in (values[0], values[-1]))
            sentences.append(f"{name}, from {first} to {last} nats per example.")
    return " ".join(sentences) or "Not measured yet."


# -- fully visible models -----------------------------------------------------------------------------


def increase(training: TrainingCurves, tolerance: float = 0.0) -> Figure:
    """The increase of each measured sweep.

    A logarithm has no place for values that are not positive: there the line has a gap, and a cross marks by how much
    the objective fell.

    tolerance : an increase that a training stops below, a horizontal line; none if it is 0
    """

    def limits(values: list[float]) -> tuple[float, float]:
        sizes = [*(abs(value) for value in values if value), *([tolerance] if tolerance > 0 else [])]
        logs = [math.log10(size) for size in sizes] or [-5.0, 5.0]
        low, high = math.floor(min(logs)), math.ceil(max(logs))
        return float(low), float(max(high, low + 1))

    line = Line(INCREASE, training.curve.name, 2.5)
    title, legend = "Increase per sweep, nats", bool(training.pinned)
    figure = curves(training, title, [line], limits, hover="%{y:.3g}", decorate=_with_falls, legend=legend)
    if tolerance > 0:
        drawing.add_level(figure, tolerance, "tolerance", "dash", "g", log=True)
    low, high = figure["layout"]["yaxis"]["range"]
    figure["layout"]["margin"]["l"] = 72
    figure["layout"]["yaxis"] |= {"type": "log", "dtick": max(1, round((high - low) / 7))}
    figure["layout"]["yaxis"] |= {"exponentformat": "power", "minor": {"nticks": 0}}
    return figure


def _with_falls(line: Trace, _records: list[Record], _key: str) -> list[Trace]:
    """Return the line with gaps, and crosses at falls of the objective."""
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


def increase_sentence(records: Sequence[Record]) -> str:
    """Return the number of measured sweeps in which the objective fell, and by how much; "" before the first."""
    known = [r.values[INCREASE] for r in records if drawing.is_known(r, INCREASE)]
    falls = [-value for value in known if value < 0]
    if not known:
        return ""
    if not falls:
        return f"It fell in none of the {len(known):,} measured sweeps."
    return f"It fell in {len(falls):,} of the {len(known):,} measured sweeps, by {max(falls):.3g} nats at most."
