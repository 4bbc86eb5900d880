"""The figures of one trial of a comparison."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.costs import cost_at
from boltzcore.comparison.trial import Trial
from boltzcore.measures.merit import in_full, sign
from boltzcore.training.status import Status


@dataclass(frozen=True)
class Outcome:
    """The figure of one trial that is compared (`Result.figure`), higher for a better model, an error negative.

    status : of the trial
    costs, merits : of its records that judge the model, each as it is compared: the figure of that record, or of the
        best one so far by the validation rows
    value : the last merit; None if there is none
    spread : by how much an estimate of it may be off, to either side; 0 for an exact figure
    to_target : the cost at which the target was reached first, infinite if it never was; None without a target
    """

    status: Status
    costs: tuple[float, ...]
    merits: tuple[float, ...]
    value: float | None
    spread: float
    to_target: float | None

    @classmethod
    def of(cls, trial: Trial, comparison: Comparison, judge: str, figure: str) -> "Outcome":
        """Return the outcome of a trial. If `figure` is not that which judges the models, it is compared at the best
        State so far.
        """
        pairs = ((each, each.values) for each in trial.records)
        judged = [each for each, values in pairs if judge in values and figure in values and in_full(values)]
        costs = [cost_at(comparison.axis, each) for each in judged]
        if figure != judge:
            merits, best = [sign(judge) * each.values[judge] for each in judged], 0
            places = [best := place if merit > merits[best] else best for place, merit in enumerate(merits)]
            judged = [judged[place] for place in places]
        flip = sign(figure)
        merits = [flip * each.values[figure] for each in judged]
        reached = None
        if comparison.target is not None:
            aim = flip * comparison.target
            reached = next((cost for cost, merit in zip(costs, merits, strict=True) if merit >= aim), math.inf)
        value, spread = (merits[-1], _spread(judged[-1].values, figure)) if judged else (None, 0.0)
        return cls(trial.status, tuple(costs), tuple(merits), value, spread, reached)

    @property
    def whole(self) -> bool:
        """True if the trial was trained to its end, and has a finite figure."""
        return self.status == Status.FINISHED and self.value is not None and math.isfinite(self.value)


def _spread(values: Mapping[str, float], figure: str) -> float:
    """Return how far an estimate may be off to either side; 0 if it is exact, infinite if an end is not known."""
    if not figure.endswith("_ais"):
        return 0.0
    value = values.get(figure, math.nan)
    return max(values.get(f"{figure}_high", math.inf) - value, value - values.get(f"{figure}_low", -math.inf))
