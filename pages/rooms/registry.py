"""The open rooms, by their codes."""

import hmac
import secrets
import threading
from collections import Counter, deque
from dataclasses import asdict

from pages.rooms.room import Room
from pages.web.limiter import LIMITS, Visitor, admit

LETTERS, LONG = "ABCDEFGHJKMNPQRSTUVWXYZ23456789", 6  # of a code: none that looks like another
OVER_KEPT = 1_000  # codes of rooms that are over, so that phones can say so


def _plain(code: str) -> str:
    """Return a typed code without spaces and dashes."""
    return "".join(filter(str.isalnum, code.upper()))


class Rooms:
    """The rooms of this process, by their codes."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] = {}
        self._over: deque[str] = deque(maxlen=OVER_KEPT)
        self._lock = threading.Lock()

    @property
    def standing(self) -> tuple[int, int]:
        """Return (open rooms, phones that have joined one of them)."""
        with self._lock:
            there = [room for room in self._rooms.values() if not room.over]
        return len(there), sum(room.phones for room in there)

    def open(self, by: Visitor) -> Room:
        """Open a new room. Raises Full if there are too many, and their teachers are all still watching."""
        with self._lock:
            for code in [code for code, room in self._rooms.items() if room.over]:
                self._forget(code)
            self._make_place(by)
            admit("rooms", by, Counter(room.by for room in self._rooms.values()))
            code = ""
            while not code or code in self._rooms or code in self._over:
                code = "".join(secrets.choice(LETTERS) for _ in range(LONG))
            room = self._rooms[code] = Room(code, by)
            return room

    def get(self, code: str) -> Room | None:
        """Return the room of this code, in any spelling; None if there is none, or it is over."""
        room = self._rooms.get(_plain(code))
        if room is not None and room.over:
            self.end(room)
        return None if room is None or room.over else room

    def over(self, code: str) -> bool:
        """True if there was a room with this code, and it is over."""
        room = self._rooms.get(code := _plain(code))
        return code in self._over if room is None else room.over

    def of_teacher(self, code: str, key: str) -> Room | None:
        """Return the room of this code if this is its teacher's key."""
        room = self.get(code)
        return room if room is not None and hmac.compare_digest(room.key.encode(), key.encode()) else None

    def of_screen(self, code: str, screen: str) -> Room | None:
        """Return the room of this code if this is the key of its projector view."""
        room = self.get(code)
        return room if room is not None and hmac.compare_digest(room.screen.encode(), screen.encode()) else None

    def end(self, room: Room) -> None:
        """Forget a room and all its answers."""
        with self._lock:
            self._forget(room.code)

    def _make_place(self, by: Visitor) -> None:
        """If the visitor's share is full, or that of the address, or that of all, end its abandoned rooms. If it is
        full still, end a room of the visitor with the most rooms in it: the one watched longest ago. A visitor with at
        most one room more than `by` keeps them, and rooms outside a share that remains full stay.
        """
        limit = LIMITS["rooms"]
        shares = [(limit.of(by), {"key": by.key}), (limit.address, {"address": by.address}), (limit.total, {})]
        for most, of in shares:
            there = [room for room in self._rooms.values() if of.items() <= asdict(room.by).items()]
            if len(there) < most:
                continue
            if not (gone := [room for room in there if room.is_abandoned]):
                held = Counter(room.by for room in there)
                first = max(held, key=held.__getitem__)
                if held[first] <= held[by] + 1:
                    return
                gone = [min((room for room in there if room.by == first), key=lambda room: room.watched)]
            for room in gone:
                self._forget(room.code)

    def _forget(self, code: str) -> None:
        if self._rooms.pop(code, None) is not None:
            self._over.append(code)


OPEN = Rooms()
