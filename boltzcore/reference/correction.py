"""Counts and visible biases after an insertion, in plain numpy (eq. 10 of Ping, Liu and Ihler 2016; our corrections).

Given the units, J = <log p>_data - lambda/2 sum_i c_i |w_i|**2 is concave in theta = (c, b). Steps go along a line as
far as J rises; by chains, only as far as half of them stay effective under the model reached.
"""

from collections.abc import Callable, Generator

import numpy as np
from scipy.optimize import minimize

from boltzcore.learners import FrankWolfe
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.reference.draws import Array
from boltzcore.reference.fractional import Chains, FractionalRBM, WeightedStates, log, softmax

EFFECTIVE = 0.5  # least share of the chains that stay effective
LEAST_ALPHA, MOST_ALPHA = 0.01, 0.9999 * MOST_UNITS

Correction = Generator[tuple[str, dict[str, Array]], None, FractionalRBM]


class Objective:
    """J(theta) - J(theta_0) and its derivatives, theta = (c, b), with <f>_model from states under theta_0.

    log p(v) = theta'F(v) - log Z, so a state's weight under theta is that under theta_0 times e**((theta - theta_0)'F).

    Parameters
    ----------
    model : FractionalRBM
        theta_0, and the units.
    data, states : WeightedStates
    penalty : float
    exact : bool
        The states are all that there are.
    """

    def __init__(
        self, model: FractionalRBM, data: WeightedStates, states: WeightedStates, penalty: float, exact: bool
    ) -> None:
        self.k, self.exact, self._states = len(model.counts), exact, states
        self.theta = np.concatenate([model.counts, model.b])
        self.F = np.column_stack([np.logaddexp(0, states.v @ model.units.T), states.v[:, :-1]])
        price = penalty / 2 * (model.units**2).sum(axis=1)
        self.target = np.concatenate([data.mean_softplus(model.units) - price, data.mean])

    def log_weights(self, theta: Array) -> Array:
        """Return the log-weights (rows,) of the states under theta, but for a constant of theta."""
        log_weight: Array = log(self._states.weight) + self.F @ (theta - self.theta)
        return log_weight

    def gain(self, theta: Array) -> float:
        """Return J(theta) - J(theta_0)."""
        return float(self.target @ (theta - self.theta) - np.logaddexp.reduce(self.log_weights(theta)))

    def slope(self, theta: Array) -> Array:
        """Return dJ/dtheta."""
        slope: Array = self.target - softmax(self.log_weights(theta)) @ self.F
        return slope

    def maximum(self) -> Array:
        """Return argmax J with c >= 0, by scipy's L-BFGS-B from theta_0."""
        bounds = [(0, None) if i < self.k else (None, None) for i in range(len(self.theta))]
        options = {"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-7}

        def loss(theta: Array) -> tuple[float, Array]:
            return -self.gain(theta), -self.slope(theta)

        theta: Array = minimize(loss, self.theta, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
        return theta

    def newton_direction(self) -> Array:
        """Return the direction of a Newton step: all counts that may move, and each bias by itself."""
        slope, weight, counts = self.slope(self.theta), self._states.weight, self.theta[: self.k]
        mean = weight @ self.F
        direction = slope / (mean * (1 - mean) + 0.01)
        direction[: self.k] = 0
        free = np.flatnonzero((counts > 0) | (slope[: self.k] > 0))
        if len(free):
            F = self.F[:, free] - mean[free]
            covariance = (F.T * weight) @ F
            ridge = 0.01 * np.trace(covariance) / len(free) + 1e-6
            direction[free] = np.linalg.solve(covariance + ridge * np.eye(len(free)), slope[free])
        return direction

    def count_direction(self, i: int) -> tuple[Array, float]:
        """Return up or down along count i, as J rises, and how far that goes."""
        direction = np.zeros(len(self.theta))
        direction[i] = 1 if self.slope(self.theta)[i] > 0 else -1
        return direction, 1e6 if direction[i] > 0 else self.theta[i]

    def bias_direction(self, theta: Array) -> Array:
        """Return <v>_data - <v>_model as a direction of theta."""
        return np.where(np.arange(len(theta)) < self.k, 0, self.slope(theta))

    def line_search(self, theta: Array, direction: Array, most: float) -> Array:
        """Return theta + step direction, step <= most as large as J rises; a count stays at 0 when it gets there."""

        def at(step: float) -> Array:
            moved = theta + step * direction
            return np.where(np.arange(len(theta)) < self.k, np.maximum(moved, 0), moved)

        def rises(step: float) -> bool:
            inside = (theta + step * direction >= 0) | (np.arange(len(theta)) >= self.k)
            slope = (self.slope(at(step)) * direction)[inside].sum()
            return bool(slope >= 0 and (self.exact or _is_effective(softmax(self.log_weights(at(step))))))

        return at(largest_step(rises, most, first=1.0, halvings=40 if self.exact else 10))


def adjust_parameters(
    model: FractionalRBM, moved: int, data: WeightedStates, chains: Chains, settings: FrankWolfe, penalty: float
) -> Correction:
    """Yield the steps of counts and biases after the count of unit `moved` was set; return the model after them."""
    if settings.correction != "none":
        return correct_counts(model, moved, data, chains, settings, penalty)
    if settings.temperature == "gradient" and model.counts.any():
        return ascend_alpha_and_biases(model, data, chains, settings)
    return ascend_biases(model, data, chains, settings)


def correct_counts(
    model: FractionalRBM, moved: int, data: WeightedStates, chains: Chains, settings: FrankWolfe, penalty: float
) -> Correction:
    """Yield the corrections of all counts ("full"), or of the count that has moved and then of the biases ("line").

    By chains in rounds: a step as far as the chains allow, then a Gibbs step of all of them.
    """
    for _ in range(1 if chains.exact else settings.rounds):
        J = Objective(model, data, chains.states(model), penalty, chains.exact)
        if settings.correction == "line":
            direction, most = J.count_direction(moved)
            theta = J.line_search(J.theta, direction, most)
            at = np.linspace(0, 2 * max(J.theta[moved], theta[moved]) or 1, 33)
            along = [np.concatenate([J.theta[:moved], [count], J.theta[moved + 1 :]]) for count in at]
            yield "line", {"at": at, "J": np.array([J.gain(each) for each in along]), "after": theta[moved]}
            for _ in range(settings.rounds if chains.exact else 1):
                theta = J.line_search(theta, J.bias_direction(theta), 1e6)
                yield "biases", {"after": theta[J.k :]}
        else:
            theta = J.maximum() if chains.exact else J.line_search(J.theta, J.newton_direction(), 1.0)
            yield "counts", {"counts": np.maximum(theta[: J.k], 0), "b": theta[J.k :]}
        model = FractionalRBM(model.units, np.maximum(theta[: J.k], 0), theta[J.k :])
        chains.run(model, 1)
    return model


def ascend_biases(model: FractionalRBM, data: WeightedStates, chains: Chains, settings: FrankWolfe) -> Correction:
    """Yield steps b <- b + eta (<v>_data - <v>_model), eq. 10, each after a Gibbs step of the next batch of chains."""
    for k in range(settings.steps):
        batch = _batch(chains, settings, k)
        chains.run(model, 1, batch)
        model = model._replace(b=model.b + settings.rate * (data.mean - chains.states(model, batch).mean))
        yield "biases", {"after": model.b}
    return model


def ascend_alpha_and_biases(
    model: FractionalRBM, data: WeightedStates, chains: Chains, settings: FrankWolfe
) -> Correction:
    """Yield steps along the gradient of alpha, then of b, of the rate or as far as the likelihood rises.

    d log p / d alpha = E_q <log(1 + e**(w'v))>_data - E_q <log(1 + e**(w'v))>_model (the paper's appendix).
    """
    alpha, b = model.counts.sum(), model.b
    q = model.counts / alpha
    of_data = q @ data.mean_softplus(model.units)

    def step_while_rising(log_weight: Array, moves: Array, target: float, most: float) -> float:
        def rises(step: float) -> bool:
            weight = softmax(log_weight + step * moves)
            return bool(weight @ moves <= target and (chains.exact or _is_effective(weight)))

        return largest_step(rises, most, first=most, halvings=40, close=1e-3)

    for k in range(settings.steps):
        batch = _batch(chains, settings, k)
        chains.run(model, 1, batch)
        v, weight = chains.states(model, batch)
        softplus, log_weight = np.logaddexp(0, v @ model.units.T) @ q, log(weight)
        slope = of_data - weight @ softplus
        sign = 1 if slope > 0 else -1
        most = min(settings.rate * abs(slope), MOST_ALPHA - alpha if slope > 0 else alpha - LEAST_ALPHA)
        step = sign * step_while_rising(log_weight, sign * softplus, sign * of_data, most) if most > 0 else 0.0
        alpha, log_weight = alpha + step, log_weight + step * softplus

        slope = data.mean - softmax(log_weight) @ v[:, :-1]
        b = b + step_while_rising(log_weight, v[:, :-1] @ slope, data.mean @ slope, settings.rate) * slope
        model = FractionalRBM(model.units, alpha * q, b)
        yield "biases", {"after": b, "counts": model.counts}
    return model


def largest_step(
    is_good: Callable[[float], bool], most: float, *, first: float, halvings: int, close: float = 0.0
) -> float:
    """Return the largest good step, `most` at most: doubled from `first` while good, then by bisection."""
    good, step = 0.0, min(first, most)
    while is_good(step):
        if step >= most:
            return most
        good, step = step, min(2 * step, most)
    for _ in range(halvings):
        if step - good <= close * step:
            break
        middle = (good + step) / 2
        good, step = (middle, step) if is_good(middle) else (good, middle)
    return good


def _is_effective(weight: Array) -> bool:
    """Return True if the effective sample size 1 / sum_s weight_s**2 is at least half of the samples."""
    return bool(1 / (weight @ weight) >= EFFECTIVE * len(weight))


def _batch(chains: Chains, settings: FrankWolfe, k: int) -> slice:
    """Return which chains take part in step k: the next M of them."""
    batches = max(1, -(-len(chains.v) // settings.M))
    return slice(k % batches * settings.M, (k % batches + 1) * settings.M)
