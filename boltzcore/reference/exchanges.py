"""Free energies, swaps of chains, autocorrelation times and Bennett's ratio in plain numpy."""

import numpy as np
from scipy.optimize import brentq

from boltzcore.kernels import exchange
from boltzcore.kernels.random import Stream
from boltzcore.reference.draws import Array
from boltzcore.reference.rbm import Arrays

FAMILIES = 10  # chains s, s + 10, s + 20, ... are exchanged with samples of the same numbers, to estimate errors


def free_energy(v: Array, W: Array, b: Array, c: Array) -> Array:
    """Return F(v) = -b'v - sum_j log(1 + e**(c_j + v'W_j)) of rows v (rows, n); p(v) = e**-F(v) / Z."""
    return -(v @ b) - np.logaddexp(0, c + v @ W).sum(axis=1)


def swap_neighbours(v: Array, states: Array, lower: Array, D: Array, u: Array) -> Arrays:
    """Return the phase in which chains of rungs r and r + 1 change places with probability min(1, e**D).

    x of rung r and y of rung r + 1 do if log u < D = log p_r(y) p_(r+1)(x) / (p_r(x) p_(r+1)(y)).

    Parameters
    ----------
    v, states : arrays (rungs, C, n), (rungs, C)
        Chains, and where they come from.
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


def random_partners(chains: int, samples: int, seed: int, purpose: int, step: int, first: int) -> Array:
    """Return (chains,) different samples of 0 to `samples` - 1, drawn from words `first` on of the stream."""
    partners = np.empty(chains, np.int64)
    exchange.pair(chains, samples, FAMILIES, Stream(np.uint64(seed), purpose, step, 0), first, partners)
    return partners


def autocorrelation(swaps: Array) -> tuple[float, float]:
    """Return the integrated and the exponential autocorrelation time, in sweeps, of the side that chains are on.

    A chain changes sides, 1 and -1, at each accepted exchange, swaps (sweeps, chains). The sum ends at a window of six
    integrated times (Sokal 1997).
    """
    side = 1.0 - 2.0 * (np.cumsum(swaps, axis=0) % 2)
    integrated, exponential = 0.5, 0.0
    for lag in range(1, len(side) // 2 + 1):
        rho = (side[lag:] * side[:-lag]).mean()
        if rho > 0.05:
            exponential = max(exponential, -lag / np.log(min(rho, 1 - 1e-12)))
        integrated += rho
        if lag >= 6 * integrated:
            break
    return max(integrated, 0.5), exponential


def bennett(forward: Array, backward: Array) -> float:
    """Return log Z1 / Z0 of e**-F0 / Z0 and e**-F1 / Z1 (Bennett 1976).

    Parameters
    ----------
    forward, backward : arrays (samples,)
        F1 - F0 at samples of the first distribution, and F0 - F1 at as many samples of the second.
    """

    def excess(d: float) -> float:  # of accepted samples of the first, at log Z0 / Z1 = d
        return float((1 / (1 + np.exp(forward - d))).sum() - (1 / (1 + np.exp(backward + d))).sum())

    ends = np.concatenate([forward, -backward])
    return float(-brentq(excess, ends.min(), ends.max(), xtol=1e-12))
