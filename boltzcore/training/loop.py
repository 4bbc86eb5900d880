"""Training loop: `run_fit` yields the progress of a training, `fit` runs it to the end, `train` yields its Steps."""

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boltzcore.data.examples import Examples
from boltzcore.display import Displayed, progress_bar
from boltzcore.learners.base import StageProgress, State
from boltzcore.measures import MEASURES, MeasureContext
from boltzcore.parameters import check_arguments
from boltzcore.registry import entry, info_of
from boltzcore.ticks import Tick, idle
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import Status
from boltzcore.training.stopping import (
    CAUSES,
    HARMLESS,
    cost,
    divergence,
    early_reason,
    has_ended,
    limit_reached,
    new_best,
    train_likelihood,
    update_early_stopping,
)

if TYPE_CHECKING:
    import pandas

REDRAWN = 0.2  # approximate seconds between two updates of a progress bar
NUMERICS = 1  # version of the numbers of this loop and of its schedules, raised whenever they change
INTERMEDIATE = 2  # version of measurements between records in full, which are quick estimates
ROW = ("count", "epoch", "work", "operations", "seconds")
ONE = "Computing the next update"
UPDATES = ""  # name for `doing` of a series of short updates, which need no waiting message


@dataclass(frozen=True)
class Record:
    """Measurements at one point of a training. Only `seconds` depends on the clock."""

    count: int
    epoch: float
    work: int
    seconds: float
    values: Mapping[str, float]
    operations: int = 0

    def row(self) -> dict[str, float]:
        """Return count, epoch, work, operations, seconds, and every figure, as a row of a table."""
        return {name: getattr(self, name) for name in ROW} | dict(self.values)


@dataclass(frozen=True)
class Step:
    """A State, and its record if the recipe asks for one.

    >>> from boltzcore import Recipe, train
    >>> first = next(train(Recipe("rbm", "bars-and-stripes", "CD")))
    >>> first.state.count, "train_log_likelihood" in first.record.values
    (0, True)
    """

    state: State
    record: Record | None


Doing = Callable[[str, bool], None]


@dataclass(frozen=True)
class Progress:
    """Progress of a training between two steps; its records are kept elsewhere.

    recipe : with all live changes so far
    state, best : State after the last whole update, and at the best record of its stage; None before
    record : record of `state`, None if none was taken
    best_value : merit at the best record
    highest : highest likelihood of the training rows among the stage's records, the reference for a divergence
    ended, reason : FINISHED or DIVERGED (a job adds others), None while it runs; and one sentence if needed
    cause : cause of the divergence that ended it, one of `CAUSES`
    ignored : causes of a divergence that do not end the training
    """

    recipe: Recipe
    state: State | None = None
    best: State | None = None
    best_value: float | None = None
    highest: float | None = None
    record: Record | None = None
    ended: Status | None = None
    reason: str = ""
    cause: str = ""
    ignored: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """Number of updates so far."""
        return self.state.count if self.state else 0

    @property
    def stage(self) -> Recipe:
        """Recipe of the current stage."""
        return self.recipe.stages[self.state.progress.stage if self.state else 0]


@dataclass(frozen=True)
class Fit(Displayed, Progress):
    """A training by `fit`: its progress with all records so far.

    >>> from boltzcore import Recipe, fit
    >>> fit(Recipe("rbm", "bars-and-stripes", "CD")).chosen.count
    50
    """

    records: Sequence[Record] = ()

    @property
    def frame(self) -> "pandas.DataFrame":
        """Return a row for each record: count, epoch, work, operations, seconds, and every figure."""
        import pandas

        return pandas.DataFrame([record.row() for record in self.records])

    @property
    def chosen(self) -> State:
        """State whose model to use: the best if the schedule may end early or the training diverged, else the last.

        Raises ValueError before the first State.
        """
        if self.state is None:
            raise ValueError("Training has not started.")
        schedule = self.recipe.schedule
        early = schedule.patience or schedule.gap_limit or self.ended == Status.DIVERGED
        return self.best if early and self.best else self.state


