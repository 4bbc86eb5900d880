"""A comparison that is trained where anyone may watch it and its owner controls it."""

import dataclasses
import logging
import threading
import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from boltzcore.comparison.compare import recalled, recipes_of, result_of
from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.comparison.scheduler import Scheduler
from boltzcore.comparison.trials import TrialStore
from boltzcore.jobs.run_state import RESTARTED, EngineContext
from boltzcore.jobs.seat import Seat
from boltzcore.jobs.stopwatch import Left
from boltzcore.jobs.summary import MOVING, hash_of, opens
from boltzcore.jobs.turns import USUAL
from boltzcore.quoting import explained, why
from boltzcore.training.prepared import PreparedData

PUBLISH = 0.04  # seconds between two snapshots
SAY_AGAIN = 0.5  # seconds between two snapshots while kernels are compiled
KNOWN, SHARE = 1.0, 0.005  # seconds of training, and the share of all, after which its pace is known
STARTING, RUNNING, QUEUED, PAUSED = "starting", "running", "queued", "paused"
CANCELLED, FINISHED, FAILED = "stopped", "finished", "failed"

NOT_KEPT = (
    "This race had finished. Some of its trials are not kept any more, or were made by another version: press Play to "
    "make them again."
)
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RaceSnapshot:
    """A race at one moment; never changed, only replaced.

    status : starting, queued, running, paused, stopped, finished or failed; reason : one sentence where it needs one
    result : what was found so far; None until the data are loaded
    share : of all its updates that are done; left : how long the rest takes, None where that is not known
    place : place in the queue, from 1; 0 when not queued
    version : grows with every snapshot
    """

    status: str
    reason: str = ""
    result: Result | None = None
    share: float = 0.0
    left: Left | None = None
    place: int = 0
    version: int = 0


