"""Estimates how long the current work of a training and the rest of it take, from its own pace."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from boltzcore.training.loop import UPDATES

MOMENT = 1.0  # seconds that do not count as waiting
AGAIN = 2.0  # seconds between two reports of the same wait; a browser counts on between them
KNOWN = 2.0  # seconds of training after which its pace is known
RECENT, SHARE = 4.0, 0.25  # seconds, or share, of a training from which its pace is taken: the longer of both
RECORDS = 3  # the last ones, from which the time of a record is taken
GRAIN = 0.01  # share of the work between two points that are remembered
SURE = 0.1  # share of a piece of work after which its own pace gives its length
STEADY = 0.15  # by which a length must have changed before another one is shown


@dataclass(frozen=True)
class Wait:
    """Work that somebody waits for.

    what : the beginning of a sentence, such as "Estimating the likelihood"
    seconds : so far
    about : seconds in all, None where that is not known
    """

    what: str
    seconds: float
    about: float | None = None


@dataclass(frozen=True)
class Left:
    """The time that the rest of a training takes, in seconds, at its recent pace.

    most : whether a rule may end it earlier
    """

    seconds: float
    most: bool = False


class Stopwatch:
    """The time of one training, without its pauses. One thread uses it; `waiting` and `left` may be asked by any."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rested = 0.0
        self._what, self._began, self._of_record = UPDATES, self._now, False
        self._far, self._astray = 0.0, False
        self._pace: list[tuple[float, float]] = []  # (seconds, share done)
        self._took: dict[str, float] = {}  # {name of the work: seconds that it took the last time}
        self._announced: dict[str, float] = {}  # {name of the work: seconds that were announced for it}
        self._due = 0.0
        self.again()

    def again(self) -> None:
        """Forget the pace, which no longer holds."""
        self._since = self._last = self._now
        self._measured, self._record = 0.0, 0.0
        self._records: deque[float] = deque(maxlen=RECORDS)
        self._points: deque[tuple[float, int]] = deque()  # (seconds of updates, updates)
        self._end: float | None = None

    def begin(self, what: str, of_a_record: bool = False) -> None:
        """Begin a piece of work of this name; of_a_record: whether it belongs to a record of the training."""
        self._close()
        self._what, self._began, self._of_record = what, self._now, of_a_record
        self._far, self._pace, self._astray = 0.0, [], False
        self._due = self._clock() + MOMENT

    def drop(self) -> None:
        """Give up the current work."""
        self._what, self._of_record = UPDATES, False

    @contextmanager
    def aside(self, what: str) -> Iterator[None]:
        """Time other work in between, after which the current work goes on."""
        kept = self._what, self._of_record, self._far, self._pace, self._astray, self._due
        before, began = self._began, self._now
        self._what, self._of_record, self._began = what, False, began
        self._far, self._pace, self._astray = 0.0, [], False
        self._due = self._clock() + MOMENT
        try:
            yield
        finally:
            self._took[what] = took = self._now - began
            self._what, self._of_record, self._far, self._pace, self._astray, self._due = kept
            self._began = before
            if self._what != UPDATES:
                self.rested(took)

    def far(self, share: float) -> None:
        """Note the share of the current work that is done; 0 says nothing. Where the share falls, the work has several
        parts, and its length is not known.
        """
        self._astray |= 0 < share < self._far
        self._far = max(self._far, share)
        if not self._pace or share > self._pace[-1][1] + GRAIN:
            self._pace.append((self._now - self._began, share))

    def rested(self, seconds: float) -> None:
        """Leave a pause of so many seconds out."""
        self._rested += seconds

    @property
    def due(self) -> bool:
        """Whether the wait is to be reported now; once true, it is false for `AGAIN` seconds."""
        if self._what == UPDATES or self._clock() < self._due:
            return False
        self._due = self._clock() + AGAIN
        return True

    @property
    def waiting(self) -> Wait | None:
        """The current work, where it may take long enough to be waited for; else None."""
        what, seconds = self._what, self._now - self._began
        if what == UPDATES:
            return None
        about = self._took.get(what)
        if not self._astray and self._far >= SURE and seconds >= MOMENT:
            at, share = self._pace[-1]  # what it took to begin with says nothing of how it goes on
            before, half = next(each for each in self._pace if each[1] >= share / 2)
            if share > half:
                about = at + (1 - share) * (at - before) / (share - half)
        if about is not None:
            last = self._announced.get(what)
            about = self._announced[what] = last if last and abs(about - last) <= STEADY * last else about
        return Wait(what, seconds, about if about and about > seconds else None)

    def stepped(self, count: int, *, recorded: bool) -> None:
        """The training has come to this update; recorded: and to a record."""
        self.begin(UPDATES)
        self._last = self._now
        if recorded:
            self._records.append(self._record)
            self._record = 0.0
        spent = self._now - self._since - self._measured
        self._points.append((spent, count))
        reach = max(RECENT, SHARE * spent)
        while len(self._points) > 2 and self._points[1][0] <= spent - reach:
            self._points.popleft()
        if len(self._points) > 2 and spent - self._points[-3][0] < reach / 50:  # so that they stay few
            del self._points[-2]

    def left(self, updates: int, records: int) -> float | None:
        """Seconds that so many updates with so many records still take; None while that is not known.

        It is shown steadily: it runs down, until the pace has changed by much.
        """
        now = self._now
        if not self._points or now - self._since < KNOWN or (records and not self._records):
            return None
        (before, first), (spent, last) = self._points[0], self._points[-1]
        if last <= first:
            return None
        record = sum(self._records) / len(self._records) if self._records else 0.0
        measuring = self._record + (now - self._began if self._of_record else 0.0)
        making = max(0.0, now - self._last - measuring)
        rest = max(0.0, updates * (spent - before) / (last - first) - making)
        rest += max(0.0, records * record - min(measuring, record))
        announced = None if self._end is None else self._end - now
        if announced is None or abs(rest - announced) > STEADY * max(rest, 0.0) + MOMENT:
            self._end, announced = now + rest, rest
        return max(announced, 0.0)

    @property
    def _now(self) -> float:
        return self._clock() - self._rested

    def _close(self) -> None:
        took = self._now - self._began
        if self._what == UPDATES:
            return
        self._took[self._what] = took
        if self._of_record:
            self._measured += took
            self._record += took
