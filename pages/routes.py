"""All routes of the app besides Streamlit's own, and its work while it serves; imported by `app.py`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from pages import health
from pages.common import lab
from pages.inside import routes as inside
from pages.race import routes as race
from pages.rooms import routes as rooms
from pages.stream import films
from pages.stream import routes as stream
from pages.web import one_server, scripts
from pages.web.answers import Full, disk_failed, too_much
from pages.web.log import open_log

ROUTES = [
    *stream.ROUTES,
    *race.ROUTES,
    *films.ROUTES,
    *scripts.ROUTES,
    *health.ROUTES,
    *inside.ROUTES,
    *rooms.ROUTES,
]
HANDLERS = {OSError: disk_failed, Full: too_much}


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[None]:
    """Warm up and continue runs when the server starts; end streams and write checkpoints when it ends."""
    open_log()
    if not one_server.hold():
        yield
        return
    with stream.WATCHING.closing():
        async with lab.open_while_serving(app):
            yield
