"""Who watches what, and when its frames are made and sent. Lives on the event loop."""

import asyncio
import logging
import signal
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from boltzcore.quoting import explained
from boltzcore.runs.engine import Run
from pages.live.broadcast import HEAD, Broadcast, Made, Subject, event, notice
from pages.live.offers import Offers
from pages.live.pace import SLOW, Pace
from pages.web.answers import Full
from pages.web.limiter import LIMITS, Visitor, admit
from pages.web.worker import Worker

KEPT = 256  # broadcasts; with fewer than runs that are looked at, every frame would be a whole one
OF_SUBJECT = 64  # of them that one training may have
UNWATCHED = 30.0  # seconds after which a broadcast is forgotten
TICK = 0.02  # seconds between two checks of what has moved
STILL = 4.0  # seconds after which a stream says that it is still there
logger = logging.getLogger(__name__)

STILL_HERE = event("still", "")
GONE = "This training is not here any more."
FAILED = "The pictures cannot be drawn just now; it is tried again."


@dataclass(frozen=True)
class Asked:
    """What a request asks to see, and who sends it.

    key : names what is asked for, but for choices and right; make : makes a broadcast of it with the choices that it
        offers and the right
    right : how much of it may be seen now, for what somebody may withdraw; "" for nothing any more
    """

    subject: Subject
    key: tuple[Any, ...]
    make: Callable[[Mapping[str, str], str], Broadcast]
    chosen: Mapping[str, str]
    by: Visitor
    right: Callable[[], str] = lambda: "rows"

    @property
    def over(self) -> bool:
        """Whether nothing more is to be seen: the subject was deleted, or what opened it has ended."""
        return self.subject.deleted or not self.right()


def run_key(run: Run, pinned: Sequence[Run] = (), opening: str = "") -> tuple[Any, ...]:
    """Names what is shown of a training beside pinned ones."""
    return run.id, tuple(each.id for each in pinned), opening


class Watched:
    """A broadcast with those who watch it.

    by : the visitor for whom it was made
    """

    def __init__(self, broadcast: Broadcast, by: Visitor) -> None:
        self.broadcast, self.by = broadcast, by
        self.seen = time.monotonic()  # when somebody watched
        self.watchers: dict[Visitor, int] = {}  # with how many streams
        self.asking = 0  # who wait for a single frame
        self.making: asyncio.Future[Made] | None = None
        self.failed, self.due = False, 0.0
        self._fresh, self._urgent, self.urgents = asyncio.Event(), asyncio.Event(), 0

    @property
    def streams(self) -> int:
        """How many there are of it."""
        return sum(self.watchers.values())

    def enter(self, by: Visitor) -> None:
        """A visitor watches."""
        self.watchers[by] = self.watchers.get(by, 0) + 1

    def leave(self, by: Visitor) -> None:
        """A visitor does not watch any more; a frame that nobody waits for now is not made."""
        self.watchers[by] -= 1
        if not self.watchers[by]:
            del self.watchers[by]
        self.seen = time.monotonic()
        if not self.watchers and not self.asking and self.making:
            self.making.cancel()

    async def moved(self, seconds: float) -> None:
        """Return once there is a newer frame, or after so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._fresh.wait()

    async def rest(self, seconds: float) -> None:
        """Return after so many seconds, or once there is a frame that somebody waits for."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._urgent.wait()

    def wake(self, *, urgent: bool) -> None:
        """Let all go on who wait for a frame; urgent: who rest, too."""
        self._fresh.set()
        self._fresh = asyncio.Event()
        if urgent:
            self.urgents += 1
            self._urgent.set()
            self._urgent = asyncio.Event()


