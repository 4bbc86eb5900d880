"""Work that is no single training and takes turns with trainings: made piece by piece where anyone may watch it."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakSet

from boltzcore.jobs.race import CANCELLED, FAILED, FINISHED, PAUSED, PUBLISH, QUEUED, RUNNING, SAY_AGAIN, STARTING
from boltzcore.jobs.run_state import EngineContext
from boltzcore.jobs.seat import ASK_AGAIN, Seat
from boltzcore.jobs.summary import MOVING, hash_of, opens
from boltzcore.parameters import Refusal
from boltzcore.quoting import explained, span
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Stopped, Tick
from boltzcore.training.recipe import Recipe

MOST_MOVING = 4  # that go on at once
LONGEST = 120.0  # seconds of processor time that work for a single visitor may be expected to take
KNOWN, SHARE = 1.0, 0.01  # seconds of work, and the share of all, after which its pace is known

Make = Callable[[Tick], Iterable[object]]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class WorkSnapshot:
    """Where work stands at one moment; never changed, only replaced.

    status : starting, queued, running, paused, stopped, finished or failed; reason : one sentence where it needs one
    pieces : that are made; share : of all that is to be made
    left : seconds that the rest takes, None where that is not known
    """

    status: str = STARTING
    reason: str = ""
    pieces: int = 0
    share: float = 0.0
    left: float | None = None


class Work:
    """Work under way, in a thread of its own. Commands may come from any thread and return at once.

    make : makes it piece by piece; it calls its tick at least every 100 ms, and ends where that raises Stopped
    recipes : for whose kernels it waits
    alone : whether it is for a single visitor: it ends, and does not pause, once nobody watches
    key : the secret of who has begun it
    made : the pieces that are made
    """

    def __init__(
        self, engine: EngineContext, make: Make, recipes: Sequence[Recipe] = (), *, alone: bool = False
    ) -> None:
        self.key = secrets.token_urlsafe(24)
        self.snapshot = WorkSnapshot()
        self.made: list[Any] = []
        self._engine, self._make, self._recipes, self._alone = engine, make, recipes, alone
        self._lock = threading.Lock()
        self._playing = threading.Event()
        self._playing.set()
        self._cancelled = False
        self._touched = engine.clock()
        self._shown = self._ticked = time.monotonic()
        self._spent = 0.0  # seconds without pauses and waits
        self._seat = Seat(engine, of="The work of a visitor" if alone else "A study")
        self._thread = threading.Thread(target=self._work, name="work", daemon=True)
        self._thread.start()

    def owned_by(self, key: str | None) -> bool:
        """Whether `key` is that of who has begun it."""
        return opens(key, hash_of(self.key))

    @property
    def moving(self) -> bool:
        """Whether it goes on, or waits for its turn to."""
        return self.snapshot.status in MOVING

    @property
    def over(self) -> bool:
        """Whether nothing more comes."""
        return self.snapshot.status in (CANCELLED, FINISHED, FAILED)

    def touch(self) -> None:
        """Say that somebody watches: work that nobody watched for the lease's time is paused."""
        self._touched = self._engine.clock()

    def play(self) -> None:
        """Go on after a pause."""
        self.touch()
        self._playing.set()
        self._show(RUNNING, of=(PAUSED,))

    def pause(self, reason: str = "") -> None:
        """Rest, within a tick."""
        self._playing.clear()
        self._show(PAUSED, reason, of=MOVING)

    def cancel(self) -> None:
        """End it where it is; pieces that are made stay."""
        self._cancelled = True
        self._show(CANCELLED, of=(*MOVING, PAUSED))

    def close(self) -> threading.Thread:
        """End it; the thread that may still be at it."""
        self._cancelled = True
        return self._thread

    # -- its thread -----------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            self._wait_for_kernels()
            with one_for_blas():
                for piece in self._make(self._tick):
                    self.made.append(piece)
                    self._change(pieces=self.snapshot.pieces + 1)
            self._show(FINISHED, of=(*MOVING, PAUSED))
            self._change(share=1.0, left=None)
        except Stopped:
            self._show(CANCELLED, of=(*MOVING, PAUSED))
        except Exception as error:
            self._show(FAILED, explained(error, "It failed"))
        finally:
            self._seat.leave()

    def _wait_for_kernels(self) -> None:
        for recipe in self._recipes:
            ready = self._engine.ready(recipe)
            while not ready.wait(SAY_AGAIN):
                self._stop_where_it_must()

    def _tick(self, fraction: float = 0.0) -> None:
        """Come back with the right to go on. Raises Stopped once nobody wants it any more."""
        self._note(fraction)
        while True:
            self._stop_where_it_must()
            if self._engine.clock() > self._touched + self._engine.lease:
                if self._alone:
                    raise Stopped
                self.pause(f"Nobody watched for {self._engine.lease:g} seconds, so it was paused.")
            if not self._playing.is_set():
                self._seat.leave()
                self._playing.wait(ASK_AGAIN)
            elif self._seat.keep(self._goes_on):
                break
        self._ticked = time.monotonic()

    def _stop_where_it_must(self) -> None:
        if self._cancelled or self._engine.closed:
            raise Stopped

    def _goes_on(self) -> bool:
        return self._playing.is_set() and not self._cancelled

    def _note(self, fraction: float) -> None:
        """How far it is, told now and then."""
        now = time.monotonic()
        self._spent += now - self._ticked
        if now < self._shown + PUBLISH:
            return
        self._shown = now
        place = self._seat.place
        status = QUEUED if place else RUNNING
        left = None
        if self._spent > KNOWN and fraction > SHARE:
            left = self._spent * (1 - fraction) / fraction
        self._show(status, of=MOVING)
        self._change(share=max(self.snapshot.share, min(fraction, 1.0)), left=left)

    def _show(self, status: str, reason: str = "", *, of: Sequence[str] | None = None) -> None:
        """Another status, where it is one of these."""
        with self._lock:
            now = self.snapshot
            if of is None or now.status in of:
                reason = now.reason if status == now.status and not reason else reason
                self.snapshot = replace(now, status=status, reason=reason)

    def _change(self, **fields: Any) -> None:
        with self._lock:
            self.snapshot = replace(self.snapshot, **fields)


