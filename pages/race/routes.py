"""The routes of a race: its frames as a stream or one by one, and the heartbeat of a viewer."""

import asyncio
from functools import partial

from starlette.requests import Request

from pages.common import lab
from pages.race.frame import drawn
from pages.stream.routes import LONGEST_OPENING, chosen_in, routes_of
from pages.stream.watching import Asked, Broadcast
from pages.web.limiter import visitor_of


async def _race(request: Request) -> Asked | None:
    """Return the view of a race that a request asks for; one on a private table needs a token of its owner."""
    if (race := await asyncio.to_thread(lab.engine().races.get, request.path_params["id"])) is None:
        return None
    asked = request.query_params
    chosen, against = chosen_in(request), race.comparison.contender(asked.get("against") or None)
    hidden, opening = asked.get("hidden") == "1", asked.get("open", "")[:LONGEST_OPENING]
    return Asked(
        race,
        (hidden, against, opening if race.private else ""),
        lambda right: Broadcast((race,), partial(drawn, race, hidden, against), right),
        chosen,
        visitor_of(request),
        lambda: "rows" if not race.private or lab.holds(opening, race.id, race.comparison.base) else "",
    )


ROUTES = routes_of("/race", _race, "This race no longer exists.")
