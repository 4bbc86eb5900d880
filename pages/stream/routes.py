"""The routes of a run: its frames as a stream or one by one, and the heartbeat of a viewer.

Who knows the id of a run may watch it, as on the page.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from boltzcore.jobs.engine import Run
from pages.common import lab, pinning
from pages.stream.run_broadcast import RunBroadcast
from pages.stream.watching import GONE, Asked, Watched, Watching
from pages.web.answers import NO_STORE, Full, answer, from_here, full, refusal
from pages.web.base_url import routes_at
from pages.web.limiter import visitor_of

LONGEST_OPENING = 200  # characters
CHOICES, LONGEST = 64, 4_000  # choices that a request may make, and characters of all
_CHOICE = re.compile(r"choose\.([a-z][a-z0-9_-]{0,39})")
_STREAM = NO_STORE | {"Content-Encoding": "gzip", "X-Accel-Buffering": "no"}  # a proxy hands on what comes, at once
WATCHING = Watching()


def _opening(request: Request, run: Run) -> str:
    """What a request shows to see rows of an uploaded table; "" where that opens nothing."""
    shown = request.query_params.get("open", "")[:LONGEST_OPENING]
    return shown if lab.holds(shown, run.id, run.recipe) else ""


def _pins(request: Request) -> tuple[str, ...]:
    """The ids of the pinned runs that a request asks to see. ValueError where they are too many."""
    pins = pinning.pins_in(request.query_params.get("pin", ""))
    if len(pins) > pinning.PINS:
        raise ValueError(f"pin must be at most {pinning.PINS} trainings, not {len(pins):,}.")
    return tuple(pins)


def chosen_in(request: Request) -> dict[str, str]:
    """{name: value} of the choices that a request makes. ValueError where they are too many, or too long."""
    asked = {name[1]: value for key, value in request.query_params.items() if (name := _CHOICE.fullmatch(key))}
    if len(asked) > CHOICES or sum(map(len, asked.values())) > LONGEST:
        raise ValueError(f"choices must be at most {CHOICES}, with at most {LONGEST:,} characters in all.")
    return asked


async def _watched(request: Request) -> tuple[Asked, Watched] | Response:
    """What a request asks to see, or why it does not get it."""
    if isinstance(run := await _run(request), Response):
        return run
    try:
        pins, chosen = _pins(request), chosen_in(request)
    except ValueError as wrong:
        return refusal(wrong, 400)
    pinned = [each for pin in pins if (each := await asyncio.to_thread(lab.engine().get, pin))]
    opening = _opening(request, run)
    asked = Asked(
        run,
        (run.id, tuple(each.id for each in pinned), opening),
        lambda right: RunBroadcast(run, pinned, chosen, right),
        chosen,
        visitor_of(request),
        lambda: lab.right_of(run, opening),
    )
    return watched_as(asked)


def watched_as(asked: Asked) -> tuple[Asked, Watched] | Response:
    """What is asked for with what shows it, or why it is not shown."""
    try:
        return refusal(GONE, 404) if asked.over else (asked, WATCHING.join(asked))
    except Full as sentence:
        return full(sentence)


async def stream(request: Request) -> Response:
    """Frames of a run as server-sent events, each with what is new since the one before."""
    return await streamed(request, _watched)


async def streamed(request: Request, watching: Callable[[Request], Awaitable[Any]]) -> Response:
    """Frames of what is watched as server-sent events. A stream too many is refused before anything is made for it."""
    try:
        WATCHING.admit(visitor_of(request))
    except Full as found:
        return full(found)
    if isinstance(watched := await watching(request), Response):
        return watched
    events = WATCHING.events(*watched, request.query_params.get("have", ""))
    return StreamingResponse(events, media_type="text/event-stream", headers=_STREAM)


async def newest(request: Request) -> Response:
    """The newest frame of a run, with what is new since the version that a viewer has; 204 where nothing is."""
    return await newest_of(request, await _watched(request))


async def newest_of(request: Request, watched: tuple[Asked, Watched] | Response) -> Response:
    """The newest frame of what is watched."""
    if isinstance(watched, Response):
        return watched
    try:
        body = await WATCHING.newest(*watched, request.query_params.get("have", ""))
    except Full as sentence:
        return full(sentence)
    return Response(status_code=204, headers=NO_STORE) if body is None else answer(body)


async def _run(request: Request) -> Run | Response:
    """The run that a request is about, or why there is none."""
    if not from_here(request):
        return Response(status_code=403)
    run = await asyncio.to_thread(lab.engine().get, request.path_params["run"])
    return run or refusal(GONE, 404)


async def alive(request: Request) -> Response:
    """Somebody is still looking at a run, on whatever page."""
    if isinstance(run := await _run(request), Response):
        return run
    run.touch()
    return Response(status_code=204, headers=NO_STORE)


ROUTES = [
    *routes_at("/live/{run}/stream", stream, "rows"),  # item by item
    *routes_at("/live/{run}/newest", newest, "rows"),
    *routes_at("/live/{run}/alive", alive, "numbers"),
]
