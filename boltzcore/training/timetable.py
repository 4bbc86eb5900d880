"""When a training is measured: after which of its updates, and after which of those in full."""

import math
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Timetable:
    """The updates of one stage, counted from its start, after which a record is taken: at 0, each time `every` have
    passed, and at its end. Where `between` is not 0, in between as well: after 1, 2, 5, 10, 20, 50, ... units of the
    schedule while `between` has not passed, then each time `between` have.

    length, every, between : in updates
    unit : updates in one unit of the schedule
    """

    length: int
    every: int
    between: int = 0
    unit: int = 1

    def after(self, count: int) -> int:
        """The update of the first record that comes later than `count`; at the end of the stage and beyond, the next
        that a longer one would take.
        """
        found = [(count // step + 1) * step for step in (self.every, self.between) if step]
        found += [each for each in self._first() if each > count][:1]
        return min(found) if count >= self.length else min(*found, self.length)

    def due(self, count: int) -> bool:
        """Whether a record is taken after so many updates."""
        return self.after(count - 1) == count

    def in_full(self, count: int) -> bool:
        """Whether a record after so many updates is one of those that an estimate takes its full effort for: each time
        `every` have passed, and at the end; where none is taken in between, all of them.
        """
        return not self.between or count == self.length or (count > 0 and count % self.every == 0)

    def left(self, count: int) -> int:
        """The number of records after update `count`."""
        return self._until(self.length) - self._until(count)

    def _until(self, count: int) -> int:
        """The number of records up to an update; -1 stands for before the start."""
        if count < 0:
            return 0
        last = min(count, self.length)
        found = 1 + last // self.every + (last == self.length and not self._known(last))
        if self.between:
            found += last // self.between - last // math.lcm(self.every, self.between)
            found += sum(each <= last and each % self.every > 0 for each in self._first())
        return found

    def _known(self, count: int) -> bool:
        """Whether a record would be taken here if the training did not end here."""
        return any(step and count % step == 0 for step in (self.every, self.between)) or count in self._first()

    def _first(self) -> Iterator[int]:
        """1, 2, 5, 10, 20, 50, ... units, below `between`."""
        decade = self.unit
        while decade < self.between:
            yield from (step * decade for step in (1, 2, 5) if step * decade < self.between)
            decade *= 10