@check_arguments
def fit(
    recipe: Recipe,
    *,
    prepared: PreparedData | None = None,
    resume: State | None = None,
    on_step: Callable[[Fit], Any] = lambda _fit: None,
    seconds: float | None = None,
    tolerant: bool = False,
    progress: bool = False,
    tick: Tick = idle,
) -> Fit:
    """Train by a recipe until it ends: by its length, a rule of early stopping or of the learner, or a divergence.

    Parameters
    ----------
    recipe : the training
    prepared : the prepared data of the recipe, if already known
    resume : the State to resume from, whose `best` is that of the records after it; None starts at update 0
    on_step : called after each record with the training so far; with `seconds`, also about this often in between
    tolerant : True continues a training after its likelihood has fallen far, as in comparisons and studies; parameters
        that are no longer finite always end it
    progress : shows a bar (of tqdm, which has to be installed), and in a notebook the curve as it grows
    tick : called at least every 100 ms with the finished share of the current work; may block, or raise `Stopped`,
        which is passed on

    Raises Refusal if the recipe does not fit its data.

    >>> from boltzcore import Recipe, fit
    >>> found = fit(Recipe(model="rbm", data="bars-and-stripes", learner="CD"))
    >>> str(found.ended), len(found.records), found.state.count == found.records[-1].count
    ('finished', 51, True)
    """
    records: list[Record] = []
    start = Progress(recipe, resume, ignored=HARMLESS if tolerant else frozenset())
    prepared = prepared or PreparedData.from_recipe(recipe, tick)
    length, often = prepared.budget(recipe), seconds or (REDRAWN if progress else None)
    with progress_bar(progress, info_of(recipe.learner).title) as move:
        for now in run_fit(start, prepared=prepared, seconds=often, tick=tick):
            if now.record is not None:
                records.append(now.record)
            found = Fit(**vars(now), records=records)
            if now.record is not None or (seconds and not now.ended):
                on_step(found)
            move(1.0 if now.ended else found.count / length, found)
    return found


@check_arguments
def train(
    recipe: Recipe,
    *,
    prepared: PreparedData | None = None,
    resume: State | None = None,
    seconds: float | None = None,
    tick: Tick = idle,
) -> Iterator[Step]:
    """Train by a recipe and yield a Step at each of its records, including those of earlier stages.

    It ends like `fit`, but not at a divergence. Updates, epochs and work are counted over all stages.

    prepared, tick : as in `fit`
    resume : the State to resume from; its record is not taken again unless `progress.record_pending`
    seconds : also yield a Step without a record about this often, so that a page can draw; this changes no number

    Raises Refusal if the recipe does not fit its data.

    >>> from boltzcore import Recipe, train
    >>> for step in train(Recipe(model="rbm", data="bars-and-stripes", learner="CD")):
    ...     pass
    >>> step.record.epoch
    50.0
    """
    start = Progress(recipe, resume, ignored=CAUSES)
    for now in run_fit(start, prepared=prepared, seconds=seconds, tick=tick):
        if now.state is not None and not now.ended:
            yield Step(now.state, now.record)


def run_fit(
    now: Progress,
    *,
    prepared: PreparedData | None = None,
    seconds: float | None = None,
    most: Callable[[], int | None] = lambda: None,
    tick: Tick = idle,
    doing: Doing = lambda _what, _of_a_record: None,
) -> Iterator[Progress]:
    """Yield the progress of a training at each of its records and at its end.

    The last one yielded has `ended`: FINISHED, without a record, or DIVERGED. If parameters are no longer finite, it
    has the previous State, and no record. If abandoned at any point, a training continues from the last yielded
    progress (`run_fit(now)`) with the same numbers. A later stage starts from the best State of the previous one.

    Parameters
    ----------
    now : the training so far; `Progress(recipe)` starts at update 0
    prepared, seconds, tick : as in `train`
    most : called before each step, returns the largest number of its updates, None for as many as the seconds allow
    doing : called before work with its description and True if it belongs to a record; with `UPDATES` for a series of
        short updates
    """
    prepared = prepared or PreparedData.from_recipe(now.recipe, tick)
    # for all stages: no curve may change from exact to estimated between two
    exact = not now.recipe.needs("annealing", prepared.dataset.train.n_visible)
    first = now.state.progress.stage if now.state else 0
    for index, (stage, data) in enumerate(zip(now.recipe.stages, prepared.stages, strict=True)):
        if index < first:
            continue
        state = now.state
        if state is None or index > state.progress.stage:
            state = _start(stage, data, state, now.best)
            now = dataclasses.replace(now, best=None, best_value=None, highest=None)
        begin, timetable, chunk = state.progress.from_count, stage.timetable(data.updates_per_epoch), 1
        due = shown = state.progress.record_pending
        in_full = timetable.in_full(state.count - begin)
        while True:
            record = _record(stage, data, state, exact, in_full, tick, doing) if due else None
            if record is not None:
                state = update_early_stopping(stage, state, record.values)
            if shown:
                now = _after_step(now, stage, data, state, record)
                yield now
                if now.ended:
                    return
            if state.count >= begin + timetable.length or has_ended(stage.schedule, state):
                break
            change = min((at for at, _, _ in stage.changes if at > state.count), default=begin + timetable.length)
            updates = min(begin + timetable.after(state.count - begin), change) - state.count
            if seconds:
                updates = min(chunk, updates, most() or chunk)
            doing(ONE if updates == 1 else UPDATES, False)
            before, state = state, _advance(stage, state, data.dataset.train, updates, tick)
            if seconds:
                took = state.progress.seconds - before.progress.seconds
                chunk = max(1, min(4 * updates, int(updates * seconds / took)))
            ends = has_ended(stage.schedule, state)
            due = timetable.due(state.count - begin) or ends
            in_full = timetable.in_full(state.count - begin) or ends
            shown = due or bool(seconds)
    yield dataclasses.replace(now, record=None, ended=Status.FINISHED, reason=_stop_reason(now))


