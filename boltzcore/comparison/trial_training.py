"""A trial as it is trained in this process, step by step."""

from boltzcore.comparison.costs import cost_at
from boltzcore.comparison.trial import BEGUN, DIVERGED, FINISHED, Trial
from boltzcore.learners.base import State
from boltzcore.processor import processor
from boltzcore.ticks import Tick, idle
from boltzcore.training.loop import Progress, Record, fitting, progress_record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.progress import revived, tolerant
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
        self._records: list[Record] = list(found.records) if found else []
        now = Progress(recipe)
        if found is not None:
            now = revived(recipe, found.state, found.best, found.records, "", "", found.best_value)
        self._progress = tolerant(now)
        self.cost = 0.0 if now.state is None else self._spent(now.state)
        self._steps = fitting(self._progress, prepared=self._prepared, seconds=STEP, tick=tick)

    def advance(self) -> None:
        """One step further. Raises what `tick` does, and what training raises."""
        self._progress = now = next(self._steps)
        if now.record is not None:
            self._records.append(now.record)
        if now.state is not None:
            self.cost = self._spent(now.state)

    @property
    def trial(self) -> Trial:
        """All there is of it so far."""
        now = self._progress
        return Trial(
            self._recipe,
            self._status,
            now.reason if now.ended == "diverged" else "",
            tuple(self._records),
            now.state,
            now.best,
            now.best_value,
            self._processor,
        )

    @property
    def _status(self) -> str:
        return {"finished": FINISHED, "diverged": DIVERGED}.get(self._progress.ended, BEGUN)

    @property
    def share(self) -> float:
        """The share of it that is done: of its updates, or of what it may cost."""
        state = self._progress.state
        if state is None or self._progress.ended == "finished":
            return float(state is not None)
        schedule = self._progress.stage.schedule
        of_limit = cost(schedule, state) / schedule.limit if schedule.limit else 0.0
        return min(1.0, max(state.count / self._length, of_limit))

    def _spent(self, state: State) -> float:
        """Return its cost on the axis."""
        return cost_at(self._axis, progress_record(self._prepared.stages[state.progress.stage], state))
