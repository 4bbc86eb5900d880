"""The search for the hidden unit that raises the likelihood most (Ping, Liu and Ihler 2016, eq. 9)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import units as kernels
from boltzcore.learners.insertion.rows import Vector, WeightedRows
from boltzcore.threads import one_for_blas, share
from boltzcore.ticks import Tick

_PART = 16  # blocks of rows in a task of a thread; sums go task by task, so they do not depend on the threads


class Inner:
    """The objective that a new unit minimises (eq. 9).

    f(w) = lambda/2 |w|**2 + E_model log(1 + e**(w'v)) - E_data log(1 + e**(w'v)), minus the slope of the penalised
    likelihood in the new unit's count.
    """

    def __init__(self, model: WeightedRows, data: WeightedRows, penalty: float, tick: Tick) -> None:
        self._sides = [(model.blocks, model.scale()), (data.blocks, -data.scale())]
        self.penalty, self._tick = penalty, tick
        self.rows = model.count + data.count

    def __call__(self, w: Vector) -> tuple[float, Vector]:
        """Return f and its gradient at weights w (n_visible + 1,), the last the hidden bias."""
        value, gradient = 0.0, np.zeros(len(w))
        for values, gradients in self._of_sides(w):
            value += math.fsum(values)
            for each in gradients:
                gradient += each
        return value + 0.5 * self.penalty * math.fsum(w * w), gradient + self.penalty * w

    def _of_sides(self, w: Vector) -> Iterator[tuple[Vector, Vector]]:
        """Yield f (parts,) and its gradient (parts, n_visible + 1) of parts of the model's rows, then of the data's."""
        weights = w.astype(np.float32)
        for blocks, scale in self._sides:
            parts = -(-len(blocks) // _PART)
            values, gradients = np.empty(parts), np.empty((parts, len(w)))

            def work(first: int, last: int, blocks=blocks, scale=scale, values=values, gradients=gradients) -> None:  # type: ignore[no-untyped-def]
                for k in range(first, last):
                    end = min((k + 1) * _PART, len(blocks))
                    values[k] = kernels.respond(blocks, weights, scale, k * _PART, end, gradients[k])

            self._tick(0.0)
            share(work, parts, 4)
            yield values, gradients


@dataclass(frozen=True)
class Found:
    """End of a search: the unit, f at the start (`before`) and at the end (`after`), and the number of evaluations."""

    unit: NDArray[np.float32]
    before: float
    after: float
    evaluations: int = 0


def search_units(inner: Inner, starts: NDArray[np.float64], iterations: int, ball: float) -> list[Found]:
    """Return the optimum of scipy's L-BFGS from each start, within |w|**2 <= ball if that is not 0."""
    from scipy.optimize import minimize  # a third of a second to import

    def bounded(u: Vector) -> tuple[float, Vector]:
        w, back = _into(u, ball)
        value, gradient = inner(w)
        return value, back(gradient)

    def weights(u: Vector) -> Vector:
        return _into(u, ball)[0] if ball else u.copy()

    objective = bounded if ball else inner
    options = {"maxiter": iterations, "ftol": 1e-9, "gtol": 1e-6}
    ends = []
    for start in starts:
        before = inner(weights(start))[0]
        with one_for_blas():
            found = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
        w = weights(found.x).astype(np.float32)
        ends.append(Found(w, before, inner(w.astype(np.float64))[0], found.nfev + 2))
    return ends


def best_of(ends: list[Found]) -> Found:
    """Return the search that led to the least f."""
    return min(ends, key=lambda found: found.after)


def _into(u: Vector, ball: float) -> tuple[Vector, Callable[[Vector], Vector]]:
    """Return the point in the ball |w|**2 < ball for u in all of space, and the map of gradients back."""
    length = math.sqrt(1.0 + math.fsum(u * u))
    radius = math.sqrt(ball)
    w = radius / length * u

    def back(gradient: Vector) -> Vector:
        along = math.fsum(gradient * u) / length**2
        return radius / length * (gradient - along * u)

    return w, back
