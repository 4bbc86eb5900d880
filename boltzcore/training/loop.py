"""Training as one generator over a recipe."""

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from boltzcore.data.examples import Examples
from boltzcore.learners.base import Learner, StageProgress, State
from boltzcore.measures import MEASURES, MeasureContext
from boltzcore.registry import entry, info_of
from boltzcore.ticks import Tick, idle
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.stopping import cost, has_ended, limit_reached, new_best, update_early_stopping

NUMERICS = 1  # version of the numbers of this loop and of its schedules, raised whenever they change
ONE = "Making the next update"
UPDATES = ""  # what `doing` names a series of short updates, none of which is waited for


@dataclass(frozen=True)
class Record:
    """The measures at one point of a training. Only `seconds` comes from the clock."""

    count: int
    epoch: float
    work: int
    seconds: float
    values: Mapping[str, float]
    operations: int = 0


@dataclass(frozen=True)
class Step:
    """A State, and the record taken of it where the recipe asks for one.

    >>> from boltzcore import Recipe, train
    >>> first = next(train(Recipe("rbm", "bars-and-stripes", "CD")))
    >>> first.state.count, "train_log_likelihood" in first.record.values
    (0, True)
    """

    state: State
    record: Record | None


Doing = Callable[[str, bool], None]


def train(
    recipe: Recipe,
    *,
    prepared: PreparedData | None = None,
    resume: State | None = None,
    best: tuple[State, float] | None = None,
    seconds: float | None = None,
    most: Callable[[], int | None] = lambda: None,
    tick: Tick = idle,
    doing: Doing = lambda _what, _of_a_record: None,
) -> Iterator[Step]:
    """Train as a recipe says and yield a Step at each of its records, those of earlier stages first.

    prepared : the prepared data of the recipe, if they are made already
    resume : the State to resume from; None starts at update 0. Its record is not taken again unless
        `progress.record_pending`
    best : the best State so far of the stage of `resume`, and its merit; a later stage starts from the best State
    seconds : yield a Step without a record about this often, too, so that a page can draw; no number changes by it
    most : called before each Step for the number of updates it may take, None for as many as the seconds allow
    tick : called at least every 100 ms with the share done of the current work; may block, or raise `Stopped`
    doing : called as work begins with its description and whether it belongs to a record; with `UPDATES` where
        nobody waits for a single update

    It ends early once the learner's own rule holds, and the State is `done`, or with the schedule's patience, gap limit
    or cost limit, as `stopping.why_early` says. `state.progress` has what the loop goes by: the seconds spent in
    updates, without measures and blocked ticks, the number of the stage, and where the stage began. Updates, epochs and
    work count on from stage to stage.

    Raises Refusal where the recipe does not fit its data.

    >>> from boltzcore import Recipe, train
    >>> for step in train(Recipe(model="rbm", data="bars-and-stripes", learner="CD")):
    ...     pass
    >>> step.record.epoch
    50.0
    """
    prepared = prepared or PreparedData.from_recipe(recipe, tick)
    first = resume.progress.stage if resume is not None else 0
    # of all stages: no curve is to change from exact to estimated from one to the next
    exact = not recipe.needs("annealing", prepared.dataset.train.n_visible)
    state = resume
    for index in range(first, len(recipe.stages)):
        stage, data = recipe.stages[index], prepared.stages[index]
        if state is None or index > first:
            state = _start(stage, data, index, state, best[0] if best else None, prepared.stages[max(0, index - 1)])
            best = None
        for step in _train(stage, data, state, exact, seconds, most, tick, doing):
            state = step.state
            if index + 1 < len(recipe.stages) and step.record is not None:
                value = new_best(stage, state, step.record.values, best[1] if best else None)
                if value is not None:
                    best = state.copy(), value
            yield step


def _start(
    recipe: Recipe, prepared: PreparedData, index: int, last: State | None, best: State | None, earlier: PreparedData
) -> State:
    """The State before the first update of a stage; `last` and `best` (the last, where nothing judged) are of the
    stage before, and `earlier` its prepared data.
    """
    before = best or last
    seed = recipe.schedule.seed
    model = recipe.model.initial(prepared.dataset.train, seed=seed, before=before.model if before else None)
    state = recipe.learner.start(model, prepared.dataset.train, seed=seed)
    if type(state) is not recipe.learner.state_type:  # it could not be read from its checkpoint
        raise TypeError(f"{type(recipe.learner).__name__} starts with a {type(state).__name__}: name it in state_type.")
    if last is None:
        return dataclasses.replace(state, progress=StageProgress(record_pending=True))
    progress = StageProgress(last.progress.seconds, index, last.count, _epoch(last, earlier), record_pending=True)
    return dataclasses.replace(state, count=last.count, work=last.work, operations=last.operations, progress=progress)


