"""When a training ends early by what is measured of it, and which of its States is the best."""

import dataclasses
import math
from collections.abc import Iterable, Mapping

from boltzcore.learners.base import State
from boltzcore.measures.merit import in_full, judging, merit
from boltzcore.quoting import number
from boltzcore.runs.recipe import GAP, Recipe
from boltzcore.runs.schedule import Schedule

# What a State's info says of it: the clock; the best merit and the smallest gap so far, for how many records in a row
# neither came again, and, where a rule is there that may end a training, whether the learner's own has.
SECONDS = "seconds"  # spent in updates
BEST, WAITED, LOWEST, RISEN, OWN = "best", "waited", "lowest_gap", "gap_risen", "ended_by_learner"
KEYS = (BEST, WAITED, LOWEST, RISEN, OWN)

Values = Mapping[str, float]


def awaiting(recipe: Recipe, state: State, values: Values) -> State:
    """The State with what early stopping has to know of the record taken of it; `done` where a rule holds. Estimates
    of less than the full effort do not count.
    """
    if not in_full(values):
        return state
    info, done, schedule = dict(state.info), state.done, recipe.schedule
    value = merit(values, recipe.entry.merit)
    if done and (schedule.patience or schedule.gap_limit or schedule.limit):
        info[OWN] = 1
    done = done or limit_reached(schedule, state)
    if schedule.patience and value is not None:
        before = info.get(BEST, -math.inf)
        info[BEST] = max(value, before)
        info[WAITED] = 0 if value > before else int(info.get(WAITED, 0)) + 1
        done = done or info[WAITED] >= schedule.patience
    if schedule.gap_limit and GAP in values:
        info[LOWEST] = min(values[GAP], info.get(LOWEST, math.inf))
        risen = values[GAP] > info[LOWEST] + schedule.gap_limit
        info[RISEN] = int(info.get(RISEN, 0)) + 1 if risen else 0
        done = done or info[RISEN] >= schedule.gap_patience
    return dataclasses.replace(state, info=info, done=done)


def cost(schedule: Schedule, state: State) -> float:
    """What a training has cost so far, in the unit of its schedule's limit; 0 where that is not known."""
    if schedule.limit_unit == "seconds":
        return float(state.info.get(SECONDS, 0.0))
    return (state.work if schedule.limit_unit == "work" else state.operations) or 0


def limit_reached(schedule: Schedule, state: State) -> bool:
    """Whether a training has cost as much as its schedule allows."""
    return 0 < schedule.limit <= cost(schedule, state)


def ended_by_learner(schedule: Schedule, state: State) -> bool:
    """Whether the learner's own rule has ended the training at this State, whatever the schedule's rules say."""
    return state.done and (OWN in state.info or not why_early(schedule, state))


def without(recipe: Recipe, state: State, values: Iterable[Values]) -> State:
    """The State with what early stopping has to know of these records of its stage alone; not `done` by a rule."""
    info = {name: figure for name, figure in state.info.items() if name not in KEYS}
    bare = dataclasses.replace(state, info=info, done=ended_by_learner(recipe.schedule, state))
    for each in values:
        bare = awaiting(recipe, bare, each)
    return bare


def leading(recipe: Recipe, state: State, values: Values, best: float | None) -> float | None:
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
        return None if state.info.get(RISEN) else (-values[GAP] if value is None else value)
    return value if value is not None and (best is None or value > best) else None


def why_early(schedule: Schedule, state: State) -> str:
    """Which rule of a schedule holds, as the beginning of a sentence; "" where none does."""
    if 0 < schedule.patience <= state.info.get(WAITED, 0):
        return f"{_measurements(schedule.patience)} brought no new best"
    if schedule.gap_limit and schedule.gap_patience <= state.info.get(RISEN, 0):
        above = f"more than {schedule.gap_limit:g} nats above its smallest value, {number(state.info[LOWEST], '.3g')}"
        return f"At {_measurements(schedule.gap_patience)} the free-energy gap stood {above}: the model overfits"
    if limit_reached(schedule, state):
        return f"The cost limit of {schedule.limit:,} {schedule.limit_unit} is reached"
    return ""


def _measurements(n: int) -> str:
    return f"{n:,} measurement{'s' * (n > 1)} in a row"
