"""How often a viewer gets a frame, so that frames give way before clicks do."""

import time

FAST, SLOW = 1 / 16, 0.7  # seconds between two frames of one viewer
EVERY = 1.0  # seconds between two judgements
# Above these, frames come less often: seconds that the event loop comes late in the mean, events sent in a second, and
# the share of the time in which a frame was being made.
LATE, SENT, BUSY = 0.02, 500.0, 0.35
FALL, RISE = 0.75, 1.5  # the most that one judgement changes


class Pace:
    """Seconds between two frames of a viewer, from how hard it is to keep up."""

    def __init__(self) -> None:
        self.seconds = FAST
        self._since = time.monotonic()
        self._late = self._making = 0.0
        self._ticks = self._count = 0

    def sent(self) -> None:
        """An event was sent."""
        self._count += 1

    def made(self, seconds: float) -> None:
        """A frame was made, and took so long."""
        self._making += seconds

    def late(self, by: float, now: float) -> None:
        """The event loop came late by so many seconds."""
        self._late, self._ticks = self._late + by, self._ticks + 1
        if (past := now - self._since) < EVERY:
            return
        # The loop may be late for reasons of others, which fewer frames do not help: it counts only beside frames.
        frames = max(self._count / past / SENT, self._making / past / BUSY)
        load = max(frames, min(self._late / self._ticks / LATE, 4 * frames))
        self.seconds = min(SLOW, max(FAST, self.seconds * min(RISE, max(FALL, load))))
        self._since, self._late, self._making, self._ticks, self._count = now, 0.0, 0.0, 0, 0
