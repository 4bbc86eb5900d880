"""A job: a long computation for viewers, on a thread that exists while there is work."""

import hmac
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from boltzcore.data.grants import hash_of
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.seat import ASK_AGAIN, Seat
from boltzcore.jobs.stopwatch import Left, Stopwatch
from boltzcore.quoting import explain
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Stopped
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING, Status

PUBLISH = 0.04  # seconds between two snapshots with small changes
LET_GO = 20.0  # seconds of a pause, or in the queue, after which a partial update is discarded with the thread
LOOK = 0.075  # seconds between two checks if kernels are compiled

RESTARTED = "The server was restarted; Play continues from the last checkpoint."


@dataclass(frozen=True)
class JobSnapshot:
    """A job at one moment; never changed, only replaced.

    reason : one sentence if the status needs one, else ""
    share : finished share of the whole work
    left : remaining time, None if unknown
    place : place in the queue, from 1; 0 when not queued
    version : increases with every snapshot
    """

    status: Status
    reason: str = ""
    share: float = 0.0
    left: Left | None = None
    place: int = 0
    version: int = 0


class Job(ABC):
    """A long computation that anyone may watch and its owner controls.

    Commands may come from any thread and return at once: under the lock of the engine they change the requests. The
    thread of the job sees them at its next tick, at most 100 ms later. It computes in turns with the threads of other
    jobs, and ends without requests; in a pause and in the queue after `LET_GO` seconds. `snapshot` is always
    consistent.

    | | thread | slot | admission | half-done update | state, data |
    | --- | --- | --- | --- | --- | --- |
    | computes or waits for a slot | yes | in turn | yes | yes | yes |
    | paused, first 20 s | yes | no | no | yes | yes |
    | paused | no | no | no | no | yes |
    | queued, first 20 s | yes | no | no | yes | yes |
    | queued | no | no | no | no | yes, if loaded before |

    The lease is checked whenever the thread waits or ends its turn: a queued job without a thread is stopped once it is
    admitted. After a restart no job plays until asked.

    key : the owner's secret, "" if only its hash is known (after a restart of the server)
    keep_going : True if it continues without viewers
    touched : time of the last view or command
    """

    snapshot: JobSnapshot

    def __init__(self, engine: EngineContext, of: str, key: str = "", key_hash: str = "") -> None:
        self.key, self.key_hash = key, key_hash or hash_of(key)
        self.keep_going = False
        self.touched = engine.clock()
        self.thread: threading.Thread | None = None
        self._of, self._engine, self._stopwatch = of, engine, Stopwatch()
        self._seat = Seat(engine, moved=self._on_move)

    def __str__(self) -> str:
        return self._of

    def is_owner(self, key: str | None) -> bool:
        """Return True if `key` is the owner's."""
        return isinstance(key, str) and hmac.compare_digest(hash_of(key).encode(), self.key_hash.encode())

    @property
    def is_active(self) -> bool:
        """True while it runs, or waits for its turn."""
        return self.snapshot.status in MOVING

    def touch(self) -> None:
        """Renew the lease because of a viewer."""
        self.touched = self._engine.clock()

    # -- defined by each kind of job --------------------------------------------------------------------

    @property
    @abstractmethod
    def wanted(self) -> bool:
        """True while there is a request."""

    @abstractmethod
    def _session(self) -> None:
        """Do the requested work, until it is done or `Stopped` is raised."""

    @abstractmethod
    def _end(self, status: Status, reason: str = "") -> None:
        """End the job with this status; under the lock."""

    def _check(self) -> None:
        """Raise Stopped if the current work is no longer needed; under the lock."""
        if not self.wanted:
            raise Stopped

    def _delay(self) -> float | None:
        """Return the seconds until the job may compute; None if it may at once. Under the lock."""
        return None

    def _before_waiting(self) -> Callable[[], None] | None:
        """Return work to do before the job waits, such as saving; None if there is none. Under the lock."""
        return None

    @property
    def _is_stopped(self) -> bool:
        """True if loading data and compiling must stop; they continue in a pause."""
        return not self.wanted

    def _moved(self) -> None:
        """Show a new place in the queue, or that the job has a turn; under the lock."""
        if self.is_active:
            place = self._seat.place
            self._show(status=Status.QUEUED if place else Status.RUNNING, place=place)

    # -- on its thread ----------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start the thread unless there is one; under the lock."""
        if self.thread is None:
            self.thread = threading.Thread(target=self._run, name=str(self), daemon=True)
            self.thread.start()

    def _run(self) -> None:
        while self._has_work():
            with one_for_blas():
                try:
                    self._session()
                except Stopped:
                    pass
                except Exception as error:
                    reason = explain(error, f"{self} failed")
                    with self._engine.lock:
                        self._end(Status.FAILED, reason)

    def _has_work(self) -> bool:
        """Return True if there is work; if not, the thread ends. A queued job has no work: `_on_move` starts another
        thread.
        """
        with self._engine.lock:
            if self.wanted and not self._seat.place:
                return True
            if not self.wanted:
                self._seat.leave()
            self.thread = None
            return False

    def _on_move(self) -> None:
        """Update after a change of its place in the queue or its turn; called under the lock."""
        self._moved()
        if self.wanted and self._seat.admitted:
            self._start()

    def _wait_for_slot(self) -> None:
        """Return with a slot; while the job is paused or queued, wait. Raises Stopped if the current work must not
        continue, or has waited for long.
        """
        began = time.monotonic()
        self._seat.pass_on()
        while True:
            with self._engine.lock:
                self._check_lease()
                self._check()
                if (prepare := self._before_waiting()) is None:
                    now, delay = time.monotonic(), self._delay()
                    if delay is None and self._seat.ask():
                        return
                    rests = not (self.wanted and self._seat.admitted)
                    if rests and now > began + LET_GO:  # free its memory for others; discarded work is repeated
                        raise Stopped
                    self._seat.wake.wait(ASK_AGAIN if delay is None else min(delay, ASK_AGAIN))
                    if rests:
                        self._stopwatch.rested(time.monotonic() - now)
                    continue
            prepare()

    def _check_lease(self) -> None:
        """Stop the job if it was not watched for too long; under the lock."""
        over = self._engine.clock() > self.touched + self._engine.lease
        if over and self.wanted and not self.keep_going:
            reason = f"Stopped because no one watched for {self._engine.lease:g} seconds; the result so far is kept."
            self._end(Status.STOPPED, reason)

    def _wait_for_kernels(self, recipes: Iterable[Recipe]) -> None:
        self._begin("Waiting for the compiled kernels")
        for recipe in recipes:
            ready = self._engine.ready(recipe)
            while not ready.wait(LOOK):
                self._unless_stopped()

    def _begin(self, what: str) -> None:
        """Start work that may not report its progress."""
        self._stopwatch.begin(what)
        with self._engine.lock:
            self._show()

    def _report(self, share: float) -> None:
        """Show the progress of the current work, at intervals."""
        self._stopwatch.report_progress(share)
        if self._stopwatch.due:
            with self._engine.lock:
                self._show()

    def _unless_stopped(self, share: float = 0.0) -> None:
        self._report(share)
        if self._is_stopped:
            raise Stopped

    def _show(self, **fields: Any) -> None:
        """Replace the snapshot by a newer one; under the lock."""
        self.snapshot = replace(self.snapshot, version=self.snapshot.version + 1, **fields)
