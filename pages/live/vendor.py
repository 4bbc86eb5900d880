"""Plotly's JavaScript, the one inside its Python wheel: nothing is fetched from elsewhere."""

import gzip
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from pages.live.based import based

PLOTLY = f"/vendor/plotly-{version('plotly')}.min.js"  # below the app's own address


@cache
def _script() -> bytes:
    """Compressed once, and not for each browser of a classroom."""
    return gzip.compress(files("plotly").joinpath("package_data", "plotly.min.js").read_bytes(), 6)


def _serve(request: Request) -> Response:
    kept = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(_script(), media_type="text/javascript", headers=kept)


ROUTES = based(PLOTLY, _serve)
