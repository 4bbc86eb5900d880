"""A comparison that is trained where anyone may watch it and its owner controls it."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from boltzcore.comparison.compare import recalled, recipes_of, result_of
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

    result : what was found so far; None until the data are loaded
    """

    result: Result | None = None


class Race(Job):
    """A comparison under way: once it is admitted, a `Scheduler` trains its trials on a thread for each slot, and its
    own thread follows them. In a pause and in the queue all these threads end after `LET_GO` seconds; the trials are
    stored, and the race goes on from them.

    at_least : seconds that the whole race takes, for a class that wants to watch it
    save : writes its file; called as it begins to train and as it rests, so that after a restart it is known which
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
        self._round = comparison  # that is trained now: the tuning, or what it leads to
        self._tuning: Result | None = None
        self._scheduler: Scheduler | None = None  # at work
        self._playing, self._preparing = False, False
        self._let_go_at = 0.0  # when the scheduler ends unless the race is at work
        interrupted = status in MOVING
        self.snapshot = RaceSnapshot(Status.PAUSED if interrupted else status, RESTARTED if interrupted else "")

    @property
    def private(self) -> bool:
        """True if it learns from an uploaded table."""
        return self.comparison.private

    @property
    def wanted(self) -> bool:
        """True if it is to train, or to find its stored trials."""
        return (self._playing or self._preparing) and not (self.deleted or self._engine.closed)

    def prepare(self) -> None:
        """Find the trials that are stored, so that there is something to show; nothing is trained."""
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
            if not self.moving:
                self._show(status=Status.RUNNING if self._scheduler else Status.STARTING, reason="")
            self._start()

    def pause(self) -> None:
        """Rest, at once."""
        with self._engine.lock:
            if self.moving:
                self._rest(Status.PAUSED)

    def cancel(self) -> None:
        """End all trials where they are, and keep them; `play` goes on from there."""
        with self._engine.lock:
            if self.snapshot.status not in (Status.FINISHED, Status.FAILED):
                self._let_go_at = 0.0
                self._rest(Status.STOPPED)

    def close(self) -> threading.Thread | None:
        """Store what there is and end; return the thread that may still be at it."""
        with self._engine.lock:
            self._end(self.snapshot.status, self.snapshot.reason)
            return self.thread

    def _end(self, status: Status, reason: str = "") -> None:
        self._preparing, self._let_go_at = False, 0.0
        self._rest(status, reason)

    def _rest(self, status: Status, reason: str = "") -> None:
        """Train no more, and leave the line; under the lock."""
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
        with suppress(OSError):  # its trials are stored, too
            self._save(self)

    def _recall(self) -> None:
        result = recalled(self.comparison, self._trials)
        self._round, self._tuning = result.comparison, result.tuning
        with self._engine.lock:
            self._show(result=result)
            if result.whole and result.comparison.tuning is None:
                self._playing = False
                self._show(status=Status.FINISHED, reason="")
            elif self.snapshot.status == Status.FINISHED:
                self._show(status=Status.PAUSED, reason=NOT_KEPT)

    def _train(self) -> None:
        """Train as long as it is wanted, and show it."""
        now, tuning, before = self._round, self._tuning, self.snapshot.result
        self._seat.needs = self._needs()
        self._gate()
        self._seat.release()  # each thread asks for a slot of its own
        slots, slot = self._engine.turns.slots, partial(Seat, self._engine, owner=self._seat)
        scheduler = Scheduler(recipes_of(now), store=self._trials, threads=slots, slot=slot)
        with self._engine.lock:
            self._check()
            self._scheduler, self._let_go_at = scheduler, time.monotonic() + LET_GO
        self._write()
        self._stopwatch = Stopwatch()
        self._stopwatch.begin("Racing")
        seen, allowed, version = time.monotonic(), self._share(before) if before else 0.0, -1
        with scheduler:
            while not scheduler.over and time.monotonic() < self._let_go_at:
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
                        allowed = min(allowed, share) + spent / self.at_least if self.at_least else 1.0
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
        """The share of all trainings that is done, those of the tuning among them."""
        part = self.comparison.tuning_share
        return part * result.share if result.comparison.tuning else part + (1 - part) * result.share

    def _needs(self) -> int:
        """Return the bytes that it needs: each trial of a race holds its tables from its beginning on.

        Raises ValueError if a contender does not fit its data.
        """
        tables = sum(PreparedData.from_recipe(recipe).memory(recipe) for _, recipe in self._round.contenders)
        return max(USUAL, self._round.trials * tables)
