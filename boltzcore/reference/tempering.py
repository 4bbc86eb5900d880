"""PCD with parallel tempering in plain numpy (Desjardins et al. 2010, section 3)."""

from collections.abc import Generator

import numpy as np

from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.rbm import Phases, Statistics, difference, hidden_given_visible


def pt_update(
    W: Array, b: Array, c: Array, ladder: "Ladder", minibatch: Array, v: Array, gibbs: Draws, *, rate: float, K: int
) -> Phases:
    """Yield the phases of one update; the last one has the new parameters.

    Each chain takes K Gibbs steps under the distribution of its rung, then neighbouring rungs try to swap states. The
    model term of the gradient is that of the chains of the last rung, where beta = 1.

    Parameters
    ----------
    W, b, c : arrays (n, m), (n,), (m,)
        Parameters before the update.
    ladder : Ladder
    minibatch : array (rows, n) of 0 and 1
    v : array (rungs, C, n) of 0 and 1
        Chains; chain s of rung r draws from row r C + s.
    gibbs : Draws
    rate, K
        Learning rate, and Gibbs steps of each chain.

    Yields
    ------
    phase : {"data", "rungs", "gibbs", "swap", "difference", "new"}
    arrays : dict of str to array
        `v` of the chains, and `states` (rungs, C), the rung that each was on as the update began.
    """
    (rungs, C, n), m = v.shape, len(c)
    data = hidden_given_visible(minibatch, W, c)
    yield "data", data

    states = np.repeat(np.arange(rungs)[:, None], C, axis=1)
    yield "rungs", {"v": v, "states": states}
    v, beta = v.reshape(rungs * C, n), np.repeat(ladder.betas, C)[:, None]
    for k in range(K):
        h = gibbs.bernoulli(v, W, c, m, k * (m + n), beta).on
        v = gibbs.bernoulli(h, W.T, b, n, k * (m + n) + m, beta, ladder.base).on
    v = v.reshape(rungs, C, n)
    yield "gibbs", {"v": v, "states": states}
    v = yield from ladder.swaps(v, W, b, c)

    end = hidden_given_visible(v[-1], W, c)
    G = difference(Statistics.from_rows(minibatch, data["p"]), Statistics.from_rows(end["v"], end["p"]))
    yield "difference", G
    yield "new", {"W": W + rate * G["W"], "b": b + rate * G["b"], "c": c + rate * G["c"]}


class Ladder:
    """Distributions p_beta from independent units to the model, and swaps between them.

    p_beta(v) is proportional to e**((1 - beta) base'v + beta b'v) prod_j (1 + e**(beta f_j)), f = c + vW: the path of
    annealed importance sampling. With base = 0 it is that of e**(-beta E), as in the paper.

    Parameters
    ----------
    betas : array (rungs,)
        Inverse temperatures, from 0 to 1.
    base : array (n,)
        Log-odds of the visible units at beta = 0.
    draws : Draws
        Of the swaps.
    """

    def __init__(self, betas: Array, base: Array, draws: Draws) -> None:
        self.betas, self.base, self.draws = betas, base, draws

    def swaps(self, v: Array, W: Array, b: Array, c: Array) -> Generator[tuple[str, dict[str, Array]], None, Array]:
        """Yield the swaps of all even rungs with those above them, then of all odd ones; return the chains after them.

        x of rung r and y of rung r + 1 change places with probability min(1, e**D),
        D = log p_r(y) p_(r+1)(x) / (p_r(x) p_(r+1)(y)). Phases have the rungs r as `lower` (pairs,), and `D`, `u` and
        `accepted` (pairs, C).
        """
        rungs, C, _ = v.shape
        u, states = self.draws.uniforms(rungs * C, 1).reshape(rungs, C), np.repeat(np.arange(rungs)[:, None], C, axis=1)
        for parity in range(2):
            lower = np.arange(parity, rungs - 1, 2)
            of_x, of_y = (self._log_p_above_below(v[rung], W, b, c, lower) for rung in (lower, lower + 1))
            D = of_x - of_y
            accepted = np.log(u[lower], dtype=float) < D
            pair, chain = np.nonzero(accepted)
            order = np.repeat(np.arange(rungs)[:, None], C, axis=1)
            order[lower[pair], chain], order[lower[pair] + 1, chain] = lower[pair] + 1, lower[pair]
            v, states = np.take_along_axis(v, order[..., None], 0), np.take_along_axis(states, order, 0)
            yield "swap", {"v": v, "states": states, "lower": lower, "D": D, "u": u[lower], "accepted": accepted}
        return v

    def _log_p_above_below(self, v: Array, W: Array, b: Array, c: Array, r: Array) -> Array:
        """Return log p_(r+1)(v) / p_r(v) of v (pairs, C, n), without the normalisers of both rungs."""
        below, above = (
            (1 - beta) * (v @ self.base) + beta * (v @ b) + np.logaddexp(0, beta[..., None] * (c + v @ W)).sum(axis=-1)
            for beta in (self.betas[r, None], self.betas[r + 1, None])
        )
        return above - below
