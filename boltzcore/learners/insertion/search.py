"""Search for the hidden unit that raises the likelihood most (Ping, Liu and Ihler 2016, eq. 9)."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import units as kernels
from boltzcore.learners.insertion.sampler import Vector, WeightedRows
from boltzcore.threads import one_for_blas, share
from boltzcore.ticks import Tick

_PART = 16  # blocks of rows in a task of a thread; sums are by task, so they do not depend on the threads


class Inner:
    """Objective that a new unit minimises (eq. 9).

    f(w) = lambda/2 |w|**2 + E_model log(1 + e**(w'v)) - E_data log(1 + e**(w'v)), minus the slope of the penalised
    likelihood in the new unit's count.
    """

    def __init__(self, model: WeightedRows, data: WeightedRows, penalty: float, tick: Tick) -> None:
        self.model, self.data, self.penalty, self._tick = model, data, penalty, tick
        self.rows = model.count + data.count
        self._sides = []
        for rows, sign in ((model, 1), (data, -1)):
            scale = np.zeros(rows.blocks.shape[::2], np.float32)
            scale.reshape(-1)[: len(rows.v)] = sign * rows.weight
            self._sides.append((rows.blocks, scale))

    def __call__(self, w: Vector) -> tuple[float, Vector]:
        """Return f and its gradient at weights w (n_visible + 1,), the last the hidden bias."""
        weights, value, gradient = w.astype(np.float32), 0.0, np.zeros(len(w))
        for blocks, scale in self._sides:
            parts = -(-len(blocks) // _PART)
            values, gradients = np.empty(parts), np.empty((parts, len(w)))

            def work(first: int, last: int, blocks=blocks, scale=scale, values=values, gradients=gradients) -> None:  # type: ignore[no-untyped-def]
                for k in range(first, last):
                    end = min((k + 1) * _PART, len(blocks))
                    values[k] = kernels.respond(blocks, weights, scale, k * _PART, end, gradients[k])

            self._tick(0.0)
            share(work, parts, 4)
            value += math.fsum(values)
            for each in gradients:
                gradient += each
        return value + 0.5 * self.penalty * math.fsum(w * w), gradient + self.penalty * w


@dataclass(frozen=True)
class Found:
    """Best result of some searches.

    unit : (n_visible + 1,) float32
    value : f there
    evaluations : number of evaluations of f and its gradient, in all searches
    """

    unit: NDArray[np.float32]
    value: float
    evaluations: int


def search_unit(inner: Inner, starts: Vector, iterations: int, ball: float) -> Found:
    """Return the best unit found by scipy's L-BFGS from each of the starts (starts, n_visible + 1).

    If `ball` is not 0, |w|**2 < ball: the search is over unconstrained u, with w = sqrt(ball) u / sqrt(1 + |u|**2).
    """
    from scipy.optimize import minimize  # importing it takes a third of a second

    radius = math.sqrt(ball)

    def length(u: Vector) -> float:
        return math.sqrt(1.0 + math.fsum(u * u))

    def weights(u: Vector) -> Vector:
        return radius / length(u) * u if ball else u

    def objective(u: Vector) -> tuple[float, Vector]:
        value, gradient = inner(weights(u))
        if ball:
            along = math.fsum(gradient * u) / length(u) ** 2
            gradient = radius / length(u) * (gradient - along * u)
        return value, gradient

    options = {"maxiter": iterations, "ftol": 1e-9, "gtol": 1e-6}
    ends = []
    for start in starts:
        with one_for_blas():
            end = minimize(objective, start, jac=True, method="L-BFGS-B", options=options)
        unit = weights(end.x).astype(np.float32)
        ends.append(Found(unit, inner(unit.astype(np.float64))[0], end.nfev + 1))
    best = min(ends, key=lambda found: found.value)
    return dataclasses.replace(best, evaluations=sum(found.evaluations for found in ends))
