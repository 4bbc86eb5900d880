"""A place among the trainings that take turns on the cores, for a thread that trains a slice at a time."""

import threading
import time
from collections.abc import Callable

from boltzcore.comparison.scheduler import Slot
from boltzcore.jobs.run_state import EngineContext
from boltzcore.jobs.turns import USUAL

ASK_AGAIN = 0.2  # seconds after which who waits asks whether there is room, and whether it is still wanted


class Seat(Slot):
    """A member of the turns of an engine. One thread uses it.

    needs : bytes that the work of its thread takes
    of : what the log calls it
    """

    def __init__(self, engine: EngineContext, needs: int = USUAL, of: str = "A study") -> None:
        self.needs, self._of = needs, of
        self._engine, self._wake = engine, threading.Condition(engine.lock)
        self._turn_ends = 0.0

    def __str__(self) -> str:
        return self._of

    def moved(self) -> None:
        """Called by `Turns` when its place or turn has changed."""
        self._wake.notify_all()

    @property
    def place(self) -> int:
        """Its place in the line of those that are not admitted; 0 where it is."""
        with self._engine.lock:
            return self._engine.turns.place(self)

    def take(self, wanted: Callable[[], bool]) -> bool:
        """Come back with a slot; False once it is not wanted any more."""
        turns = self._engine.turns
        with self._engine.lock:
            while wanted() and not self._engine.closed:
                turns.enter(self)
                if turns.ask(self):
                    self._turn_ends = time.monotonic() + turns.slice
                    return True
                self._wake.wait(ASK_AGAIN)
            if self._engine.closed:  # whoever asks at once again does not spin
                self._wake.wait(ASK_AGAIN)
        self.leave()
        return False

    def keep(self, wanted: Callable[[], bool]) -> bool:
        """The same for who has one: at the end of its turn others go first."""
        if time.monotonic() < self._turn_ends and wanted():
            return True
        with self._engine.lock:
            self._engine.turns.pass_on(self)
        return self.take(wanted)

    def settle(self) -> None:
        """Its thread has taken all the memory that it needs."""
        with self._engine.lock:
            self._engine.turns.settle(self)

    def leave(self) -> None:
        """Give up slot, admission and place in the line."""
        with self._engine.lock:
            self._engine.turns.leave(self)
