"""A place among the jobs that take turns on the cores, for a thread that computes a slice at a time."""

import threading
import time
from collections.abc import Callable

from boltzcore.comparison.scheduler import Slot
from boltzcore.jobs.context import EngineContext
from boltzcore.jobs.turns import USUAL

ASK_AGAIN = 0.2  # seconds after which a waiting thread asks whether there is room, and whether it is still wanted


class Seat(Slot):
    """A member of the turns of an engine, for one thread.

    needs : bytes that the work of its thread takes
    of : its name in the log
    moved : called under the lock of the engine when its place or turn has changed
    owner : the seat whose admission it shares; None for one of its own
    wake : notified when place or turn have changed, too
    """

    def __init__(
        self,
        engine: EngineContext,
        needs: int = USUAL,
        of: str = "A study",
        moved: Callable[[], None] = lambda: None,
        owner: "Seat | None" = None,
    ) -> None:
        self.needs, self._of, self._moved = needs, of, moved
        self._engine, self._owner = engine, owner or self
        self.wake: threading.Condition = owner.wake if owner else threading.Condition(engine.lock)
        self._turn_ends = 0.0

    def __str__(self) -> str:
        return self._of

    def moved(self) -> None:
        """Called by `Turns` when its place or turn has changed."""
        self._moved()
        self.wake.notify_all()

    @property
    def admitted(self) -> bool:
        """True if it may take turns."""
        with self._engine.lock:
            return self._engine.turns.admits(self._owner)

    @property
    def place(self) -> int:
        """Its place in the line of those that are not admitted; 0 if it is not in it."""
        with self._engine.lock:
            return self._engine.turns.place(self._owner)

    @property
    def turn_is_over(self) -> bool:
        """True if others may go first."""
        return time.monotonic() >= self._turn_ends

    def ask(self) -> bool:
        """Ask for admission and a slot; return True if it has one, for a turn."""
        with self._engine.lock:
            self._engine.turns.enter(self._owner)
            if not self._engine.turns.ask(self, self._owner):
                return False
            self._turn_ends = time.monotonic() + self._engine.turns.slice
            return True

    def take(self, wanted: Callable[[], bool]) -> bool:
        """Wait for a slot; return False once it is not wanted any more."""
        with self._engine.lock:
            while wanted() and not self._engine.closed:
                if self.ask():
                    return True
                self.wake.wait(ASK_AGAIN)
            if self._engine.closed:  # a caller that asks at once again does not spin
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
        """Give the slot up and stay admitted."""
        with self._engine.lock:
            self._engine.turns.release(self)

    def settle(self) -> None:
        """Tell that its thread has taken all the memory that it needs."""
        with self._engine.lock:
            self._engine.turns.settle(self._owner)

    def leave(self) -> None:
        """Give up slot, admission and place in the line; of an owner's admission the slot alone."""
        with self._engine.lock:
            turns = self._engine.turns
            (turns.leave if self._owner is self else turns.release)(self)
