"""A trial as it is trained in this process, step by step."""

from collections.abc import Iterator

from boltzcore.comparison.costs import cost_at
from boltzcore.comparison.trial import BEGUN, DIVERGED, FINISHED, Trial
from boltzcore.learners.base import State
from boltzcore.processor import processor
from boltzcore.ticks import Tick, idle
from boltzcore.training.loop import Record, Step, progress_record, train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.progress import Progress, after_step, revived, tolerant
from boltzcore.training.recipe import Recipe
from boltzcore.training.stopping import cost

STEP = 0.05  # seconds between two steps at most


class TrialTraining:
    """A trial that is begun, or goes on from where it was stored; one thread at a time uses it.

    found : what there is of it, which has not ended; None begins it
    axis : a key of `AXES`, on which its cost is counted
    tick : called at least every 100 ms; may block, or raise Stopped

    Raises Refusal where recipe and data do not fit, DataUnavailable where the data cannot be had.
    """

    def __init__(self, recipe: Recipe, found: Trial | None, axis: str, tick: Tick = idle) -> None:
        self._recipe, self._axis, self._processor = recipe, axis, processor()
        self._prepared = PreparedData.from_recipe(recipe, tick)
        self._length = recipe.timetable(self._prepared.updates_per_epoch).length
        now, resume, best = Progress(recipe), None, None
        self._records: list[Record] = []
        if found is not None:
            resume = found.state
            self._records = list(found.records)
            now = revived(recipe, found.state, found.best, found.records, "", "", found.best_value)
            best = None if found.best is None or found.best_value is None else (found.best, found.best_value)
        self._progress = tolerant(now)
        self.cost = 0.0 if resume is None else self._spent(resume)
        self._status, self._reason = BEGUN, ""
        self._steps: Iterator[Step] = train(
            recipe, prepared=self._prepared, resume=resume, best=best, seconds=STEP, tick=tick
        )

    def advance(self) -> None:
        """One step further, or to the end where there is none. Raises what `tick` does, and what training raises."""
        step = next(self._steps, None)
        if step is None:
            self._status = FINISHED
            return
        base_rate = self._prepared.stages[step.state.progress.stage].base_rate
        self._progress, counts = after_step(self._progress, step, base_rate)
        if counts:
            if step.record is not None:
                self._records.append(step.record)
            self.cost = self._spent(step.state)
        if self._progress.ended:
            self._status, self._reason = DIVERGED, self._progress.reason

    @property
    def trial(self) -> Trial:
        """All there is of it so far."""
        now = self._progress
        return Trial(
            self._recipe,
            self._status,
            self._reason,
            tuple(self._records),
            now.state,
            now.best,
            now.best_value,
            self._processor,
        )

    @property
    def share(self) -> float:
        """The share of it that is done: of its updates, or of what it may cost."""
        state = self._progress.state
        if state is None or self._status == FINISHED:
            return float(self._status == FINISHED)
        schedule = self._progress.stage.schedule
        of_limit = cost(schedule, state) / schedule.limit if schedule.limit else 0.0
        return min(1.0, max(state.count / self._length, of_limit))

    def _spent(self, state: State) -> float:
        """Return its cost on the axis."""
        return cost_at(self._axis, progress_record(self._prepared.stages[state.progress.stage], state))
