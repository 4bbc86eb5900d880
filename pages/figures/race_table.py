"""All figures of a race that has ended, as a table."""

import math
from typing import Any

from boltzcore.comparison.result import Result
from boltzcore.measures.paired import FEWEST, LEVEL, PairedDifference
from boltzcore.quoting import number
from pages.figures.frame import Column, Panel, Table

TITLES = {
    "difference": "Mean difference",
    "low": "From",
    "high": "To",
    "claimed": "Shown",
    "p": "p",
    "better_in": "Better in",
    "n": "of",
    "value": "Mean",
    "to_target": "Cost to the target",
    "trials": "Trials",
    "pace": "Seconds per 10\N{SUPERSCRIPT NINE} operations",
}
NEVER = "never"


def table(result: Result, reference: str | None = None) -> Panel:
    """A line for each contender, in the comparison's order; a column of which nothing is known is left out. The title
    names the figure and the State that all columns are of.

    reference : as of `Result.differences`
    """
    found = result.table(reference)
    columns = [Column("Contender", tuple(map(str, found.index)))]
    for name, title in TITLES.items():
        values = list(found[name])
        if any(value is not None for value in values):
            columns.append(Column(title, tuple(map(_text, values)), tuple(map(_finite, values))))
    about = _about(result, result.comparison.contender(reference))
    title = f"{result.in_words[0].upper()}{result.in_words[1:]}"
    return Panel(title, Table("figures", tuple(columns)), about=about)


def with_interval(found: PairedDifference) -> str:
    """A difference and half the width of its interval, to two figures of the latter."""
    sign = "+" if found.mean > 0 else ""
    if found.exact or found.low is None or found.high is None:
        return f"{sign}{number(found.mean, '.3g')}"
    half = (found.high - found.low) / 2
    places = max(0, 1 - math.floor(math.log10(half))) if 0 < half < math.inf else 0
    return f"{sign}{number(found.mean, f'.{places}f')} \N{PLUS-MINUS SIGN} {number(half, f'.{places}f')}"


def _about(result: Result, reference: str) -> str:
    target = (
        " and the median of the cost at which the target was reached first"
        if result.comparison.target is not None
        else ""
    )
    return (
        f"All columns are of the {result.in_words}. First the mean over the trials of the difference from {reference}, "
        f"above 0 where a contender is better; Student's interval of it, so wide that those {result.family(reference)} "
        f"hold together 95 times in 100; whether a difference is shown: where the interval excludes 0; p of the same "
        f"statistic, then below {LEVEL:g}; and in how many of the trials the contender is better. Fewer than {FEWEST} "
        "trials show nothing of contenders with randomness. Then, over the trials that were trained to their end, the "
        f"mean of the figure{target}. Last, how many these are, and the seconds that "
        "10\N{SUPERSCRIPT NINE} operations took in updates at one thread: they depend on the computer and "
        "on what else it does, and cannot be reproduced."
    )


def _text(value: float | bool | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NEVER if math.isinf(value) else number(value, ",.0f" if float(value).is_integer() else ".4g")


def _finite(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None