def _after_step(now: Progress, stage: Recipe, prepared: PreparedData, state: State, record: Record | None) -> Progress:
    """Return the progress at a State with its record; a diverged State is never the best."""
    learner = stage.learner_at(max(0, state.count - 1))
    values, base_rate = (record.values, prepared.base_rate) if record else (None, None)
    found = divergence(state, values, stage, best=now.highest, base_rate=base_rate, learner=learner)
    if found and found.cause not in now.ignored:
        now = dataclasses.replace(now, record=None, ended=Status.DIVERGED, reason=found.reason, cause=found.cause)
        if found.cause == "parameters":  # learning cannot continue from here: keep the previous State
            return now
    now = dataclasses.replace(now, state=state, record=record)
    if record is None or found:
        return now
    value = new_best(stage, state, record.values, now.best_value)
    if value is not None:
        now = dataclasses.replace(now, best=state.copy(), best_value=value)
    measured = train_likelihood(record.values, stage)
    if measured and (now.highest is None or measured[1] > now.highest):
        now = dataclasses.replace(now, highest=measured[1])
    return now


def _stop_reason(now: Progress) -> str:
    """Return the sentence of the learner's own rule if that has ended the training, otherwise ""."""
    state = now.state
    if state is None or not state.done or early_reason(now.recipe.schedule, state):
        return ""
    return info_of(now.recipe.learner_at(state.count)).stop_reason


def _start(recipe: Recipe, prepared: PreparedData, last: State | None, best: State | None) -> State:
    """Return the State before the first update of a stage; `last` and `best` are of the previous stage."""
    start, seed, train = best or last, recipe.schedule.seed, prepared.dataset.train
    model = recipe.model.initial(train, seed=seed, before=start.model if start else None)
    state = recipe.learner.start(model, train, seed=seed)
    if last is None or prepared.before is None:
        return dataclasses.replace(state, progress=StageProgress(record_pending=True))
    seconds, stage, epoch = last.progress.seconds, last.progress.stage + 1, progress_record(prepared.before, last).epoch
    progress = StageProgress(seconds, stage, last.count, epoch, record_pending=True)
    return dataclasses.replace(state, count=last.count, work=last.work, operations=last.operations, progress=progress)


def _advance(recipe: Recipe, state: State, train: Examples, updates: int, tick: Tick) -> State:
    """Return the State after `updates` updates, or after the first at which the schedule's limit is reached."""
    learner, schedule, blocked, began = recipe.learner_at(state.count), recipe.schedule, 0.0, time.perf_counter()

    def timed_tick(fraction: float = 0.0) -> None:
        nonlocal blocked
        before = time.perf_counter()
        tick(fraction)
        blocked += time.perf_counter() - before

    before, after = state, learner.advance(state, train, updates=updates, tick=timed_tick)
    if after.count <= state.count:
        raise RuntimeError(f"{type(learner).__name__} was asked for {updates} updates and counted none.")
    while limit_reached(schedule, after) and after.count - before.count > 1:
        # A State is never changed, so the same updates can be repeated with a smaller number.
        share = (schedule.limit - cost(schedule, before)) / (cost(schedule, after) - cost(schedule, before))
        some = min(max(1, math.ceil(share * (after.count - before.count))), after.count - before.count - 1)
        between = learner.advance(before, train, updates=some, tick=timed_tick)
        if limit_reached(schedule, between):
            after = between
        else:
            before = between
    took = max(time.perf_counter() - began - blocked, 1e-6)
    progress = dataclasses.replace(state.progress, seconds=state.progress.seconds + took)  # not the learner's own
    return dataclasses.replace(after, progress=progress)


def progress_record(prepared: PreparedData, state: State) -> Record:
    """Return the record of a State without measures: update, epoch, work, seconds and operations."""
    epoch = state.epochs(prepared.updates_per_epoch)
    return Record(state.count, epoch, state.work, state.progress.seconds, {}, state.operations)


def measure_context(
    recipe: Recipe, prepared: PreparedData, state: State, exact: bool, tick: Tick = idle
) -> MeasureContext:
    """Return the context in which a State of this stage is measured and observed; `exact` is the same in all stages."""
    inference = recipe.inference(state.count, state.epochs(prepared.updates_per_epoch))
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
    if in_full and (estimates := info_of(recipe.learner).estimates):
        values |= estimates(recipe.learner_at(state.count), state, tick=tick)
    for name in recipe.measures or ():
        measure = entry(MEASURES, "measures", name)
        estimated = "annealing" in measure.uses and not context.exact
        doing(f"{'Estimating' if estimated else 'Measuring'} the {measure.title}", True)
        values |= measure(state.model, prepared.all_rows if measure.all_rows else prepared.rows, context)
    if prepared.dataset.train.gaps is not None:
        values |= state.figures  # with gaps, the learner's own figures win
    return dataclasses.replace(progress_record(prepared, state), values=values)
