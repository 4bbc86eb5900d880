"""Length of a description of the data by a model, less their entropy: KL divergence and cost of the terms, by step."""

import math
from collections.abc import Sequence
from typing import Any

from boltzcore.learners.log_linear.greedy import COST
from boltzcore.learners.log_linear.tables import KL
from boltzcore.plotting import drawing
from boltzcore.plotting.drawing import EPOCHS, Along, Figure
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change
from pages.figures import curve_selection
from pages.figures.curves import Line, curves
from pages.figures.naming import Curve

LINEAR, LOG = "linear", "log"
SCALES = {LINEAR: "linear", LOG: "logarithmic"}
TO_TRUTH = "kl_to_truth"
# names that fit beside the plot on a phone
LINES = {COST: ("cost", "solid", 3.5), KL: ("KL data", "solid", 1.8), TO_TRUTH: ("KL truth", "dot", 2.2)}
SAID = {COST: "Cost of the description", KL: "KL divergence from the data", TO_TRUTH: "KL divergence from the truth"}
LEAST = 1e-6  # nats: of a logarithmic axis


def leading(records: Sequence[Record]) -> str:
    """The figure that a training is compared by: its cost, or where no record has one, its KL divergence."""
    return next((key for key in LINES if any(drawing.is_known(r, key) for r in records)), COST)


def lengths(
    curve: Curve,
    *,
    pinned: Sequence[Curve] = (),
    along: Along = EPOCHS,
    changes: Sequence[Change] = (),
    scale: str = LINEAR,
) -> Figure:
    """The cost of a description (thick), how far the model is from the data (thin) and from the truth (dotted), where
    that is measured; of each pinned training its cost alone, under its name.

    changes : live changes, marked at the update they were made
    scale : one of `SCALES`, of the lengths; a logarithmic one leaves out what is below a millionth of a nat
    """
    lines = [Line(key, part, width, dash) for key, (part, dash, width) in LINES.items()]

    def limits(values: list[float]) -> tuple[float, float]:
        if scale == LINEAR:
            return drawing.rounded(0.0, max(values, default=0.1))
        logs = [math.log10(each) for each in values if each > LEAST] or [0.0]
        return math.floor(10 * min(logs)) / 10 - 0.1, math.ceil(10 * max(logs)) / 10

    def decorate(line: dict[str, Any], _records: list[Record], _key: str) -> list[dict[str, Any]]:
        shown = [value if scale == LINEAR or value > LEAST else None for value in line["y"]]
        return [line | {"y": shown, "connectgaps": True}]

    figure = curves(
        "Nats per example, lower is better",
        curve,
        lines,
        limits,
        pinned=pinned,
        compared=lambda each: leading(each.records),
        along=along,
        decorate=decorate,
        changes=changes,
    )
    if scale == LOG:
        low, high = figure["layout"]["yaxis"]["range"]
        figure["layout"]["yaxis"] |= {"type": "log", "dtick": "D2" if high - low < 2 else 1}
    return figure


def sentence(records: Sequence[Record]) -> str:
    """Where each line begins and ends, for those who do not see them."""
    known = [key for key in LINES if any(drawing.is_known(r, key) for r in records)]
    if not known:
        return "Nothing measured yet."
    return " ".join(f"{SAID[key]}, {_way(records, key)}." for key in known)


def _way(records: Sequence[Record], key: str) -> str:
    values = [r.values[key] for r in records if drawing.is_known(r, key)]
    return f"from {curve_selection.figure(values[0], 4)} to {curve_selection.figure(values[-1], 4)} nats per example"
