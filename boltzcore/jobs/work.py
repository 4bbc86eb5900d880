"""Work other than a single training that takes turns with trainings, piece by piece, for any viewers."""

import secrets
import threading
from collections.abc import Callable, Iterable
from typing import Any

from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.job import Job, JobSnapshot
from boltzcore.quoting import Refusal, span
from boltzcore.ticks import Tick
from boltzcore.training.status import Status

LONGEST = 120.0  # largest expected processor time, in seconds, of work for a single visitor

Make = Callable[[Tick], Iterable[object]]


class Work(Job):
    """Running work. It ends without viewers; finished pieces stay.

    make : yields it piece by piece; it calls its tick at least every 100 ms, and ends if that raises Stopped
    made : the finished pieces
    """

    def __init__(self, engine: EngineContext, make: Make) -> None:
        super().__init__(engine, "The work of a visitor", secrets.token_urlsafe(24))
        self.snapshot = JobSnapshot(Status.STARTING)
        self.made: list[Any] = []
        self._make = make
        with engine.lock:
            self._start()

    @property
    def wanted(self) -> bool:
        """True while it runs."""
        return self.is_active and not self._engine.closed

    def cancel(self) -> None:
        """End it in its current state."""
        with self._engine.lock:
            self._end(Status.STOPPED)

    def close(self) -> threading.Thread | None:
        """End it; return the thread that may still be running."""
        self.cancel()
        return self.thread

    def _session(self) -> None:
        self._wait_for_slot()
        self._stopwatch.begin("Working")
        for piece in self._make(self._tick):
            self.made.append(piece)
        with self._engine.lock:
            self._end(Status.FINISHED)

    def _tick(self, fraction: float = 0.0) -> None:
        self._stopwatch.report_progress(fraction)
        if self._seat.turn_is_over:
            self._wait_for_slot()
            with self._engine.lock:
                self._show(share=max(self.snapshot.share, min(fraction, 1.0)), left=self._stopwatch.rest)

    def _end(self, status: Status, reason: str = "") -> None:
        if self.is_active:
            share = 1.0 if status == Status.FINISHED else self.snapshot.share
            self._show(status=status, reason=reason, share=share, left=None, place=0)
            self._seat.leave()  # here, because a queued work may have no thread
            self._seat.wake.notify_all()


def check_cost(what: str, seconds: float) -> None:
    """Raise Refusal if work for a single visitor is expected to take too long.

    what : the beginning of a sentence, such as "Estimating the likelihood"
    seconds : expected processor time
    """
    if seconds > LONGEST:
        raise Refusal(
            f"{what} must take at most {span(LONGEST)} on this server, and would take about {span(seconds)}: run it on "
            "your own computer, with python -m boltzcore."
        )
