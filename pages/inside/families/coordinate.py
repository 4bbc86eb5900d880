"""Sweeps of one parameter after the other in words: a row, then each bias, then each coupling."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from boltzcore.data import Dataset
from boltzcore.reference.trace import UpdateTrace
from boltzcore.reference.traces.tables import climb, parameters_after
from pages.inside.families.step_view import Shown, StepView, column_name

ALL = 16  # parameters up to which each is shown
FIRST, MOVERS, LAST = 3, 6, 2  # otherwise: the first, those that move most, the last
MOST_COLUMNS = 40  # up to which all parameters are shown
ALONE = 2  # gaps up to this length between shown phases are not folded


def phases(dissection: UpdateTrace) -> list[Shown]:
    """Return the phases shown: of a long sweep its beginning, its largest steps and its end."""
    steps = range(1, len(dissection.phases))
    if len(steps) <= ALL:
        return [Shown(0), *map(Shown, steps)]
    movers = sorted(steps, key=lambda index: -abs(_step(dissection, index)))[:MOVERS]
    kept = {*steps[:FIRST], *movers, *steps[-LAST:]}
    shown = [Shown(0)]
    for is_kept, some in groupby(steps, kept.__contains__):
        few = list(some)
        shown += map(Shown, few) if is_kept or len(few) <= ALONE else [Shown(few[-1], few)]
    return shown


def sentence(dissection: UpdateTrace, learner: Any, index: int) -> str:
    """Describe the phase with this index in a few sentences."""
    phase = dissection.phases[index]
    if phase.kind == "rows":
        return (
            "One row of the data. The arc around a unit is the probability of its value, given all others. "
            "P\N{LATIN SUBSCRIPT SMALL LETTER N}, the log-pseudo-likelihood, sums the logarithms of all these "
            "probabilities over all rows. It should rise."
        )
    up, down = ("on", "off") if phase.kind == "bias" else ("alike", "different")
    whose = "the unit is" if phase.kind == "bias" else "its two units are"
    step = _step(dissection, index)
    ends = "Up wins: it rises." if step > 0 else "Down wins: it falls." if step < 0 else "Both are equal: it stays."
    return (
        f"One {phase.kind} moves, all else is fixed. Rows in which {whose} {up} pull it up, those in which {whose} "
        f"{down} pull it down. {ends}"
    )


def _step(dissection: UpdateTrace, index: int) -> float:
    arrays = dissection.phases[index].arrays
    return float(arrays["after"] - arrays["before"])


def arrays(dissection: UpdateTrace, dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return the parameters after a step, if they are few; and P_n with the parabola below it along the moving one."""
    few = dataset.train.n_visible <= MOST_COLUMNS
    along = {"theta": parameters_after(dissection, index)} if few else {}
    return along | climb(dissection, dataset.train, index) if index else along


def words(dissection: UpdateTrace, dataset: Dataset, index: int) -> Mapping[str, Any]:
    """Return the parameter that moves, and the names of both pulls."""
    moved = dissection.phases[index].arrays
    if not index:
        return {}
    columns = " and ".join(column_name(dataset, int(moved[name])) for name in ("j", "k") if name in moved)
    what = f"The {'coupling' if 'k' in moved else 'bias'} of {columns} moves"
    return {"about": what, "names": ["up", "down"]}


VIEW = StepView(
    phases,
    sentence,
    arrays=arrays,
    words=words,
    panels={
        "x": ("the row", "signed"),
        "log_odds": ("log-odds against", "signed"),
        "theta": ("biases, couplings", "matrix"),
        "climb": ("gain of P\N{LATIN SUBSCRIPT SMALL LETTER N}; the parabola, dashed", "curve"),
        "pulls": ("pulls of rows", "bars"),
        "before": ("before", "number"),
        "after": ("after", "number"),
        "gained": ("gain", "number"),
        "reached": ("P\N{LATIN SUBSCRIPT SMALL LETTER N}", "number"),
    },
)
