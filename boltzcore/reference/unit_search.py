"""Search for a hidden unit in plain numpy, by scipy's L-BFGS (Ping, Liu and Ihler 2016, eq. 9)."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from boltzcore.kernels.random import UNIT, normal_in_double
from boltzcore.learners import FrankWolfe
from boltzcore.reference.draws import Array
from boltzcore.reference.fractional import WeightedStates
from boltzcore.reference.rbm import Arrays, PhasesThen


class InnerObjective(NamedTuple):
    """f(w) = lambda/2 |w|**2 + <log(1 + e**(w'v))>_model - <log(1 + e**(w'v))>_data, eq. 9.

    Minus f(w) is the derivative of J, the likelihood minus the penalty, in the count of a new unit w.
    """

    data: WeightedStates
    model: WeightedStates
    penalty: float

    def value(self, w: Array) -> Array:
        """Return f(w) for w (n + 1,), or for several (k, n + 1)."""
        return self.penalty / 2 * (w**2).sum(axis=-1) + self.model.mean_softplus(w) - self.data.mean_softplus(w)

    def pulls(self, w: Array) -> Arrays:
        """Return <v p>_data, <v p>_model and lambda w, with p = sigma(w'v), and the resulting slope -df/dw."""
        of_data, of_model = ((each.weight * expit(each.v @ w)) @ each.v for each in (self.data, self.model))
        slope = of_data - of_model - self.penalty * w
        return {"data_pull": of_data, "model_pull": of_model, "price_pull": self.penalty * w, "slope": slope}


def random_starts(n: int, settings: FrankWolfe, seed: int, update: int) -> Array:
    """Return (restarts, n + 1) weights w = sigma z, z standard normal."""
    first, sigma = update * settings.restarts, settings.sigma
    return np.array([normal_in_double(n + 1, sigma, seed, UNIT, first + k) for k in range(settings.restarts)])


def search_path(f: InnerObjective, start: Array, iterations: int, ball: float) -> list[Array]:
    """Return w at the start and after each iteration of L-BFGS; |w|**2 < ball if that is not 0.

    In the ball the search is over unconstrained u, with w = sqrt(ball) u / sqrt(1 + |u|**2).
    """

    def weights(u: Array) -> Array:
        return np.sqrt(ball / (1 + u @ u)) * u if ball else u

    def objective(u: Array) -> tuple[Array, Array]:
        w = weights(u)
        gradient = -f.pulls(w)["slope"]
        if ball:
            gradient = np.sqrt(ball / (1 + u @ u)) * (gradient - gradient @ u / (1 + u @ u) * u)
        return f.value(w), gradient

    path, options = [start.copy()], {"maxiter": iterations, "ftol": 1e-9, "gtol": 1e-6}
    minimize(objective, start, jac=True, method="L-BFGS-B", options=options, callback=lambda u: path.append(u.copy()))
    return [weights(u) for u in path]


def search_unit(f: InnerObjective, starts: Array, iterations: int, ball: float) -> PhasesThen[Arrays]:
    """Yield the starts, and each point on the path to the smallest f.

    Returns
    -------
    found : dict of str to array
        `unit`, w* (n + 1,); `ended`, w at the end of each search; `curve`, f along the path to w*.
    """
    paths = [search_path(f, start, iterations, ball) for start in starts]
    yield "start", {"w": np.array([path[0] for path in paths])}
    best = min(paths, key=lambda path: f.value(path[-1]))
    curve = f.value(np.array(best))
    for iteration, w in enumerate(best):
        yield "search", {"iteration": np.array(iteration), "w": w, "objective": curve[iteration], **f.pulls(w)}
    return {"unit": best[-1], "ended": np.array([path[-1] for path in paths]), "curve": curve}
