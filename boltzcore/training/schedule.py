"""Length of a training, the times of its measurements, and its early stopping."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from boltzcore.parameters import Parameters, parameter

COSTS = ("operations", "work", "seconds")  # costs that a limit may count: each is a field of a record


@dataclass(frozen=True)
class Timetable:
    """Updates of one stage, counted from its start, after which a record is taken: at 0, after each `every`, and at the
    end. If `between` is not 0, also after 1, 2, 5, 10, 20, 50, ... units of the schedule below `between`, and then
    after each `between`.

    length, every, between : numbers of updates
    unit : updates in one unit of the schedule
    """

    length: int
    every: int
    between: int = 0
    unit: int = 1

    def after(self, count: int) -> int:
        """Return the update of the first record after `count`; at the end of the stage and beyond, the next record of a
        longer stage.
        """
        found = [(count // step + 1) * step for step in (self.every, self.between) if step]
        found += [each for each in self._first() if each > count][:1]
        return min(found) if count >= self.length else min(*found, self.length)

    def due(self, count: int) -> bool:
        """Return True if a record is taken after this number of updates."""
        return self.after(count - 1) == count

    def in_full(self, count: int) -> bool:
        """Return True if estimates in a record after this number of updates take all chains: after each `every`, and at
        the end; without records in between, always.
        """
        return not self.between or count == self.length or (count > 0 and count % self.every == 0)

    def left(self, count: int) -> int:
        """Return the number of records after update `count`."""
        return 0 if count >= self.length else self._regular(self.length - 1) + 1 - self._regular(count)

    def _regular(self, count: int) -> int:
        """Return the number of records up to an update before the end; -1 means before the start."""
        found = count // self.every + 1
        if self.between and count > 0:
            found += count // self.between - count // math.lcm(self.every, self.between)
            found += sum(each <= count and each % self.every > 0 for each in self._first())
        return found

    def _first(self) -> Iterator[int]:
        """Yield 1, 2, 5, 10, 20, 50, ... units, below `between`."""
        decade = self.unit
        while decade < self.between:
            yield from (step * decade for step in (1, 2, 5) if step * decade < self.between)
            decade *= 10


@dataclass(frozen=True, kw_only=True)
class Schedule(Parameters):
    """Length of a training and intervals of its measurements, in epochs or in updates.

    >>> from boltzcore import Schedule
    >>> Schedule(length=100, every=10).most_records
    11
    """

    seed: int = parameter(0, low=0, high=2**53, help="Seed of all random numbers of the training.")
    length: int = parameter(50, low=1, high=10_000_000, scale="log", help="Total number of epochs or updates.")
    unit: str = parameter("epochs", choices=("epochs", "updates"), help="Unit of the length and the intervals.")
    every: int = parameter(
        1,
        low=1,
        high=1_000_000,
        scale="log",
        help="Interval between measurements, in epochs or updates.",
        label="Measure every",
    )
    between: int = parameter(
        0,
        low=0,
        high=1_000_000,
        help="Additional measurements at this interval and, before the first, after 1, 2, 5, 10, 20, 50, ... Estimates "
        "in between are quick, and do not select the best state. 0 takes none.",
        label="Intermediate measurements",
    )
    patience: int = parameter(
        0,
        low=0,
        high=10_000,
        help="Stop early after this number of measurements in a row without a new best, on validation rows if there "
        "are any. 0 disables early stopping.",
    )
    gap_limit: float = parameter(
        0.0,
        low=0.0,
        high=1e6,
        help="Stop early once the free-energy gap between training and held-out rows has exceeded its smallest value "
        "by more than this, in nats, at three measurements in a row: the model overfits. 0 sets no limit.",
        label="Gap limit",
    )
    limit: int = parameter(
        0,
        low=0,
        high=2**53,
        help="End at the first update that reaches this cost, earlier stages included. 0 sets no limit.",
        label="Cost limit",
    )
    limit_unit: str = parameter("operations", choices=COSTS, help="Unit of the cost limit.", label="Cost unit")

    @property
    def most_records(self) -> int:
        """Largest number of records of a training."""
        return self.timetable().left(-1)

    def timetable(self, unit: int = 1) -> Timetable:
        """Return the updates after which a training is measured, with `unit` updates in one unit of the schedule."""
        return Timetable(self.length * unit, self.every * unit, self.between * unit, unit)
