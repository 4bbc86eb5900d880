"""Corrective steps: J in the counts and visible biases while the hidden units stay as they are (concave)."""

import math

import numpy as np

from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.insertion.rows import Vector, WeightedRows, squares
from boltzcore.learners.insertion.search import PATH_POINTS
from boltzcore.learners.operations import product
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.models import InfiniteRBM
from boltzcore.ticks import Tick, idle

_HALVINGS, _FEW = 40, 10  # steps of a line search for a maximum, exactly and by samples
_CLOSE = 1e-3  # share of a step within which a line's top is near enough


class Reweighted:
    """J of a model as its counts and visible biases move, the units being as they are (concave).

    J = E_data log p - lambda/2 sum_i c_i |w_i|**2. Expectations under the model are sums over rows that were drawn from
    it at one place, or over all states: each row has the log-weight at which it was drawn, nought for all states.
    data : (n_units + n_visible,) what the data answer to each unit (`WeightedRows.answers`), and their means
    operations : multiplications and additions of what has been worked out of it so far
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
        """(J but for a constant, its gradient) at counts and biases, one after the other."""
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
        """(rows,) of the pool under the model with these counts and biases, summing to 1."""
        return normalised(self._moved(theta))

    def _moved(self, theta: Vector) -> Vector:
        """(rows,) log-weight of each under the model, less that at which it was drawn."""
        self._tick(0.0)
        moved: Vector = self._soft @ theta[: self.k] + self._v @ theta[self.k :] - self._drawn
        return moved

    def maximum(self, theta: Vector, recorder: Recorder = NOT_RECORDING) -> Vector:
        """Counts and biases at the largest J, by scipy's L-BFGS-B from these: for expectations that are exact."""
        from scipy.optimize import minimize  # a third of a second to import

        def falls(at: Vector) -> tuple[float, Vector]:
            value, gradient = self(at)
            return -value, -gradient

        bounds = [(0.0, None)] * self.k + [(None, None)] * (len(theta) - self.k)
        options = {"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-7}
        path = recorder.path(PATH_POINTS, theta, falls)
        found = minimize(falls, theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options, callback=path)
        self._count(found.nfev + 1)
        return found.x if -found.fun >= self(theta)[0] else theta

    def towards(self, theta: Vector, kept: float) -> Vector:
        """A step towards the largest J: Newton's for the counts and, apart from them, for each bias; as far as J rises
        and `kept` of the pool is left in effect.
        """
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
        """The count of one unit moved to where J is largest."""
        direction = np.zeros(len(theta))
        self._count()
        direction[i] = 1.0 if self(theta)[1][i] > 0 else -1.0
        return self.along(theta, direction, 1e6 if direction[i] > 0 else float(theta[i]), kept)

    def along_biases(self, theta: Vector, kept: float) -> Vector:
        """The visible biases moved along their gradient to where J is largest."""
        direction = self(theta)[1]
        self._count()
        direction[: self.k] = 0.0
        return self.along(theta, direction, 1e6, kept)

    def along(self, theta: Vector, direction: Vector, most: float, kept: float) -> Vector:
        """The farthest point along a direction, no farther than `most` times it, up to which J rises and that share of
        the pool is left in effect; counts stay at 0 where they would go below.
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

        step, last = min(1.0, most), 0.0
        while good(step):
            if step >= most:
                return at(most)
            last, step = step, min(2.0 * step, most)
        for _ in range(_FEW if kept else _HALVINGS):
            middle = 0.5 * (last + step)
            last, step = (middle, step) if good(middle) else (last, middle)
        return at(last)


def normalised(log_weight: Vector) -> Vector:
    """Weights that sum to 1, from their logarithms."""
    weight = exp_in_double(log_weight - log_weight.max())
    out: Vector = weight / weight.sum()
    return out


def step_while_rising(log_weight: Vector, moves: Vector, of_data: float, most: float, kept: float) -> float:
    """The largest step, `most` at most, up to which the likelihood rises along a line, on which it is concave.

    log_weight : (rows,) of what stands for the model; a step of 1 adds `moves` to it, and `of_data` to the mean of the
        data's
    kept : share of the rows that must be left in effect, 0 for all states
    """

    def good(step: float) -> bool:
        weight = normalised(log_weight + step * moves)
        if of_data < float((weight * moves).sum()):
            return False
        return not kept or effective(weight) >= kept * len(weight)

    if good(most):
        return most
    last, step = 0.0, most
    for _ in range(_HALVINGS):
        if step - last <= _CLOSE * step:
            break
        middle = 0.5 * (last + step)
        last, step = (middle, step) if good(middle) else (last, middle)
    return last


def effective(weight: Vector) -> float:
    """The effective sample size of weights that sum to 1."""
    return 1.0 / math.fsum(weight * weight)
