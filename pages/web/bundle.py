"""Scripts that a browser fetches once and keeps: another content has another address."""

import gzip
import hashlib
import json
from collections.abc import Callable
from functools import cached_property
from threading import Lock
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.web.base_url import routes_at

_KEPT = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}


class Script:
    """A script at an address below the app's.

    path : the address, which no other content has ever
    read : its content
    """

    _packing = Lock()

    def __init__(self, path: str, read: Callable[[], bytes]) -> None:
        self.path, self.read = path, read

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self.read(), 6)

    def _serve(self, _request: Request) -> Response:
        with self._packing:  # compressed once, and not for each browser of a classroom
            packed = self._packed
        return Response(packed, media_type="text/javascript", headers=_KEPT)

    @property
    def routes(self) -> list[Route]:
        """Those that serve it."""
        return routes_at(self.path, self._serve)


def script(folder: str, code: str) -> Script:
    """One of these contents, at an address in this folder that the digest names."""
    content = code.encode()
    return Script(f"/{folder}{hashlib.blake2s(content, digest_size=8).hexdigest()}.js", lambda: content)


def constants(**values: Any) -> str:
    """JavaScript that declares them."""
    return "\n".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())
