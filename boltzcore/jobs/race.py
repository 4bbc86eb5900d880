"""A comparison that is trained where anyone may watch it and its owner controls it."""

import threading
import time
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
    "This race had finished. Some of its trials are not kept any more, or were made by another version: press Play to "
    "make them again."
)


@dataclass(frozen=True)
class RaceSnapshot(JobSnapshot):
    """A race at one moment.

    result : what was found so far; None until the data are loaded
    """

    result: Result | None = None


class Race(Job):
    """A comparison under way: a `Scheduler` trains its trials on a seat for each slot, and its thread follows them. The
    trials are stored, so that a race goes on from them after it has let its threads go.

    at_least : seconds that the whole race takes, for a class that wants to watch it
    """

    snapshot: RaceSnapshot

    def __init__(
        self,
        id: str,
        comparison: Comparison,
        engine: EngineContext,
        trials: TrialStore,
        *,
        key: str = "",
        key_hash: str = "",
        status: Status = Status.PAUSED,
        created: float = 0.0,
    ) -> None:
        super().__init__(engine, f"The race {id}", key, key_hash)
        self.id, self.comparison, self.created = id, comparison, created
        self.deleted, self.at_least = False, 0.0
        self._trials = trials
        self._seats: list[Seat] = []
        self._round = comparison  # that is trained now: the tuning, or what it leads to
        self._tuning: Result | None = None
        self._scheduler: Scheduler | None = None  # at work
        self._playing, self._preparing = False, False
        self._let_go_at = 0.0  # when a pause lets go of the scheduler
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
                self._rest(Status.PAUSED, LET_GO)

    def cancel(self) -> None:
        """End all trials where they are, and keep them; `play` goes on from there."""
        with self._engine.lock:
            if self.snapshot.status not in (Status.FINISHED, Status.FAILED):
                self._rest(Status.STOPPED)

    def close(self) -> threading.Thread | None:
        """Store what there is and end; return the thread that may still be at it."""
        with self._engine.lock:
            self._preparing = False
            self._rest(self.snapshot.status, reason=self.snapshot.reason)
            return self.thread

    def _end(self, status: Status, reason: str = "") -> None:
        self._preparing = False
        self._rest(status, reason=reason)

    def _rest(self, status: Status, seconds: float = 0.0, reason: str = "") -> None:
        """Pause, and let go of the threads after so many seconds; under the lock."""
        self._playing, self._let_go_at = False, time.monotonic() + seconds
        if self._scheduler is not None:
            self._scheduler.pause()
        self._show(status=status, reason=reason, left=None, place=0)

    # -- its thread -----------------------------------------------------------------------------

    def _session(self) -> None:
        if self._preparing and self.snapshot.result is None:
            self._wait_for_kernels(recipe for _, recipe in self.comparison.contenders)
            self._recall()
        self._preparing = False
        if self._playing:
            self._train()

    def _recall(self) -> None:
        result = recalled(self.comparison, self._trials)
        self._round, self._tuning = result.comparison, result.tuning
        over = result.over and result.comparison.tuning is None
        with self._engine.lock:
            self._show(result=result)
            if over:
                self._playing = False
                self._show(status=Status.FINISHED, reason="")
            elif self.snapshot.status == Status.FINISHED:
                self._show(status=Status.PAUSED, reason=NOT_KEPT)

    def _train(self) -> None:
        """Train as long as it is wanted, and show it."""
        now, tuning, before = self._round, self._tuning, self.snapshot.result
        slots, self._seats, seat = max(1, self._engine.turns.slots), [], partial(self._new_seat, self._needs())
        scheduler = Scheduler(recipes_of(now), store=self._trials, axis=now.axis, threads=slots, slot=seat)
        with self._engine.lock:
            self._scheduler = scheduler
        self._stopwatch = Stopwatch()
        self._stopwatch.begin("Racing")
        seen, allowed, version = time.monotonic(), self._share(before) if before else 0.0, -1
        with scheduler:
            while not scheduler.over and not self._lets_go():
                version = scheduler.wait(version, PUBLISH)
                result = result_of(now, scheduler.trials, tuning)
                share, spent, seen = self._share(result), time.monotonic() - seen, time.monotonic()
                self._stopwatch.report_progress(share)
                with self._engine.lock:
                    self._check_lease()
                    if self._playing:
                        allowed = min(allowed, share) + spent / self.at_least if self.at_least else 1.0
                        (scheduler.pause if share > allowed else scheduler.resume)()
                        place = max((seat.place for seat in self._seats), default=0)
                        status = Status.QUEUED if place else Status.RUNNING
                        self._show(status=status, result=result, share=share, left=self._stopwatch.rest, place=place)
                    else:
                        scheduler.pause()
                        self._stopwatch.rested(spent)
                time.sleep(PUBLISH)
        result = result_of(now, scheduler.trials, tuning)
        with self._engine.lock:
            self._scheduler = None
            self._show(result=result, share=self._share(result), left=None, place=0)
            if result.whole and now.tuning is None:
                self._playing = False
                self._show(status=Status.FINISHED, reason="", share=1.0)
            elif result.whole:
                self._round, self._tuning = result.tuned, result

    def _lets_go(self) -> bool:
        """Return whether the threads are to end: in a pause after a while, else at once."""
        return not self.wanted and (self._engine.closed or self.deleted or time.monotonic() > self._let_go_at)

    def _share(self, result: Result) -> float:
        """The share of all trainings that is done, those of the tuning among them."""
        if (tuning := self.comparison.tuning) is None:
            return result.share
        part = tuning.count / (tuning.count + self.comparison.trials)
        return part * result.share if result.comparison.tuning else part + (1 - part) * result.share

    def _new_seat(self, needs: int) -> Seat:
        seat = Seat(self._engine, needs, f"A thread of the race {self.id}")
        self._seats.append(seat)
        return seat

    def _needs(self) -> int:
        """Bytes that one of its threads is to ask for: each trial of a race holds its tables from its beginning on.
        Raises ValueError where a contender does not fit its data.
        """
        tables = sum(PreparedData.from_recipe(recipe).memory(recipe) for _, recipe in self._round.contenders)
        return max(USUAL, self._round.trials * tables // max(1, self._engine.turns.slots))