class Race:
    """A comparison under way. Commands may come from any thread and return at once; `snapshot` is always whole.

    key : the owner's secret, "" where only its hash is known
    """

    def __init__(
        self,
        id: str,
        comparison: Comparison,
        engine: EngineContext,
        trials: TrialStore,
        *,
        key: str = "",
        key_hash: str = "",
        status: str = PAUSED,
        created: float = 0.0,
    ) -> None:
        self.id, self.comparison, self.key, self.created = id, comparison, key, created
        self.key_hash = key_hash or hash_of(key)
        self.deleted = False
        self._engine, self._trials = engine, trials
        self._lock = threading.RLock()
        self._scheduler: Scheduler | None = None
        self._thread: threading.Thread | None = None
        self._seats: list[Seat] = []
        self._round = comparison  # that is trained now: the tuning, or what it leads to
        self._tuning: Result | None = None
        self.at_least = 0.0  # seconds that the whole race takes, for who wants to watch it
        self._wanted = False
        self.touched = self._engine.clock()
        interrupted = status in MOVING
        self.snapshot = RaceSnapshot(PAUSED if interrupted else status, RESTARTED if interrupted else "")

    def owned_by(self, key: str | None) -> bool:
        """Whether `key` is the owner's."""
        return opens(key, self.key_hash)

    @property
    def private(self) -> bool:
        """Whether it learns from somebody's own data."""
        return self.comparison.private

    @property
    def moving(self) -> bool:
        """Whether it goes on, or waits for its turn to."""
        return self.snapshot.status in MOVING

    def touch(self) -> None:
        """Say that somebody watches: a race nobody watched for the lease's time is paused."""
        self.touched = self._engine.clock()

    def prepare(self) -> None:
        """Find the trials that are stored, so that there is something to show; nothing is trained."""
        self._start()

    def play(self) -> None:
        """Train until every trial has ended, a pause or a cancel."""
        with self._lock:
            if self.deleted or self.snapshot.status == FINISHED:
                return
            self._wanted = True
            self.touch()
            if self._scheduler is not None:
                self._scheduler.resume()
                self._show(RUNNING)
            else:
                self._show(STARTING)
        self._start()

    def pause(self, reason: str = "") -> None:
        """Rest, at once."""
        with self._lock:
            self._wanted = False
            if self._scheduler is not None:
                self._scheduler.pause()
            if self.snapshot.status in MOVING:
                self._show(PAUSED, reason)

    def cancel(self) -> None:
        """End all trials where they are, and keep them; `play` goes on from there."""
        with self._lock:
            self._wanted = False
            scheduler, self._scheduler = self._scheduler, None
            if self.snapshot.status not in (FINISHED, FAILED):
                self._show(CANCELLED)
        if scheduler is not None:
            scheduler.cancel()

    def close(self) -> threading.Thread | None:
        """Store what there is and end; the thread that may still be at it."""
        scheduler = self._scheduler
        self._wanted = False
        if scheduler is not None:
            threading.Thread(target=scheduler.cancel, daemon=True).start()
        return self._thread

    # -- its thread -----------------------------------------------------------------------------

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"race-{self.id}", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        try:
            if self.snapshot.result is None:
                self._wait_for_kernels()
                result = recalled(self.comparison, self._trials)
                self._round, self._tuning = result.comparison, result.tuning
                over = result.over and result.comparison.tuning is None
                with self._lock:
                    status, reason = self.snapshot.status, self.snapshot.reason
                    if status == FINISHED and not over:
                        status, reason = PAUSED, NOT_KEPT
                    self._show(FINISHED if over else status, reason, result=result)
            while self._train():
                pass
        except Exception as error:
            explained(error, f"The race {self.id} failed")
            with self._lock:
                self._wanted = False
                self._show(FAILED, why(error))
        finally:
            with self._lock:
                self._thread = None
                again = self._goes_on()  # it was asked for while this thread came to its end
            if again:
                self._start()

    def _wait_for_kernels(self) -> None:
        for _, recipe in self.comparison.contenders:
            ready = self._engine.ready(recipe)
            while not ready.wait(SAY_AGAIN):
                if self._engine.closed or self.deleted:
                    return
                with self._lock:  # how far they are is shown with it
                    self._show(self.snapshot.status, self.snapshot.reason)

    def _train(self) -> bool:
        """Train as long as it is wanted; whether there is more to do."""
        if not self._goes_on():
            return False
        self._seats = []
        now, tuning = self._round, self._tuning
        slots, needs = max(1, self._engine.turns.slots), self._needs()
        seat = partial(self._seat, needs)
        scheduler = Scheduler(recipes_of(now), store=self._trials, axis=now.axis, threads=slots, slot=seat)
        with self._lock:
            self._scheduler = scheduler
            self._show(self.snapshot.status, self.snapshot.reason)
            if not self._goes_on():
                scheduler.pause()
        scheduler.start()
        began, done, version = time.monotonic(), 0.0, -1
        seen, allowed = began, self._share(self.snapshot.result) if self.snapshot.result else 0.0
        while self._has(scheduler) and not scheduler.over:
            version = scheduler.wait(version, PUBLISH)
            if self._engine.closed or self.deleted:
                break
            if self._wanted and self._engine.clock() > self.touched + self._engine.lease:
                self.pause(f"Nobody watched this race for {self._engine.lease:g} seconds, so it was paused.")
            result = result_of(now, scheduler.trials, tuning)
            spent, seen = time.monotonic() - seen, time.monotonic()
            with self._lock:
                if self._has(scheduler) and self._wanted:
                    share = self._share(result)
                    allowed = min(allowed, share) + spent / self.at_least if self.at_least else 1.0
                    if share > allowed:
                        scheduler.pause()
                    else:
                        scheduler.resume()
                    if not done:
                        began, done = time.monotonic(), share
                    place = max((seat.place for seat in self._seats), default=0)
                    left = _left(time.monotonic() - began, share - done, 1 - share)
                    self._show(QUEUED if place else RUNNING, result=result, share=share, left=left, place=place)
            time.sleep(PUBLISH)
        scheduler.cancel()
        result = result_of(now, scheduler.trials, tuning)
        with self._lock:
            if self._has(scheduler):
                self._scheduler = None
            if result.whole and now.tuning is None:
                self._wanted = False
                self._show(FINISHED, result=result, share=1.0)
            else:
                self._show(self.snapshot.status, self.snapshot.reason, result=result, share=self._share(result))
                if result.whole:
                    self._round, self._tuning = result.tuned, result
            return self._wanted and not self._engine.closed

    def _share(self, result: Result) -> float:
        """The share of all trainings that is done, those of the tuning among them."""
        if (tuning := self.comparison.tuning) is None:
            return result.share
        part = tuning.count / (tuning.count + self.comparison.trials)
        return part * result.share if result.comparison.tuning else part + (1 - part) * result.share

    def _goes_on(self) -> bool:
        return self._wanted and not self._engine.closed and self.snapshot.status != FINISHED

    def _has(self, scheduler: Scheduler) -> bool:
        return self._scheduler is scheduler

    def _seat(self, needs: int) -> Seat:
        seat = Seat(self._engine, needs, f"A thread of the race {self.id}")
        self._seats.append(seat)
        return seat

    def _needs(self) -> int:
        """Bytes that one of its threads is to ask for: each trial of a race holds its tables from its beginning on.
        Raises ValueError where a contender does not fit its data.
        """
        tables = sum(PreparedData.from_recipe(recipe).memory(recipe) for _, recipe in self._round.contenders)
        return max(USUAL, self._round.trials * tables // max(1, self._engine.turns.slots))

    def _show(self, status: str, reason: str = "", **fields: Any) -> None:
        """Make the newest snapshot; under the lock."""
        fields = {"left": None, "place": 0, **fields}
        before = self.snapshot
        self.snapshot = dataclasses.replace(before, status=status, reason=reason, version=before.version + 1, **fields)


def _left(seconds: float, done: float, rest: float) -> Left | None:
    """How long the rest takes at the pace so far."""
    if seconds < KNOWN or done < SHARE:
        return None
    return Left(seconds * rest / done, most=True)
