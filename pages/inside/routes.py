"""The routes past the script: an update taken apart, and what belongs to one unit of it."""

import gzip
import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pages.inside import vendor
from pages.inside.sources import Gone, trace_of
from pages.live.based import based, number
from pages.live.maker import Maker

LONGEST = 200  # characters of a name
_NO_STORE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
_HERE = ("same-origin", "none")  # where a request may come from, as browsers tell
_maker = Maker()  # its own: a step that takes long to take apart holds up no frame


async def trace(request: Request) -> Response:
    """One update: `of`, what of; `row`, of its mini-batch."""
    name, row = request.query_params.get("of", "")[:LONGEST], number(request.query_params.get("row", "0"))
    return await _answer(request, lambda: trace_of(name, row).head())


async def unit(request: Request) -> Response:
    """What belongs to a unit of it: its `axis` (v, h, x; p is a phase) and `index`; `count`, the updates before."""
    asked = request.query_params
    name, row, count = asked.get("of", "")[:LONGEST], number(asked.get("row", "0")), number(asked.get("count", ""), 18)
    axis, index = asked.get("axis", "")[:1], number(asked.get("index", ""))

    def found() -> dict[str, Any]:
        try:
            return trace_of(name, row, count).unit(axis, index)
        except IndexError:
            raise Gone("There is no such unit.") from None

    return await _answer(request, found)


async def _answer(request: Request, work: Any) -> Response:
    if request.headers.get("sec-fetch-site", "none") not in _HERE:
        return Response(status_code=403)

    def packed() -> bytes:
        return gzip.compress(json.dumps(work(), separators=(",", ":"), allow_nan=False).encode(), 1)

    try:
        body = await _maker.do(packed, urgent=True)
    except Gone as gone:
        return Response(str(gone), 404, media_type="text/plain", headers=_NO_STORE)
    except ValueError as refusal:
        return Response(str(refusal), 400, media_type="text/plain", headers=_NO_STORE)
    return Response(body, media_type="application/json", headers=_NO_STORE | {"Content-Encoding": "gzip"})


ROUTES = [*based("/steps/trace", trace), *based("/steps/unit", unit), *vendor.ROUTES]
