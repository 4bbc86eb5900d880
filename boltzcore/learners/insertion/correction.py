"""Counts and visible biases after an insertion: eq. 10 of Ping, Liu and Ihler 2016, and our corrections.

Given the units, J = E_data log p - lambda/2 sum_i c_i |w_i|**2 is concave in the counts c and biases b. A step is as
long as J rises; with samples, only while the effective sample size of their importance weights suffices.
"""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.learners.insertion.sampler import Sampler, Vector, WeightedRows, squares
from boltzcore.learners.operations import product
from boltzcore.models import InfiniteRBM
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle, portion

LEAST_ALPHA = 0.01  # gradient steps keep alpha above this, so that no count is rounded to 0
LEAST_EFFECTIVE = 0.5  # effective share of the samples at which counts and biases stop moving


def with_parameters(model: InfiniteRBM, counts: NDArray, b: NDArray) -> InfiniteRBM:
    """Return the model with these counts and biases; counts with too large a sum are scaled down."""
    if (alpha := counts.sum(dtype=np.float64)) > MOST_UNITS:
        counts = counts * (0.9999 * MOST_UNITS / alpha)
    return InfiniteRBM(model.units, counts.astype(np.float32), b.astype(np.float32))


def ascend_biases(
    model: InfiniteRBM, target: Vector, sampler: Sampler, *, steps: int, batch: int, rate: float
) -> InfiniteRBM:
    """Return the model after the paper's steps on the visible biases (eq. 10).

    Each step follows a Gibbs step of the next `batch` chains. `target` is the mean of the data (n_visible,).
    """
    for k in range(steps):
        sampler.tick(0.4 + 0.6 * k / steps)
        states = sampler.states(model, sampler.run_batch(model, k, batch))
        sampler.operations += product(len(states.v), model.n_visible, 1)
        model = with_parameters(model, model.counts, model.b + rate * (target - states.mean))
    return model


def ascend_alpha_and_biases(
    model: InfiniteRBM, of_data: Vector, sampler: Sampler, *, steps: int, batch: int, rate: float
) -> InfiniteRBM:
    """Return the model after steps on alpha, the sum of the counts, each followed by a step on the biases.

    Given the units' shares, the likelihood is concave in alpha and the biases. A step along either gradient has the
    length of the rate, or ends at the maximum of the likelihood on its line. With samples it also ends when too few
    would stay effective. `of_data` as for `Reweighted`.
    """
    alpha, b, exact = model.alpha, model.b.astype(np.float64), sampler.exact
    share = model.counts.astype(np.float64) / alpha
    target, softplus_of_data = of_data[model.n_units :], math.fsum(share * of_data[: model.n_units])
    for k in range(steps):
        sampler.tick(0.4 + 0.6 * k / steps)
        part = sampler.run_batch(model, k, batch)
        if k == 0 or not exact:
            states = sampler.all_states if exact else sampler.states(model, part)
            softplus = np.zeros(len(states.v))
            for unit, part_of_alpha in zip(model.units, share, strict=True):
                softplus += part_of_alpha * states.softplus(unit[None])[:, 0]
            sampler.operations += product(len(states.v), model.n_visible + 1, model.n_units)
            log_weight = alpha * softplus + (states.v * b).sum(axis=1) if exact else np.zeros(len(states.v))
        sampler.operations += product(len(states.v), model.n_visible + 1, 2)

        slope = softplus_of_data - float((normalise(log_weight) * softplus).sum())
        up = 1.0 if slope > 0 else -1.0
        most = min(rate * abs(slope), 0.9999 * MOST_UNITS - alpha if slope > 0 else alpha - LEAST_ALPHA)
        if most > 0:
            step = up * step_while_rising(log_weight, up * softplus, up * softplus_of_data, most, exact)
            alpha, log_weight = alpha + step, log_weight + step * softplus

        slopes = target - dataclasses.replace(states, weight=normalise(log_weight)).mean
        moves = (states.v * slopes).sum(axis=1)
        step = step_while_rising(log_weight, moves, math.fsum(target * slopes), rate, exact)
        b, log_weight = b + step * slopes, log_weight + step * moves
        model = with_parameters(model, alpha * share, b)
    return model


def correct_counts(
    model: InfiniteRBM, of_data: Vector, sampler: Sampler, *, penalty: float, rounds: int
) -> InfiniteRBM:
    """Return the model after moving all counts and biases to the maximum of J.

    With chains it takes rounds: each goes as far as enough chains stay effective, then they run under the new model.
    `of_data` as for `Reweighted`.
    """
    for k in range(1 if sampler.exact else rounds):
        tick = portion(sampler.tick, 0.4 + 0.6 * k / rounds, 0.6 / rounds)
        problem = Reweighted(model, sampler.states(model), of_data, penalty, exact=sampler.exact, tick=tick)
        with one_for_blas():
            theta = problem.maximum() if sampler.exact else problem.newton_step()
        sampler.operations += problem.operations
        model = with_parameters(model, np.maximum(theta[: model.n_units], 0.0), theta[model.n_units :])
        if not sampler.exact:
            weight = problem.weights(theta)
            sampler.effective = min(sampler.effective, effective(weight) / len(weight))
            sampler.run(model, 1)
    return model


