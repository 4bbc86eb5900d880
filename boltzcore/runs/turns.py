"""Who computes: so many are admitted, the others wait in line; the admitted take turns on the slots."""

from collections import deque
from typing import Protocol


class Member(Protocol):
    """Who is admitted and takes turns."""

    def moved(self) -> None:
        """Its place in the line, or its turn, has changed."""
        ...


class Turns:
    """First come, first served, twice: for admission, and among the admitted for each turn on a slot.

    Not locked: whoever calls holds the lock that guards it; `moved` is called under that lock too.
    """

    def __init__(self, slots: int, admitted: int) -> None:
        self.slots, self.most = slots, admitted
        self._line: list[Member] = []
        self._admitted: set[Member] = set()
        self._ready: deque[Member] = deque()
        self._computing: set[Member] = set()

    def enter(self, member: Member) -> None:
        """Admit a member, or put it at the end of the line."""
        if member not in self._admitted and member not in self._line:
            self._line.append(member)
            self._admit()

    def leave(self, member: Member) -> None:
        """Give up slot, admission and place in the line."""
        self.release(member)
        if member in self._line:
            self._line.remove(member)
        elif member in self._admitted:
            self._admitted.remove(member)
        else:
            return
        self._admit()

    def admits(self, member: Member) -> bool:
        """Whether a member is admitted."""
        return member in self._admitted

    def place(self, member: Member) -> int:
        """Place in the line, from 1; 0 for who is not in it."""
        return self._line.index(member) + 1 if member in self._line else 0

    def ask(self, member: Member) -> bool:
        """Ask for a slot; whether the member has one."""
        if member in self._admitted and member not in self._computing and member not in self._ready:
            self._ready.append(member)
            self._serve()
        return member in self._computing

    def release(self, member: Member) -> None:
        """Give the slot, or the wish for one, back."""
        self._computing.discard(member)
        if member in self._ready:
            self._ready.remove(member)
        self._serve()

    def pass_on(self, member: Member) -> None:
        """Let those who are ready go first."""
        if self._ready:
            self.release(member)

    def _admit(self) -> None:
        called = self._line[: max(0, self.most - len(self._admitted))]
        del self._line[: len(called)]
        self._admitted.update(called)
        for member in (*called, *self._line):
            member.moved()

    def _serve(self) -> None:
        while self._ready and len(self._computing) < self.slots:
            self._computing.add(member := self._ready.popleft())
            member.moved()
