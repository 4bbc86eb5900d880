"""Room that a session has opened: its address carries the code and the teacher's key, so that a reload finds it. The
address of its projector view carries another key, which only shows the room.
"""

import streamlit as st

from pages.common import presenting
from pages.common.address import DISPLAY
from pages.rooms.registry import OPEN
from pages.rooms.room import Room
from pages.web.limiter import visitor_of_page
from pages.web.session import SESSION

_ROOM, _KEY, _SCREEN = "room", "teacher", "screen"
KEYS = (_ROOM, _KEY, _SCREEN)


def current(*, arriving: bool = False) -> Room | None:
    """Return the room of this session; None if there is none, or it is over.

    arriving : the address was opened just now, and its room goes first
    """
    query = st.query_params
    asked = (query.get(_ROOM, ""), query.get(_KEY, "")) if arriving and _ROOM in query else None
    found = OPEN.of_teacher(*(asked or SESSION.room))
    SESSION.room = (found.code, found.key) if found else ("", "")
    return found


def begin() -> None:
    """Open a room in place of the session's old one. Raises Full if there are too many."""
    end()
    room = OPEN.open(visitor_of_page())
    SESSION.room = room.code, room.key


def end() -> None:
    """End the room of this session."""
    if (room := current()) is not None:
        OPEN.end(room)
    SESSION.room = "", ""


def is_screen(*, arriving: bool = False) -> bool:
    """True if this session is the projector view of a room.

    arriving : the address was opened just now and decides
    """
    query = st.query_params
    if arriving and _ROOM in query:
        SESSION.viewed_room = (query[_ROOM], query[_SCREEN]) if _SCREEN in query else None
    return SESSION.viewed_room is not None


def viewed() -> Room | None:
    """Return the room that this session views; None if it is over, or never was."""
    return OPEN.of_screen(*(SESSION.viewed_room or ("", "")))


def view_link(room: Room) -> str:
    """Return the address of the projector view of a room."""
    return presenting.link({_ROOM: room.code, _SCREEN: room.screen, DISPLAY: presenting.PROJECTOR})


def parameters() -> dict[str, str]:
    """Return the parameters of the address that name the room, or its projector view."""
    code, key = SESSION.viewed_room or SESSION.room
    return {_ROOM: code, _SCREEN if SESSION.viewed_room else _KEY: key} if code else {}
