"""Who asks: a visitor, whom the server knows by a cookie of its own while a page of his is open, or else an address.

The cookie is given with the websocket of a page. It is known in this process alone and as long as such a socket is
open, or was a moment ago: an invented one, and one that was kept, count as none.
"""

import ipaddress
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from starlette.requests import HTTPConnection, Request

COOKIE = "lab_visitor"
SOCKET = "/_stcore/stream"  # where Streamlit opens the websocket of a page
GRACE = 120.0  # seconds after the last page was closed: as long as Streamlit keeps a session that has lost its socket
MOST = 1024  # visitors from one address: a school, or all who come through one proxy
KNOWN = 8 * MOST  # visitors


@dataclass(frozen=True)
class Limits:
    """What one who asks may have at a time."""

    streams: int
    broadcasts: int
    queue: int  # pieces of work that wait


OF_VISITOR = Limits(streams=12, broadcasts=16, queue=24)
OF_ADDRESS = Limits(streams=64, broadcasts=64, queue=96)  # of all there who have no cookie


@dataclass(frozen=True)
class Visitor:
    """Who asks, by a key, and from which address."""

    key: str
    address: str
    limits: Limits


@dataclass
class _Visit:
    address: str
    pages: int = 0
    left: float = 0.0


class Visitors:
    """Those whose pages are open. Lives on the event loop."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, _Visit] = OrderedDict()

    def enter(self, name: str, address: str) -> str:
        """A page is opened by who shows this cookie: the name to be known by, "" where an address has too many."""
        self._forget()
        if name not in self._visits:
            if len(self._visits) >= KNOWN or sum(it.address == address for it in self._visits.values()) >= MOST:
                return ""
            name = secrets.token_urlsafe(16)
            self._visits[name] = _Visit(address)
        self._visits[name].pages += 1
        return name

    def leave(self, name: str) -> None:
        """A page is closed."""
        visit = self._visits[name]
        visit.pages, visit.left = visit.pages - 1, time.monotonic()

    @property
    def pages(self) -> int:
        """How many pages are open."""
        return sum(visit.pages for visit in self._visits.values())

    def knows(self, name: str) -> bool:
        """Whether this is the name of one whose page is open, or was a moment ago."""
        visit = self._visits.get(name)
        return visit is not None and (visit.pages > 0 or time.monotonic() < visit.left + GRACE)

    def _forget(self) -> None:
        for name in [name for name in self._visits if not self.knows(name)]:
            del self._visits[name]


VISITORS = Visitors()


def visitor_of(request: Request) -> Visitor:
    """Who sends a request: by the cookie where it is known, else by the address."""
    name, address = request.cookies.get(COOKIE, ""), _address(request)
    if VISITORS.knows(name):
        return Visitor(f"visitor {name}", address, OF_VISITOR)
    return Visitor(f"address {address}", address, OF_ADDRESS)


def _address(connection: HTTPConnection) -> str:
    """That of the other side; of IPv6 the network, as a single machine has a whole one of them."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


class Visits:
    """ASGI middleware: gives each browser its cookie with the websocket of its first page."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket" or not scope["path"].endswith(SOCKET):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        shown = connection.cookies.get(COOKIE, "")
        name = VISITORS.enter(shown, _address(connection))

        async def sending(message: Any) -> None:
            if message["type"] == "websocket.accept" and name not in ("", shown):
                given = f"{COOKIE}={name}; Path=/; HttpOnly; SameSite=Strict"
                given += "; Secure" if scope.get("scheme") == "wss" else ""
                message = {**message, "headers": [*message.get("headers", ()), (b"set-cookie", given.encode())]}
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            if name:
                VISITORS.leave(name)
