"""The pace of a training, which is no part of its recipe: it changes no number."""

import math
import time

FASTEST = math.inf  # as fast as it can
# Updates a second that are offered, from the slowest on.
PACES = (*(step * 10.0**power for power in range(4) for step in (1, 1.5, 2, 3, 5, 7)), 1e4, FASTEST)
STEP = 0.1  # seconds between two Steps that a page can draw
A_MOMENT = 1 / 16  # seconds: a training that is held back makes in each the updates that belong there, then waits
BEHIND = 1.0  # seconds that such a training may make up for, after a measurement
MEASURED = 0.5  # seconds over which updates a second are counted


def offered(pace: float | None) -> float:
    """The one of `PACES` that is nearest to so many updates a second, by their ratio."""
    if pace is None:
        return FASTEST
    return min(PACES[:-1], key=lambda each: abs(math.log(each / pace)))


class Pacer:
    """Says when the next update of a run is due. One thread at a time may call.

    pace : the most updates per second; None for as fast as it can
    rate : updates per second lately, 0 while that is not known
    """

    def __init__(self, pace: float | None) -> None:
        self.pace, self.rate = pace, 0.0
        self._due = 0.0  # when the next update belongs, 0 for at once
        self._counted: tuple[float, int] | None = None  # (when, updates) that the rate is counted from

    @property
    def most(self) -> int | None:
        """Updates that belong in one Step of a training that is held back."""
        return max(1, int(self.pace * A_MOMENT)) if self.pace else None

    @property
    def wait(self) -> float:
        """Seconds until the next update is due; 0 or less where it is."""
        return self._due - time.monotonic()

    @property
    def holds_back(self) -> bool:
        """True if the next update has a time."""
        return bool(self._due)

    def at_once(self) -> None:
        """The next update is due now."""
        self._due = 0.0

    def rest(self) -> None:
        """The training pauses: what was counted so far says nothing of how it goes on."""
        self._due, self._counted = 0.0, None

    def stepped(self, updates: int, count: int) -> None:
        """The training has made so many updates more and is at this one."""
        now = time.monotonic()
        if self.pace and (most := self.most):
            behind = max(STEP, min(BEHIND, self.pace * A_MOMENT))  # what is made up for is one short moment's
            # More updates than belong in a Step were begun before it was held back.
            self._due = max(self._due or now, now - behind) + min(updates, most) / self.pace
        if self._counted is None:
            self._counted = now, count
        elif now > self._counted[0] + MEASURED:
            self.rate = (count - self._counted[1]) / (now - self._counted[0])
            self._counted = now, count
