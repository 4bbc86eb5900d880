"""Subjects and their viewers: frames are made and sent once for all viewers. Lives on the event loop."""

import asyncio
import gzip
import secrets
import signal
import time
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from boltzcore.jobs.engine import Run
from boltzcore.jobs.job import JobSnapshot
from boltzcore.jobs.race import Race
from boltzcore.quoting import explain
from pages.figures.frame import Frame
from pages.stream.encoder import FrameEncoder
from pages.web.encoding import json_text
from pages.web.limiter import LIMITS, Visitor, admit
from pages.web.worker import Worker

FRAMES, ALL = 16, 900  # frames a second: of a stream, and of all streams together, in equal shares of the visitors
UNWATCHED = 30.0  # seconds after which a broadcast is forgotten
TICK = 0.02  # seconds between two checks for changes
STILL = 4.0  # seconds after which a stream sends a sign of life
CLOSING = 3.0  # seconds for which a server that is asked to end waits for requests

GONE = "This run no longer exists."
FAILED = "The charts cannot be drawn at the moment; trying again."
_LEVEL = 1  # 6 takes three times as long for a tenth less
# A stream is one gzip body without an end. Each event is compressed on its own and ends on a whole byte, so that all
# viewers get the same bytes.
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def event(name: str, data: str) -> bytes:
    """Return a server-sent event, compressed, as a part of a stream that begins with `HEAD`."""
    packed = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packed.compress(f"event: {name}\ndata: {data}\n\n".encode()) + packed.flush(zlib.Z_SYNC_FLUSH)


Subject = Run | Race  # what may be watched
Draw = Callable[[Any], tuple[Frame, Mapping[str, Any]]]


class Broadcast:
    """Frames of the first subject, drawn together with the others.

    draw : makes a frame of their snapshots, with its further fields as JSON holds them
    right : how much its viewers may see

    One thread at a time calls `make`, `since` and `body`; the others may be called from any.
    """

    def __init__(self, subjects: Sequence[Subject], draw: Draw, right: str = "columns") -> None:
        self.subject, self.right = subjects[0], right
        self._subjects, self._draw = subjects, draw
        self.encoder = FrameEncoder(right)
        self._born = secrets.token_hex(4)  # makes versions from before a restart of the server invalid
        self._ready: tuple[str, dict[str, bytes]] = ("", {})  # the newest frame, as events by the viewer's version
        self._bodies: dict[str, bytes] = {}  # the same for single requests
        self._shown: tuple[JobSnapshot, ...] = ()  # the snapshots of it, the subject's own first
        self._awaited: tuple[Future[Any], ...] = ()  # pending work that it was made without
        self._makings = 0

    @property
    def stale(self) -> bool:
        """True if the newest frame is out of date."""
        if not self._shown or any(each.done() for each in self._awaited):
            return True
        return any(shown is not each.snapshot for shown, each in zip(self._shown, self._subjects, strict=True))

    @property
    def made(self) -> str:
        """The version of the newest frame, "" before the first."""
        return self._ready[0]

    @property
    def urgent(self) -> bool:
        """True if the newest frame shows another status than the subject has: a user has clicked, and waits."""
        return not self._shown or self._shown[0].status != self.subject.snapshot.status

    def at_hand(self, have: str) -> tuple[str, bytes | None]:
        """Return (version of the newest frame, its event for a viewer with this version if that is made already)."""
        version, events = self._ready
        return version, events.get(have)

    def make(self) -> bool:
        """Make the newest frame, and its event for viewers with the frame before. Return whether it was urgent."""
        before, urgent = self.made, self.urgent
        snapshots = tuple(each.snapshot for each in self._subjects)
        frame, fields = self._draw(snapshots)
        self._makings += 1  # finished work makes another frame of the same snapshots
        version = "-".join([self._born, *(str(each.version) for each in snapshots), str(self._makings)])
        self.encoder.take(version, frame, fields)
        self._shown, self._awaited = snapshots, frame.awaited
        self._ready, self._bodies = (version, {before: event("frame", self.encoder.since(before))}), {}
        return urgent

    def since(self, have: str) -> tuple[str, bytes]:
        """Return (version of the newest frame, its event for a viewer with this version)."""
        version, events = self._ready
        known = have if self.encoder.knows(have) else ""
        if known not in events:
            events[known] = event("frame", self.encoder.since(known))
        return version, events[known]

    def body(self, have: str) -> bytes:
        """Return the newest frame for a viewer with this version, as gzipped JSON."""
        known = have if self.encoder.knows(have) else ""
        if known not in self._bodies:
            self._bodies[known] = gzip.compress(self.encoder.since(known).encode(), _LEVEL)
        return self._bodies[known]


