"""One server for each data folder: a second one answers everything with a sentence, and opens nothing in the folder."""

import logging
from typing import Any

import streamlit as st

from boltzcore.home import hold_as_server, home
from pages.web.answers import refusal

logger = logging.getLogger(__name__)
_refused = ""  # why this server serves nothing


def hold() -> bool:
    """Lock the data folder at the server's start; return False if another server holds it."""
    global _refused
    address, port = st.get_option("server.address") or "localhost", st.get_option("server.port")
    path = st.get_option("server.baseUrlPath").strip("/")
    if _refused := hold_as_server(f"{address}:{port}/{path}".rstrip("/")):
        logger.error("%s It is %s.", _refused, home())
    return not _refused


class OneServer:
    """ASGI middleware: lets requests through unless another server holds the data folder."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not _refused or scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            await refusal(_refused, 503)(scope, receive, send)
