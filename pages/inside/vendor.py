"""What draws the mechanism in a browser, as one module that is fetched once and kept."""

import gzip
import hashlib
import json
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from pages.live.based import based

_HERE = Path(__file__).parent
_PARTS = ("ink", "trace", "player", "network", "contrastive", "main")


def read(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


_CONSTANTS = {"CSS": read("inside.css"), "HTML": read("inside.html")}
_CODE = "\n".join(
    [*(f"const {name} = {json.dumps(text)};" for name, text in _CONSTANTS.items()), *(read(f"{n}.js") for n in _PARTS)]
).encode()
_PACKED = gzip.compress(_CODE, 6)
INSIDE = f"/steps/{hashlib.blake2s(_CODE, digest_size=8).hexdigest()}.js"


def _serve(request: Request) -> Response:
    kept = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(_PACKED, media_type="text/javascript", headers=kept)


ROUTES = based(INSIDE, _serve)
