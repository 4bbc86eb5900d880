"""Estimates of the time for the current work of a training and for the rest, from its own pace."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from boltzcore.training.loop import UPDATES

MOMENT = 1.0  # seconds that do not count as a wait
AGAIN = 2.0  # seconds between two reports of the same wait; a browser counts in between
KNOWN = 2.0  # seconds of training after which its pace is known
RECENT, SHARE = 4.0, 0.25  # seconds, and share, of a training that give its pace: the longer of both
RECORDS = 3  # number of last records that give the time of a record
GRAIN = 0.01  # share of the work between two stored points
SURE = 0.1  # share of a piece of work after which its own pace gives its length
STEADY = 0.15  # relative change of a length before a new one is shown


@dataclass(frozen=True)
class Wait:
    """Work that a viewer waits for.

    what : the beginning of a sentence, such as "Estimating the likelihood"
    seconds : so far
    about : expected seconds in all, None if unknown
    """

    what: str
    seconds: float
    about: float | None = None


@dataclass(frozen=True)
class Left:
    """Remaining time of a training, in seconds, at its recent pace.

    most : True if a rule may end it earlier
    """

    seconds: float
    most: bool = False


@dataclass
class _Piece:
    """Current piece of work.

    due : time of the next report
    share : finished share
    non_monotonic : True if its share has fallen: its length is then unknown
    points : (seconds, share)
    """

    what: str
    began: float
    due: float
    of_record: bool = False
    share: float = 0.0
    non_monotonic: bool = False
    points: list[tuple[float, float]] = field(default_factory=list)


class Stopwatch:
    """Times of one job, excluding its pauses. One thread uses it; any thread may read `waiting` and `left`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rested = 0.0
        self._took: dict[str, float] = {}  # {name of the work: its last duration in seconds}
        self._announced: dict[str, float] = {}  # {name of the work: announced duration in seconds}
        self._piece = _Piece(UPDATES, self._now, 0.0)
        self.reset()

    def reset(self) -> None:
        """Discard the pace, which is no longer valid."""
        self._since = self._last = self._now
        self._measured, self._record = 0.0, 0.0
        self._records: deque[float] = deque(maxlen=RECORDS)
        self._points: deque[tuple[float, int]] = deque()  # (seconds of updates, updates)
        self._end: float | None = None

    def begin(self, what: str, of_a_record: bool = False) -> None:
        """Start a piece of work with this name; of_a_record: True if it belongs to a record of the training."""
        if self._piece.what != UPDATES:
            self._took[self._piece.what] = took = self._now - self._piece.began
            if self._piece.of_record:
                self._measured += took
                self._record += took
        self._piece = _Piece(what, self._now, self._clock() + MOMENT, of_a_record)

    def drop(self) -> None:
        """Discard the current work."""
        self._piece = _Piece(UPDATES, self._now, 0.0)

    @contextmanager
    def nested(self, what: str) -> Iterator[None]:
        """Time other work in between, after which the current work continues."""
        outer, began = self._piece, self._now
        self._piece = _Piece(what, began, self._clock() + MOMENT)
        try:
            yield
        finally:
            self._took[what] = took = self._now - began
            self._piece = outer
            if outer.what != UPDATES:
                self.rested(took)

    def report_progress(self, share: float) -> None:
        """Note the finished share of the current work; 0 is ignored. If the share falls, the work has several parts,
        and its length is unknown.
        """
        piece = self._piece
        piece.non_monotonic |= 0 < share < piece.share
        piece.share = max(piece.share, share)
        if not piece.points or share > piece.points[-1][1] + GRAIN:
            piece.points.append((self._now - piece.began, share))

    def rested(self, seconds: float) -> None:
        """Exclude a pause from the times."""
        self._rested += seconds

    @property
    def due(self) -> bool:
        """True if the wait should be reported now; once true, it is false for `AGAIN` seconds."""
        if self._piece.what == UPDATES or self._clock() < self._piece.due:
            return False
        self._piece.due = self._clock() + AGAIN
        return True

    @property
    def waiting(self) -> Wait | None:
        """The current work, if it may take long enough to be waited for; else None."""
        piece = self._piece
        what, seconds = piece.what, self._now - piece.began
        if what == UPDATES:
            return None
        about = self._took.get(what)
        if not piece.non_monotonic and piece.share >= SURE and seconds >= MOMENT:
            at, share = piece.points[-1]  # the initial pace does not predict the rest
            before, half = next(each for each in piece.points if each[1] >= share / 2)
            if share > half:
                about = at + (1 - share) * (at - before) / (share - half)
        if about is not None:
            last = self._announced.get(what)
            about = self._announced[what] = last if last and abs(about - last) <= STEADY * last else about
        return Wait(what, seconds, about if about and about > seconds else None)

    @property
    def rest(self) -> Left | None:
        """Remaining time of the current work; None while unknown."""
        wait = self.waiting
        return Left(wait.about - wait.seconds) if wait and wait.about else None

    def stepped(self, count: int, *, recorded: bool) -> None:
        """Note that the training has reached this update; recorded: True if it has a record."""
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
        if len(self._points) > 2 and spent - self._points[-3][0] < reach / 50:  # limits their number
            del self._points[-2]

    def left(self, updates: int, records: int) -> float | None:
        """Return the seconds for these numbers of further updates and records; None while unknown.

        The value is steady: it counts down until the pace has changed by much.
        """
        now = self._now
        if not self._points or now - self._since < KNOWN or (records and not self._records):
            return None
        (before, first), (spent, last) = self._points[0], self._points[-1]
        if last <= first:
            return None
        record = sum(self._records) / len(self._records) if self._records else 0.0
        measuring = self._record + (now - self._piece.began if self._piece.of_record else 0.0)
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
