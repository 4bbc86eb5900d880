"""The routes of runs: frames as a stream or one by one, and the heartbeat of a viewer.

Anyone who knows the id of a run may watch it, as on the page.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from boltzcore.quoting import Refusal
from pages.common import lab, pinning
from pages.stream.run_frame import drawn
from pages.stream.watching import GONE, Asked, Broadcast, Watching
from pages.web.answers import NO_STORE, answer, from_here, refusal
from pages.web.base_url import routes_at
from pages.web.limiter import visitor_of

LONGEST_OPENING = 200  # characters
CHOICES, LONGEST = 64, 4_000  # choices that a request may make, and characters of all
_CHOICE = re.compile(r"choose\.([a-z][a-z0-9_-]{0,39})")
_STREAM = NO_STORE | {"Content-Encoding": "gzip", "X-Accel-Buffering": "no"}  # a proxy must forward data at once
WATCHING = Watching()


def chosen_in(request: Request) -> dict[str, str]:
    """Return {name: value} of the choices of a request. Raises Refusal if they are too many, or too long."""
    asked = {name[1]: value for key, value in request.query_params.items() if (name := _CHOICE.fullmatch(key))}
    if len(asked) > CHOICES or sum(map(len, asked.values())) > LONGEST:
        raise Refusal(f"choices must be at most {CHOICES}, with at most {LONGEST:,} characters in all.")
    return asked


async def _run(request: Request) -> Asked | None:
    """Return the run that a request asks to see; None if there is none. Raises Refusal if it pins too many."""
    if (run := await asyncio.to_thread(lab.engine().get, request.path_params["id"])) is None:
        return None
    pins, chosen = pinning.pins_in(request.query_params.get("pin", "")), chosen_in(request)
    if len(pins) > pinning.PINS:
        raise Refusal(f"pin must be at most {pinning.PINS} runs, not {len(pins):,}.")
    opening = request.query_params.get("open", "")[:LONGEST_OPENING]
    opening = opening if lab.holds(opening, run.id, run.recipe) else ""  # an invalid token is dropped
    pinned = [each for pin in pins if (each := await asyncio.to_thread(lab.engine().get, pin))]
    draw = partial(drawn, run, pinned, chosen)
    return Asked(
        run,
        (tuple(each.id for each in pinned), opening),
        lambda right: Broadcast((run, *pinned), draw, right),
        chosen,
        visitor_of(request),
        lambda: lab.right_of(run, opening),
    )


def routes_of(path: str, find: Callable[[Request], Awaitable[Asked | None]], gone: str) -> list[Route]:
    """Return the routes of a subject at a path, by its `id`: its frames as server-sent events, each with the changes
    since the one before; the newest since the version of a viewer, 204 if there is no newer one; and the heartbeat of a
    viewer, from any page.

    find : returns the subject of a request, None if it does not exist. Raises Refusal for an invalid request
    gone : a sentence if the subject does not exist
    """

    async def asked(request: Request) -> Asked | Response:
        if not from_here(request):
            return Response(status_code=403)
        try:
            found = await find(request)
        except Refusal as wrong:
            return refusal(wrong, 400)
        return refusal(gone, 404) if found is None or found.subject.deleted or not found.right() else found

    async def stream(request: Request) -> Response:
        WATCHING.admit(visitor_of(request))  # before anything is made for one stream too many
        if isinstance(found := await asked(request), Response):
            return found
        events = WATCHING.events(found, request.query_params.get("have", ""))
        await anext(events)  # admitted, so that the status of the answer is final
        return StreamingResponse(events, media_type="text/event-stream", headers=_STREAM)

    async def newest(request: Request) -> Response:
        if isinstance(found := await asked(request), Response):
            return found
        body = await WATCHING.newest(found, WATCHING.join(found), request.query_params.get("have", ""))
        return Response(status_code=204, headers=NO_STORE) if body is None else answer(body)

    async def alive(request: Request) -> Response:
        if isinstance(found := await asked(request), Response):
            return found
        found.subject.touch()
        return Response(status_code=204, headers=NO_STORE)

    return [
        *routes_at(f"{path}/{{id}}/stream", stream, "rows"),  # item by item
        *routes_at(f"{path}/{{id}}/newest", newest, "rows"),
        *routes_at(f"{path}/{{id}}/alive", alive, "numbers"),
    ]


ROUTES = routes_of("/live", _run, GONE)
