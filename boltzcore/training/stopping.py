"""When a training ends early by what is measured of it, and which of its States is the best."""

import dataclasses
from collections.abc import Iterable, Mapping

from boltzcore.learners.base import StageProgress, State
from boltzcore.measures.merit import in_full, judging, merit
from boltzcore.quoting import number
from boltzcore.training.recipe import GAP, Recipe
from boltzcore.training.schedule import Schedule

Values = Mapping[str, float]


def update_early_stopping(recipe: Recipe, state: State, values: Values) -> State:
    """Return the State with its progress after the record taken of it. Estimates of less than the full effort do not
    count.
    """
    if not in_full(values):
        return state
    progress, schedule = state.progress, recipe.schedule
    value = merit(values, recipe.entry.merit)
    if schedule.patience and value is not None:
        stale = 0 if value > progress.best else progress.stale_records + 1
        progress = dataclasses.replace(progress, best=max(value, progress.best), stale_records=stale)
    if schedule.gap_limit and GAP in values:
        lowest = min(values[GAP], progress.lowest_gap)
        exceeded = progress.gap_exceeded + 1 if values[GAP] > lowest + schedule.gap_limit else 0
        progress = dataclasses.replace(progress, lowest_gap=lowest, gap_exceeded=exceeded)
    return dataclasses.replace(state, progress=progress)


def cost(schedule: Schedule, state: State) -> float:
    """Return the cost of a training so far, in the unit of its schedule's limit."""
    if schedule.limit_unit == "seconds":
        return state.progress.seconds
    return state.work if schedule.limit_unit == "work" else state.operations


def limit_reached(schedule: Schedule, state: State) -> bool:
    """Whether a training has cost as much as its schedule allows."""
    return 0 < schedule.limit <= cost(schedule, state)


def has_ended(schedule: Schedule, state: State) -> bool:
    """Return True if the learner's own rule or one of the schedule's ends the training at this State."""
    return state.done or bool(why_early(schedule, state))


def replayed_over(recipe: Recipe, state: State, values: Iterable[Values]) -> State:
    """Return the State as if these were the records of its stage so far."""
    now = state.progress
    state = dataclasses.replace(state, progress=StageProgress(now.seconds, now.stage, now.from_count, now.from_epoch))
    for each in values:
        state = update_early_stopping(recipe, state, each)
    return state


def new_best(recipe: Recipe, state: State, values: Values, best: float | None) -> float | None:
    """The merit of a State that is the best of its stage so far; None where another is, or nothing judges it,
    for which an estimate takes its full effort.

    Where a risen gap ends a training, and no validation rows judge it, the best is the last one before the gap rose.
    best : the merit of the best before it; None before the first
    """
    if not in_full(values):
        return None
    value = merit(values, recipe.entry.merit)
    judge = judging(values, recipe.entry.merit)
    if recipe.schedule.gap_limit and GAP in values and not (judge and judge.startswith("validation_")):
        return None if state.progress.gap_exceeded else (-values[GAP] if value is None else value)
    return value if value is not None and (best is None or value > best) else None


def why_early(schedule: Schedule, state: State) -> str:
    """Which rule of a schedule holds, as the beginning of a sentence; "" where none does."""
    if 0 < schedule.patience <= state.progress.stale_records:
        return f"{_measurements(schedule.patience)} brought no new best"
    if schedule.gap_limit and schedule.gap_patience <= state.progress.gap_exceeded:
        lowest = number(state.progress.lowest_gap, ".3g")
        above = f"more than {schedule.gap_limit:g} nats above its smallest value, {lowest}"
        return f"At {_measurements(schedule.gap_patience)} the free-energy gap stood {above}: the model overfits"
    if limit_reached(schedule, state):
        return f"The cost limit of {schedule.limit:,} {schedule.limit_unit} is reached"
    return ""


def _measurements(n: int) -> str:
    return f"{n:,} measurement{'s' * (n > 1)} in a row"
