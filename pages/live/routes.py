"""The routes past the script: frames of a run as a stream or one by one, and the sign that somebody is still here.

Who knows the id of a run may watch it, as on the page. Frames are made by one thread, while somebody watches.
"""

import asyncio
import logging
import re
import signal
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from boltzcore.figures.look import is_look
from boltzcore.figures.reel import text
from boltzcore.runs.engine import Run
from pages.inside import pixel
from pages.inside import routes as steps
from pages.live import deeper, films, vendor, waiting
from pages.live.answers import NO_STORE, answer, from_here, full, refusal
from pages.live.based import based, number
from pages.live.channel import HEAD, Channel, Made, event, telling
from pages.live.keeping import Keeper
from pages.live.maker import Full, Maker
from pages.live.offers import Offers
from pages.live.pace import SLOW, Pace
from pages.live.visitors import Visitor, visitor_of
from pages.parts import lab

KEPT = 256  # channels; with fewer than runs that are looked at, every frame would be a whole one
OF_RUN = 64  # of them that one run may have
STREAMS = 512  # at once; who comes later asks for single frames
FROM_ADDRESS = 384  # of them from one address, visitors and others
UNWATCHED = 30.0  # seconds after which a channel is forgotten
TICK = 0.02  # seconds between two looks at what has moved
STILL = 4.0  # seconds after which a stream says that it is still there
LONGEST_OPENING = 200  # characters
CHOICES, LONGEST = 64, 4_000  # choices that a request may make, and characters of all
_CHOICE = re.compile(r"choose\.([a-z][a-z0-9_-]{0,39})")
_STREAM = NO_STORE | {"Content-Encoding": "gzip", "X-Accel-Buffering": "no"}  # a proxy hands on what comes, at once
logger = logging.getLogger(__name__)

_STILL_HERE = event("still", "")
_GONE = "This training is not here any more."
_NO_LOOK = "This look back is not kept."
_STREAMS = "As many pictures move at once as may: these come more slowly."
_FAILED = "The pictures cannot be drawn just now; it is tried again."


