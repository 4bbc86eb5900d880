"""The limiter: one table of limits, the visitors that they hold for, and the middleware that bounds pages and uploads.

A visitor is known by a cookie, which comes with the websocket of a page. It is valid in this process alone, while such
a socket is open and for `GRACE` seconds after: an invented or an old one counts as none. All requests from one address
without a valid cookie are one visitor. A cookie can be thrown away, so each limit has a bound for the address, too.
"""

import asyncio
import ipaddress
import logging
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from boltzcore import memory
from boltzcore.jobs.races import MOST_MOVING
from boltzcore.limits import limits
from pages.web.answers import Full, full, refusal
from pages.web.unstable import SOCKET, UPLOAD, BackMsg, get_instance, get_script_run_ctx

COOKIE = "lab_visitor"
GRACE = 120.0  # seconds after the last page was closed: as long as Streamlit keeps a session that has lost its socket
DEPARTED = 4_096  # visitors without an open page that are known for as long
SLOWEST = 300.0  # seconds that an upload may take
MOST_KEYS = 20_000  # visitors and addresses whose rates are kept
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Visitor:
    """A visitor's key and address."""

    key: str
    address: str

    @property
    def known(self) -> bool:
        """True if a cookie distinguishes the visitor from others at its address."""
        return self.key.startswith("visitor ")