@dataclass(frozen=True)
class Asked:
    """Subject that a request asks to see, and the visitor that sends it.

    key : identifies the view of it, but for choices and right; make : makes its broadcast with the right
    right : how much of it may be seen now, as access may be withdrawn; "" until a new request
    """

    subject: Subject
    key: tuple[Any, ...]
    make: Callable[[str], Broadcast]
    chosen: Mapping[str, str]
    by: Visitor
    right: Callable[[], str] = lambda: "rows"


class Watched:
    """A broadcast with its viewers.

    by : the visitor for whom it was made
    """

    def __init__(self, broadcast: Broadcast, by: Visitor) -> None:
        self.broadcast, self.by = broadcast, by
        self.seen = time.monotonic()  # time of the last viewing
        self.watchers = Counter[Visitor]()  # number of streams of each viewer
        self.making = self.failed = False
        self.due = self.pause = 0.0  # time of the next frame, and seconds between two
        self._fresh, self._urgent = asyncio.Event(), asyncio.Event()

    async def moved(self, seconds: float, *, urgent: bool = False) -> None:
        """Return after this time, or once there is a newer frame; urgent: or one with another status."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await (self._urgent if urgent else self._fresh).wait()

    def wake(self, *, urgent: bool) -> None:
        """Wake all that wait for a frame; urgent: also those in their pause."""
        self._fresh.set()
        self._fresh = asyncio.Event()
        if urgent:
            self._urgent.set()
            self._urgent = asyncio.Event()


class Watching:
    """All broadcasts of this process. Lives on the event loop; one thread makes the frames."""

    def __init__(self) -> None:
        self._watched: dict[tuple[Any, ...], Watched] = {}
        self._worker = Worker(pause=1.0)  # the interpreter serves clicks, too
        self._pulse: asyncio.Task[None] | None = None
        self._streams: Counter[Visitor] = Counter()
        self._closing = False

    def join(self, asked: Asked) -> Watched:
        """Return the broadcast for a request. Raises `Full`."""
        right = asked.right()
        key = asked.subject, *asked.key, right, frozenset(asked.chosen.items())  # a reloaded subject is another one
        if (found := self._watched.get(key)) is None:
            self._make_room(asked.by)
            found = self._watched[key] = Watched(asked.make(right), asked.by)
        found.seen = time.monotonic()
        if self._pulse is None or self._pulse.done():
            self._pulse = asyncio.create_task(self._beat())
        return found

    def _make_room(self, by: Visitor) -> None:
        """Forget broadcasts that a visitor no longer watches if one more choice would be too many. Raises `Full`."""
        own = [key for key, each in self._watched.items() if each.by == by]
        idle = [key for key in own if not self._watched[key].watchers]
        for key in idle[: max(0, len(own) + 1 - LIMITS["choices"].of(by))]:
            self._watched.pop(key).wake(urgent=True)
        admit("choices", by, Counter(each.by for each in self._watched.values()))

    async def newest(self, asked: Asked, found: Watched, have: str) -> bytes | None:
        """Return the newest frame for a viewer with this version, as gzipped JSON; None if there is no newer one.
        Raises `Full`.
        """
        admit("work", asked.by, self._worker.waiting())
        asked.subject.touch()
        if found.broadcast.stale and (found.making or time.monotonic() > found.due):
            self._make(found)
            await found.moved(STILL)
        if found.broadcast.made in ("", have) or asked.right() != found.broadcast.right:
            return None
        body = await asyncio.wrap_future(self._worker.submit(partial(found.broadcast.body, have), asked.by))
        return body if asked.right() == found.broadcast.right else None  # the right may have changed meanwhile

    async def events(self, asked: Asked, have: str) -> AsyncIterator[bytes]:
        """Yield nothing once admitted, then the changes for a viewer with this version, until the run or the server is
        gone. Raises `Full`.
        """
        self.admit(asked.by)  # again: others have come since the request
        found = self.join(asked)  # at once: a broadcast without a stream may be forgotten
        broadcast, by = found.broadcast, asked.by
        self._streams[by] += 1
        found.watchers[by] += 1
        first = True  # a visitor waits for the first frame
        try:
            yield b""
            yield HEAD
            while not self._closing:
                asked.subject.touch()
                if asked.subject.deleted:
                    yield event("gone", json_text(GONE))
                    return
                if asked.right() != broadcast.right:  # a new request gets what the new right allows
                    return
                made, body = broadcast.at_hand(have)
                if made in ("", have):
                    if not made and time.monotonic() > found.due:
                        self._make(found)
                    await found.moved(STILL)
                    if found.failed:
                        yield event("failed", json_text(FAILED))
                    elif broadcast.made == have:
                        yield event("still", "")
                    continue
                if body is None:
                    since = self._worker.submit(partial(broadcast.since, have), by, urgent=first)
                    made, body = await asyncio.wrap_future(since)
                    if asked.subject.deleted or asked.right() != broadcast.right:  # its table may have been withdrawn
                        continue
                yield body
                have, first = made, False
                if self._pause(by) > found.pause:  # others see more frames a second
                    await found.moved(self._pause(by), urgent=True)
        finally:
            self._streams -= Counter([by])
            found.watchers -= Counter([by])
            found.seen = time.monotonic()

    def _pause(self, by: Visitor) -> float:
        """Return the seconds between two frames of a visitor's stream."""
        return max(1 / FRAMES, len(self._streams) * self._streams[by] / ALL)

    @property
    def streams(self) -> int:
        """Number of open streams."""
        return self._streams.total()

    def admit(self, by: Visitor) -> None:
        """Raise Full if a visitor may not have another stream."""
        admit("streams", by, self._streams)

    @contextmanager
    def closing(self) -> Iterator[None]:
        """End the streams once the process is asked to end, and limit the server's wait for all other requests."""
        loop, before = asyncio.get_running_loop(), {}

        def close(number: int, frame: Any) -> None:
            with suppress(RuntimeError):  # the loop has ended already
                loop.call_soon_threadsafe(self._close)
            before[number](signal.SIGTERM, frame)  # after a second SIGINT uvicorn would end without our checkpoints

        try:
            for number in (signal.SIGTERM, signal.SIGINT):
                if callable(handler := signal.getsignal(number)):
                    before[number] = handler
                    signal.signal(number, close)
                    if config := getattr(getattr(handler, "__self__", None), "config", None):
                        config.timeout_graceful_shutdown = CLOSING  # of uvicorn: an upload may have stalled
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
        """Have frames made of changed subjects, as long as there are viewers."""
        while self._watched and not self._closing:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            for key, each in list(self._watched.items()):
                broadcast = each.broadcast
                if each.watchers:
                    if broadcast.subject.deleted:
                        each.wake(urgent=True)
                        del self._watched[key]
                    elif broadcast.stale and (now > each.due or (broadcast.urgent and not each.failed)):
                        self._make(each)
                elif now > each.seen + UNWATCHED:
                    del self._watched[key]

    def _make(self, found: Watched) -> None:
        """Have the newest frame made, in the turn of that one of its viewers whose work is waiting least."""
        if found.making or self._closing:
            return
        broadcast, waiting = found.broadcast, self._worker.waiting()
        by = min(found.watchers, key=lambda each: waiting[each], default=found.by)
        making = asyncio.wrap_future(self._worker.submit(broadcast.make, by, urgent=broadcast.urgent))
        found.making, found.pause = True, min(map(self._pause, found.watchers), default=1 / FRAMES)
        found.due = time.monotonic() + found.pause

        def done(task: asyncio.Future[bool]) -> None:
            found.making = found.failed = False
            if (error := task.exception()) is not None:
                explain(error, f"A frame of {broadcast.subject.id} could not be made")
                found.failed, found.due = True, time.monotonic() + STILL
            found.wake(urgent=error is None and task.result())

        making.add_done_callback(done)
