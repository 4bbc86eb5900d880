"""The names that the app is asked for under: a page of somebody else's can bring a browser here under a name of its own
(DNS rebinding), and then reads what it is answered.
"""

import ipaddress
import logging
import socket
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers

from boltzcore.quoting import cut, quoted

MOST = 20  # unknown names that are logged
logger = logging.getLogger(__name__)


def known(host: str, names: frozenset[str]) -> bool:
    """Whether the Host header of a request is one that the server knows: an address, this machine's name, or one
    of these names. An address cannot be another's name for this one.
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost") or name in names
    return True


def own_names() -> frozenset[str]:
    """What this machine calls itself, and what Streamlit's options call it (`server.address`,
    `browser.serverAddress`).
    """
    called = socket.gethostname().lower()
    configured = (st.get_option("server.address"), st.get_option("browser.serverAddress"))
    return frozenset({called, f"{called.partition('.')[0]}.local", *(name.lower() for name in configured if name)})


class Hosts:
    """ASGI middleware: logs each name that the server does not know, once. It is served all the same, for behind a
    proxy or in a school's network a name that the server does not know is the usual one.
    """

    def __init__(self, app: Any) -> None:
        self._app, self._names, self._unknown = app, own_names(), set[str]()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] in ("http", "websocket"):
            host = Headers(scope=scope).get("host", "")
            if host not in self._unknown and len(self._unknown) < MOST and not known(host, self._names):
                self._unknown.add(host)
                logger.warning(
                    "The app was asked for as %s, of which it is not told. If that is its name, start it with it: "
                    "boltzcore serve --public-name, or --browser.serverAddress of streamlit run; if not, somebody "
                    "leads browsers here under a name of theirs.",
                    quoted(cut(host)),
                )
        await self._app(scope, receive, send)
