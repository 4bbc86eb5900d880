"""Layers below a page: HTTP by asyncio alone, and a run's stream of server-sent events."""

import asyncio
import ssl
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

PATIENCE = 10.0  # seconds that a request waits for an answer


class Unexpected(Exception):
    """The server speaks another protocol than this test knows: its figures would mean nothing."""


class Refused(OSError):
    """The server has answered, with something else than what was asked for."""


@dataclass(frozen=True)
class Place:
    """Place of an app: a host and port, by TLS or not, and the path that a proxy has it below."""

    host: str
    secure: bool = False
    base: str = ""

    @classmethod
    def at(cls, text: str) -> "Place":
        """Of host and port, or of an address."""
        parts = urlsplit(text if "://" in text else f"http://{text}")
        return cls(parts.netloc, parts.scheme == "https", parts.path.rstrip("/"))

    @property
    def origin(self) -> str:
        """As a browser names it."""
        return f"http{'s' * self.secure}://{self.host}"

    @property
    def port(self) -> int:
        """Host and port on which it listens."""
        return urlsplit(self.origin).port or (443 if self.secure else 80)

    @property
    def name(self) -> str:
        """The machine to ask: names below localhost are this one, which not every system knows."""
        name = urlsplit(self.origin).hostname or ""
        return "localhost" if name.endswith(".localhost") else name

    @property
    def url(self) -> str:
        """The address to ask for files below."""
        return f"http{'s' * self.secure}://{self.name}:{self.port}{self.base}"

    @property
    def trust(self) -> ssl.SSLContext | None:
        """By which TLS is spoken: with any certificate, as a test shows its own."""
        if not self.secure:
            return None
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context


class Troubles:
    """Errors in the tasks of a session: counted, or, where it spoils the test, kept to be raised."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._spoilt: Exception | None = None

    def add(self, sentence: str) -> None:
        """An error that a visitor would have met."""
        self.counts[sentence] += 1

    def spoil(self, error: Exception) -> None:
        """An error of the test, or of what it takes the protocol to be."""
        self._spoilt = self._spoilt or error

    def check(self) -> None:
        """Raise what spoils the test."""
        if self._spoilt is not None:
            raise self._spoilt


@asynccontextmanager
async def _asked(
    host: str, path: str, cookie: str = "", method: str = "GET", body: bytes = b"", **headers: str
) -> AsyncIterator[tuple[int, dict[str, str], AsyncIterator[bytes]]]:
    """(status, headers, parts of the body) of an answer."""
    place = Place.at(host)
    connecting = asyncio.open_connection(place.name, place.port, ssl=place.trust)
    reader, writer = await asyncio.wait_for(connecting, PATIENCE)
    try:
        lines = [
            f"{method} {place.base}{path} HTTP/1.1",
            f"Host: {place.host}",
            "Accept-Encoding: gzip",
            "Sec-Fetch-Site: same-origin",
            "Connection: close",
            *([f"Cookie: {cookie}"] if cookie else []),
            *([f"Content-Length: {len(body)}"] if method != "GET" else []),
            *(f"{name.replace('_', '-')}: {text}" for name, text in headers.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        first = (await asyncio.wait_for(reader.readline(), PATIENCE)).split()
        if len(first) < 2 or not first[1].isdigit():
            raise ConnectionResetError(f"{path.partition('?')[0]}: no answer")
        headers = {}
        while line := (await reader.readline()).decode().strip():
            key, _, value = line.partition(":")
            headers[key.strip().lower()] = value.strip()
        parts = _chunks(reader) if headers.get("transfer-encoding") == "chunked" else _whole(reader)
        yield int(first[1]), headers, parts
    finally:
        writer.close()


async def _whole(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while part := await reader.read(65_536):
        yield part


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int((await reader.readline()).partition(b";")[0] or b"0", 16):
        yield (await reader.readexactly(size + 2))[:-2]


async def get(host: str, path: str, **headers: str) -> tuple[int, bytes]:
    """(status, body) of a short answer."""
    async with _asked(host, path, **headers) as (status, _, parts):
        return status, b"".join([part async for part in parts])


async def post(host: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    """(status, body) of the answer to what is sent."""
    async with _asked(host, path, "", "POST", body, **headers) as (status, _, parts):
        return status, b"".join([part async for part in parts])


async def events(host: str, path: str, *, cookie: str = "") -> AsyncIterator[tuple[str, bytes]]:
    """(name, data) of each event of a stream: one gzip body without an end. It ends where the server ends it."""
    async with _asked(host, path, cookie) as (status, headers, parts):
        if status != 200:
            raise Refused(f"{path.partition('?')[0].rpartition('/')[2]}: status {status}")
        if (headers.get("content-encoding"), headers.get("content-type", "")[:17]) != ("gzip", "text/event-stream"):
            raise Unexpected(f"a stream of frames has the headers {headers}")
        unpack, rest = zlib.decompressobj(31), b""
        async for part in parts:
            *whole, rest = (rest + unpack.decompress(part)).split(b"\n\n")
            for each in whole:
                name, _, data = each.partition(b"\n")
                if not (name.startswith(b"event: ") and data.startswith(b"data: ")):
                    raise Unexpected(f"a stream of frames has an event {each[:80]!r}")
                yield name[7:].decode(), data[6:]
