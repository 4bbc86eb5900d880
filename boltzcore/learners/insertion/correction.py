"""Corrective steps: J in the counts and visible biases while the hidden units stay as they are (concave)."""

import math
from collections.abc import Callable

import numpy as np

from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.insertion.rows import Vector, WeightedRows, squares
from boltzcore.learners.operations import product
from boltzcore.models import InfiniteRBM
from boltzcore.ticks import Tick, idle

_HALVINGS, _FEW = 40, 10  # bisections of a line search, with exact expectations and with samples
_CLOSE = 1e-3  # relative accuracy of `step_while_rising`


class Reweighted:
    """J of a model as its counts and visible biases move, the units being as they are (concave).

    J = E_data log p - lambda/2 sum_i c_i |w_i|**2. Expectations under the model are sums over rows that were drawn from
    the model given, or over all states: each row has the log-weight at which it was drawn, 0 for all states.

    Parameters
    ----------
    model : InfiniteRBM
    pool : WeightedRows
        Rows of the model.
    data : array (n_units + n_visible,)
        Mean softplus of each unit over the data, and the means of the data.
    penalty : float
    exact : bool
        The pool has all states.

    Attributes
    ----------
    operations : int
        Multiplications and additions so far.
    """

    def __init__(
        self, model: InfiniteRBM, pool: WeightedRows, data: Vector, penalty: float, *, exact: bool, tick: Tick = idle
    ) -> None:
        self._tick = tick
        self._v, self._soft = pool.v.astype(np.float64), pool.softplus(model.units, tick)
        self._linear = data - 0.5 * penalty * np.concatenate([squares(model.units), np.zeros(model.n_visible)])
        self.k = model.n_units
        self.operations = product(len(pool.v), model.n_visible + 1, self.k)
        theta = np.concatenate([model.counts, model.b]).astype(np.float64)
        drawn = np.zeros(len(theta)) if exact else theta
        self._drawn: Vector = self._soft @ drawn[: self.k] + self._v @ drawn[self.k :]

    def __call__(self, theta: Vector) -> tuple[float, Vector]:
        """Return J up to a constant, and its gradient, at theta: counts, then biases."""
        log_weight = self._moved(theta)
        top = float(log_weight.max())
        weight = exp_in_double(log_weight - top)
        total = float(weight.sum())
        weight /= total
        gradient = self._linear - np.concatenate([weight @ self._soft, weight @ self._v])
        return float(self._linear @ theta) - top - math.log(total), gradient

    def _count(self, evaluations: int = 1) -> None:
        self.operations += evaluations * 4 * (self._v.size + self._soft.size)  # products there and back

    def weights(self, theta: Vector) -> Vector:
        """Return the weights of the pool under theta (rows,), which sum to 1."""
        return normalised(self._moved(theta))

    def _moved(self, theta: Vector) -> Vector:
        """Return the log-weights of the pool under theta, less those at which its rows were drawn (rows,)."""
        self._tick(0.0)
        moved: Vector = self._soft @ theta[: self.k] + self._v @ theta[self.k :] - self._drawn
        return moved

    def maximum(self, theta: Vector) -> Vector:
        """Return argmax J by scipy's L-BFGS-B from theta, for exact expectations."""
        from scipy.optimize import minimize  # a third of a second to import

        def falls(at: Vector) -> tuple[float, Vector]:
            value, gradient = self(at)
            return -value, -gradient

        bounds = [(0.0, None)] * self.k + [(None, None)] * (len(theta) - self.k)
        options = {"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-7}
        found = minimize(falls, theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        self._count(found.nfev + 1)
        return found.x if -found.fun >= self(theta)[0] else theta

    def newton_step(self, theta: Vector, kept: float) -> Vector:
        """Return theta after a Newton step of the counts and, apart from them, of each bias; see `along`."""
        gradient = self(theta)[1]
        self._count()
        weight = self.weights(theta)
        soft = self._soft - weight @ self._soft
        mean = weight @ self._v
        direction = np.zeros(len(theta))
        direction[self.k :] = gradient[self.k :] / (mean * (1.0 - mean) + 0.01)
        free = np.flatnonzero((theta[: self.k] > 0) | (gradient[: self.k] > 0))
        if len(free):
            self._tick(0.0)
            self.operations += product(len(soft), len(free), len(free))
            covariance = (soft[:, free] * weight[:, None]).T @ soft[:, free]
            self._tick(0.0)
            ridge = 0.01 * np.trace(covariance) / len(free) + 1e-6
            direction[free] = np.linalg.solve(covariance + ridge * np.eye(len(free)), gradient[free])
        return self.along(theta, direction, 1.0, kept)

    def along_count(self, theta: Vector, i: int, kept: float) -> Vector:
        """Return theta with the count of a unit where J is largest."""
        direction = np.zeros(len(theta))
        self._count()
        direction[i] = 1.0 if self(theta)[1][i] > 0 else -1.0
        return self.along(theta, direction, 1e6 if direction[i] > 0 else float(theta[i]), kept)

    def along_biases(self, theta: Vector, kept: float) -> Vector:
        """Return theta with the biases moved along their gradient to where J is largest."""
        direction = self(theta)[1]
        self._count()
        direction[: self.k] = 0.0
        return self.along(theta, direction, 1e6, kept)

    def along(self, theta: Vector, direction: Vector, most: float, kept: float) -> Vector:
        """Return the farthest point along a direction, `most` times it at most, up to which J rises and a share `kept`
        of the pool stays effective. Counts that would fall below 0 stay there.
        """

        def at(step: float) -> Vector:
            moved = theta + step * direction
            moved[: self.k] = np.maximum(moved[: self.k], 0.0)
            return moved

        def good(step: float) -> bool:
            self._count()
            there = at(step)
            inside = np.ones(len(theta), np.bool_)  # a count that has just come to 0 may have gone too far
            inside[: self.k] = theta[: self.k] + step * direction[: self.k] >= 0
            if float(self(there)[1][inside] @ direction[inside]) < 0:
                return False
            return not kept or effective(self.weights(there)) >= kept * len(self._drawn)

        return at(largest_step(good, most, first=1.0, halvings=_FEW if kept else _HALVINGS))


def normalised(log_weight: Vector) -> Vector:
    """Return weights that sum to 1, from their logarithms."""
    weight = exp_in_double(log_weight - log_weight.max())
    out: Vector = weight / weight.sum()
    return out


def step_while_rising(log_weight: Vector, moves: Vector, of_data: float, most: float, kept: float) -> float:
    """Return the largest step, `most` at most, up to which the likelihood rises along a line, on which it is concave.

    Parameters
    ----------
    log_weight, moves : arrays (rows,)
        Of the model's rows, and what a step of 1 adds to it.
    of_data : float
        What a step of 1 adds to the mean over the data.
    kept : float
        Share of the rows that must stay effective, 0 for all states.
    """

    def good(step: float) -> bool:
        weight = normalised(log_weight + step * moves)
        if of_data < float((weight * moves).sum()):
            return False
        return not kept or effective(weight) >= kept * len(weight)

    return largest_step(good, most, first=most, halvings=_HALVINGS, close=_CLOSE)


def largest_step(
    is_good: Callable[[float], bool], most: float, *, first: float, halvings: int, close: float = 0.0
) -> float:
    """Return the largest good step, `most` at most: doubled from `first` while good, then by bisection."""
    last, step = 0.0, min(first, most)
    while is_good(step):
        if step >= most:
            return most
        last, step = step, min(2.0 * step, most)
    for _ in range(halvings):
        if step - last <= close * step:
            break
        middle = 0.5 * (last + step)
        last, step = (middle, step) if is_good(middle) else (last, middle)
    return last


def effective(weight: Vector) -> float:
    """Return the effective sample size of weights that sum to 1."""
    return 1.0 / math.fsum(weight * weight)