@dataclass(frozen=True)
class Limit:
    """A row of the table: the largest amounts for a visitor, for all visitors of an address without a cookie, for an
    address, and for the server.

    seconds : in which they are counted; 0 for amounts held at a time
    """

    what: str
    visitor: int
    unknown: int
    address: int
    total: int = 1_000_000
    seconds: float = 0

    def of(self, by: Visitor) -> int:
        """Return the largest amount for a visitor."""
        return self.visitor if by.known else self.unknown

    def full(self, most: int, whom: str, wait: float = 1) -> Full:
        """Return the refusal of more than `most`."""
        rate = f" in {self.seconds:g} seconds" if self.seconds else ""
        return Full(f"At most {most:,} {self.what}{rate} are allowed for {whom}. Try again later.", int(-(-wait // 1)))


_STREAMS, _FILE, _ROOMS = limits().streams, limits().upload, limits().rooms
PHONES = 300  # in a room
LIMITS = {
    "streams": Limit("live streams", 12, 64, max(1, _STREAMS * 3 // 4), _STREAMS),
    "choices": Limit("display settings", 16, 64, 192, 512),
    "work": Limit("waiting requests", 24, 96, 384),
    "races": Limit("races at once", 4, 8, 16, MOST_MOVING),
    "long work": Limit("long computations", 4, 8, 16, 32),
    "pages": Limit("open pages", 64, 64, 1024, 8192),
    "rooms": Limit("rooms", 4, max(1, _ROOMS // 2), max(1, _ROOMS // 2), _ROOMS),
    "phones": Limit("phones in a room", 10, PHONES * 4 // 5, PHONES * 4 // 5, PHONES),
    "joins": Limit("attempts to join a class", 20, 150, 150, seconds=60),
    "uploads": Limit("uploads", 20, 120, 120, seconds=60),
    "megabytes": Limit("megabytes of uploaded files", 4 * _FILE, 4 * _FILE, 16 * _FILE, 32 * _FILE),
}


def admit(what: str, by: Visitor, held: Counter[Visitor], amount: float = 1) -> None:
    """Raise Full if a visitor may not hold this amount more, given what all visitors hold."""
    limit = LIMITS[what]
    for whom, most, has in (
        ("you", limit.of(by), sum(n for each, n in held.items() if each.key == by.key)),
        ("your IP address", limit.address, sum(n for each, n in held.items() if each.address == by.address)),
        ("all visitors together", limit.total, held.total()),
    ):
        if has + amount > most:
            raise limit.full(most, whom)


class Limiter:
    """Rates of visitors and addresses: the amount that each has taken drains evenly. Any thread may call.

    clock : seconds
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._amounts: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()  # {key: (amount, when)}

    def take(self, what: str, by: Visitor) -> None:
        """Count one. Raises Full, and counts nothing, if that is too many for the visitor or the address."""
        limit, now = LIMITS[what], self._clock()
        found = dict[tuple[str, str], tuple[float, float]]()
        with self._lock:
            for whom, key, most in (
                ("you", by.key, limit.of(by)),
                ("your IP address", f"address {by.address}", limit.address),
            ):
                amount, at = self._amounts.get((what, key), (0.0, now))
                amount = max(0.0, amount - (now - at) * most / limit.seconds) + 1
                if amount > most:
                    raise limit.full(most, whom, (amount - most) * limit.seconds / most)
                found[what, key] = amount, now
            for each, state in found.items():
                self._amounts[each] = state
                self._amounts.move_to_end(each)
            while len(self._amounts) > MOST_KEYS:
                self._amounts.popitem(last=False)


LIMITER = Limiter()


@dataclass
class _Visit:
    address: str
    pages: int = 0
    left: float = 0.0


class Visitors:
    """Visitors whose pages are open. Any thread may ask; the event loop alone changes it."""

    def __init__(self) -> None:
        self._visits: OrderedDict[str, _Visit] = OrderedDict()

    def enter(self, name: str, address: str) -> str:
        """Open a page for the holder of this cookie; return the name to know it by. Raises Full."""
        departed = sorted((it.left, each) for each, it in self._visits.items() if not it.pages)
        for place, (_, each) in enumerate(departed):
            if not self.knows(each) or place < len(departed) - DEPARTED:
                del self._visits[each]
        held = Counter({Visitor(f"visitor {each}", it.address): it.pages for each, it in self._visits.items()})
        admit("pages", Visitor(f"visitor {name}", address), held)
        if name not in self._visits:
            name = secrets.token_urlsafe(16)
            self._visits[name] = _Visit(address)
        self._visits[name].pages += 1
        return name

    def leave(self, name: str) -> None:
        """Close a page."""
        visit = self._visits[name]
        visit.pages, visit.left = visit.pages - 1, time.monotonic()

    @property
    def pages(self) -> int:
        """Number of open pages."""
        return sum(visit.pages for visit in self._visits.values())

    def knows(self, name: str) -> bool:
        """True if this is the name of a visitor with a page that is open, or was a moment ago."""
        visit = self._visits.get(name)
        return visit is not None and (visit.pages > 0 or time.monotonic() < visit.left + GRACE)

    def visitor(self, name: str, address: str) -> Visitor:
        """Return the visitor with this cookie if it is valid, else that of the address."""
        return Visitor(f"visitor {name}" if self.knows(name) else f"address {address}", address)


VISITORS = Visitors()
UPLOADERS: dict[str, Visitor] = {}  # {session that has drawn an uploader: its visitor}


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Return the visitor that sends a request: by the cookie if it is valid, else by the address."""
    host = connection.client.host if connection.client else ""
    return VISITORS.visitor(connection.cookies.get(COOKIE, ""), _address(host))


def visitor_of_page() -> Visitor:
    """Return the visitor whose page the script draws."""
    return VISITORS.visitor(st.context.cookies.get(COOKIE, ""), _address(str(st.context.ip_address or "127.0.0.1")))


def allow_uploads() -> None:
    """Let the session whose script is running upload files."""
    if context := get_script_run_ctx():
        UPLOADERS[context.session_id] = visitor_of_page()


def _address(host: str) -> str:
    """Return the address that is counted for a host: for IPv6 its network, because a single machine has a whole one."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    # a socket for both versions gives IPv4 addresses in this form
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))


class Shares:
    """ASGI middleware: gives each browser its cookie with the websocket of its first page, limits pages and uploads,
    drops what a page that was left still asks for, and closes a socket that sends anything but messages of a page.
    """

    def __init__(self, app: Any) -> None:
        self._app = app
        self._coming: Counter[Visitor] = Counter()  # bytes that are being uploaded

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        try:
            if scope["type"] == "websocket" and path.endswith(SOCKET):
                await self._page(scope, receive, send)
            elif scope["type"] == "http" and scope["method"] == "PUT" and UPLOAD in path:
                await self._upload(scope, receive, send)
            else:
                await self._app(scope, receive, send)
        except Full as found:
            if scope["type"] == "http":
                await _refuse(full(found), scope, receive, send)
            else:
                await WebSocket(scope, receive, send).send_denial_response(full(found))

    async def _page(self, scope: Any, receive: Any, send: Any) -> None:
        connection, closed, page = HTTPConnection(scope), False, ""
        shown = connection.cookies.get(COOKIE, "")
        name = VISITORS.enter(shown, visitor_of(connection).address)
        # the script reads the cookie of the socket that opened its session
        scope = scope | {"headers": [*scope["headers"], (b"cookie", f"{COOKIE}={name}".encode())]}

        async def sending(message: Any) -> None:
            if closed:
                return
            if message["type"] == "websocket.accept" and name != shown:
                given = f"{COOKIE}={name}; Path=/; HttpOnly; SameSite=Strict"
                given += "; Secure" if scope.get("scheme") == "wss" else ""
                message = {**message, "headers": [*message.get("headers", ()), (b"set-cookie", given.encode())]}
            await send(message)

        async def receive_checked() -> Any:
            nonlocal closed, page
            while (message := await receive())["type"] == "websocket.receive":
                if (content := _parse(message.get("bytes"))) is None:
                    closed = True
                    logger.warning("A page sent a malformed message: its connection is closed.")
                    await send({"type": "websocket.close", "code": 1002})
                    return {"type": "websocket.disconnect", "code": 1002}
                rerun = content.rerun_script
                # A fragment of the page that was just left would empty the page that comes.
                if rerun.fragment_id and page and rerun.page_script_hash != page:
                    continue
                if content.HasField("rerun_script"):
                    page = rerun.page_script_hash
                return message
            return message

        try:
            await self._app(scope, receive_checked, sending)
        finally:
            VISITORS.leave(name)

    async def _upload(self, scope: Any, receive: Any, send: Any) -> None:
        request, server = Request(scope, receive), get_instance()
        session = scope["path"].rpartition(UPLOAD)[2].partition("/")[0]
        stored = server.uploaded_file_mgr.file_storage
        for ended in [each for each in list(UPLOADERS) if each not in stored and not server.is_active_session(each)]:
            del UPLOADERS[ended]
        length = request.headers.get("content-length", "")
        if (by := UPLOADERS.get(session)) is None:
            await _refuse(refusal("This page does not accept files.", 403), scope, receive, send)
        elif not length.isdecimal() or "transfer-encoding" in request.headers:
            await _refuse(refusal("An upload must state its length.", 411), scope, receive, send)
        else:
            LIMITER.take("uploads", by)
            held, size = Counter(self._coming), int(length)
            for each, files in list(stored.items()):
                held[UPLOADERS.get(each, by)] += sum(len(file.data) for file in files.values())
            admit("megabytes", by, Counter({each: n / memory.MEGA for each, n in held.items()}), size / memory.MEGA)
            if memory.used_bytes() + self._coming.total() + size > memory.allowed_bytes():
                raise Full("The server is out of memory. Try again later.", 10)
            self._coming[by] += size
            try:
                async with asyncio.timeout(SLOWEST):
                    await self._app(scope, receive, send)
            except TimeoutError:
                await refusal("The upload timed out.", 408)(scope, receive, send)
            finally:
                self._coming -= Counter({by: size})
                if not server.is_active_session(session):  # it has ended meanwhile: nothing else would free the files
                    server.uploaded_file_mgr.remove_session_files(session)


async def _refuse(answer: Response, scope: Any, receive: Any, send: Any) -> None:
    """Answer a request once all of it has arrived: a browser reads no answer before it has sent everything."""
    with suppress(ClientDisconnect):
        async for _ in Request(scope, receive).stream():
            pass
        await answer(scope, receive, send)


def _parse(data: bytes | None) -> Any:
    """Return the message of a Streamlit page, None if these are not the bytes of one."""
    try:
        return None if data is None else BackMsg.FromString(data)
    except Exception:  # of protobuf, which the app does not depend on
        return None
