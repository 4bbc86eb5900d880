"""Counts and visible biases after an insertion, in plain numpy (eq. 10 of Ping, Liu and Ihler 2016; our corrections).

Given the units, J = <log p>_data - lambda/2 sum_i c_i |w_i|**2 is concave in theta = (c, b). A step is as long as J
rises; with samples, only while the effective sample size of the importance weights is at least half their number.
"""

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.special import softmax

from boltzcore.learners import FrankWolfe
from boltzcore.models.infinite import MOST_UNITS
from boltzcore.reference.draws import Array
from boltzcore.reference.fractional import Chains, FractionalRBM, WeightedStates, log
from boltzcore.reference.rbm import PhasesThen

EFFECTIVE = 0.5  # smallest share of the chains that stays effective
LEAST_ALPHA, MOST_ALPHA = 0.01, 0.9999 * MOST_UNITS


class Objective:
    """J(theta) - J(theta_0) and its derivatives, theta = (c, b), with <f>_model from states under theta_0.

    log p(v) = theta'F(v) - log Z, so a state's weight under theta is that under theta_0 times e**((theta - theta_0)'F).

    Parameters
    ----------
    model : FractionalRBM
        theta_0, and the units.
    target : array (k + n,)
        <F>_data, minus the penalty of each count.
    """

    def __init__(self, model: FractionalRBM, target: Array, states: WeightedStates) -> None:
        self.target, self._states, self.k = target, states, len(model.counts)
        self.theta = np.concatenate([model.counts, model.b])
        self.F = np.column_stack([np.logaddexp(0, states.v @ model.units.T), states.v[:, :-1]])
        self.least = np.where(np.arange(len(self.theta)) < self.k, 0.0, -np.inf)

    def log_weights(self, theta: Array) -> Array:
        """Return the log-weights (rows,) of the states under theta, up to a constant of theta."""
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
        theta: Array = minimize(
            lambda theta: (-self.gain(theta), -self.slope(theta)),
            self.theta,
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(self.least),
            options={"maxiter": 1_000, "ftol": 1e-12, "gtol": 1e-7},
        ).x
        return theta

    def newton_direction(self) -> Array:
        """Return the direction of a Newton step, joint for all counts that may move and separate for each bias."""
        slope, weight = self.slope(self.theta), self._states.weight
        mean = weight @ self.F
        direction = np.where(self.least == 0, 0, slope / (mean * (1 - mean) + 0.01))
        free = np.flatnonzero((self.least == 0) & ((self.theta > 0) | (slope > 0)))
        if len(free):
            F = self.F[:, free] - mean[free]
            covariance = (F.T * weight) @ F
            ridge = 0.01 * np.trace(covariance) / len(free) + 1e-6
            direction[free] = np.linalg.solve(covariance + ridge * np.eye(len(free)), slope[free])
        return direction

    def line_search(self, theta: Array, direction: Array, most: float, halvings: int, close: float = 0.0) -> Array:
        """Return theta + step direction, with the largest step <= most while J rises; counts that reach 0 stay 0.

        The step is bisected to the relative accuracy `close`.
        """

        def rises(step: float) -> bool:
            moved = theta + step * direction
            log_weight, inside = self.log_weights(np.maximum(moved, self.least)), moved >= self.least
            weight = softmax(log_weight)
            slope = ((self.target - weight @ self.F) * direction)[inside].sum()
            is_effective = self._states.exact or 1 / (weight @ weight) >= EFFECTIVE * len(weight)
            return bool(slope >= 0 and is_effective)

        step, too_far = most if rises(most) else 0.0, most
        for _ in range(halvings):
            if too_far - step > close * too_far:
                middle = (step + too_far) / 2
                step, too_far = (middle, too_far) if rises(middle) else (step, middle)
        return np.maximum(theta + step * direction, self.least)


def adjust_parameters(
    model: FractionalRBM, data: WeightedStates, chains: Chains, settings: FrankWolfe, penalty: float
) -> PhasesThen[FractionalRBM]:
    """Yield the steps of counts and biases after an insertion or an away step; return the final model."""
    softplus = data.mean_softplus(model.units)
    if settings.correction == "full":
        target = np.concatenate([softplus - penalty / 2 * (model.units**2).sum(axis=1), data.mean])
        return correct_counts(model, target, chains, settings)
    if settings.temperature == "gradient":
        return ascend_alpha_and_biases(model, np.concatenate([softplus, data.mean]), chains, settings)
    return ascend_biases(model, data.mean, chains, settings)


def correct_counts(
    model: FractionalRBM, target: Array, chains: Chains, settings: FrankWolfe
) -> PhasesThen[FractionalRBM]:
    """Yield the corrections of all counts and biases.

    With chains in rounds: a step as long as enough chains stay effective, then a Gibbs step of all of them.
    """
    for _ in range(1 if chains.exact else settings.rounds):
        J = Objective(model, target, chains.states(model))
        theta = J.maximum() if chains.exact else J.line_search(J.theta, J.newton_direction(), 1.0, halvings=10)
        yield "counts", {"counts": theta[: J.k], "b": theta[J.k :]}
        model = FractionalRBM(model.units, theta[: J.k], theta[J.k :])
        chains.run(model, 1)
    return model


def ascend_biases(model: FractionalRBM, mean: Array, chains: Chains, settings: FrankWolfe) -> PhasesThen[FractionalRBM]:
    """Yield steps b <- b + eta (<v>_data - <v>_model), eq. 10, each after a Gibbs step of the next M chains."""
    for k in range(settings.steps):
        batch = chains.batch(k, settings.M)
        chains.run(model, 1, batch)
        model = model._replace(b=model.b + settings.rate * (mean - chains.states(model, batch).mean))
        yield "biases", {"after": model.b}
    return model


def ascend_alpha_and_biases(
    model: FractionalRBM, target: Array, chains: Chains, settings: FrankWolfe
) -> PhasesThen[FractionalRBM]:
    """Yield steps along the gradient of alpha, then of b, as long as the rate or as the likelihood rises.

    d log p / d alpha = E_q <log(1 + e**(w'v))>_data - E_q <log(1 + e**(w'v))>_model (the paper's appendix).
    """
    q = np.append(model.counts / model.counts.sum(), 0 * model.b)
    for k in range(settings.steps):
        batch = chains.batch(k, settings.M)
        chains.run(model, 1, batch)
        J = Objective(model, target, chains.states(model, batch))
        alpha, theta, slope = model.counts.sum(), J.theta, q @ J.slope(J.theta)
        room = MOST_ALPHA - alpha if slope > 0 else alpha - LEAST_ALPHA
        if (most := min(settings.rate * abs(slope), room)) > 0:
            theta = J.line_search(theta, q * np.sign(slope), most, halvings=40, close=1e-3)
        of_biases = np.where(J.least == 0, 0, J.slope(theta))  # <v>_data - <v>_model
        theta = J.line_search(theta, of_biases, settings.rate, halvings=40, close=1e-3)
        model = FractionalRBM(model.units, theta[: J.k], theta[J.k :])
        yield "biases", {"after": model.b, "counts": model.counts}
    return model
