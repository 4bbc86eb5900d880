"""Films: frames that depend only on the film's source, each made once, at its first request."""

import gzip
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

from pages.figures.frame import Frame
from pages.stream.encoder import FrameEncoder
from pages.web.answers import answer
from pages.web.base_url import number, routes_at
from pages.web.scripts import component, run_again
from pages.web.session import SESSION
from pages.web.worker import Worker, answer_request

KEPT = 16  # films of a session, which hold models and end with it
MOST_BYTES = 64 << 20  # of the frames of all films
_SECRET = secrets.token_bytes(16)


@dataclass
class Film:
    """Frames 1 to `last`.

    source : all that it depends on: films of equal sources are one
    frame : makes one frame, in any order
    """

    source: tuple[Any, ...]
    last: int
    frame: Callable[[int], Frame]


_films = WeakValueDictionary[str, Film]()
_made = OrderedDict[tuple[str, int], bytes]()  # frames of films by name and place, the oldest first
_worker = Worker()  # its own, so that a long inference delays no training's frames
named = _films.get
_film = component("lab_film", "stream/film.js", "lab-live")


def _body(name: str, film: Film, at: int) -> bytes:
    """Return a frame as gzipped JSON. One thread at a time may call."""
    if (body := _made.get((name, at))) is None:
        encoder = FrameEncoder("rows")  # its name is known to its viewer alone
        encoder.take(f"film-{at}", film.frame(at), {})
        body = _made[name, at] = gzip.compress(encoder.since("").encode(), 1)
        while sum(map(len, _made.values())) > MOST_BYTES:
            _made.popitem(last=False)
    return body


def keep(film: Film) -> str:
    """Return the name for requests of the film, as long as this session keeps it."""
    name = hashlib.blake2s(repr(film.source).encode(), key=_SECRET, digest_size=16).hexdigest()
    kept = SESSION.films
    kept[name] = kept.pop(name, None) or _films.setdefault(name, film)
    while len(kept) > KEPT:
        kept.popitem(last=False)
    return name


def play(
    key: str,
    film: Film,
    *,
    every: float,
    height: int,
    plays: bool = False,
    controls: str = "",
    group: str = "",
    picked: str = "",
    on_pick: Callable[[str, str], None] | None = None,
) -> None:
    """Draw a film: it shows its last frame, or plays once from its beginning.

    every : seconds for each frame; height : pixels, reserved until the first
    controls : the name of a frame, if there are buttons to step through them
    group : films of one group are stepped and played together
    picked : value of the choice on its pictures, which is framed; on_pick : called with the name and value of another
    """

    def pick() -> None:
        match st.session_state[key].get("picked"):
            case [str(name), str(value)] if on_pick is not None:
                on_pick(name, value)

    data = {"film": keep(film), "last": film.last, "plays": plays, "every": 1000 * every, "controls": controls}
    data |= {"group": group, "height": height, "picked": picked}
    _film(key=key, data=data, on_moved_change=run_again, on_picked_change=pick)


async def _serve(request: Request) -> Response:
    name, at = request.path_params["film"], number(request.path_params["at"])
    film = named(name)
    if film is None or not 1 <= at <= film.last:
        return Response(status_code=404)
    headers = {"Cache-Control": "private, max-age=600"}
    if (made := _made.get((name, at))) is not None:
        return answer(made, headers)
    return await answer_request(request, partial(_body, name, film, at), headers, _worker)


ROUTES = routes_at("/film/{film}/{at}", _serve, "rows")
