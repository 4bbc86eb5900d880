"""Why a pixel is on: inferences that a page shows, and the routes past the script that answer for one pixel of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boltzcore import restoration
from boltzcore.figures import why
from boltzcore.inference import History, Inference
from boltzcore.inference.spec import KINDS
from boltzcore.restoration import Damaged
from boltzcore.trained import TRAINED
from pages.web.answers import answer, from_here, full, packed
from pages.web.base_url import number, routes_at
from pages.web.tokens import TokenCache
from pages.web.worker import Full, Left, Worker, result_of

KEPT = 128  # of damaged digits, with the ways in which they are restored
UNITS = 48  # hidden units whose weights may be asked for at once
LONGEST = 4 * UNITS  # characters of their numbers
_HEADERS = {"Cache-Control": "private, max-age=600", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True)
class Way:
    """One inference of one model; key : of the picture on the page that it restored, "" where none is shown."""

    key: str
    model: str
    inference: Inference


@dataclass(frozen=True, eq=False)
class Why:
    """A damaged digit, the ways in which it is restored, and the digit before, where it is known."""

    damaged: Damaged
    clean: Any
    ways: tuple[Way, ...]
    amber: bool

    def history(self, way: int) -> History:
        """How one of the ways went."""
        return restoration.history(self.ways[way].model, self.damaged, self.ways[way].inference)


def all_ways(shown: Sequence[Way]) -> tuple[Way, ...]:
    """Those that are shown, and with each model of them the kinds of belief propagation that are not."""
    there = {(way.model, way.inference): way for way in shown}
    for way in shown:
        for kind in KINDS:
            other = way.inference.changed(kind=kind)
            there.setdefault((way.model, other), Way("", way.model, other))
    return tuple(there.values())


_asked: TokenCache[Why] = TokenCache(KEPT)
_worker = Worker()  # its own: a long inference holds up no frame
named = _asked.get


def keep(asked: Why) -> str:
    """The name under which a browser can ask."""
    clean = None if asked.clean is None else asked.clean.tobytes()
    of = asked.damaged.seen.tobytes(), asked.damaged.known.tobytes(), clean, asked.ways, asked.amber
    return _asked.put(of, asked)


def told(asked: Why) -> dict[str, Any]:
    """What a browser is told of it with the page: the pictures as bits, and the ways."""
    clean = None if asked.clean is None else restoration.packed_pixels(asked.clean)
    return {
        "why": keep(asked),
        "seen": restoration.packed_pixels(asked.damaged.seen),
        "lost": restoration.packed_pixels(asked.damaged.lost),
        "clean": clean,
        "ways": [{"key": way.key, "model": TRAINED[way.model].title, "kind": way.inference.kind} for way in asked.ways],
    }


class _Strange(Exception):
    """Something is asked for that is not there."""


def _head(asked: Why, history: History, request: Request) -> dict[str, Any]:
    return why.head(history, asked.damaged, asked.clean, amber=asked.amber)


def _pixel(asked: Why, history: History, request: Request) -> dict[str, Any]:
    return why.pixel(history, _below(len(history.b), request.path_params["pixel"]))


def _unit(asked: Why, history: History, request: Request) -> dict[str, Any]:
    at = _below(history.iterations + 1, request.path_params["at"])
    if at == 0:
        raise _Strange
    return why.unit(history, _below(len(history.c), request.path_params["unit"]), at)


def _weights(asked: Why, history: History, request: Request) -> dict[str, Any]:
    units = request.path_params["units"][: LONGEST + 1].split("-")
    if len(units) > UNITS:
        raise _Strange
    return why.weights(history, [_below(len(history.c), each) for each in units])


def _below(many: int, text: str) -> int:
    """A whole number from 0 to below `many`."""
    if not 0 <= (found := number(text)) < many:
        raise _Strange
    return found


def _serve(make: Callable[[Why, History, Request], dict[str, Any]]) -> Callable[..., Any]:
    async def serve(request: Request) -> Response:
        if not from_here(request):
            return Response(status_code=403)
        asked, way = named(request.path_params["why"]), number(request.path_params["way"])
        if asked is None or not 0 <= way < len(asked.ways):
            return Response(status_code=404)

        try:
            body = await result_of(request, _worker, lambda: packed(make(asked, asked.history(way), request)))
            return answer(body, _HEADERS)
        except Full as sentence:
            return full(sentence)
        except Left:
            return Response(status_code=204)
        except _Strange:
            return Response(status_code=404)

    return serve


ROUTES = [
    *routes_at("/why/{why}/{way}", _serve(_head)),
    *routes_at("/why/{why}/{way}/pixel/{pixel}", _serve(_pixel)),
    *routes_at("/why/{why}/{way}/unit/{unit}/{at}", _serve(_unit)),
    *routes_at("/why/{why}/{way}/weights/{units}", _serve(_weights)),
]
