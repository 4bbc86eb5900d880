"""The epoch at which a training has made 90 % of its climb."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

SHARE = 0.9


class Measured(Protocol):
    """A record of a training, as far as it matters here."""

    @property
    def count(self) -> int: ...

    @property
    def values(self) -> Mapping[str, float]: ...


M = TypeVar("M", bound=Measured)


def climb(values: Sequence[float], share: float = SHARE) -> int | None:
    """The first index at which `share` of the climb is reached: values[i] >= values[0] + share * (best - values[0]).

    For log-likelihoods, which are negative, this is how "the first epoch at 90 % of the best" is to be read
    (Upadhya and Sastry 2017, section 5). None where no value is above the first.
    """
    if not values or not (best := max(values)) > values[0]:
        return None
    enough = values[0] + share * (best - values[0])
    return next(i for i, value in enumerate(values) if value >= enough or value == best)


def climbed(records: Sequence[M], key: str, share: float = SHARE) -> M | None:
    """The first record at which `share` of the climb of the figure `key` is reached; records without it are passed
    over.
    """
    known = [record for record in records if key in record.values]
    at = climb([record.values[key] for record in known], share)
    return None if at is None else known[at]


def flattened(records: Sequence[M], key: str) -> M | None:
    """The first record at which `SHARE` of the climb of the figure `key` is reached, once that climb is about over:
    the second half of the updates so far has added less than the rest of it. None while it climbs on.

    Of a climb that goes on, any share is reached later than it seems: a curve that rises in a straight line would have
    had 90 % of its climb at 90 % of its updates, however many those are. One that decays exponentially to its top is
    known from 4.4 time constants on, within 5 % of where 90 % lies in the end.
    """
    reached = climbed(records, key, SHARE)
    if reached is None:
        return None
    first, last = records[0].count, records[-1].count
    return reached if 2 * (reached.count - first) <= last - first else None
