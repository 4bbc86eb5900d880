"""PCD with parallel tempering in plain numpy (Desjardins et al. 2010, section 3), and parts of trajectory tempering."""

import numpy as np
from scipy.optimize import brentq

from boltzcore.learners import TemperedPCD
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Arrays, Phases, Step, Theta, difference, gibbs_steps, hidden_given_visible


def pt_update(
    theta: Theta, minibatch: Array, v: Array, base: Array, gibbs: Draws, swaps: Draws, settings: TemperedPCD, step: Step
) -> Phases:
    """Yield the phases of one update; the last phase has the new parameters.

    Each chain takes K Gibbs steps under the distribution of its rung,

        p_beta(v) ~ e**((1 - beta) base'v + beta b'v) prod_j (1 + e**(beta f_j)),  f = c + vW,

    then neighbouring rungs try to swap states: all even ones with those above them, then all odd ones. The model term
    of the gradient comes from the chains of the last rung, with beta = 1. The rungs lead from independent units to the
    model; with base = 0, p_beta would be e**(-beta E) as in the paper.

    Parameters
    ----------
    theta : tuple of arrays W (n, m), b (n,), c (m,)
        Parameters before the update.
    minibatch : array (rows, n) of 0 and 1
    v : array (rungs, C, n) of 0 and 1
        Chains; chain s of rung r draws from row r C + s.
    base : array (n,)
        Log-odds of the visible units at beta = 0.
    step : Step
        The step along the gradient.

    Phases: "data", "rungs", "gibbs", "swap", "difference", "new", with `v` of the chains, and `states`
    (rungs, C), the rung of each at the start of the update; for a swap see `swap_neighbours`.
    """
    W, b, c = theta
    (rungs, C, n), betas = v.shape, settings.ladder().astype(float)
    data = hidden_given_visible(minibatch, W, c)
    yield "data", data

    states = np.repeat(np.arange(rungs)[:, None], C, axis=1)
    yield "rungs", {"v": v, "states": states}
    *_, (_, end) = gibbs_steps(v.reshape(-1, n), W, b, c, gibbs, range(settings.K), np.repeat(betas, C)[:, None], base)
    v = end["v"].reshape(v.shape)
    yield "gibbs", {"v": v, "states": states}

    def log_p(v: Array, beta: Array) -> Array:  # + log Z; of v (pairs, C, n) and beta (pairs, 1)
        return (1 - beta) * (v @ base) + beta * (v @ b) + np.logaddexp(0, beta[..., None] * (c + v @ W)).sum(axis=-1)

    u = swaps.uniforms(rungs * C, 1).reshape(rungs, C)
    for first in (0, 1):
        r = np.arange(first, rungs - 1, 2)
        x, y, below, above = v[r], v[r + 1], betas[r, None], betas[r + 1, None]
        D = log_p(x, above) - log_p(x, below) + log_p(y, below) - log_p(y, above)
        swap = swap_neighbours(v, states, r, D, u[r])
        v, states = swap["v"], swap["states"]
        yield "swap", swap

    G = difference(data, hidden_given_visible(v[-1], W, c))
    yield "difference", G
    yield from step.ascend(theta, G)


def swap_neighbours(v: Array, states: Array, lower: Array, D: Array, u: Array) -> Arrays:
    """Return the phase in which chains of rungs r and r + 1 swap with probability min(1, e**D).

    x of rung r and y of rung r + 1 swap if log u < D = log p_r(y) p_(r+1)(x) / (p_r(x) p_(r+1)(y)).

    Parameters
    ----------
    v, states : arrays (rungs, C, n), (rungs, C)
        Chains, and the rungs where they started.
    lower : array (pairs,)
        Rungs r.
    D, u : arrays (pairs, C)
    """
    accepted = np.log(u, dtype=float) < D
    pair, chain = np.nonzero(accepted)
    order = np.repeat(np.arange(len(v))[:, None], v.shape[1], axis=1)
    order[lower[pair], chain], order[lower[pair] + 1, chain] = lower[pair] + 1, lower[pair]
    v, states = np.take_along_axis(v, order[..., None], 0), np.take_along_axis(states, order, 0)
    return {"v": v, "states": states, "lower": lower, "D": D, "u": u, "accepted": accepted}


def bennett(forward: Array, backward: Array) -> float:
    """Return log Z1 / Z0 of e**-F0 / Z0 and e**-F1 / Z1 (Bennett 1976).

    Parameters
    ----------
    forward, backward : arrays (samples,)
        F1 - F0 at samples of the first distribution, and F0 - F1 at as many samples of the second.
    """

    def excess(d: float) -> float:  # excess of accepted samples of the first distribution, at log Z0 / Z1 = d
        return float((1 / (1 + np.exp(forward - d))).sum() - (1 / (1 + np.exp(backward + d))).sum())

    ends = np.concatenate([forward, -backward])
    return float(-brentq(excess, ends.min(), ends.max(), xtol=1e-12))
