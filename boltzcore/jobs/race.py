"""A comparison trained on the server, which anyone may watch and its owner controls."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from boltzcore.comparison.compare import load_result, recipes_of, result_of
from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.comparison.scheduler import Scheduler
from boltzcore.comparison.trials import TrialStore
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.job import LET_GO, PUBLISH, RESTARTED, Job, JobSnapshot
from boltzcore.jobs.seat import Seat
from boltzcore.jobs.stopwatch import Stopwatch
from boltzcore.jobs.turns import USUAL
from boltzcore.training.prepared import PreparedData
from boltzcore.training.status import MOVING, Status

NOT_KEPT = (
    "This race had finished, but some of its trials are no longer stored or are from another version: press Play to "
    "repeat them."
)


@dataclass(frozen=True)
class RaceSnapshot(JobSnapshot):
    """A race at one moment.

    result : results so far; None until the data are loaded
    """

    result: Result | None = None


class Race(Job):
    """A running comparison: once it is admitted, a `Scheduler` trains its trials on a thread for each slot, and its own
    thread follows them. In a pause and in the queue all these threads end after `LET_GO` seconds; the trials are
    stored, and the race continues from them.

    at_least : minimum duration of the whole race in seconds, for a class that wants to watch it
    save : writes its file; called when training starts and when it stops, so that the status is known after a restart
    """

    snapshot: RaceSnapshot

    def __init__(
        self,
        id: str,
        comparison: Comparison,
        engine: EngineContext,
        trials: TrialStore,
        save: Callable[["Race"], None],
        *,
        key: str = "",
        key_hash: str = "",
        status: Status = Status.PAUSED,
        created: float = 0.0,
    ) -> None:
        super().__init__(engine, f"The race {id}", key, key_hash)
        self.id, self.comparison, self.created = id, comparison, created
        self.deleted, self.at_least = False, 0.0
        self._trials, self._save = trials, save
        self._round = comparison  # being trained: the tuning, or its resulting comparison
        self._tuning: Result | None = None
        self._scheduler: Scheduler | None = None  # while it runs
        self._playing, self._preparing = False, False
        self._let_go_at = 0.0  # time at which the scheduler ends unless the race runs
        interrupted = status in MOVING
        self.snapshot = RaceSnapshot(Status.PAUSED if interrupted else status, RESTARTED if interrupted else "")

    @property
    def private(self) -> bool:
        """True if the data are an uploaded table."""
        return self.comparison.private

    @property
    def wanted(self) -> bool:
        """True if it should train, or find its stored trials."""
        return (self._playing or self._preparing) and not (self.deleted or self._engine.closed)

    def prepare(self) -> None:
        """Find the stored trials, so that there is something to show, without training."""
        with self._engine.lock:
            self._preparing = True
            self._start()

    def play(self) -> None:
        """Train until every trial has ended, a pause or a cancel."""
        with self._engine.lock:
            if self.deleted or self.snapshot.status == Status.FINISHED:
                return
            self.touch()
            self._playing, self._preparing = True, self.snapshot.result is None
            if not self.is_active:
                self._show(status=Status.RUNNING if self._scheduler else Status.STARTING, reason="")
            self._start()

    def pause(self) -> None:
        """Pause at once."""
        with self._engine.lock:
            if self.is_active:
                self._rest(Status.PAUSED)

    def cancel(self) -> None:
        """End all trials at their current state, and keep them; `play` continues from there."""
        with self._engine.lock:
            if self.snapshot.status not in (Status.FINISHED, Status.FAILED):
                self._let_go_at = 0.0
                self._rest(Status.STOPPED)

    def close(self) -> threading.Thread | None:
        """Store the current state and end; return the thread that may still be running."""
        with self._engine.lock:
            self._end(self.snapshot.status, self.snapshot.reason)
            return self.thread

    def _end(self, status: Status, reason: str = "") -> None:
        self._preparing, self._let_go_at = False, 0.0
        self._rest(status, reason)

    def _rest(self, status: Status, reason: str = "") -> None:
        """Stop training, and leave the queue; under the lock."""
        self._playing = False
        if self._scheduler is not None:
            self._scheduler.pause()
        self._show(status=status, reason=reason, left=None, place=0)
        self._seat.leave()
        self._seat.wake.notify_all()

    # -- its thread -----------------------------------------------------------------------------

    def _session(self) -> None:
        if self._preparing and self.snapshot.result is None:
            self._wait_for_kernels(recipe for _, recipe in self.comparison.contenders)
            self._recall()
        self._preparing = False
        if self._playing:
            self._train()
            self._write()

    def _write(self) -> None:
        with suppress(OSError):  # its trials are stored anyway
            self._save(self)

    def _recall(self) -> None:
        result = load_result(self.comparison, self._trials)
        self._round, self._tuning = result.comparison, result.tuning
        with self._engine.lock:
            self._show(result=result)
            if result.whole and result.comparison.tuning is None:
                self._playing = False
                self._show(status=Status.FINISHED, reason="")
            elif self.snapshot.status == Status.FINISHED:
                self._show(status=Status.PAUSED, reason=NOT_KEPT)

    def _train(self) -> None:
        """Train while requested, and show the progress."""
        now, tuning, before = self._round, self._tuning, self.snapshot.result
        tables = sum(PreparedData.from_recipe(recipe).memory(recipe) for recipe in now.kinds)
        trials = now.tuning.trials if now.tuning else now.trials
        self._seat.needs = max(USUAL, trials * tables)  # each trial holds its tables from the start
        self._wait_for_slot()
        self._seat.release()  # each thread asks for its own slot
        slots, slot = self._engine.turns.slots, partial(Seat, self._engine, owner=self._seat)
        scheduler = Scheduler(recipes_of(now), store=self._trials, threads=slots, slot=slot)
        with self._engine.lock:
            self._check()
            self._scheduler, self._let_go_at = scheduler, time.monotonic() + LET_GO
        self._write()
        self._stopwatch = Stopwatch()
        self._stopwatch.begin("Racing")
        seen, version, began = time.monotonic(), -1, self._share(before) if before else 0.0
        allowed = began  # what is stored is loaded at once
        with scheduler:
            while not scheduler.is_over and time.monotonic() < self._let_go_at:
                version = scheduler.wait(version, PUBLISH)
                result = result_of(now, scheduler.trials, tuning)
                share, spent, seen = self._share(result), time.monotonic() - seen, time.monotonic()
                self._stopwatch.report_progress(share)
                with self._engine.lock:
                    self._check_lease()
                    if self._playing and self._seat.admitted:
                        self._let_go_at = time.monotonic() + LET_GO
                    else:
                        self._stopwatch.rested(spent)
                    if self._playing:
                        allowed = max(began, min(allowed, share)) + spent / self.at_least if self.at_least else 1.0
                        (scheduler.pause if share > allowed else scheduler.resume)()
                        self._show(result=result, share=share, left=self._stopwatch.rest)
                time.sleep(PUBLISH)
        result = result_of(now, scheduler.trials, tuning)
        with self._engine.lock:
            self._scheduler = None
            self._show(result=result, share=self._share(result), left=None, place=self._seat.place)
            if result.whole and now.tuning is None:
                self._playing = False
                self._show(status=Status.FINISHED, reason="", share=1.0)
            elif result.whole:
                self._round, self._tuning = result.tuned, result

    def _share(self, result: Result) -> float:
        """Return the finished share of all trainings, including those of the tuning."""
        part = self.comparison.tuning_share
        return part * result.share if result.comparison.tuning else part + (1 - part) * result.share
