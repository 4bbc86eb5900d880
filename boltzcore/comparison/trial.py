"""Trials: the trainings of a comparison, their files, figures and continuation."""

import io
import json
import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.costs import FIELDS
from boltzcore.learners.base import State
from boltzcore.measures.merit import in_full, sign
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle
from boltzcore.training.checkpoint import TrainingFile, pack
from boltzcore.training.loop import Record, run_fit
from boltzcore.training.prepared import PreparedData
from boltzcore.training.progress import from_store, tolerate
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING, Status
from boltzcore.training.stopping import cost

STEP = 0.05  # largest number of seconds between two steps
DAMAGED = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)  # of a damaged file


@dataclass(frozen=True)
class Trial:
    """A training of a recipe so far.

    reason : a sentence if the status needs one
    state, best : the newest and the best State; None before the first update, and for a large model that has ended
    share : finished share of the training, from 0 to 1; 0 if it was stored before its end
    stored : True if it had ended before, and was not trained now
    """

    recipe: Recipe
    status: Status = Status.QUEUED
    reason: str = ""
    records: tuple[Record, ...] = ()
    state: State | None = None
    best: State | None = None
    best_value: float | None = None
    share: float = 0.0
    stored: bool = False

    @property
    def count(self) -> int:
        """Number of updates so far; 0 if its state is not known."""
        return self.state.count if self.state else 0

    @property
    def ended(self) -> bool:
        """True if its training is over."""
        return self.status not in MOVING


def encode(trial: Trial, *, states: bool = True) -> bytes:
    """Return a trial as a file: its entry, its records and, with `states`, its states."""
    fields = {
        "recipe": trial.recipe.to_json(),
        "status": trial.status if trial.ended else Status.QUEUED,
        "reason": trial.reason,
        "best_value": None if trial.best_value is None else float(trial.best_value),
    }
    return pack(json.dumps(fields), trial.records, *((trial.state, trial.best) if states else ()))


def decode(content: bytes, recipe: Recipe) -> Trial:
    """Return the trial of `recipe` from a file of `encode`. Raises `DAMAGED` if it is damaged or of another recipe."""
    file = TrainingFile(io.BytesIO(content))
    fields = json.loads(file.entry)
    if Recipe.from_json(fields["recipe"]) != recipe:
        raise ValueError("it is of another recipe, or of other defaults")
    (state, best), status = file.states(recipe), Status(fields["status"])
    if status == Status.QUEUED and state is None:
        raise ValueError("its state is missing")
    value = float(fields["best_value"]) if best is not None else None
    ended = status != Status.QUEUED
    return Trial(recipe, status, str(fields["reason"]), file.records, state, best, value, float(ended), stored=ended)


def training(trial: Trial, tick: Tick = idle) -> Iterator[Trial]:
    """Yield a trial at each of its records and at least every `STEP` seconds, until it has ended.

    A fall of its likelihood is a result and does not end it. Only one thread at a time may use it.

    Parameters
    ----------
    trial : started, or continued from its stored state
    tick : called at least every 100 ms; may block, or raise Stopped

    Raises
    ------
    Refusal
        If recipe and data do not fit, or the data are unavailable.
    """
    recipe, records = trial.recipe, list(trial.records)
    prepared = PreparedData.from_recipe(recipe, tick)
    length = recipe.timetable(prepared.updates_per_epoch).length
    start = tolerate(from_store(recipe, trial.state, trial.best, records, best_value=trial.best_value))
    for now in run_fit(start, prepared=prepared, seconds=STEP, tick=tick):
        if now.record is not None:
            records.append(now.record)
        share = 0.0
        if (state := now.state) is not None:
            schedule = now.stage.schedule
            of_limit = cost(schedule, state) / schedule.limit if schedule.limit else 0.0
            share = 1.0 if now.ended == Status.FINISHED else min(1.0, max(state.count / length, of_limit))
        reason = now.reason if now.ended == Status.DIVERGED else ""
        status = now.ended or Status.RUNNING
        yield Trial(recipe, status, reason, tuple(records), state, now.best, now.best_value, share)


def train_trial(trial: Trial, tick: Tick = idle) -> Trial:
    """Return a trial, trained to its end from its stored state."""
    with one_for_blas():
        return deque(training(trial, tick), maxlen=1).pop()


@dataclass(frozen=True)
class Outcome:
    """Compared figure of one trial (`Result.figure`), higher for a better model, negative for an error.

    status : of the trial
    costs, merits : of its records that judge the model: the figure of that record, or of the best one so far by the
        validation rows
    value : the last merit; None if there is none
    spread : possible error of an estimate, to either side; 0 for an exact figure
    to_target : the cost at which the target was first reached, infinite if it never was; None without a target
    """

    status: Status
    costs: tuple[float, ...]
    merits: tuple[float, ...]
    value: float | None
    spread: float
    to_target: float | None

    @classmethod
    def of(cls, trial: Trial, comparison: Comparison, judge: str, figure: str) -> "Outcome":
        """Return the outcome of a trial. If `figure` does not judge the models itself, it is compared at the best State
        so far.
        """
        pairs = ((each, each.values) for each in trial.records)
        judged = [each for each, values in pairs if judge in values and figure in values and in_full(values)]
        costs = [getattr(each, FIELDS[comparison.axis]) for each in judged]
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
    """Return the possible error of an estimate to either side; 0 if it is exact, infinite if an end is not known."""
    if not figure.endswith("_ais"):
        return 0.0
    value = values.get(figure, math.nan)
    return max(values.get(f"{figure}_high", math.inf) - value, value - values.get(f"{figure}_low", -math.inf))
