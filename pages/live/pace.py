"""How often a viewer gets a frame: frames give way before clicks do, and first those of who takes most."""

import time
from collections import defaultdict

FAST, SLOW = 1 / 16, 0.7  # seconds between two frames of one viewer
SLOWEST = 8.0  # of one who takes more than twice his share of what there is
EVERY = 1.0  # seconds between two judgements
# Above these, frames come less often: seconds that the event loop comes late in the mean, events sent in a second, and
# the share of the time in which a frame was being made.
LATE, SENT, BUSY = 0.02, 500.0, 0.35
FALL, RISE = 0.75, 1.5  # the most that one judgement changes


class Pace:
    """Seconds between two frames of each visitor, from how hard it is to keep up, and from what the visitor takes.

    Those who take more than an equal share come less often as long as it is hard; the others only as far as they come
    near to it.
    """

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._since = time.monotonic()
        self._late, self._ticks = 0.0, 0
        self._making: defaultdict[str, float] = defaultdict(float)
        self._sent: defaultdict[str, int] = defaultdict(int)

    def seconds(self, key: str) -> float:
        """Between two frames of a visitor."""
        return self._seconds.get(key, FAST)

    def sent(self, key: str) -> None:
        """An event was sent to a visitor."""
        self._sent[key] += 1

    def made(self, seconds: float, key: str) -> None:
        """A frame was made for a visitor, and took so long; key : "" for the server itself."""
        self._making[key] += seconds

    def late(self, by: float, now: float) -> None:
        """The event loop came late by so many seconds."""
        self._late, self._ticks = self._late + by, self._ticks + 1
        if (past := now - self._since) < EVERY:
            return
        late = self._late / self._ticks / LATE
        makes, sends = sum(self._making.values()) / past / BUSY, sum(self._sent.values()) / past / SENT
        active = {*self._making, *self._sent} - {""}
        for key in active | self._seconds.keys():
            # in equal shares
            own_makes = len(active) * self._making.get(key, 0.0) / past / BUSY
            own_sends = len(active) * self._sent.get(key, 0) / past / SENT
            frames, own = max(min(makes, own_makes), min(sends, own_sends)), max(own_makes, own_sends)
            # The loop may be late for reasons of others, which fewer frames do not help: it counts only beside frames.
            load = max(frames, min(late, 4 * frames))
            most = SLOWEST if own > 2 and len(active) > 1 else SLOW
            seconds = min(most, max(FAST, self.seconds(key) * min(RISE, max(FALL, load))))
            if seconds > FAST:
                self._seconds[key] = seconds
            else:
                self._seconds.pop(key, None)
        self._since, self._late, self._ticks = now, 0.0, 0
        self._making.clear()
        self._sent.clear()
