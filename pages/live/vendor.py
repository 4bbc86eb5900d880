"""Scripts that a browser fetches once and keeps: Plotly's, the one inside its Python wheel, and what draws frames."""

import gzip
import hashlib
import json
import threading
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boltzcore.figures import drawing, images, palette, reading
from boltzcore.figures.reel import data_uri
from boltzcore.runs import stopwatch
from pages.live.based import based
from pages.parts import glossary

_HERE = Path(__file__).parent
_INK = _HERE.parent / "inside" / "ink.js"  # what the views of the mechanism draw with
_PARTS = ("aloud", "words", "chart", "table", "states", "panel", "frame", "back", "run", "film", "main")
PLOTLY = f"/vendor/plotly-{version('plotly')}.min.js"  # below the app's own address


def read(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")


def _constants(**values: Any) -> str:
    return "\n".join(f"const {name} = {json.dumps(value)};" for name, value in values.items())


# What places labels in a chart, on its own.
LABELS = "\n".join([_constants(END=drawing.END, LEVEL=drawing.LEVEL, UPRIGHT=drawing.UPRIGHT), read("labels.js")])


def _live() -> str:
    """What draws frames, as one module."""
    constants = {
        "ALONG": drawing.ALONG,
        "LONG": reading.LONG,
        "MOMENT": stopwatch.MOMENT,
        "AS_TEXT": palette.AS_TEXT,
        "PLOTLY": PLOTLY,
        "SCALE": data_uri(images.weight_scale()),
        "HTML": read("live.html"),
        "CSS": read("live.css") + read("states.css"),
        "WORDS": glossary.as_plain(),
    }
    ink = _INK.read_text(encoding="utf-8")
    return "\n".join([_constants(**constants), LABELS, ink, *(read(f"{name}.js") for name in _PARTS)])


_packing = threading.Lock()
SCRIPT = _live()
LIVE = f"/vendor/live-{hashlib.blake2s(SCRIPT.encode(), digest_size=8).hexdigest()}.js"


@cache
def _packed(path: str) -> bytes:
    script = SCRIPT.encode() if path == LIVE else files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    return gzip.compress(script, 6)


def _serve(request: Request) -> Response:
    path = f"/vendor/{request.path_params['name']}"
    if path not in (LIVE, PLOTLY):
        return Response(status_code=404)
    kept = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
    with _packing:  # compressed once, and not for each browser of a classroom
        packed = _packed(path)
    return Response(packed, media_type="text/javascript", headers=kept)


ROUTES = based("/vendor/{name}", _serve)
