"""All figures of a race that has ended, as a table."""

import math
from typing import Any

from boltzcore.figures.frame import Column, Panel, Table
from boltzcore.measures.merit import in_words
from boltzcore.quoting import number
from boltzcore.runs.result import Result

TITLES = {
    "value": "Median",
    "final": "At the end",
    "best": "Best",
    "to_target": "Cost to the target",
    "area": "Mean over the cost",
    "difference": "Difference",
    "low": "Interval from",
    "high": "Interval to",
    "p": "p",
    "better_in": "Better in",
    "trials": "Trials",
}
NEVER = "never"


def table(result: Result) -> Panel:
    """A line for each contender, in the comparison's order; a column of which nothing is known is left out."""
    found = result.table().astype(object)
    columns = [Column("Contender", tuple(map(str, found.index)))]
    for name, title in TITLES.items():
        values = [None if value is None or value != value else float(value) for value in found[name]]
        if any(value is not None for value in values):
            columns.append(Column(title, tuple(map(_text, values)), tuple(map(_finite, values))))
    return Panel("All figures", Table("figures", tuple(columns)), about=_about(result))


def _about(result: Result) -> str:
    target = " the cost at which the target was reached first," if result.comparison.target is not None else ""
    return (
        f"Medians over the trials: the {in_words(result.figure)}, which is compared; the figure that judges the models "
        f"at the end and at its best;{target} and its mean over the whole cost. Then the mean over the trials of the "
        f"difference from {result.comparison.names[0]}, above 0 where a contender is better; Student's interval of it, "
        "as wide as Holm's rule asks for where several contenders are compared; the p of the exact sign-flip test; in "
        "how many trials the contender is better; and how many trials were trained to their end."
    )


def _text(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return NEVER if math.isinf(value) else number(value, ".6g") if value.is_integer() else number(value, ".4g")


def _finite(value: Any) -> float | None:
    return value if value is not None and math.isfinite(value) else None
