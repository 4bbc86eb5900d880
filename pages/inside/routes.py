"""The routes past the script: an update taken apart, and what belongs to one unit of it."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boltzcore.quoting import quoted
from pages.inside import vendor
from pages.inside.sources import Gone, trace_of
from pages.live.answers import answer, from_here, packed, refusal
from pages.live.based import based, number
from pages.live.maker import Maker

AXES = ("v", "h", "x", "p")
LONGEST = 200  # characters of a name
LOOK = 0.5  # seconds between two looks whether somebody still waits
_maker = Maker()  # its own: a step that takes long to take apart holds up no frame


async def trace(request: Request) -> Response:
    """One update: `of`, what of; `row`, of its mini-batch."""
    name, row = request.query_params.get("of", "")[:LONGEST], number(request.query_params.get("row", "0"))
    return await _answer(request, lambda: trace_of(name, row).head())


async def unit(request: Request) -> Response:
    """What belongs to a unit of it: its `axis` (v, h, x; p is a phase) and `index`; `mark`, of the update."""
    asked = request.query_params
    name, row, mark = asked.get("of", "")[:LONGEST], number(asked.get("row", "0")), asked.get("mark", "none")[:LONGEST]
    axis, index = asked.get("axis", ""), number(asked.get("index", ""))

    def found() -> dict[str, Any]:
        if axis not in AXES:
            raise Gone(f"axis must be one of {', '.join(AXES)}, not {quoted(axis)}.")
        try:
            return trace_of(name, row, mark).unit(axis, index)
        except IndexError:
            raise Gone("There is no such unit.") from None

    return await _answer(request, found)


async def _answer(request: Request, work: Callable[[], dict[str, Any]]) -> Response:
    if not from_here(request):
        return Response(status_code=403)
    making = _maker.do(lambda: packed(work()), urgent=True)
    try:
        while not (await asyncio.wait({making}, timeout=LOOK))[0]:
            if await request.is_disconnected():
                making.cancel()  # who has left waits for nothing
                return Response(status_code=204)
        return answer(making.result())
    except Gone as gone:
        return refusal(gone, 404)
    except ValueError as wrong:
        return refusal(wrong, 400)


ROUTES = [*based("/steps/trace", trace), *based("/steps/unit", unit), *vendor.ROUTES]