class Watching:
    """All that is watched in this process. Lives on the event loop; one thread makes the frames."""

    def __init__(self) -> None:
        self.pace = Pace()
        self._watched: OrderedDict[tuple[Any, ...], Watched] = OrderedDict()
        self._worker = Worker()
        self._offers = Offers()
        self._pulse: asyncio.Task[None] | None = None
        self._streams: Counter[Visitor] = Counter()
        self._closing = False

    async def watch(self, asked: Asked) -> Watched | None:
        """The broadcast that shows what is asked for; None where it is gone. Raises `Full`."""
        found = self._join(asked)
        if asked.chosen and not self._offers.known(asked.subject):
            self._make(found)
            await found.moved(STILL)
            found = self._join(asked)
        return None if asked.over else found

    def _join(self, asked: Asked) -> Watched:
        """The broadcast that shows what is asked for, as far as that is offered by now. Raises `Full`."""
        chosen = self._offers.of(asked.subject, asked.chosen)
        right = asked.right()
        key = *asked.key, right, frozenset(chosen.items())
        if (found := self._watched.get(key)) is None:
            self._make_room(asked)
            found = self._watched[key] = Watched(asked.make(chosen, right), asked.by)
        self._watched.move_to_end(key)
        found.seen = time.monotonic()
        if self._pulse is None or self._pulse.done():
            self._pulse = asyncio.create_task(self._beat())
        return found

    def _make_room(self, asked: Asked) -> None:
        """Forget broadcasts that nobody watches, where one more of a visitor, of a run, or of all would be too many.
        Raises `Full` where all are watched.
        """
        bounds: list[tuple[Callable[[Watched], bool], int, bool]] = [
            (lambda it: it.by == asked.by, LIMITS["choices"].of(asked.by), True),
            (lambda it: it.by.address == asked.by.address, LIMITS["choices"].address, True),
            (lambda it: it.broadcast.subject is asked.subject, OF_SUBJECT, True),
            (lambda _: True, KEPT, False),
        ]
        for counts, most, firm in bounds:
            keys = [key for key, it in self._watched.items() if counts(it)]
            for key in [key for key in keys if not self._watched[key].streams][: max(0, len(keys) + 1 - most)]:
                self._watched.pop(key).wake(urgent=True)
                keys.remove(key)
            if firm and len(keys) >= most:
                raise LIMITS["choices"].full(most, "you")

    async def newest(self, asked: Asked, found: Watched, have: str) -> bytes | None:
        """The newest frame for who has this version, as gzipped JSON; None where there is no newer one. Raises
        `Full`.
        """
        asked.subject.touch()
        if found.broadcast.stale and time.monotonic() > found.due:
            found.asking += 1
            try:
                self._make(found, asked.by)
                await found.moved(STILL)
            finally:
                found.asking -= 1
        if found.broadcast.made in ("", have) or asked.right() != found.broadcast.right:
            return None
        self.pace.sent(asked.by.key)
        body = await self._worker.do(partial(found.broadcast.body, have), urgent=True, by=asked.by)
        return body if asked.right() == found.broadcast.right else None  # it may have changed meanwhile

    async def events(self, asked: Asked, found: Watched, have: str) -> AsyncIterator[bytes]:
        """A stream of what is new to who has this version, until the run or the server is gone."""
        try:
            self.admit(asked.by)
        except Full:  # others have come since it was asked for
            return
        subject, by = asked.subject, asked.by
        self._streams[by] += 1
        found.enter(by)
        try:
            yield HEAD
            while not self._closing:
                subject.touch()
                turned = asked.right() != found.broadcast.right  # whoever asks anew gets what may be seen now
                if asked.over:
                    yield notice("gone", GONE)
                    return
                if turned:
                    return
                found = self._moved_on(asked, found)
                broadcast = found.broadcast
                made, body = broadcast.at_hand(have)
                if made in ("", have):
                    if not made and time.monotonic() > found.due:
                        self._make(found)
                    await found.moved(STILL)
                    if found.failed:
                        yield notice("failed", FAILED)
                    elif broadcast.made == have:
                        yield STILL_HERE
                    continue
                urgents = found.urgents
                if body is None:
                    try:
                        made, body = await self._worker.do(partial(broadcast.since, have), urgent=True, by=by)
                    except Full:
                        await found.rest(SLOW)
                        continue
                    if asked.over or asked.right() != broadcast.right:  # since: its table was withdrawn, say
                        continue
                yield body
                have = made
                self.pace.sent(by.key)
                if found.urgents == urgents:
                    await found.rest(self.pace.seconds(by.key))
        finally:
            self._streams -= Counter([by])
            found.leave(by)

    def _moved_on(self, asked: Asked, found: Watched) -> Watched:
        """The broadcast to be watched now: what was asked for may be offered only since a moment ago, or no more."""
        if not asked.chosen or self._offers.of(asked.subject, asked.chosen) == found.broadcast.chosen:
            return found
        try:
            other = self._join(asked)
        except Full:
            return found
        other.enter(asked.by)
        found.leave(asked.by)
        return other

    @property
    def streams(self) -> int:
        """How many there are."""
        return self._streams.total()

    def admit(self, by: Visitor) -> None:
        """Raise Full if a visitor may not have another stream."""
        admit("streams", by, self._streams)

    @contextmanager
    def closing(self) -> Iterator[None]:
        """End the streams once the process is asked to end: the server waits for them."""
        loop, before = asyncio.get_running_loop(), {}

        def close(number: int, frame: Any) -> None:
            with suppress(RuntimeError):  # the loop has ended already
                loop.call_soon_threadsafe(self._close)
            before[number](number, frame)

        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                if callable(handler := signal.getsignal(number)):
                    before[number] = handler
                    signal.signal(number, close)
        except ValueError:  # not in the main thread, so that no signal comes here
            before.clear()
        self._closing = False
        try:
            yield
        finally:
            self._close()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _close(self) -> None:
        self._closing = True
        for each in self._watched.values():
            each.wake(urgent=True)

    async def _beat(self) -> None:
        """Have frames made of what has moved, as long as anybody watches."""
        due = time.monotonic()
        while self._watched and not self._closing:
            due += TICK
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            now = time.monotonic()
            self.pace.late(now - due, now)
            due = max(due, now - TICK)
            for key, each in list(self._watched.items()):
                broadcast = each.broadcast
                if each.streams:
                    if broadcast.subject.deleted:
                        each.wake(urgent=True)
                        del self._watched[key]
                    elif broadcast.stale and (now > each.due or (broadcast.urgent and not each.failed)):
                        self._make(each)
                elif now > each.seen + UNWATCHED:
                    del self._watched[key]

    def _make(self, found: Watched, asking: Visitor | None = None) -> None:
        """Have the newest frame made, in the turn of who waits for least among those who watch it or ask for it."""
        if found.making or self._closing:
            return
        broadcast = found.broadcast
        by = min(found.watchers, key=lambda each: self._worker.waiting(each), default=asking)
        key = by.key if by else ""
        try:
            making = self._worker.do(broadcast.make, urgent=broadcast.urgent, by=by)
        except Full:
            found.due = time.monotonic() + SLOW
            return
        found.making = making

        def done(task: asyncio.Future[Made]) -> None:
            now, urgent = time.monotonic(), False
            found.making, found.failed, found.due = None, False, now + self.pace.seconds(key)
            if task.cancelled():
                found.due = now  # somebody may have come since
            elif (error := task.exception()) is not None:
                explained(error, f"A frame of {broadcast.subject.id} could not be made")
                found.failed, found.due = True, now + STILL
            else:
                self.pace.made(task.result().seconds, key)
                self._offers.take(broadcast)
                urgent = task.result().urgent
            found.wake(urgent=urgent)

        making.add_done_callback(done)