def _train(
    recipe: Recipe,
    prepared: PreparedData,
    state: State,
    exact: bool,
    seconds: float | None,
    most: Callable[[], int | None],
    tick: Tick,
    doing: Doing,
) -> Iterator[Step]:
    """The Steps of one stage from a State on."""
    begin = state.progress.from_count
    timetable = recipe.timetable(prepared.updates_per_epoch)
    end, blocked = begin + timetable.length, 0.0

    def timed_tick(fraction: float = 0.0) -> None:
        nonlocal blocked
        before = time.perf_counter()
        tick(fraction)
        blocked += time.perf_counter() - before

    if state.progress.record_pending:
        state = dataclasses.replace(state, progress=dataclasses.replace(state.progress, record_pending=False))
        first = _record(recipe, prepared, state, exact, timetable.in_full(state.count - begin), tick, doing)
        state = update_early_stopping(recipe, state, first.values)
        yield Step(state, first)
    chunk = 1
    while state.count < end and not has_ended(recipe.schedule, state):
        change = min((at for at, _, _ in recipe.changes if at > state.count), default=end)
        stop = min(begin + timetable.after(state.count - begin), change)
        updates = min(chunk, stop - state.count, most() or chunk) if seconds else stop - state.count
        learner, before, progress = recipe.learner_at(state.count), state.count, state.progress
        blocked, began = 0.0, time.perf_counter()
        doing(ONE if updates == 1 else UPDATES, False)
        state = _advanced(recipe, learner, state, prepared.dataset.train, updates, timed_tick)
        if state.count <= before:
            raise RuntimeError(f"{type(learner).__name__} was asked for {updates} updates and counted none.")
        took = max(time.perf_counter() - began - blocked, 1e-6)
        progress = dataclasses.replace(progress, seconds=progress.seconds + took)  # whatever the learner left there
        state = dataclasses.replace(state, progress=progress)
        if seconds:
            chunk = max(1, min(4 * updates, int(updates * seconds / took)))
        ends = has_ended(recipe.schedule, state)
        due = timetable.due(state.count - begin) or ends
        in_full = timetable.in_full(state.count - begin) or ends
        record = _record(recipe, prepared, state, exact, in_full, tick, doing) if due else None
        if record is not None:
            state = update_early_stopping(recipe, state, record.values)
        if due or seconds:
            yield Step(state, record)


def _advanced(recipe: Recipe, learner: Learner, state: State, train: Examples, updates: int, tick: Tick) -> State:
    """The State after so many updates, or after the first at which the schedule's limit is reached."""
    after = learner.advance(state, train, updates=updates, tick=tick)
    while limit_reached(recipe.schedule, after) and after.count - state.count > 1:
        # A State is never changed, so that the way there can be taken again in fewer updates.
        share = (recipe.schedule.limit - cost(recipe.schedule, state)) / (
            cost(recipe.schedule, after) - cost(recipe.schedule, state)
        )
        some = min(max(1, math.ceil(share * (after.count - state.count))), after.count - state.count - 1)
        between = learner.advance(state, train, updates=some, tick=tick)
        if limit_reached(recipe.schedule, between):
            after = between
        else:
            state = between
    return after


def _epoch(state: State, prepared: PreparedData) -> float:
    progress = state.progress
    return progress.from_epoch + (state.count - progress.from_count) / prepared.updates_per_epoch


def progress_record(prepared: PreparedData, state: State) -> Record:
    """Return the record of a State without any measures: update, epoch, work, seconds and operations."""
    return Record(state.count, _epoch(state, prepared), state.work, state.progress.seconds, {}, state.operations)


def measure_context(
    recipe: Recipe, prepared: PreparedData, state: State, exact: bool, tick: Tick = idle
) -> MeasureContext:
    """Return the context in which a State of this stage is measured and observed; likelihoods are exact or estimated
    in all stages.
    """
    inference = recipe.inference(state.count, prepared.updates_per_epoch)
    return MeasureContext(
        recipe.schedule.seed,
        state.count,
        recipe.annealing,
        inference,
        tick,
        exact,
        prepared.dataset.train.gray,
        chains=state.chains_of_model,
    )


def _record(
    recipe: Recipe, prepared: PreparedData, state: State, exact: bool, in_full: bool, tick: Tick, doing: Doing
) -> Record:
    values = dict(state.figures)
    context = measure_context(recipe, prepared, state, exact, tick)
    context = dataclasses.replace(context, in_full=in_full, shared={})
    if in_full:
        if estimates := info_of(recipe.learner).estimates:
            values |= estimates(recipe.learner_at(state.count), state, tick=tick)
        context = dataclasses.replace(context, annealing=context.annealing.changed(tolerance=0.0))
    for name in recipe.measures or ():
        measure = entry(MEASURES, "measures", name)
        estimated = "annealing" in measure.uses and not context.exact
        doing(f"{'Estimating' if estimated else 'Measuring'} the {measure.title}", True)
        values |= measure(state.model, prepared.all_rows if measure.all_rows else prepared.rows, context)
    return dataclasses.replace(progress_record(prepared, state), values=values)
