"""PCD with parallel tempering in plain numpy (Desjardins et al. 2010, section 3)."""

import numpy as np

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.exchanges import swap_neighbours
from boltzcore.reference.rbm import Phases, ascended, difference, gibbs_steps, hidden_given_visible


def pt_update(
    W: Array,
    b: Array,
    c: Array,
    minibatch: Array,
    v: Array,
    gibbs: Draws,
    swaps: Draws,
    *,
    betas: Array,
    base: Array,
    rate: float,
    K: int,
) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    Each chain takes K Gibbs steps under the distribution of its rung,

        p_beta(v) ~ e**((1 - beta) base'v + beta b'v) prod_j (1 + e**(beta f_j)),  f = c + vW,

    then neighbouring rungs try to swap states: all even ones with those above them, then all odd ones. The model term
    of the gradient is that of the chains of the last rung, where beta = 1. With base = 0, p_beta is e**(-beta E) as in
    the paper; otherwise rungs lead from independent units to the model.

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Parameters before the update.
    minibatch : array (rows, n) of 0 and 1
    v : array (rungs, C, n) of 0 and 1
        Chains; chain s of rung r draws from row r C + s.
    gibbs, swaps : Draws
    betas, base : arrays (rungs,), (n,)
        Inverse temperatures from 0 to 1, and log-odds of the visible units at beta = 0.
    rate, K
        Learning rate, and Gibbs steps of each chain.

    Yields
    ------
    phase : {"data", "rungs", "gibbs", "swap", "difference", "new"}
    arrays : dict of str to array
        `v` of the chains, and `states` (rungs, C), the rung that each was on as the update began; of a swap see
        `swap_neighbours`.
    """
    rungs, C, n = v.shape
    data = hidden_given_visible(minibatch, W, c)
    yield "data", data

    states = np.repeat(np.arange(rungs)[:, None], C, axis=1)
    yield "rungs", {"v": v, "states": states}
    *_, (_, end) = gibbs_steps(v.reshape(-1, n), W, b, c, gibbs, range(K), np.repeat(betas, C)[:, None], base)
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
    yield "new", ascended(W, b, c, G, rate)
