"""The path of a search: few enough of its iterations to keep, and to draw."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def spread(n: int, most: int) -> list[int]:
    """At most `most` of the numbers 0..n - 1, evenly spaced, the first and the last among them."""
    return sorted({round(k * (n - 1) / max(1, most - 1)) for k in range(most)} if n > most else range(n))


class SearchPath:
    """The path of one of scipy's searches, as its callback.

    most : how many of its points are kept
    into : makes what is kept of a point of the search
    values : of the objective at the start and after each iteration
    """

    def __init__(self, most: int, start: Vector, value: float, into: Callable[[Vector], Vector] = np.copy) -> None:
        self._most, self._into, self._every = most, into, 1
        self._last = (0, into(start))
        self._kept = [self._last]
        self.values = [value]

    def __call__(self, intermediate_result: Any) -> None:
        """After an iteration; scipy hands over values where the callback's argument has this name."""
        iteration = len(self.values)
        self.values.append(float(intermediate_result.fun))
        self._last = iteration, self._into(intermediate_result.x)
        if iteration % self._every == 0:
            self._kept.append(self._last)
        if len(self._kept) > 2 * self._most:
            self._kept, self._every = self._kept[::2], 2 * self._every

    def points(self) -> list[tuple[int, Vector]]:
        """(iteration, point) at the start, at the end, and at some between."""
        kept = self._kept if self._kept[-1] is self._last else [*self._kept, self._last]
        return [kept[k] for k in spread(len(kept), self._most)]
