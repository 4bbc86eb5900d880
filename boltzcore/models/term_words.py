"""Terms of a log-linear model in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.names import Names, column_names
from boltzcore.quoting import cut

_NAME, _TEXT = 24, 24  # largest number of characters of a column's name, and of a category's
_SWITCH = ("off", "on")  # values of a binary variable without names
_VALUES = 3  # values of a variable that are listed individually


def case(y: NDArray[np.int64], sign: float, cardinalities: ArrayLike, names: Names | None = None) -> str:
    """Return the condition under which a term's function has this sign: "A and C agree".

    The function is the product of the local functions of its variables (eq. 3), each +1 at some values and -1 at
    others: it is -1 if an odd number of variables has one of the latter.
    """
    events = _events(y, cardinalities, names)
    if len(events) == 1:
        return events[0].positive if sign > 0 else events[0].negative
    if events[0].values and len({each.values for each in events}) == 1:
        return _joint_event(events, sign)
    listed = "; ".join(each.positive for each in events)
    if len(events) == 2:
        return f"{'both or neither' if sign > 0 else 'exactly one'} of: {listed}"
    even = (sign > 0) == (len(events) % 2 == 0)
    return f"an {'even' if even else 'odd'} number of: {listed}"


def _events(y: NDArray[np.int64], cardinalities: ArrayLike, names: Names | None) -> list["_Event"]:
    sizes = np.asarray(cardinalities).tolist()
    columns = column_names(names, len(sizes))
    texts, depends = names.categories if names and names.categories else [()] * len(sizes), np.flatnonzero(y).tolist()
    return [_Event.from_variable(cut(columns[i], _NAME), int(y[i]), sizes[i], texts[i]) for i in depends]


def _joint_event(events: Sequence["_Event"], sign: float) -> str:
    """Return the condition for variables that all have the same two values."""
    subjects, second = [each.subject for each in events], events[0].values[1]
    if len(events) == 2:
        return f"{subjects[0]} and {subjects[1]} {'agree' if sign > 0 else 'differ'}"
    return f"an {'even' if sign > 0 else 'odd'} number of {', '.join(subjects)} is {second}"


@dataclass(frozen=True)
class _Event:
    """A variable with the values at which its local function is +1, and those at which it is -1, in words.

    values : both values of a binary variable; several variables with the same two values agree or differ
    """

    subject: str
    positive: str
    negative: str
    values: tuple[str, ...] = ()

    @classmethod
    def from_variable(cls, subject: str, digit: int, size: int, texts: Sequence[str]) -> "_Event":
        if size & (size - 1):  # eq. 5: +1 at one value, -1 at all others
            one = _value(digit, texts)
            return cls(subject, f"{subject} is {one}", f"{subject} is not {one}")
        if size == 2:
            both = (_value(0, texts), _value(1, texts)) if texts else _SWITCH
            return cls(subject, f"{subject} is {both[0]}", f"{subject} is {both[1]}", both)
        # eq. 4: a row of the Walsh-Hadamard matrix, +1 at half of the values
        positive, negative = (f"{subject} is {_any_of(_side(digit, odd, size), size // 2, texts)}" for odd in (0, 1))
        return cls(subject, positive, negative)


def _side(digit: int, odd: int, size: int) -> list[int]:
    """Return the first values at which a row of the Walsh-Hadamard matrix is +1 (`odd` 0) or -1 (1): one more than are
    listed. It is +1 below the lowest bit of `digit`, -1 up to twice that, and half of each pair of such blocks is +1.
    """
    first = range(odd * (digit & -digit), size)
    return list(islice((x for x in first if (x & digit).bit_count() % 2 == odd), _VALUES + 1))


def _any_of(codes: Sequence[int], count: int, texts: Sequence[str]) -> str:
    """Return some values of a variable in words; of many values, the first ones.

    codes : the first of `count`, one more than are listed of many
    """
    shown = codes[:_VALUES] if count > _VALUES + 1 else codes
    more = f" or one of {count - _VALUES:,} others" if len(shown) < count else ""
    return f"{' or '.join(_value(x, texts) for x in shown)}{more}"


def _value(code: int, texts: Sequence[str]) -> str:
    return cut(texts[code], _TEXT) if code < len(texts) else str(code)
