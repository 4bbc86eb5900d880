"""Security headers of every answer: what a page may load, which sites may frame it, and what others learn of it."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import streamlit
from starlette.datastructures import MutableHeaders

_PAGE = Path(streamlit.__file__).with_name("static") / "index.html"
_FRAMES = "; frame-ancestors 'self'"


def digest_of(page: str, tag: str) -> str:
    """Return the digest of a page's first element of this name, in the form of a content security policy."""
    found = re.search(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    text = found[1] if found else ""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# Streamlit and Plotly set styles inline; Streamlit loads a component's script from a blob.
POLICY = (
    f"default-src 'self'; script-src 'self' blob: {digest_of(_PAGE.read_text(encoding='utf-8'), 'script')}; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'"
)


class SecurityHeaders:
    """ASGI middleware: adds the headers that an answer lacks. Only a page with `embed=true` in its address may be in a
    frame of another site.
    """

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: Any) -> None:
            if message["type"].endswith("http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("Referrer-Policy", "same-origin")
                embedded = parse_qs(scope["query_string"].decode("latin-1")).get("embed") == ["true"]
                headers.setdefault("Content-Security-Policy", POLICY + _FRAMES * (not embedded))
            await send(message)

        await self._app(scope, receive, sending)
