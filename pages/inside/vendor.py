"""What draws the mechanism in a browser, as modules that are fetched once and kept."""

import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pages.live.based import based

_HERE = Path(__file__).parent
SCRIPTS: dict[str, str] = {}  # {path below the app's address: code} of the modules
_FAMILIES = ("contrastive", "conditional", "coordinate", "greedy", "insertion", "newton", "sampled")
_INSERTION = ("insertion_numbers", "insertion_sums")
_CONDITIONAL = ("conditional_numbers", "conditional_sums")
_SHARED = ("ink", "elements", "trace", "player", "network", "plots", "matrices")
_PARTS = (*_SHARED, *_INSERTION, *_CONDITIONAL, *_FAMILIES, "main")


def read(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


def module(folder: str, parts: Sequence[str], **constants: Any) -> tuple[str, list[Route]]:
    """(path below the app's address, routes) of a module: constants, then files of this folder."""
    named = (f"const {name} = {json.dumps(value)};" for name, value in constants.items())
    code = "\n".join([*named, *(read(f"{part}.js") for part in parts)])
    packed, path = (
        gzip.compress(code.encode(), 6),
        f"/{folder}/{hashlib.blake2s(code.encode(), digest_size=8).hexdigest()}.js",
    )
    SCRIPTS[path] = code
    kept = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}

    def serve(request: Request) -> Response:
        return Response(packed, media_type="text/javascript", headers=kept)

    return path, based(path, serve)


INSIDE, ROUTES = module("steps", _PARTS, CSS=read("inside.css"), HTML=read("inside.html"))
