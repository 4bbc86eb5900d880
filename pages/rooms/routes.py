"""The routes of a room: a page of a few kilobytes for phones, without a Streamlit session, and the count for the pages
that show the room.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from pages.rooms.registry import OPEN
from pages.rooms.room import Room
from pages.rooms.rounds import NotAllowed
from pages.web.answers import NO_STORE, from_here, refusal
from pages.web.base_url import routes_at
from pages.web.headers import digest_of
from pages.web.limiter import LIMITER, visitor_of

GONE = "There is no room with this code. Check it and try again."
OVER = "The class is over. Thank you."
LARGEST, LARGEST_PICTURE = 200, 8_000  # bytes of a message of a phone, and of a teacher's page
WAITS, EVERY = 10.0, 0.04  # seconds that a page waits for a change, and between two checks
LONGEST_NAME = 60  # characters of the name of a picture
PATIENCE = 10.0  # seconds that a phone may take to send a message
LONGEST = 100  # characters of a code, a token or a key
_PAGE = Path(__file__).with_name("phone.html").read_text(encoding="utf-8")
_HEADERS = NO_STORE | {
    "Content-Security-Policy": f"default-src 'none'; style-src {digest_of(_PAGE, 'style')}; "
    f"script-src {digest_of(_PAGE, 'script')}; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}


async def _page(request: Request) -> Response:
    """Return the page of a phone, the same for all rooms; it finds its room by its address."""
    return Response(_PAGE, media_type="text/html", headers=_HEADERS)


class Unread(Exception):
    """Refusal of a request: a sentence and the status of the answer."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def _of_room(serve: Callable[..., Any], *, joined: bool = False) -> Callable[[Request], Any]:
    """Return a route for pages of this app alone, and for existing rooms. A request without a secret of the room counts
    as an attempt to join it, or to guess its code.

    joined : only for phones that have joined; `serve` gets the phone
    """

    async def served(request: Request) -> Response:
        if not from_here(request):
            return Response(status_code=403)
        code = request.path_params["code"][:LONGEST]
        room = OPEN.get(code)
        if room is None and OPEN.over(code):  # no attempt: when a class ends all its phones ask, and may join the next
            return refusal(OVER, 410)
        phone = None if room is None else _phone(request, room)
        if room is None or not (phone or _shows(request, room)):
            LIMITER.take("joins", visitor_of(request))
        if room is not None:
            if joined and phone is None:
                return refusal("This phone has not joined.", 401)
            try:
                return await serve(request, room, *([phone] if joined else []))
            except Unread as refused:
                return refusal(refused, refused.status)
            except NotAllowed as refused:
                return refusal(refused, 409)
        return refusal(GONE, 404)

    return served


_of_phone = partial(_of_room, joined=True)


@_of_room
async def _join(request: Request, room: Room) -> Response:
    """Return the token of a new phone."""
    return JSONResponse({"token": room.join(visitor_of(request))}, headers=NO_STORE)


def _phone(request: Request, room: Room) -> str | None:
    token = request.headers.get("x-token", "")
    return room.phone_of(token) if len(token) <= LONGEST else None


def _shows(request: Request, room: Room) -> bool:
    """True if a request has the key of a page that shows the room."""
    key = request.headers.get("x-key", "")[:LONGEST]
    return OPEN.of_teacher(room.code, key) is not None or OPEN.of_screen(room.code, key) is not None


@_of_phone
async def _seen(request: Request, room: Room, phone: str) -> Response:
    """Return what a phone has to show."""
    return JSONResponse(room.seen_by(phone), headers=NO_STORE)


async def _sent(request: Request, largest: int, **kinds: type) -> list[Any]:
    """Return the values of these names in the JSON of a request. Raises Unread if one is missing or of another type."""
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > largest:
                    raise Unread(f"At most {largest:,} bytes may be sent.", 413)
        sent = json.loads(body)
        found = [sent[name] for name in kinds]
        json.dumps(found, allow_nan=False)
        if not all(kind is object or type(each) is kind for each, kind in zip(found, kinds.values(), strict=True)):
            raise TypeError
    except TimeoutError as late:
        raise Unread("It did not arrive in time. Press again.", 408) from late
    except ClientDisconnect as left:
        raise Unread("", 400) from left
    except (ValueError, TypeError, KeyError, RecursionError) as wrong:
        raise Unread(f"The message must be JSON with {', '.join(kinds)}.", 400) from wrong
    return found


@_of_phone
async def _answer(request: Request, room: Room, phone: str) -> Response:
    """Take an answer of a phone: {"round", "option"}."""
    room.answer(phone, *await _sent(request, LARGEST, round=int, option=int))
    return JSONResponse(room.seen_by(phone), headers=NO_STORE)


@_of_phone
async def _pattern(request: Request, room: Room, phone: str) -> Response:
    """Take the drawing of a phone: {"bits"}."""
    room.put_drawing(phone, *await _sent(request, LARGEST, bits=str))
    return JSONResponse(room.seen_by(phone), headers=NO_STORE)


@_of_phone
async def _stills(request: Request, room: Room, phone: str) -> Response:
    """Return the pictures of the question: data URIs, each with its text alternative."""
    return JSONResponse(room.stills, headers=NO_STORE)


@_of_room
async def _count(request: Request, room: Room) -> Response:
    """Return the standing of the room and its pictures, for pages that show it. With `since`, the state that the page
    has, it waits until the room changes.
    """
    if not _shows(request, room):
        return refusal(GONE, 404)
    since, until = request.query_params.get("since", ""), time.monotonic() + WAITS
    while since == room.state and OPEN.get(room.code) is room and time.monotonic() < until:
        if await request.is_disconnected():
            break
        await asyncio.sleep(EVERY)
    if OPEN.get(room.code) is not room:
        return refusal(OVER, 410)
    state = room.state  # before the rest is read, so that no change is missed
    return JSONResponse(asdict(room.standing) | {"since": state, "pictures": room.pictures}, headers=NO_STORE)


@_of_room
async def _picture(request: Request, room: Room) -> Response:
    """Keep the state of a picture on the teacher's page: {"name", "state"}."""
    if OPEN.of_teacher(room.code, request.headers.get("x-key", "")[:LONGEST]) is None:
        return refusal(GONE, 404)
    name, state = await _sent(request, LARGEST_PICTURE, name=str, state=object)
    if len(name) > LONGEST_NAME:
        return refusal(f"The name of a picture has at most {LONGEST_NAME} characters.", 400)
    room.keep_picture(name, state)
    return Response(status_code=204)


ROUTES = [
    *routes_at("/join/{code}/join", _join, "numbers", methods=["POST"]),
    *routes_at("/join/{code}/answer", _answer, "numbers", methods=["POST"]),
    *routes_at("/join/{code}/pattern", _pattern, "numbers", methods=["POST"]),
    *routes_at("/join/{code}/seen", _seen, "numbers"),
    *routes_at("/join/{code}/stills", _stills, "numbers"),
    *routes_at("/join/{code}/count", _count, "numbers"),
    *routes_at("/join/{code}/picture", _picture, "numbers", methods=["POST"]),
    *routes_at("/join/{code}", _page, "numbers"),
    *routes_at("/join", _page, "numbers"),
]