class Works:
    """The work of a server by name: of each name one at a time. Any thread may call."""

    def __init__(self, engine: EngineContext) -> None:
        self._engine, self._lock = engine, threading.Lock()
        self._known: dict[str, Work] = {}
        self._alone = WeakSet[Work]()

    @property
    def moving(self) -> int:
        """How much of it goes on, or waits for its turn to."""
        return sum(each.moving for each in tuple(self._known.values()))

    def begin_alone(self, what: str, make: Make, seconds: float = 0.0) -> Work:
        """Begin work for a single visitor, who holds it: with nobody to watch it ends.

        what : the beginning of a sentence, such as "Estimating the likelihood"
        seconds : of processor time that it is expected to take
        Raises Refusal where that is more than `LONGEST`.
        """
        check_cost(what, seconds)
        with self._lock:
            self._alone.add(work := Work(self._engine, make, alone=True))
            return work

    def get(self, name: str) -> Work | None:
        """The work of this name, under way or over; None where there was none."""
        return self._known.get(name)

    def begin(self, name: str, make: Make, recipes: Sequence[Recipe] = ()) -> Work:
        """The work of this name, which goes on; begun where there is none, or it is over. Raises Refusal while too much
        other work goes on.
        """
        with self._lock:
            known = self._known.get(name)
            if known is not None and not known.over:
                known.play()
                return known
            if self.moving >= MOST_MOVING:
                raise Refusal(f"studies must be at most {MOST_MOVING} at once: wait until one of them has ended.")
            self._known[name] = work = Work(self._engine, make, recipes)
            return work

    def shutdown(self) -> Iterator[threading.Thread]:
        """End all work: the threads that may still be at it."""
        for work in (*self._known.values(), *self._alone):  # a visitor may begin another meanwhile
            yield work.close()


def check_cost(what: str, seconds: float) -> None:
    """Raise Refusal where work for a single visitor is expected to take too long."""
    if seconds > LONGEST:
        raise Refusal(
            f"{what} must take at most {span(LONGEST)} on this server, and would take about {span(seconds)}: do it on "
            "your own computer, with python -m boltzcore."
        )
