"""Training as one generator over a recipe."""

import dataclasses
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boltzcore.data.examples import Dataset
from boltzcore.learners.base import State
from boltzcore.measures import MEASURES, rows_to_measure
from boltzcore.measures.merit import merit
from boltzcore.registry import entry
from boltzcore.runs.recipe import Recipe
from boltzcore.ticks import Tick, idle

NOT_RECORDED = (
    "seconds",
    "best",
    "waited",
)  # of what a State tells of itself: the clock, and what belongs to early stopping


@dataclass(frozen=True)
class Record:
    """What was measured at one point of a training. Only `seconds` comes from the clock."""

    count: int
    epoch: float
    work: int
    seconds: float
    values: Mapping[str, float]


@dataclass(frozen=True)
class Step:
    """A State, and the record taken of it where the recipe asks for one."""

    state: State
    record: Record | None


def train(
    recipe: Recipe, *, resume: State | None = None, seconds: float | None = None, tick: Tick = idle
) -> Iterator[Step]:
    """Run a recipe, yielding a Step at each of its records.

    resume : a State to go on from (its own record is not taken again); None starts at update 0.
    seconds : yield also about this often, without a record, so that a page can draw. Cutting by the
        clock changes no number.
    tick : called at least every 100 ms; may block, or raise `Stopped`.
    `state.info["seconds"]` is the time spent in updates so far, not in measures or blocked ticks.
    With a schedule's patience the State is `done` once that many records have brought no new best; `state.info["best"]`
    and `["waited"]` say how it stands.
    Raises ValueError where the recipe does not fit its data.
    """
    dataset = recipe.dataset()
    rows = rows_to_measure(dataset, recipe.schedule.seed)
    budget, every = recipe.updates(dataset)
    blocked = 0.0

    def timed_tick(fraction: float = 0.0) -> None:
        nonlocal blocked
        before = time.perf_counter()
        tick(fraction)
        blocked += time.perf_counter() - before

    state = resume
    if state is None:
        model = recipe.model.initial(dataset.train.mean(), seed=recipe.schedule.seed)
        state = recipe.learner.start(model, dataset.train, seed=recipe.schedule.seed)
        state = dataclasses.replace(state, info={**state.info, "seconds": 0.0})
        first = _record(recipe, state, dataset, rows, tick)
        state = _awaiting(recipe, state, first)
        yield Step(state, first)
    chunk = 1
    while state.count < budget and not state.done:
        change = min((at for at, _, _ in recipe.changes if at > state.count), default=budget)
        stop = min(budget, (state.count // every + 1) * every, change)
        updates = min(chunk, stop - state.count) if seconds else stop - state.count
        spent, blocked, began = state.info["seconds"], 0.0, time.perf_counter()
        state = recipe.learner_at(state.count).advance(state, dataset.train, updates=updates, tick=timed_tick)
        took = max(time.perf_counter() - began - blocked, 1e-6)
        state = dataclasses.replace(state, info={**state.info, "seconds": spent + took})
        if seconds:
            chunk = max(1, min(4 * updates, int(updates * seconds / took)))
        due = state.count % every == 0 or state.count == budget or state.done
        record = _record(recipe, state, dataset, rows, tick) if due else None
        if record is not None:
            state = _awaiting(recipe, state, record)
        if due or seconds:
            yield Step(state, record)


def _awaiting(recipe: Recipe, state: State, record: Record) -> State:
    """The State with what early stopping has to know of the record taken of it."""
    value, patience = merit(record.values), recipe.schedule.patience
    if not patience or value is None:
        return state
    before = state.info.get("best", -math.inf)
    best, waited = (value, 0) if value > before else (before, int(state.info.get("waited", 0)) + 1)
    return dataclasses.replace(
        state, info={**state.info, "best": best, "waited": waited}, done=state.done or waited >= patience
    )


def _record(recipe: Recipe, state: State, dataset: Dataset, rows: Dataset, tick: Tick) -> Record:
    values: dict[str, float] = {name: figure for name, figure in state.info.items() if name not in NOT_RECORDED}
    updates_per_epoch = recipe.learner.epoch_length(dataset.train)
    how = {"annealing": recipe.annealing, "inference": recipe.inference(state.count, updates_per_epoch), "tick": tick}
    for name in recipe.measures or ():
        values |= entry(MEASURES, "measures", name)(
            state.model, rows, seed=recipe.schedule.seed, step=state.count, **how
        )
    return Record(state.count, state.count / updates_per_epoch, state.work, state.info["seconds"], values)
