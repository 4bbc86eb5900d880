"""All figures of a finished race as a table, with cautions."""

import math
from typing import Any

from boltzcore.comparison.result import Result, count_settings
from boltzcore.measures.paired import FEWEST, LEVEL, PairedDifference
from boltzcore.plotting.comparison_curves import median_curve
from boltzcore.quoting import number, short_count
from pages.figures.frame import Column, Panel, Table
from pages.figures.terms import WITH_INTERVAL

TITLES = {
    "difference": "Better by",
    "low": "From",
    "high": "To",
    "claimed": "Significant",
    "p": "p",
    "better_in": "Better in",
    "n": "of",
    "value": "Mean",
    "to_target": "Cost to the target",
    "trials": "Trials",
    "pace": "Seconds per billion operations",
}
NEVER, UNKNOWN = "never", "\N{EN DASH}"
SHORT, IN_FILE = ("difference", "claimed"), ("low", "high", "n")  # for a phone, too; with another column in sight
TUNING = (
    "{}, on seeds that no trial uses. Median: the {}, over the runs of a setting. The best one is used in the trials; "
    "if it is at the edge of its grid, a value beyond it may be better."
)
HARDLY = 0.05  # of the gain of the best contender
LATE, MUCH = 0.8, 0.1  # from this share of the cost on, more than this share of its own gain or than `_half_width`


def table(result: Result, reference: str | None = None) -> Panel:
    """Return a table with a line for each contender, in the comparison's order, without empty columns. The title names
    the figure and the State of all columns.

    reference : as of `Result.differences`
    """
    found = result.table(reference)
    values = {name: list(found[name].astype(object).where(found[name].notna(), None)) for name in TITLES}
    texts = {name: tuple(map(_text, each)) for name, each in values.items()}
    texts["difference"] = _joined(WITH_INTERVAL, texts["difference"], texts["low"], texts["high"])
    texts["better_in"] = _joined("{} of {}", texts["better_in"], texts["n"])
    columns = [Column("Contender", tuple(map(str, found.index)))]
    for name, title in TITLES.items():
        if any(value is not None for value in values[name]):
            numbers = None if name == "claimed" else tuple(map(_finite, values[name]))  # a file has the words
            room = "" if name in SHORT else "file" if name in IN_FILE else "wide"
            columns.append(Column(title, texts[name], numbers, room))
    about = _about(result, result.comparison.contender(reference))
    title = f"{result.figure_title[0].upper()}{result.figure_title[1:]}"
    return Panel(title, Table("figures", tuple(columns)), about=about)


def tuning_table(tuning: Result) -> Panel:
    """Return a table with a line for each contender and setting that it has tried before the trials."""
    found = tuning.tried()
    columns = [Column("Contender", tuple(found["contender"]))]
    for field in dict(tuning.comparison.tuning.grid):
        columns.append(Column(field, tuple(found[field].fillna("\N{EN DASH}"))))
    medians = tuple("diverged" if value is not None and math.isnan(value) else _text(value) for value in found["value"])
    columns.append(Column("Median", medians, tuple(map(_finite, found["value"]))))
    columns.append(Column("Used", tuple(_text(taken if tuning.whole else None) for taken in found["taken"])))
    about = TUNING.format(count_settings(tuning.comparison, "tries"), tuning.figure_title)
    return Panel("Settings tried", Table("tuning", tuple(columns)), about=about)


def with_interval(found: PairedDifference) -> str:
    """Return a difference and half the width of its interval, to two figures of the latter."""
    sign = "+" if found.mean > 0 else ""
    if found.exact or found.low is None or found.high is None:
        return f"{sign}{number(found.mean, '.3g')}"
    half = (found.high - found.low) / 2
    places = max(0, 1 - math.floor(math.log10(half))) if 0 < half < math.inf else 0
    return f"{sign}{number(found.mean, f'.{places}f')} \N{PLUS-MINUS SIGN} {number(half, f'.{places}f')}"


def _about(result: Result, reference: str) -> str:
    target = ", the median cost at which the target was first reached" if result.comparison.target is not None else ""
    return (
        f"Better by: the mean over the trials of the difference from {reference}, above 0 if a contender is "
        "better; in brackets Student's interval for n trials, Bonferroni-corrected: the intervals "
        f"{result.family(reference)} hold simultaneously with 95 % confidence. Trials are paired by seed: all "
        "contenders of a trial have the same start (if their models allow it), order of mini-batches and noise. "
        f"Significant: whether the interval excludes 0. p: its p-value, below {LEVEL:g} for a significant "
        f"difference. Fewer than {FEWEST} trials cannot show one between randomised contenders. The other columns are "
        f"of the completed trials: the mean{target}, the number of trials and the seconds per billion operations of "
        "updates in one thread, which depend on the computer and its load."
    )


def _text(value: float | bool | None) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if math.isinf(value):
        return NEVER
    return short_count(int(value)) if value >= 0 and float(value).is_integer() else number(value, ".4g")


def _joined(form: str, *columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns joined as one; only the first if the others are unknown."""
    return tuple(
        first if rest[0] == UNKNOWN else form.format(first, *rest) for first, *rest in zip(*columns, strict=True)
    )


def _finite(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def cautions(result: Result) -> list[str]:
    """Return cautions on medians over the trials that say little about the result of a larger cost."""
    gains: dict[str, tuple[float, float]] = {}  # in all, and late
    for name, outcomes in result.outcomes.items():
        costs, medians = median_curve(outcomes)
        if costs:
            before = [value for cost, value in zip(costs, medians, strict=True) if cost <= LATE * costs[-1]]
            gains[name] = medians[-1] - medians[0], medians[-1] - (before or medians)[-1]
    most = max((gain for gain, _ in gains.values()), default=0.0)
    if most <= 0:
        return []
    found = []
    if fallen := [name for name, (gain, _) in gains.items() if gain <= -HARDLY * most]:
        found.append(f"{_listed(fallen)} ended below {'its' if len(fallen) == 1 else 'their'} start.")
    if hardly := [name for name, (gain, _) in gains.items() if abs(gain) < HARDLY * most]:
        have = "has" if len(hardly) == 1 else "have"
        found.append(f"{_listed(hardly)} {have} hardly improved: at a larger cost the order may differ.")
    learnt = {name: gain for name, gain in gains.items() if name not in hardly + fallen}
    if still := [name for name, (gain, late) in learnt.items() if late > min(MUCH * gain, _half_width(result, name))]:
        found.append(f"{_listed(still)} {'was' if len(still) == 1 else 'were'} still improving at the end.")
    return found


def _half_width(result: Result, name: str) -> float:
    """Half of the widest interval of the differences from a contender; infinite if there is none."""
    found = [each for each in result.differences(name).values() if each.low is not None and not each.exact]
    return max(((each.high - each.low) / 2 for each in found), default=math.inf)


def _listed(names: list[str]) -> str:
    """Return contenders for a sentence: a name may contain commas."""
    comma = "; " if any("," in name for name in names) else ", "
    return " and ".join(filter(None, (comma.join(names[:-1]), names[-1])))