class Reweighted:
    """J of a model as a function of its counts and visible biases, theta, for fixed units (concave).

    Expectations under the model are sums over rows drawn from the given model, or over all states. A row's importance
    weight is relative to the log-weight under which it was drawn, 0 for all states.

    states : rows drawn from the model, or all states if `exact`
    of_data : (n_units + n_visible,) mean softplus of each unit over the data, and the means of the data
    theta : (n_units + n_visible,) counts and biases of the given model
    operations : multiplications and additions so far
    """

    def __init__(
        self,
        model: InfiniteRBM,
        states: WeightedRows,
        of_data: Vector,
        penalty: float,
        *,
        exact: bool,
        tick: Tick = idle,
    ) -> None:
        self.k, self._tick = model.n_units, tick
        self.theta = np.concatenate([model.counts, model.b]).astype(np.float64)
        self._v, self._soft = states.v.astype(np.float64), states.softplus(model.units, tick)
        self._linear = of_data - 0.5 * penalty * np.concatenate([squares(model.units), np.zeros(model.n_visible)])
        self.operations = product(len(states.v), model.n_visible + 1, self.k)
        self._drawn = np.zeros(len(states.v))
        if not exact:
            self._drawn = self._log_weights(self.theta)

    def __call__(self, theta: Vector) -> tuple[float, Vector]:
        """Return J up to a constant, and its gradient, at theta: counts, then biases."""
        log_weight = self._log_weights(theta)
        top = float(log_weight.max())
        weight = exp_in_double(log_weight - top)
        total = float(weight.sum())
        weight /= total
        gradient = self._linear - np.concatenate([weight @ self._soft, weight @ self._v])
        return float(self._linear @ theta) - top - math.log(total), gradient

    def _count(self, evaluations: int = 1) -> None:
        self.operations += evaluations * 4 * (self._v.size + self._soft.size)  # products in both directions

    def weights(self, theta: Vector) -> Vector:
        """Return the weights of the states under theta (rows,), which sum to 1."""
        return normalise(self._log_weights(theta))

    def _log_weights(self, theta: Vector) -> Vector:
        self._tick(0.0)
        moved: Vector = self._soft @ theta[: self.k] + self._v @ theta[self.k :] - self._drawn
        return moved

    def maximum(self) -> Vector:
        """Return argmax J by scipy's L-BFGS-B, for exact expectations."""
        from scipy.optimize import minimize  # importing it takes a third of a second

        def loss(theta: Vector) -> tuple[float, Vector]:
            value, gradient = self(theta)
            return -value, -gradient

        bounds = [(0.0, None)] * self.k + [(None, None)] * (len(self.theta) - self.k)
        options = {"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-7}
        found = minimize(loss, self.theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        self._count(found.nfev + 1)
        return found.x if -found.fun >= self(self.theta)[0] else self.theta

    def newton_step(self) -> Vector:
        """Return theta after a Newton step of the counts jointly and of each bias separately.

        The step is as long as J rises and the states stay effective. Counts that would fall below 0 are set to 0.
        """
        gradient, weight = self(self.theta)[1], self.weights(self.theta)
        self._count()
        soft = self._soft - weight @ self._soft
        mean = weight @ self._v
        direction = np.zeros(len(self.theta))
        direction[self.k :] = gradient[self.k :] / (mean * (1.0 - mean) + 0.01)
        free = np.flatnonzero((self.theta[: self.k] > 0) | (gradient[: self.k] > 0))
        if len(free):
            self._tick(0.0)
            self.operations += product(len(soft), len(free), len(free))
            covariance = (soft[:, free] * weight[:, None]).T @ soft[:, free]
            self._tick(0.0)
            ridge = 0.01 * np.trace(covariance) / len(free) + 1e-6
            direction[free] = np.linalg.solve(covariance + ridge * np.eye(len(free)), gradient[free])

        def at(step: float) -> Vector:
            moved = self.theta + step * direction
            moved[: self.k] = np.maximum(moved[: self.k], 0.0)
            return moved

        def is_good(step: float) -> bool:
            self._count()
            there = at(step)
            inside = np.ones(len(there), np.bool_)  # a count that has just reached 0 may have gone too far
            inside[: self.k] = self.theta[: self.k] + step * direction[: self.k] >= 0
            rises = float(self(there)[1][inside] @ direction[inside]) >= 0
            return rises and is_effective(self.weights(there))

        return at(largest_step(is_good, 1.0, halvings=10))


def normalise(log_weight: Vector) -> Vector:
    """Return weights that sum to 1, from their logarithms."""
    weight = exp_in_double(log_weight - log_weight.max())
    out: Vector = weight / weight.sum()
    return out


def step_while_rising(log_weight: Vector, moves: Vector, of_data: float, most: float, exact: bool) -> float:
    """Return the largest step, at most `most`, up to which the likelihood, concave along the line, rises.

    log_weight, moves : (rows,) log-weights of the model's rows, and their change by a step of 1
    of_data : change of the mean log-weight of the data by a step of 1
    exact : True if the rows are all states; otherwise they must stay effective
    """

    def is_good(step: float) -> bool:
        weight = normalise(log_weight + step * moves)
        return of_data >= float((weight * moves).sum()) and (exact or is_effective(weight))

    return largest_step(is_good, most, halvings=40, close=1e-3)


def largest_step(is_good: Callable[[float], bool], most: float, *, halvings: int, close: float = 0.0) -> float:
    """Return the largest good step, at most `most`, by bisection to the relative accuracy `close`."""
    low, high = most if is_good(most) else 0.0, most
    for _ in range(halvings):
        if high - low <= close * high:
            break
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_good(middle) else (low, middle)
    return low


def effective(weight: Vector) -> float:
    """Return the effective sample size of weights that sum to 1."""
    return 1.0 / math.fsum(weight * weight)


def is_effective(weight: Vector) -> bool:
    """Return True if enough of the samples with these weights are effective."""
    return effective(weight) >= LEAST_EFFECTIVE * len(weight)
