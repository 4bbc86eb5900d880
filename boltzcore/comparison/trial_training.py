"""Train a trial in this process."""

from collections import deque
from collections.abc import Iterator

from boltzcore.comparison.costs import cost_at
from boltzcore.comparison.trial import Trial
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle
from boltzcore.training.loop import fitting, progress_record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.progress import from_store, tolerate
from boltzcore.training.status import Status
from boltzcore.training.stopping import cost

STEP = 0.05  # seconds between two steps at most


def training(trial: Trial, axis: str = "operations", tick: Tick = idle) -> Iterator[Trial]:
    """Yield a trial at each of its records and at least every `STEP` seconds, until it has ended.

    A fall of its likelihood does not end it: that is a result. One thread at a time uses it.

    Parameters
    ----------
    trial : is begun, or goes on from where it was stored
    axis : of its cost, a key of `AXES`
    tick : called at least every 100 ms; may block, or raise Stopped

    Raises
    ------
    Refusal
        If recipe and data do not fit.
    DataUnavailable
        If the data cannot be had.
    """
    recipe, records = trial.recipe, list(trial.records)
    prepared = PreparedData.from_recipe(recipe, tick)
    length = recipe.timetable(prepared.updates_per_epoch).length
    start = tolerate(from_store(recipe, trial.state, trial.best, records, best_value=trial.best_value))
    for now in fitting(start, prepared=prepared, seconds=STEP, tick=tick):
        if now.record is not None:
            records.append(now.record)
        share = spent = 0.0
        if (state := now.state) is not None:
            schedule = now.stage.schedule
            of_limit = cost(schedule, state) / schedule.limit if schedule.limit else 0.0
            share = 1.0 if now.ended == Status.FINISHED else min(1.0, max(state.count / length, of_limit))
            spent = cost_at(axis, progress_record(prepared.stages[state.progress.stage], state))
        reason = now.reason if now.ended == Status.DIVERGED else ""
        status = now.ended or Status.RUNNING
        yield Trial(recipe, status, reason, tuple(records), state, now.best, now.best_value, share, spent)


def train_trial(trial: Trial, axis: str = "operations", tick: Tick = idle) -> Trial:
    """Return a trial, trained to its end from where it was stored."""
    with one_for_blas():
        return deque(training(trial, axis, tick), maxlen=1).pop()
