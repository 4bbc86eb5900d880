"""Exchanges of chains with a reservoir of samples of another model, as parallel trajectory tempering takes them (Bereux
et al. 2026).

Chain i is of family i % families, and so is sample j of a reservoir of rounds of as many samples as there are chains,
(j % chains) % families. Exchanges stay within a family, so that families never learn of each other, and their spread
says how sure an estimate is.
"""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, unit, word
from boltzcore.kernels.vector import exp64, log64

u4, u8, i8, f8 = np.uint32, np.uint64, np.int64, np.float64

WINDOW = 6.0  # integrated times that a sum of autocorrelations goes over (Sokal 1997)
LEAST = 0.05  # correlation from which an exponential time can be told


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
def weights(before, now, out):
    """out (rows,) = weights, of sum 1, that make rows drawn under free energies `before` rows of the law of `now`;
    returns the standard deviation of their logarithms.
    """
    top, mean = before[0] - now[0], 0.0
    for k in range(out.size):
        out[k] = before[k] - now[k]
        top = max(top, out[k])
        mean += out[k] / out.size
    total, squares = 0.0, 0.0
    for k in range(out.size):
        squares += (out[k] - mean) * (out[k] - mean) / out.size
        out[k] = exp64(out[k] - top)
        total += out[k]
    for k in range(out.size):
        out[k] /= total
    return np.sqrt(squares)


@kernel
def acceptance(ratios, shares):
    """The mean of min(1, e**ratios), weighted by shares of sum 1."""
    total = 0.0
    for k in range(ratios.size):
        total += shares[k] * exp64(min(ratios[k], 0.0))
    return total


@kernel
def exchange(
    ratios,
    chains,
    fields,
    energies,
    last,
    reservoir,
    reservoir_last,
    partners,
    partner_fields,
    partner_energies,
    stream,
    at,
    accepted,
):
    """Exchange each chain with its partner with probability min(1, e**ratios), in place.

    chains (n, n_visible) uint8, fields, energies : of the model now; last : (n,) free energies of the chains under the
        reservoir's model, reservoir_last (samples,) those of the samples
    partners : (n,) samples; partner_fields, partner_energies : theirs, of the model now
    stream : a `random.Stream`, of which chain i uses word `at` of row first_row + i
    accepted : (n,) uint8, filled
    """
    root = root_key(stream.seed, stream.purpose, stream.step)
    for k in range(ratios.size):
        low, high = row_key(root, stream.first_row + k)
        u = unit(word(u4(at), low, high))
        accepted[k] = np.uint8(1) if log64(f8(u)) < ratios[k] else np.uint8(0)
        if accepted[k]:
            j = partners[k]
            for q in range(chains.shape[1]):
                chains[k, q], reservoir[j, q] = reservoir[j, q], chains[k, q]
            for q in range(fields.shape[1]):
                fields[k, q] = partner_fields[k, q]
            energies[k] = partner_energies[k]
            reservoir_last[j] = last[k]


@kernel
def autocorrelation(swaps):
    """(integrated, exponential) time in sweeps of the side that each chain is on, of two: it changes at every swap.

    swaps : (sweeps, chains) uint8, whether a chain was exchanged
    """
    sweeps, n_chains = swaps.shape
    side = np.empty((sweeps, n_chains), np.int64)
    for s in range(n_chains):
        now = i8(1)
        for t in range(sweeps):
            now = -now if swaps[t, s] else now
            side[t, s] = now
    integrated, exponential = 0.5, 0.0
    for lag in range(1, sweeps // 2 + 1):
        total = i8(0)
        for t in range(sweeps - lag):
            for s in range(n_chains):
                total += side[t, s] * side[t + lag, s]
        rho = f8(total) / f8((sweeps - lag) * n_chains)
        if rho > LEAST:
            exponential = max(exponential, -lag / log64(min(rho, 1.0 - 1e-12)))
        integrated += rho
        if lag >= WINDOW * integrated:
            break
    return max(integrated, 0.5), exponential
