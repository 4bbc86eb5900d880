"""Drawings of the phones of a room, of 8 × 8 squares: one for each phone, and the accepted ones."""

import re
import threading
from collections.abc import Callable

from boltzcore.data.drawn import MOST_PATTERNS
from boltzcore.quoting import quoted
from pages.rooms.rounds import NotAllowed

_BITS = re.compile("[0-9a-f]{16}")  # four squares to a digit, line by line


class Drawings:
    """Drawings of one room. Any thread may call.

    changed : called after each change
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed, self._lock = changed, threading.Lock()
        self._sent, self._accepted = dict[str, str](), list[str]()

    def put(self, phone: str, bits: str) -> None:
        """Keep a phone's drawing until the teacher judges it. Raises NotAllowed if it is invalid, or if the teacher has
        one of this phone and has not refused it: an accepted drawing is the one that was seen.
        """
        if not _BITS.fullmatch(bits):
            raise NotAllowed(f"bits must be 16 hexadecimal digits, not {quoted(bits)}.")
        if not bits.strip("0"):
            raise NotAllowed("Your drawing is empty. Draw something first.")
        if phone in self._sent:
            raise NotAllowed("Your teacher has your drawing already.")
        self._sent[phone] = bits
        self._changed()

    def seen_by(self, phone: str) -> dict[str, object]:
        """Return a phone's own drawing, and whether it is accepted."""
        mine = self._sent.get(phone, "")
        return {"pattern": mine, "accepted": mine in self._accepted}

    @property
    def waiting(self) -> dict[str, str]:
        """{phone: its drawing} of drawings that are not accepted."""
        return {phone: bits for phone, bits in self._sent.copy().items() if bits not in self._accepted}

    @property
    def accepted(self) -> tuple[str, ...]:
        """Drawings that are accepted, in order."""
        return tuple(self._accepted)

    def accept(self, phone: str) -> None:
        """Accept the drawing of a phone. Raises NotAllowed if too many are accepted."""
        with self._lock:
            if len(self._accepted) >= MOST_PATTERNS:
                raise NotAllowed(f"A class has at most {MOST_PATTERNS} patterns.")
            if (bits := self._sent.get(phone, "")) and bits not in self._accepted:
                self._accepted.append(bits)
        self._changed()

    def refuse(self, phone: str) -> None:
        """Delete the drawing of a phone, which may draw again."""
        self._sent.pop(phone, None)
        self._changed()

    def remove_last(self) -> None:
        """Delete the drawing that was accepted last; its phone may draw again."""
        if self._accepted:
            bits = self._accepted.pop()
            for phone in [phone for phone, each in self._sent.copy().items() if each == bits]:
                self._sent.pop(phone, None)
        self._changed()
