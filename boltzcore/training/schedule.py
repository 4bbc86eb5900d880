"""The length of a training, how often it is measured, and when it may end early."""

from dataclasses import dataclass

from boltzcore.parameters import Parameters, parameter
from boltzcore.training.timetable import Timetable

COSTS = ("operations", "work", "seconds")  # what a limit counts: each is a field of a record


@dataclass(frozen=True)
class Schedule(Parameters):
    """The length of a training and how often it is measured, in epochs or in updates."""

    seed: int = parameter(0, low=0, high=2**53, help="Every random number of the training follows from it.")
    length: int = parameter(50, low=1, high=10_000_000, scale="log", help="Epochs (or updates) in the whole training.")
    unit: str = parameter("epochs", choices=("epochs", "updates"), help="The unit of the length and the intervals.")
    every: int = parameter(
        1,
        low=1,
        high=1_000_000,
        scale="log",
        help="A record is taken each time this many epochs (or updates) have passed.",
        label="Measure every",
    )
    between: int = parameter(
        0,
        low=0,
        high=1_000_000,
        help="Measure in between, too: after 1, 2, 5, 10, 20, 50, ... while fewer than this many have passed, then "
        "each time this many have, for a training shows most at its beginning. 0 measures at no other time.",
        label="And in between every",
    )
    patience: int = parameter(
        0,
        low=0,
        high=10_000,
        help="Stop early once this many measurements in a row have brought no new best of what judges the model, on "
        "validation rows where the data have any. 0 never stops early.",
    )

    gap_limit: float = parameter(
        0.0,
        low=0.0,
        high=1e6,
        help="Stop early once the free-energy gap between training and held-out rows has risen by more than this many "
        "nats above its smallest value: the model overfits. 0 sets no limit.",
        label="Gap limit",
    )
    gap_patience: int = parameter(
        3,
        low=1,
        high=10_000,
        help="How many measurements in a row must find the gap above its limit before the training ends.",
        label="Gap patience",
    )

    limit: int = parameter(
        0,
        low=0,
        high=2**53,
        help="End at the first update at which the training has cost this much, its earlier stages included. 0 sets no "
        "limit.",
        label="Cost limit",
    )
    limit_unit: str = parameter("operations", choices=COSTS, help="What the cost limit counts.", label="Limit counts")

    @property
    def most_records(self) -> int:
        """Records that a training takes at most."""
        return self.timetable().left(-1)

    def timetable(self, unit: int = 1) -> Timetable:
        """When a training is measured, in updates; `unit` is how many are in one of the schedule's unit."""
        return Timetable(self.length * unit, self.every * unit, self.between * unit, unit)
