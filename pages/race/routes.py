"""The routes of a race: its frames as a stream or one by one, and the sign that somebody is there."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from boltzcore.runs.race import Race
from pages.common import lab
from pages.live.routes import chosen_in, newest_of, streamed, watched_as
from pages.live.watching import Asked, Watched
from pages.race.broadcast import RaceBroadcast
from pages.web.answers import NO_STORE, from_here, refusal
from pages.web.base_url import routes_at
from pages.web.visitors import visitor_of

GONE = "This race is not here any more."


async def _race(request: Request) -> Race | Response:
    if not from_here(request):
        return Response(status_code=403)
    race = await asyncio.to_thread(lab.engine().races.get, request.path_params["race"])
    return race or refusal(GONE, 404)


async def _watched(request: Request) -> tuple[Asked, Watched] | Response:
    if isinstance(race := await _race(request), Response):
        return race
    try:
        chosen = chosen_in(request)
    except ValueError as wrong:
        return refusal(wrong, 400)
    hidden = request.query_params.get("hidden") == "1"
    key = "race", race.id, hidden
    return await watched_as(
        Asked(race, key, lambda offered: RaceBroadcast(race, offered, hidden=hidden), chosen, visitor_of(request))
    )


async def stream(request: Request) -> Response:
    """Frames of a race as server-sent events, each with what is new since the one before."""
    return streamed(request, await _watched(request))


async def newest(request: Request) -> Response:
    """The newest frame of a race, with what is new since the version that a viewer has; 204 where nothing is."""
    return await newest_of(request, await _watched(request))


async def alive(request: Request) -> Response:
    """Somebody is still looking at a race."""
    if isinstance(race := await _race(request), Response):
        return race
    race.touch()
    return Response(status_code=204, headers=NO_STORE)


ROUTES = [
    *routes_at("/race/{race}/stream", stream),
    *routes_at("/race/{race}/newest", newest),
    *routes_at("/race/{race}/alive", alive),
]
