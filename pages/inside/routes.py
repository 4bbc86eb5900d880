"""The routes past the script: an update taken apart, and what belongs to one unit of it."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from pages.inside import vendor
from pages.inside.sources import Gone, trace_of
from pages.live.answers import answer, from_here, packed, refusal
from pages.live.based import based, number
from pages.live.maker import Maker

LONGEST = 200  # characters of a name
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


async def _answer(request: Request, work: Callable[[], dict[str, Any]]) -> Response:
    if not from_here(request):
        return Response(status_code=403)
    try:
        return answer(await _maker.do(lambda: packed(work()), urgent=True))
    except Gone as gone:
        return refusal(gone, 404)
    except ValueError as wrong:
        return refusal(wrong, 400)


ROUTES = [*based("/steps/trace", trace), *based("/steps/unit", unit), *vendor.ROUTES]
