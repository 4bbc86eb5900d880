"""The routes of a race: its frames as a stream or one by one, and the sign that somebody is there."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from boltzcore.jobs.race import Race
from pages.common import lab
from pages.race.broadcast import RaceBroadcast
from pages.stream.routes import LONGEST_OPENING, chosen_in, newest_of, streamed, watched_as
from pages.stream.watching import Asked, Watched
from pages.web.answers import NO_STORE, from_here, refusal
from pages.web.base_url import routes_at
from pages.web.limiter import visitor_of

GONE = "This race is not here any more."


async def _race(request: Request) -> Race | Response:
    if not from_here(request):
        return Response(status_code=403)
    race = await asyncio.to_thread(lab.engine().races.get, request.path_params["race"])
    return race if race is not None and _open(race, _opening(request)) else refusal(GONE, 404)


def _opening(request: Request) -> str:
    """What a request shows to see a race on a table of somebody's own."""
    return request.query_params.get("open", "")[:LONGEST_OPENING]


def _open(race: Race, opening: str) -> bool:
    """Whether who shows this opening may see a race."""
    return not race.private or lab.holds(opening, race.id, race.comparison.base)


async def _watched(request: Request) -> tuple[Asked, Watched] | Response:
    if isinstance(race := await _race(request), Response):
        return race
    try:
        chosen, against = chosen_in(request), race.comparison.contender(request.query_params.get("against") or None)
    except ValueError as wrong:
        return refusal(wrong, 400)
    hidden = request.query_params.get("hidden") == "1"
    opening = _opening(request)

    def make(_right: str) -> RaceBroadcast:
        return RaceBroadcast(race, chosen, hidden=hidden, against=against)

    key = "race", race.id, hidden, against, opening if race.private else ""
    return watched_as(
        Asked(race, key, make, chosen, visitor_of(request), lambda: "rows" if _open(race, opening) else "")
    )


async def stream(request: Request) -> Response:
    """Frames of a race as server-sent events, each with what is new since the one before."""
    return await streamed(request, _watched)


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
    *routes_at("/race/{race}/stream", stream, "rows"),
    *routes_at("/race/{race}/newest", newest, "rows"),
    *routes_at("/race/{race}/alive", alive, "numbers"),
]