@dataclass(frozen=True)
class Asked:
    """What a request asks to see, beside pinned runs, and who sends it.

    opening : what it shows to see the rows of an uploaded table, "" where that opens nothing
    """

    run: Run
    pinned: tuple[Run, ...]
    chosen: Mapping[str, str]
    by: Visitor
    opening: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more is to be seen: the run was deleted, or what opened its table has ended."""
        return self.run.deleted or bool(self.opening and not lab.opens(self.opening, self.run))


class Watched:
    """A channel with those who watch it.

    by : the visitor for whom it was made; None where the server keeps looks of it for itself
    """

    def __init__(self, channel: Channel, by: Visitor | None = None) -> None:
        self.channel, self.by = channel, by
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


class Live:
    """All that is watched in this process. Lives on the event loop; one thread makes the frames."""

    def __init__(self) -> None:
        self.pace = Pace()
        self._watched: OrderedDict[tuple[Any, ...], Watched] = OrderedDict()
        self._maker = Maker()
        self._keeper = Keeper(self._maker)
        self._offers = Offers()
        self._pulse: asyncio.Task[None] | None = None
        self._streams: Counter[Visitor] = Counter()
        self._closing = False

    async def watch(self, asked: Asked) -> Watched | None:
        """The channel that shows what is asked for; None where the run is deleted. Raises `Full`."""
        found = self._join(asked)
        if asked.chosen and not self._offers.known(asked.run):
            self._make(found)
            await found.moved(STILL)
            found = self._join(asked)
        return None if asked.over else found

    def _join(self, asked: Asked) -> Watched:
        """The channel that shows what is asked for, as far as the run offers that by now. Raises `Full`."""
        chosen = self._offers.of(asked.run, asked.chosen)
        key = asked.run.id, tuple(each.id for each in asked.pinned), frozenset(chosen.items()), asked.opening
        if (found := self._watched.get(key)) is None:
            self._make_room(asked)
            channel = Channel(asked.run, asked.pinned, chosen, rows=bool(asked.opening))
            found = self._watched[key] = Watched(channel, asked.by)
        self._watched.move_to_end(key)
        found.seen = time.monotonic()
        if self._pulse is None or self._pulse.done():
            self._pulse = asyncio.create_task(self._beat())
        return found

    def _make_room(self, asked: Asked) -> None:
        """Forget channels that nobody watches, where one more of a visitor, of a run, or of all would be too many.
        Raises `Full` where all are watched.
        """
        bounds: list[tuple[Callable[[Watched], bool], int, bool]] = [
            (lambda it: it.by == asked.by, asked.by.limits.channels, True),
            (lambda it: it.channel.run is asked.run and not it.channel.plain, OF_RUN, True),
            (lambda _: True, KEPT, False),
        ]
        for counts, most, firm in bounds:
            keys = [key for key, it in self._watched.items() if counts(it)]
            for key in [key for key in keys if not self._watched[key].streams][: max(0, len(keys) + 1 - most)]:
                self._watched.pop(key).wake(urgent=True)
                keys.remove(key)
            if firm and len(keys) >= most:
                raise Full

    async def newest(self, asked: Asked, found: Watched, have: str) -> bytes | None:
        """The newest frame for who has this version, as gzipped JSON; None where there is no newer one. Raises
        `Full`.
        """
        asked.run.touch()
        if found.channel.stale and time.monotonic() > found.due:
            found.asking += 1
            try:
                self._make(found, asked.by)
                await found.moved(STILL)
            finally:
                found.asking -= 1
        if found.channel.made in ("", have):
            return None
        self.pace.sent(asked.by.key)
        return await self._maker.do(partial(found.channel.body, have), urgent=True, by=asked.by)

    async def events(self, asked: Asked, found: Watched, have: str) -> AsyncIterator[bytes]:
        """A stream of what is new to who has this version, until the run or the server is gone."""
        if not self.room(asked.by):  # others have come since it was asked for
            return
        run, by = asked.run, asked.by
        self._streams[by] += 1
        found.enter(by)
        try:
            yield HEAD
            while not self._closing:
                run.touch()
                if asked.over:
                    yield telling("gone", _GONE)
                    return
                found = self._moved_on(asked, found)
                channel = found.channel
                made, body = channel.at_hand(have)
                if made in ("", have):
                    if not made and time.monotonic() > found.due:
                        self._make(found)
                    await found.moved(STILL)
                    if found.failed:
                        yield telling("failed", _FAILED)
                    elif channel.made == have:
                        yield _STILL_HERE
                    continue
                urgents = found.urgents
                if body is None:
                    try:
                        made, body = await self._maker.do(partial(channel.since, have), urgent=True, by=by)
                    except Full:
                        await found.rest(SLOW)
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
        """The channel to be watched now: what was asked for may be offered only since a moment ago, or no more."""
        if not asked.chosen or self._offers.of(asked.run, asked.chosen) == found.channel.chosen:
            return found
        try:
            other = self._join(asked)
        except Full:
            return found
        other.enter(asked.by)
        found.leave(asked.by)
        return other

    def room(self, by: Visitor) -> bool:
        """Whether a visitor may have another stream."""
        here = sum(streams for each, streams in self._streams.items() if each.address == by.address)
        return self._streams[by] < by.limits.streams and here < FROM_ADDRESS and self._streams.total() < STREAMS

    @contextmanager
    def closing(self) -> Iterator[None]:
        """End the streams once the process is told to end: the server waits for them."""
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
                channel = each.channel
                if each.streams:
                    if channel.run.deleted:
                        each.wake(urgent=True)
                        del self._watched[key]
                    elif channel.stale and (now > each.due or (channel.urgent and not each.failed)):
                        self._make(each)
                elif now > each.seen + UNWATCHED:
                    del self._watched[key]
            self._have_kept(now)

    def _have_kept(self, now: float) -> None:
        """Have plain frames made of runs, to be kept, that nobody watches but those who have chosen something; and
        seldom of those that go on while nobody does.
        """
        runs: dict[Run, bool] = {}  # whether somebody watches
        for each in self._watched.values():
            if each.streams or each.channel.run.goes_on:
                runs[each.channel.run] = bool(each.streams) or runs.get(each.channel.run, False)
        for run, watched in runs.items():
            key = run.id, (), frozenset[tuple[str, str]](), ""
            if (plain := self._watched.get(key)) is None:
                plain = self._watched[key] = Watched(Channel(run))
            plain.seen = now
            if plain.streams or now < plain.due or not plain.channel.stale:
                continue
            if self._keeper.due(run, seldom=not watched):
                self._make(plain)

    def _make(self, found: Watched, asking: Visitor | None = None) -> None:
        """Have the newest frame made, in the turn of who waits for least among those who watch it or ask for it."""
        if found.making or self._closing:
            return
        channel = found.channel
        by = min(found.watchers, key=lambda each: self._maker.waiting(each.key), default=asking)
        key = by.key if by else ""
        try:
            making = self._maker.do(channel.make, urgent=channel.urgent, by=by)
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
                logger.error("A frame of run %s could not be made.", channel.run.id, exc_info=error)
                found.failed, found.due = True, now + STILL
            else:
                self.pace.made(task.result().seconds, key)
                self._offers.take(channel)
                urgent = task.result().urgent
                if channel.plain:
                    self._keeper.take(channel, len({each.channel.run for each in self._watched.values()}))
            found.wake(urgent=urgent)

        making.add_done_callback(done)


def _opening(request: Request) -> str:
    """What a request shows to see rows of an uploaded table; "" where that opens nothing."""
    shown = request.query_params.get("open", "")[:LONGEST_OPENING]
    return shown if shown and lab.opened(request.path_params["run"], shown) else ""


def _pins(request: Request) -> tuple[str, ...]:
    """The ids of the pinned runs that a request asks to see. ValueError where they are too many."""
    pins = lab.pins_in(request.query_params.get("pin", ""))
    if len(pins) > lab.PINS:
        raise ValueError(f"pin must be at most {lab.PINS} trainings, not {len(pins):,}.")
    return tuple(pins)


def _chosen(request: Request) -> dict[str, str]:
    """{name: value} of the choices that a request makes. ValueError where they are too many, or too long."""
    asked = {name[1]: value for key, value in request.query_params.items() if (name := _CHOICE.fullmatch(key))}
    if len(asked) > CHOICES or sum(map(len, asked.values())) > LONGEST:
        raise ValueError(f"choices must be at most {CHOICES}, with at most {LONGEST:,} characters in all.")
    return asked


LIVE = Live()


async def _watched(request: Request) -> tuple[Asked, Watched] | Response:
    """What a request asks to see, or why it does not get it."""
    if isinstance(run := await _run(request), Response):
        return run
    try:
        pins, chosen = _pins(request), _chosen(request)
    except ValueError as wrong:
        return refusal(wrong, 400)
    pinned = [each for pin in pins if (each := await asyncio.to_thread(lab.engine().get, pin))]
    asked = Asked(run, tuple(pinned), chosen, visitor_of(request), _opening(request))
    try:
        found = await LIVE.watch(asked)
    except Full as sentence:
        return full(sentence)
    return (asked, found) if found else refusal(_GONE, 404)


async def stream(request: Request) -> Response:
    """Frames of a run as server-sent events, each with what is new since the one before."""
    if isinstance(watched := await _watched(request), Response):
        return watched
    if not LIVE.room(watched[0].by):
        return full(_STREAMS)
    events = LIVE.events(*watched, request.query_params.get("have", ""))
    return StreamingResponse(events, media_type="text/event-stream", headers=_STREAM)


async def newest(request: Request) -> Response:
    """The newest frame of a run, with what is new since the version that a viewer has; 204 where nothing is."""
    if isinstance(watched := await _watched(request), Response):
        return watched
    try:
        body = await LIVE.newest(*watched, request.query_params.get("have", ""))
    except Full as sentence:
        return full(sentence)
    told = NO_STORE | {"X-Pace": f"{1000 * LIVE.pace.seconds(watched[0].by.key):.1f}"}
    if body is None:
        return Response(status_code=204, headers=told)
    return answer(body, told)


async def looks(request: Request) -> Response:
    """The updates that a run can be looked back at."""
    if isinstance(run := await _run(request), Response):
        return run
    there = lab.opens(_opening(request), run)
    counts = await asyncio.to_thread(lambda: run.album.counts if there else ())
    return Response(text(counts), media_type="application/json", headers=NO_STORE)


async def look(request: Request) -> Response:
    """A run as it was seen after an update; 404 where no look of that one is kept."""
    if isinstance(run := await _run(request), Response):
        return run
    if not lab.opens(_opening(request), run):
        return refusal(_NO_LOOK, 404)
    kept = await asyncio.to_thread(_look, run, number(request.path_params["count"], 18))
    if kept is None:
        return refusal(_NO_LOOK, 404)
    return answer(kept)


def _look(run: Run, count: int) -> bytes | None:
    kept = run.album.look(count)
    return kept if kept is not None and is_look(kept) else None


async def _run(request: Request) -> Run | Response:
    """The run that a request is about, or why there is none."""
    if not from_here(request):
        return Response(status_code=403)
    run = await asyncio.to_thread(lab.engine().get, request.path_params["run"])
    return run or refusal(_GONE, 404)


async def alive(request: Request) -> Response:
    """Somebody is still looking at a run, on whatever page."""
    if isinstance(run := await _run(request), Response):
        return run
    run.touch()
    return Response(status_code=204, headers=NO_STORE)


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """What the app does while it serves."""
    async with lab.open_while_serving(app):
        with LIVE.closing():
            yield


ROUTES = [
    *based("/live/{run}/stream", stream),
    *based("/live/{run}/newest", newest),
    *based("/live/{run}/looks", looks),
    *based("/live/{run}/look/{count}", look),
    *based("/live/{run}/alive", alive),
    *films.ROUTES,
    *vendor.ROUTES,
    *waiting.ROUTES,
    *pixel.ROUTES,
    *steps.ROUTES,
    *deeper.ROUTES,
]
