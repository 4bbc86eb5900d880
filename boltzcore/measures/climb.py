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


def climb(values: Sequence[float]) -> int | None:
    """Return the first index at which `SHARE` of the climb is reached.

    For log-likelihoods, which are negative, values[i] >= values[0] + .9 (best - values[0]) is how "the first epoch at
    90 % of the best" is to be read (Upadhya and Sastry 2017, section 5). None if no value is above the first.
    """
    if not values or not (best := max(values)) > values[0]:
        return None
    enough = values[0] + SHARE * (best - values[0])
    return next(i for i, value in enumerate(values) if value >= enough or value == best)


def flattened(records: Sequence[M], key: str) -> M | None:
    """Return the first record at which `SHARE` of the climb of the figure `key` is reached, once that climb is about
    over: the second half of the updates so far has added less than the rest of it. None while it climbs on. Records
    without the figure are passed over.

    Of a climb that goes on, any share is reached later than it seems: a curve that rises in a straight line would have
    had 90 % of its climb at 90 % of its updates, however many those are. One that decays exponentially to its top is
    known from 4.4 time constants on, within 5 % of where 90 % lies in the end.
    """
    known = [record for record in records if key in record.values]
    at = climb([record.values[key] for record in known])
    if at is None:
        return None
    first, last = records[0].count, records[-1].count
    return known[at] if 2 * (known[at].count - first) <= last - first else None
