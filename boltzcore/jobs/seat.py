"""A seat among the jobs that take turns on the cores, for a thread that computes in slices."""

import threading
import time
from collections.abc import Callable

from boltzcore.comparison.scheduler import Slot
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.turns import USUAL

ASK_AGAIN = 0.2  # seconds after which a waiting thread checks again for room, and if its work is still wanted


class Seat(Slot):
    """A member of the turns of an engine, for one thread.

    needs : bytes for the work of its thread
    moved : called under the lock of the engine when its place or turn has changed
    owner : the seat whose admission it shares; None for its own admission
    wake : also notified when place or turn have changed
    """

    def __init__(
        self,
        engine: EngineContext,
        needs: int = USUAL,
        moved: Callable[[], None] = lambda: None,
        owner: "Seat | None" = None,
    ) -> None:
        self.needs, self._moved = needs, moved
        self._engine, self._owner = engine, owner or self
        self.wake: threading.Condition = owner.wake if owner else threading.Condition(engine.lock)
        self._turn_ends = 0.0

    def moved(self) -> None:
        """Pass on a change of its place or turn; called by `Turns`."""
        self._moved()
        self.wake.notify_all()

    @property
    def admitted(self) -> bool:
        """True if it may take turns."""
        with self._engine.lock:
            return self._engine.turns.admits(self._owner)

    @property
    def place(self) -> int:
        """Place in the queue of members that are not admitted; 0 if it is not queued."""
        with self._engine.lock:
            return self._engine.turns.place(self._owner)

    @property
    def turn_is_over(self) -> bool:
        """True if others may go first."""
        return time.monotonic() >= self._turn_ends

    def ask(self) -> bool:
        """Ask for admission and a slot; return True if it gets one, for a turn."""
        with self._engine.lock:
            self._engine.turns.enter(self._owner)
            if not self._engine.turns.ask(self, self._owner):
                return False
            self._turn_ends = time.monotonic() + self._engine.turns.slice
            return True

    def take(self, wanted: Callable[[], bool]) -> bool:
        """Wait for a slot; return False once it is no longer wanted."""
        with self._engine.lock:
            while wanted() and not self._engine.closed:
                if self.ask():
                    return True
                self.wake.wait(ASK_AGAIN)
            if self._engine.closed:  # so that a caller in a loop does not spin
                self.wake.wait(ASK_AGAIN)
        self.leave()
        return False

    def keep(self, wanted: Callable[[], bool]) -> bool:
        """Keep the slot until the turn is over, then wait for another."""
        if not self.turn_is_over and wanted():
            return True
        self.pass_on()
        return self.take(wanted)

    def pass_on(self) -> None:
        """Let the others go first if the turn is over."""
        with self._engine.lock:
            if self.turn_is_over:
                self._engine.turns.pass_on(self)

    def release(self) -> None:
        """Give up the slot and stay admitted."""
        with self._engine.lock:
            self._engine.turns.release(self)

    def settle(self) -> None:
        """Declare that its thread has allocated all the memory that it needs."""
        with self._engine.lock:
            self._engine.turns.settle(self._owner)

    def leave(self) -> None:
        """Give up slot, admission and place in the queue; with an owner's admission only the slot."""
        with self._engine.lock:
            turns = self._engine.turns
            (turns.leave if self._owner is self else turns.release)(self)
