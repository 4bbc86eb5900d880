"""Why a pixel is on: the component that says it of inferences that a page shows, and the routes past the script that
answer for one pixel of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boltzcore import restoration
from boltzcore.inference import Inference
from boltzcore.inference.history import History
from boltzcore.inference.spec import KINDS
from boltzcore.restoration import Damaged
from boltzcore.trained import TRAINED
from pages.figures import pixel_explanation
from pages.web.answers import from_here, packed
from pages.web.base_url import number, routes_at
from pages.web.scripts import component, run_again
from pages.web.tokens import TokenCache
from pages.web.worker import answered

KEPT = 128  # damaged digits, with the inferences that restore them
UNITS = 48  # hidden units whose weights may be asked for at once
LONGEST = 4 * UNITS  # characters of their numbers
_HEADERS = {"Cache-Control": "private, max-age=600", "X-Content-Type-Options": "nosniff"}


@dataclass(frozen=True)
class InferenceSpec:
    """One inference of one model; key : of the picture on the page that it restored, "" where none is shown."""

    key: str
    model: str
    inference: Inference


@dataclass(frozen=True, eq=False)
class Why:
    """A damaged digit, the inferences that restore it, and the clean digit where it is known."""

    damaged: Damaged
    clean: Any
    specs: tuple[InferenceSpec, ...]
    amber: bool

    def history(self, spec: int) -> History:
        """Return the history of one of the inferences."""
        return restoration.history(self.specs[spec].model, self.damaged, self.specs[spec].inference)


def all_specs(shown: Sequence[InferenceSpec]) -> tuple[InferenceSpec, ...]:
    """Return the inferences that are shown, and the other kinds of belief propagation with each of their models."""
    there = {(spec.model, spec.inference): spec for spec in shown}
    for spec in shown:
        for kind in KINDS:
            other = spec.inference.changed(kind=kind)
            there.setdefault((spec.model, other), InferenceSpec("", spec.model, other))
    return tuple(there.values())


_asked: TokenCache[Why] = TokenCache(KEPT)
named = _asked.get
_explained = component("lab_pixel", "inside/pixel.js", "lab-pixel")


def why(asked: Why, *, every: float, group: str) -> None:
    """Why a pixel is on, from when somebody asks.

    every : seconds that an iteration is shown while it plays
    group : of films, with which it is stepped and played, and on whose pictures a pixel is chosen
    """
    _explained(
        key="why",
        data=page_data(asked) | {"every": 1000 * every, "group": group},
        on_moved_change=run_again,
    )


def keep(asked: Why) -> str:
    """The name under which a browser can ask."""
    clean = None if asked.clean is None else asked.clean.tobytes()
    of = asked.damaged.seen.tobytes(), asked.damaged.known.tobytes(), clean, asked.specs, asked.amber
    return _asked.put(of, asked)


def page_data(asked: Why) -> dict[str, Any]:
    """Return what goes to the browser with the page: the pictures as bits, and the inferences."""
    clean = None if asked.clean is None else restoration.packed_pixels(asked.clean)
    return {
        "why": keep(asked),
        "seen": restoration.packed_pixels(asked.damaged.seen),
        "lost": restoration.packed_pixels(asked.damaged.lost),
        "clean": clean,
        "ways": [
            {"key": spec.key, "model": TRAINED[spec.model].title, "kind": spec.inference.kind} for spec in asked.specs
        ],
    }


class _Strange(Exception):
    """Something is asked for that is not there."""


def _head(asked: Why, history: History, request: Request) -> dict[str, Any]:
    return pixel_explanation.head(history, asked.damaged, asked.clean, amber=asked.amber)


def _pixel(asked: Why, history: History, request: Request) -> dict[str, Any]:
    return pixel_explanation.pixel(history, _below(len(history.b), request.path_params["pixel"]))


def _weights(asked: Why, history: History, request: Request) -> dict[str, Any]:
    units = request.path_params["units"][: LONGEST + 1].split("-")
    if len(units) > UNITS:
        raise _Strange
    return pixel_explanation.weights(history, [_below(len(history.c), each) for each in units])


def _below(many: int, text: str) -> int:
    """A whole number from 0 to below `many`."""
    if not 0 <= (found := number(text)) < many:
        raise _Strange
    return found


def _serve(make: Callable[[Why, History, Request], dict[str, Any]]) -> Callable[..., Any]:
    async def serve(request: Request) -> Response:
        if not from_here(request):
            return Response(status_code=403)
        asked, spec = named(request.path_params["why"]), number(request.path_params["way"])
        if asked is None or not 0 <= spec < len(asked.specs):
            return Response(status_code=404)

        try:
            return await answered(request, lambda: packed(make(asked, asked.history(spec), request)), _HEADERS)
        except _Strange:
            return Response(status_code=404)

    return serve


ROUTES = [
    *routes_at("/why/{why}/{way}", _serve(_head), "rows"),
    *routes_at("/why/{why}/{way}/pixel/{pixel}", _serve(_pixel), "rows"),
    *routes_at("/why/{why}/{way}/weights/{units}", _serve(_weights), "rows"),
]
