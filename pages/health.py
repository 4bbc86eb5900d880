"""`/health`: counts for the operator of the server; none is about a person."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from boltzcore import memory
from boltzcore.limits import limits
from boltzcore.warmup import TITLES
from pages.common import lab
from pages.rooms.registry import OPEN
from pages.stream.routes import WATCHING
from pages.web.answers import NO_STORE, from_here
from pages.web.base_url import routes_at
from pages.web.limiter import VISITORS


async def _serve(request: Request) -> Response:
    if not from_here(request):
        return Response(status_code=403)
    rooms, phones = OPEN.standing
    counts = {
        **await asyncio.to_thread(lambda: lab.engine().load),  # waits while files are written
        "pages": VISITORS.pages,
        "streams": WATCHING.streams,
        "rooms": rooms,
        "phones": phones,
        "trainings_limit": limits().trainings,
        "memory": memory.used_bytes() // memory.MEGA,
        "memory_allowed": memory.allowed_bytes() // memory.MEGA,
        "preparing": lab.describe_wait(TITLES[-1]),
    }
    return JSONResponse(counts, headers=NO_STORE)


ROUTES = routes_at("/health", _serve, "numbers")
