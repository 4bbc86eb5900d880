"""Many trainings at once, in slices on a few threads: as a race or one after the other."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Literal

from boltzcore.learners.base import State
from boltzcore.processor import processor
from boltzcore.quoting import why
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.progress import HARMLESS, Progress, after_step, over, revived
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.seat import Seat
from boltzcore.runs.stopping import SECONDS, cost
from boltzcore.runs.training import Record, Step, stage_of, train
from boltzcore.runs.trials import BEGUN, DIVERGED, FINISHED, Trial, TrialStore
from boltzcore.threads import CORES, one_for_blas
from boltzcore.ticks import Stopped, Tick, idle

TICK_EVERY = 0.1  # seconds between two ticks of who waits
SLICE = 0.05  # seconds of a training before the next one has its turn
SAVED_EVERY = 10.0  # seconds between two times that an unfinished trial is stored
WAITING, TRAINING, FAILED, CANCELLED = "waiting", "training", "failed", "cancelled"
ENDED = (FINISHED, DIVERGED, FAILED, CANCELLED)

Order = Literal["race", "study"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Standing:
    """Where one of the trainings stands.

    status : "waiting", "training", "finished", "diverged", "failed" or "cancelled"; reason : a sentence where it needs
        one
    records : so far; state : the newest, None before the first update and where it was not kept
    share : of its updates that are done, from 0 to 1
    stored : whether it was finished before, and nothing of it was trained now
    processor : that trains it; "" before the first update
    """

    recipe: Recipe
    status: str = WAITING
    reason: str = ""
    records: tuple[Record, ...] = ()
    state: State | None = None
    share: float = 0.0
    stored: bool = False
    processor: str = ""

    @classmethod
    def from_trial(cls, trial: Trial) -> "Standing":
        """Where a training stands that was stored; of one that was begun it is not known how far it goes."""
        share, status = (1.0, trial.status) if trial.ended else (0.0, WAITING)
        return cls(trial.recipe, status, trial.reason, trial.records, trial.state, share, trial.ended, trial.processor)

    @property
    def ended(self) -> bool:
        """Whether nothing more comes."""
        return self.status in ENDED


class Scheduler:
    """Trains recipes on threads, each training in slices by one thread at a time; no number depends on the order.

    recipes : each once
    store : trials that are there are taken from it, those that were begun go on, and all are put into it
    order : "race", the one that has spent least on the axis goes next; "study", the first that has not ended
    axis : "work", "updates", "epochs" or "seconds"
    threads : how many train at once
    seat : gives each thread its place among other trainings; None where there are none
    Use it as a context manager, or call `cancel` in the end.
    """

    def __init__(
        self,
        recipes: Sequence[Recipe],
        *,
        store: TrialStore | None = None,
        order: Order = "race",
        axis: str = "work",
        threads: int = CORES,
        seat: Callable[[], Seat] | None = None,
    ) -> None:
        if len(set(recipes)) < len(recipes):
            raise ValueError("recipes must be different from each other.")
        self._jobs = [_Job(recipe, store, axis) for recipe in recipes]
        self._order = order
        self._moved = threading.Condition()
        self._may = threading.Event()
        self._may.set()
        self._cancelled = False
        self._version, self._seat = 0, seat
        self._threads = [
            threading.Thread(target=self._work, name=f"scheduler {k}", daemon=True)
            for k in range(min(threads, len(recipes)))
        ]

    def __enter__(self) -> "Scheduler":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cancel()

    def start(self) -> None:
        """Begin; once."""
        for thread in self._threads:
            thread.start()

    def pause(self) -> None:
        """Halt all trainings where they are, within a tick."""
        self._may.clear()

    def resume(self) -> None:
        """Go on after a pause."""
        self._may.set()

    @property
    def paused(self) -> bool:
        """Whether it is paused."""
        return not self._may.is_set()

    def cancel(self) -> None:
        """End what has not ended, store it as far as it is, and wait for the threads."""
        with self._moved:
            self._cancelled = True
            self._moved.notify_all()
        self._may.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    @property
    def standings(self) -> tuple[Standing, ...]:
        """Where each of the recipes stands, in their order."""
        return tuple(job.standing for job in self._jobs)

    @property
    def version(self) -> int:
        """Grows with each change of a standing."""
        return self._version

    def wait(self, version: int, seconds: float | None = None) -> int:
        """Wait for a version after this one, for so long at most; returns the version."""
        with self._moved:
            self._moved.wait_for(lambda: self._version > version or self._over(), seconds)
            return self._version

    def endings(self, tick: Tick = idle) -> Iterator[tuple[int, Standing]]:
        """(index, standing) of each training as it ends. Raises what `tick` does, such as Stopped."""
        given: set[int] = set()
        while len(given) < len(self._jobs):
            version = self._version
            standings = self.standings
            for index, standing in enumerate(standings):
                if standing.ended and index not in given:
                    given.add(index)
                    yield index, standing
            tick(sum(each.share for each in standings) / len(standings))
            self.wait(version, TICK_EVERY)

    @property
    def over(self) -> bool:
        """Whether all have ended."""
        with self._moved:
            return self._over()

    def _over(self) -> bool:
        return all(job.standing.ended for job in self._jobs)

    # -- on the threads -------------------------------------------------------------------------

    def _work(self) -> None:
        seat = self._seat() if self._seat else None
        with one_for_blas():
            while (job := self._taken(seat)) is not None:
                if seat is None or seat.keep(self._wanted):
                    job.advance(partial(self._tick, seat))
                    if seat is not None:
                        seat.settle()
                with self._moved:
                    job.busy = False
                    self._version += 1
                    self._moved.notify_all()
        if seat is not None:
            seat.leave()

    def _wanted(self) -> bool:
        return self._may.is_set() and not self._cancelled

    def _rest(self, seat: Seat | None) -> None:
        """Wait out a pause, and let others go first."""
        if seat is not None and not self._may.is_set():
            seat.leave()
        self._may.wait()

    def _taken(self, seat: Seat | None) -> "_Job | None":
        """The training whose turn it is; None once all have ended or are with other threads to the end."""
        while True:
            self._rest(seat)
            with self._moved:
                open_ = [job for job in self._jobs if not job.standing.ended]
                if self._cancelled:
                    for job in (job for job in open_ if not job.busy):
                        job.end(CANCELLED)
                    self._version += 1
                    self._moved.notify_all()
                    return None
                if not open_:
                    return None
                if free := [job for job in open_ if not job.busy]:
                    job = min(free, key=lambda job: job.cost) if self._order == "race" else free[0]
                    job.busy = True
                    return job
                self._moved.wait()

    def _tick(self, seat: Seat | None, fraction: float = 0.0) -> None:
        self._rest(seat)
        while seat is not None and not self._cancelled and not seat.keep(self._wanted):
            self._rest(seat)
        if self._cancelled:
            raise Stopped


class _Job:
    """One training: its standing, and the generator that carries it on. One thread uses it at a time."""

    def __init__(self, recipe: Recipe, store: TrialStore | None, axis: str) -> None:
        self.standing = Standing(recipe)
        self.busy, self.cost = False, 0.0
        self._store, self._axis = store, axis
        self._steps: Iterator[Step] | None = None
        self._progress = Progress(recipe, disarmed=HARMLESS)  # a likelihood that falls is a result here
        self._records: list[Record] = []
        self._saved = time.monotonic()

    def advance(self, tick: Tick) -> None:
        """Train for a slice."""
        try:
            if self._steps is None and not self._begun(tick):
                return
            assert self._steps is not None
            step = next(self._steps, None)
            if step is None:
                self.end(FINISHED)
            else:
                self._take(step)
        except Stopped:
            self.end(CANCELLED)
        except Exception as error:  # the others go on
            logger.exception("A training of a scheduler failed.")
            self.end(FAILED, f"It failed: {why(error)}.")

    def _begun(self, tick: Tick) -> bool:
        """Whether there is something to train: not where the store has all of it."""
        recipe = self.standing.recipe
        found = self._store.get(recipe) if self._store else None
        if found is not None and found.ended:
            self.standing = Standing.from_trial(found)
            return False
        self._prepared = PreparedData.from_recipe(recipe, tick)
        self._length = recipe.timetable(self._prepared.updates_per_epoch).length
        resume = best = None
        if found is not None:
            resume = found.state
            self._records = list(found.records)
            known = revived(recipe, found.state, found.best, found.records, "", "", found.best_value)
            self._progress = replace(known, disarmed=HARMLESS)
            best = None if found.best is None or found.best_value is None else (found.best, found.best_value)
        self._steps = train(recipe, prepared=self._prepared, resume=resume, best=best, seconds=SLICE, tick=tick)
        self.standing = replace(self.standing, processor=processor())
        self._show(TRAINING)
        return True

    def _take(self, step: Step) -> None:
        base_rate = self._prepared.stages[stage_of(step.state)].base_rate
        self._progress, counts = after_step(self._progress, step, base_rate)
        if counts:
            if step.record is not None:
                self._records.append(step.record)
            self.cost = self._spent(step.state)
        if self._progress.ended:
            self.end(DIVERGED, self._progress.reason)
            return
        self._show(TRAINING)
        if time.monotonic() - self._saved > SAVED_EVERY:
            self._save(BEGUN)

    def _spent(self, state: State) -> float:
        """What a training has spent on the axis."""
        match self._axis:
            case "updates":
                return state.count
            case "epochs":
                return state.count / self._prepared.updates_per_epoch
            case "seconds":
                return float(state.info.get(SECONDS, 0.0))
        return state.work

    def end(self, status: str, reason: str = "") -> None:
        """End it, and store what there is of it."""
        if self._steps is not None and status != FAILED:
            self._save(BEGUN if status == CANCELLED else status, reason)
        self._progress = over(self._progress, status, reason)
        self._show(status, reason)
        self._steps = None

    def _show(self, status: str, reason: str = "") -> None:
        state = self._progress.state
        share = 1.0 if status == FINISHED else self._share(state) if state else 0.0
        self.standing = replace(
            self.standing, status=status, reason=reason, records=tuple(self._records), state=state, share=share
        )

    def _share(self, state: State) -> float:
        """The share of a training that is done: of its updates, or of what it may cost."""
        schedule = self._progress.stage.schedule
        of_limit = cost(schedule, state) / schedule.limit if schedule.limit else 0.0
        return min(1.0, max(state.count / self._length, of_limit))

    def _save(self, status: str, reason: str = "") -> None:
        if self._store is None:
            return
        now = self._progress
        trial = Trial(
            self.standing.recipe, status, reason, tuple(self._records), now.state, now.best, now.best_value, processor()
        )
        with suppress(OSError):  # what cannot be stored is trained anew another time
            self._store.put(trial)
        self._saved = time.monotonic()
