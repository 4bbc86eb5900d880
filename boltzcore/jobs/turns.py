"""Admission and turns: some members are admitted, the others queue; admitted members take turns on the slots."""

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from boltzcore.memory import MEGA

if TYPE_CHECKING:
    from boltzcore.jobs.seat import Seat

SLICE, SHORTEST = 0.075, 0.012  # seconds of a turn while others are ready: for few, and for many
ROUND = 0.6  # seconds in which each of many should get a turn
MANY, FEW = 8, 4  # members that make it crowded, and to which they must fall again
USUAL = 64 * MEGA  # assumed bytes of a training until it has started


class Turns:
    """First come, first served, for admission, and among the admitted for each turn on a slot.

    admitted : number of members admitted without a check of the memory, if none needs more than usual
    room : returns True if there is memory for one more, given the bytes of it and of the admitted members that have not
        settled yet. Called for each member beyond `admitted`, and for one that needs more than usual and would not be
        alone. None for no room
    Not locked: the caller holds the lock that guards it; `moved` is also called under that lock.
    """

    def __init__(self, slots: int, admitted: int, room: Callable[[int], bool] | None = None) -> None:
        self.slots, self.least, self._room = slots, admitted, room
        self._unsettled: set[Seat] = set()
        self._crowded = False
        self._line: list[Seat] = []
        self._admitted: set[Seat] = set()
        self._ready: deque[Seat] = deque()
        self._computing: set[Seat] = set()

    def enter(self, member: "Seat") -> None:
        """Admit a member, or put it at the end of the queue. Each call checks if there is room by now."""
        if member not in self._admitted and member not in self._line:
            self._line.append(member)
            self._admit()
        elif self._line and self._may_admit(self._line[0]):
            self._admit()

    def leave(self, member: "Seat") -> None:
        """Give up slot, admission and place in the queue."""
        self.release(member)
        if member in self._line:
            self._line.remove(member)
        elif member in self._admitted:
            self._admitted.remove(member)
            self._unsettled.discard(member)
        else:
            return
        self._admit()

    def settle(self, member: "Seat") -> None:
        """Note that a member has allocated all that it needs: there may be room for another."""
        if member in self._unsettled:
            self._unsettled.remove(member)
            self._admit()

    def reconsider(self, member: "Seat") -> None:
        """Put a member back into the queue if there is no room for the memory that it is now known to need."""
        others = self._admitted - {member}
        if member not in self._unsettled or member.needs <= USUAL or not others or self._has_room(self._unsettled):
            return
        self.release(member)
        self._admitted.remove(member)
        self._unsettled.remove(member)
        self._line.append(member)
        self._admit()

    @property
    def admitted(self) -> int:
        """Number of admitted members."""
        return len(self._admitted)

    @property
    def waiting(self) -> int:
        """Number of queued members."""
        return len(self._line)

    @property
    def is_crowded(self) -> bool:
        """True if many take turns: each should then finish something within its turn."""
        ready = len(self._ready) + len(self._computing)
        self._crowded = ready > FEW if self._crowded else ready >= MANY
        return self._crowded

    @property
    def slice(self) -> float:
        """Seconds of a turn, which are fewer if more members take turns."""
        ready = len(self._ready) + len(self._computing)
        return min(SLICE, max(SHORTEST, ROUND * self.slots / max(1, ready)))

    def admits(self, member: "Seat") -> bool:
        """Return True if a member is admitted."""
        return member in self._admitted

    def place(self, member: "Seat") -> int:
        """Return the place in the queue, from 1; 0 for a member that is not queued."""
        return self._line.index(member) + 1 if member in self._line else 0

    def ask(self, member: "Seat", owner: "Seat | None" = None) -> bool:
        """Ask for a slot, using the admission of `owner` if given; return True if the member has the slot."""
        if (owner or member) in self._admitted and member not in self._computing and member not in self._ready:
            self._ready.append(member)
            self._serve()
        return member in self._computing

    def release(self, member: "Seat") -> None:
        """Give back the slot, or the request for one."""
        self._computing.discard(member)
        if member in self._ready:
            self._ready.remove(member)
        self._serve()

    def pass_on(self, member: "Seat") -> None:
        """Let ready members go first."""
        if self._ready:
            self.release(member)

    def _may_admit(self, member: "Seat") -> bool:
        if not self._admitted or (len(self._admitted) < self.least and member.needs <= USUAL):
            return True
        return self._has_room({*self._unsettled, member})

    def _has_room(self, members: "set[Seat]") -> bool:
        return self._room is not None and self._room(sum(member.needs for member in members))

    def _admit(self) -> None:
        called = []
        while self._line and self._may_admit(self._line[0]):
            called.append(member := self._line.pop(0))
            self._admitted.add(member)
            self._unsettled.add(member)
        for member in (*called, *self._line):
            member.moved()

    def _serve(self) -> None:
        while self._ready and len(self._computing) < self.slots:
            self._computing.add(member := self._ready.popleft())
            member.moved()
