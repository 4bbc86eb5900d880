"""The figures of one trial of a comparison."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.costs import cost_at
from boltzcore.comparison.scheduler import Standing
from boltzcore.comparison.trial import FINISHED
from boltzcore.measures.merit import in_full, judging, sign
from boltzcore.training.loop import Record


@dataclass(frozen=True)
class Course:
    """What judges a trial over its cost; merits are higher for a better model, an error is negative.

    read : all its records so far
    judged : those that have a merit and a cost; costs, merits : theirs
    """

    read: tuple[Record, ...] = ()
    judged: tuple[Record, ...] = ()
    costs: tuple[float, ...] = ()
    merits: tuple[float, ...] = ()

    def grown(self, records: tuple[Record, ...], signs: Mapping[str, int], axis: str) -> "Course":
        """The course of these records; of those that were read before, where these go on from them, nothing is read
        again: a race asks with each frame.

        signs : {figure of merit: its sign}, best first; axis : of the costs
        """
        n = len(self.read)
        if len(records) < n or (n and records[n - 1] is not self.read[-1]):
            return Course().grown(records, signs, axis)
        if len(records) == n:
            return self
        names = tuple(signs)
        judged: list[Record] = []
        costs: list[float] = []
        merits: list[float] = []
        for record in records[n:]:
            cost, judge = cost_at(axis, record), judging(record.values, names)
            if judge is not None and in_full(record.values):
                judged.append(record)
                costs.append(cost)
                merits.append(signs[judge] * record.values[judge])
        return Course(records, (*self.judged, *judged), (*self.costs, *costs), (*self.merits, *merits))


@dataclass(frozen=True)
class Outcome:
    """The figure of one trial that is compared (`Result.figure`), higher for a better model, an error negative.

    status : as of a `Standing`; reason : a sentence where it needs one
    costs, merits : of its records that have a merit, each as it is compared: of that record, or of the best one so far
        by the validation rows
    value : the figure at the end of these; None where the trial has none
    spread : by how much an estimate of it may be off, to either side; 0 for an exact figure
    to_target : the cost at which the target was reached first, infinite where it never was; None without a target
    budget : what the trial may cost
    """

    status: str
    reason: str
    costs: tuple[float, ...]
    merits: tuple[float, ...]
    value: float | None
    spread: float
    to_target: float | None
    budget: float

    @classmethod
    def of(cls, standing: Standing, course: Course, figure: str, comparison: Comparison, *, best: bool) -> "Outcome":
        """The outcome of a trial that stands here, of which `figure` is compared.

        best : whether at the best State by what judges it, which is of other rows; else at the end
        """
        costs, merits, judged, flip = course.costs, course.merits, course.judged, sign(figure)
        if best:
            top = 0
            tops = [top := place if merit > merits[top] else top for place, merit in enumerate(merits)]
            judged = tuple(judged[place] for place in tops)
            merits = tuple(flip * each.values[figure] for each in judged)
        value = judged[-1].values.get(figure) if judged else None
        reached = None
        if comparison.target is not None:
            aim = flip * comparison.target
            reached = next((cost for cost, merit in zip(costs, merits, strict=True) if merit >= aim), math.inf)
        return cls(
            standing.status,
            standing.reason,
            costs,
            merits,
            None if value is None else flip * value,
            _spread(judged[-1].values, figure) if judged else 0.0,
            reached,
            comparison.cost,
        )

    @property
    def whole(self) -> bool:
        """Whether the trial was trained to its end, and has a finite figure."""
        return self.status == FINISHED and self.value is not None and math.isfinite(self.value)

    @property
    def area(self) -> float | None:
        """The mean over the cost of the last merit that was known by then; the last one stays to the budget."""
        if not self.merits:
            return None
        ends = [*self.costs[1:], max(self.budget, self.costs[-1])]
        spans = [max(0.0, min(end, self.budget) - cost) for cost, end in zip(self.costs, ends, strict=True)]
        total = sum(spans)
        if total <= 0:
            return self.merits[-1]
        return sum(span * merit for span, merit in zip(spans, self.merits, strict=True)) / total


def _spread(values: Mapping[str, float], name: str) -> float:
    """How far an estimate may be off to either side; 0 for an exact figure, infinite where an end is not known."""
    if not name.endswith("_ais"):
        return 0.0
    value = values.get(name, math.nan)
    return max(values.get(f"{name}_high", math.inf) - value, value - values.get(f"{name}_low", -math.inf))
