"""The routes of inspection: an update taken apart, and the values of one unit of it."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boltzcore.quoting import Refusal, quoted
from pages.inside.sources import Gone, trace_of
from pages.web.answers import from_here, pack, refusal
from pages.web.base_url import number, routes_at
from pages.web.worker import answer_request

AXES = ("v", "h", "x")
LONGEST = 200  # characters of a name
WHOLE = 24_000_000  # bytes of an update with its large matrices


async def trace(request: Request) -> Response:
    """Return one update: `of`, its name; `row`, of its mini-batch; `whole`: with its large matrices, for a file."""
    name, row = request.query_params.get("of", "")[:LONGEST], number(request.query_params.get("row", "0"))

    def found() -> dict[str, Any]:
        trace, large = trace_of(name, row), "whole" in request.query_params
        if large and trace.bytes > WHOLE:
            raise Refusal("The matrices of this step are too large for one file.")
        return trace.head(large=large)

    return await _answer(request, found)


async def unit(request: Request) -> Response:
    """Return the values of one unit of an update: `axis` (v, h, x) and `index` of the unit, `mark` of the update."""
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
    try:
        return await answer_request(request, lambda: pack(work()))
    except (Gone, Refusal) as wrong:
        return refusal(wrong, 404 if isinstance(wrong, Gone) else 400)


ROUTES = [*routes_at("/steps/trace", trace, "rows"), *routes_at("/steps/unit", unit, "rows")]
