"""Films: frames that follow from each other and from nothing else, made once, when they are first asked for."""

import gzip
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from boltzcore.figures.frame import Frame
from pages.frames.encoder import FrameEncoder
from pages.web.answers import answer
from pages.web.base_url import number, routes_at
from pages.web.tokens import TokenCache
from pages.web.worker import Worker, answered

KEPT, FRAMES = 128, 64  # films, and frames of each


@dataclass
class Film:
    """Frames 1 to `last`.

    source : what it follows from: films of the same are one
    frame : makes one frame, in any order
    """

    source: tuple[Any, ...]
    last: int
    frame: Callable[[int], Frame]
    made: OrderedDict[int, bytes] = field(default_factory=OrderedDict, repr=False)

    def body(self, at: int) -> bytes:
        """A frame as gzipped JSON. One thread at a time may call."""
        if at not in self.made:
            encoder = FrameEncoder("rows")  # its name is known to whom it is shown alone
            encoder.take(f"film-{at}", self.frame(at), {})
            self.made[at] = gzip.compress(encoder.since("").encode(), 1)
            if len(self.made) > FRAMES:
                self.made.popitem(last=False)
        return self.made[at]


_films: TokenCache[Film] = TokenCache(KEPT)
_worker = Worker()  # its own: a long inference holds up no training's frames
named = _films.get


def keep(film: Film) -> str:
    """The name under which the film can be asked for."""
    return _films.put(film.source, film)


async def _serve(request: Request) -> Response:
    film, at = named(request.path_params["film"]), number(request.path_params["at"])
    if film is None or not 1 <= at <= film.last:
        return Response(status_code=404)
    headers = {"Cache-Control": "private, max-age=600"}
    if (made := film.made.get(at)) is not None:
        return answer(made, headers)
    return await answered(request, _worker, partial(film.body, at), headers, urgent=False)


ROUTES = routes_at("/film/{film}/{at}", _serve, "rows")
