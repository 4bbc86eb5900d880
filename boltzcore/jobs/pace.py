"""Pace of a training. It is not part of the recipe because it changes no number."""

import math
import time

FASTEST = math.inf  # no limit
# Offered updates per second, from the slowest.
PACES = (*(step * 10.0**power for power in range(4) for step in (1, 1.5, 2, 3, 5, 7)), 1e4, FASTEST)
STEP = 0.1  # seconds between two Steps that a page can draw
A_MOMENT = 1 / 16  # seconds: a training with a limit does in each the updates for that time, then waits
BEHIND = 1.0  # seconds that such a training may catch up on, after a measurement
MEASURED = 0.5  # seconds over which updates per second are counted


def nearest_pace(pace: float | None) -> float:
    """Return the one of `PACES` with the nearest ratio to this number of updates per second."""
    if pace is None:
        return FASTEST
    return min(PACES[:-1], key=lambda each: abs(math.log(each / pace)))


class Pacer:
    """Schedules the next update of a run. Only one thread may call at a time.

    pace : largest number of updates per second; None for no limit
    rate : recent updates per second, 0 while unknown
    """

    def __init__(self, pace: float | None) -> None:
        self.pace, self.rate = pace, 0.0
        self._due = 0.0  # time of the next update, 0 for at once
        self._counted: tuple[float, int] | None = None  # (time, updates) from which the rate is counted

    @property
    def most(self) -> int | None:
        """Largest number of updates in one Step of a training with a limit."""
        return max(1, int(self.pace * A_MOMENT)) if self.pace else None

    @property
    def wait(self) -> float:
        """Seconds until the next update is due; 0 or less if it is due now."""
        return self._due - time.monotonic()

    @property
    def is_limiting(self) -> bool:
        """True if the next update has a scheduled time."""
        return bool(self._due)

    def skip_wait(self) -> None:
        """Make the next update due now."""
        self._due = 0.0

    def rest(self) -> None:
        """Reset for a pause: earlier counts do not predict the pace afterwards."""
        self._due, self._counted = 0.0, None

    def stepped(self, updates: int, count: int) -> None:
        """Note that the training has made `updates` more updates and is now at update `count`."""
        now = time.monotonic()
        if self.pace and (most := self.most):
            behind = max(STEP, min(BEHIND, self.pace * A_MOMENT))  # at most one short moment is caught up
            # A Step with more updates than its share was started before the limit was set.
            self._due = max(self._due or now, now - behind) + min(updates, most) / self.pace
        if self._counted is None:
            self._counted = now, count
        elif now > self._counted[0] + MEASURED:
            self.rate = (count - self._counted[1]) / (now - self._counted[0])
            self._counted = now, count
