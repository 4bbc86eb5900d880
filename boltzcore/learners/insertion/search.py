"""The search for the hidden unit that raises the likelihood most (Ping, Liu and Ihler 2016, eq. 9)."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import units as kernels
from boltzcore.learners.insertion.rows import Vector, WeightedRows
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.threads import one_for_blas, share
from boltzcore.ticks import Tick

PATH_POINTS = 32  # of a search, that are recorded
_PART = 16  # blocks of rows that one thread takes: sums are taken part by part, on any number of threads


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
        """(value, gradient) at weights w (n_visible + 1,), the last the hidden bias."""
        value, gradient = 0.0, np.zeros(len(w))
        for values, gradients in self._of_sides(w):
            value += math.fsum(values)
            for each in gradients:
                gradient += each
        return value + 0.5 * self.penalty * math.fsum(w * w), gradient + self.penalty * w

    def sides(self, w: Vector) -> list[tuple[float, Vector]]:
        """(value, gradient) of each expectation: of the model's, and of minus the data's."""
        return [(math.fsum(values), gradients.sum(axis=0)) for values, gradients in self._of_sides(w)]

    def _of_sides(self, w: Vector) -> Iterator[tuple[Vector, Vector]]:
        """(values (parts,), gradients (parts, n_visible + 1)) of parts of the rows: the model's, then the data's."""
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
    """The unit that a search ended at, the inner objective at its start (`before`) and its end (`after`), and how often
    it was evaluated.
    """

    unit: NDArray[np.float32]
    before: float
    after: float
    evaluations: int = 0


def search_units(
    inner: Inner, starts: NDArray[np.float64], iterations: int, ball: float, recorder: Recorder = NOT_RECORDING
) -> list[Found]:
    """The optimum that scipy's L-BFGS finds from each start; within |w|**2 <= ball where that is not 0."""
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
        path = recorder.path(PATH_POINTS, start, objective, weights)
        with one_for_blas():
            found = minimize(objective, start, jac=True, method="L-BFGS-B", options=options, callback=path)
        w = weights(found.x).astype(np.float32)
        ends.append(Found(w, before, inner(w.astype(np.float64))[0], found.nfev + 2))
    return ends


def best_of(ends: list[Found]) -> Found:
    """The search that led to the least inner objective."""
    return min(ends, key=lambda found: found.after)


def _into(u: Vector, ball: float) -> tuple[Vector, Callable[[Vector], Vector]]:
    """(all of space mapped into the ball |w|**2 < ball, how a gradient comes back)."""
    length = math.sqrt(1.0 + math.fsum(u * u))
    radius = math.sqrt(ball)
    w = radius / length * u

    def back(gradient: Vector) -> Vector:
        along = math.fsum(gradient * u) / length**2
        return radius / length * (gradient - along * u)

    return w, back
