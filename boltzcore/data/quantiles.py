"""Numbers cut into bins of about as many rows each."""

from decimal import ROUND_CEILING, Context, Decimal
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray


def cut_points(values: NDArray[np.float64], bins: int) -> NDArray[np.float64]:
    """The increasing numbers, at most bins - 1, that end all bins but the last: a bin holds what is above the one
    before and up to its own. Equal numbers share a bin; where they are many, there are fewer bins, and none is empty.

    They cut nearest to the quantiles, the lower of two that are as near; each is the last number of its bin, rounded up
    as far as it still cuts there.
    """
    different, counts = np.unique(values, return_counts=True)
    below = counts.cumsum()[:-1]
    if not len(below):
        return np.empty(0)
    wanted = len(values) * np.arange(1, bins) / bins
    after = np.searchsorted(below, wanted).clip(max=len(below) - 1)
    before = (after - 1).clip(min=0)
    ends = np.unique(np.where(wanted - below[before] <= below[after] - wanted, before, after))
    pairs = zip(different[ends].tolist(), different[ends + 1].tolist(), strict=True)
    return np.array([_shortest(low, high) for low, high in pairs])


def _shortest(low: float, high: float) -> float:
    """`low`, rounded up to as few digits as keep it below `high`."""
    exact = Decimal(repr(low))
    up = (float(Context(prec=digits, rounding=ROUND_CEILING).plus(exact)) for digits in range(1, 18))
    return next(number for number in up if low <= number < high)


def bin_texts(points: NDArray[np.float64]) -> tuple[str, ...]:
    """What the bins between these numbers are called."""
    ends = [_text(point) for point in points.tolist()]
    if not ends:
        return ("any number",)
    between = [f"above {low} to {high}" for low, high in pairwise(ends)]
    return (f"up to {ends[0]}", *between, f"above {ends[-1]}")


def _text(number: float) -> str:
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
