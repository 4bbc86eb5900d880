"""Answers of the app's own routes: to its own pages alone, as gzipped JSON."""

import gzip
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from boltzcore.quoting import Refusal, explain

NO_STORE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_HERE = ("same-origin", "none")  # origins of requests, in browsers' terms


def from_here(request: Request) -> bool:
    """True if the request comes from a page of this app, or from no page at all."""
    return request.headers.get("sec-fetch-site", "none") in _HERE


def pack(found: Any) -> bytes:
    """Return a result as gzipped JSON. ValueError if a number of it is not finite."""
    return gzip.compress(json.dumps(found, separators=(",", ":"), allow_nan=False).encode(), 1)


def answer(body: bytes, headers: Mapping[str, str] = NO_STORE) -> Response:
    """Return an answer with packed JSON."""
    return Response(body, media_type="application/json", headers={**headers, "Content-Encoding": "gzip"})


class Full(Refusal):
    """Refusal because a limit is exceeded: a sentence.

    seconds : after which to try again
    """

    def __init__(self, sentence: str, seconds: int = 1) -> None:
        super().__init__(sentence)
        self.seconds = seconds


def full(found: Full) -> Response:
    """Return the answer to a request that exceeds a limit."""
    headers = NO_STORE | {"Retry-After": str(found.seconds)}
    return Response(str(found), 429, media_type="text/plain", headers=headers)


def refusal(sentence: object, status: int) -> Response:
    """Return an answer with a sentence."""
    return Response(str(sentence), status, media_type="text/plain", headers=NO_STORE)


async def too_much(_: HTTPConnection, found: Exception) -> Response:
    """Return the answer to a request that exceeds a limit, on any route."""
    assert isinstance(found, Full)
    return full(found)


async def disk_failed(_: HTTPConnection, error: Exception) -> Response:
    """Return the answer to a request during which the disk failed."""
    return refusal(explain(error, "The request failed"), 503)
