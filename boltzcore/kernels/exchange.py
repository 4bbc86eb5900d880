"""Exchanges of chains with a reservoir of samples of another model, as parallel trajectory tempering takes them (Bereux
et al. 2026).

Chain i is of family i % families, and so is sample j of a reservoir of rounds of as many samples as there are chains,
(j % chains) % families. Exchanges stay within a family, so that families never learn of each other, and their spread
says how sure an estimate is.
"""

import math

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.elementwise import exp_in_double, log_in_double, sum_in_order
from boltzcore.kernels.random import root_key, row_key, word

u4, u8, i8 = np.uint32, np.uint64, np.int64

WINDOW = 6.0  # integrated times in the window of a sum of autocorrelations (Sokal 1997)
LEAST = 0.05  # smallest correlation that determines an exponential time


@kernel
def pair(n_chains, n_samples, n_families, stream, at, partners):
    """partners (n_chains,) int64 = the sample of each chain's own family that it is paired with, no two the same.

    stream : a `random.Stream`, of which family f uses row first_row + f, words from `at` on
    """
    root = root_key(stream.seed, stream.purpose, stream.step)
    rounds = n_samples // n_chains
    for family in range(n_families):
        members = (n_chains - family + n_families - 1) // n_families
        order = np.empty(members * rounds, np.int64)
        for k in range(order.size):
            order[k] = k // members * n_chains + k % members * n_families + family
        low, high = row_key(root, stream.first_row + family)
        for k in range(members):
            left = u8(order.size - k)
            other = k + i8((u8(word(u4(at + k), low, high)) * left) >> u8(32))
            order[k], order[other] = order[other], order[k]
            partners[k * n_families + family] = order[k]


@kernel
def exchange(accepted, partners, chains, reservoir, fields, partner_fields):
    """Swap accepted chains (n, n_visible) with their partners, in place, with their hidden fields."""
    for k in range(accepted.size):
        if accepted[k]:
            for q in range(chains.shape[1]):
                chains[k, q], reservoir[partners[k], q] = reservoir[partners[k], q], chains[k, q]
            for q in range(fields.shape[1]):
                fields[k, q] = partner_fields[k, q]


def weights(before, now):
    """Return the importance weights, (rows,), of sum 1, of rows drawn under free energies `before` for those of `now`,
    and the standard deviation of their logarithms.
    """
    ratios = before - now
    apart = ratios - sum_in_order(ratios / ratios.size)
    out = exp_in_double(ratios - ratios.max())
    return out / sum_in_order(out), math.sqrt(sum_in_order(apart * apart / out.size))


def autocorrelation(swaps):
    """Return the (integrated, exponential) time in sweeps of each chain's side, which changes at every swap.

    swaps : (sweeps, chains) uint8, 1 for exchanged chains
    """
    side = 1.0 - 2.0 * (np.cumsum(swaps, axis=0) % 2)
    integrated, exponential = 0.5, 0.0
    for lag in range(1, len(side) // 2 + 1):
        rho = float((side[lag:] * side[:-lag]).mean())  # sums of whole numbers: the same in any order
        if rho > LEAST:
            exponential = max(exponential, -lag / float(log_in_double(min(rho, 1.0 - 1e-12))))
        integrated += rho
        if lag >= WINDOW * integrated:
            break
    return max(integrated, 0.5), exponential
