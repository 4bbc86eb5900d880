"""Which room a session has opened: its address carries the code and the teacher's key, so that a reload finds it."""

import streamlit as st

from pages.rooms.room import OPEN, Room

_ROOM, _KEY = "room", "teacher"
KEYS = (_ROOM, _KEY)


def current(*, arriving: bool = False) -> Room | None:
    """The room of this session; None where there is none, or it is over.

    arriving : the address was opened just now, and its room goes first
    """
    query = st.query_params
    asked = (query.get(_ROOM, ""), query.get(_KEY, "")) if arriving and _ROOM in query else None
    found = OPEN.of_teacher(*(asked or st.session_state.get(_ROOM, ("", ""))))
    st.session_state[_ROOM] = (found.code, found.key) if found else ("", "")
    return found


def begin() -> None:
    """Open a room in place of the one that there was. Raises Full where there are too many."""
    end()
    room = OPEN.open()
    st.session_state[_ROOM] = room.code, room.key


def end() -> None:
    """End the room of this session."""
    if (room := current()) is not None:
        OPEN.end(room)
    st.session_state[_ROOM] = "", ""


def parameters() -> dict[str, str]:
    """What the address says of the room."""
    code, key = st.session_state.get(_ROOM, ("", ""))
    return {_ROOM: code, _KEY: key} if code else {}
