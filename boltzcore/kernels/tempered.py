"""Chains at several inverse temperatures, and swaps between neighbours (Desjardins et al. 2010).

Their distributions are those of `kernels.annealing`. Rows are ordered by rung: chain s of rung i is row i * chains + s.
"""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, unit, word
from boltzcore.kernels.simd import LANES, multiply_above_one, sum_lanes_in_double
from boltzcore.kernels.vector import exp32, log64

u4, i8, f4, f8 = np.uint32, np.int64, np.float32, np.float64

FACTORS = 960  # factors between 1/2 and 2 whose product stays within float64


@kernel
def whole_lanes(n):
    """Return zeros for n values, padded to whole lanes."""
    return np.zeros((n + LANES - 1) // LANES * LANES, np.float32)


@kernel
def softplus_sum(fields, n_hidden, beta, positive, factors):
    """The sum of log(1 + e**(beta f)) over the first n_hidden fields of a row, in float64.

    With 1 + e**x = e**max(x, 0) (1 + e**-|x|) there is one logarithm for many units.
    positive, factors : room, (whole lanes,) float32, zero beyond n_hidden
    """
    for j in range(n_hidden):
        x = beta * fields[j]
        positive[j] = max(x, f4(0.0))
        factors[j] = exp32(-abs(x))
    total = sum_lanes_in_double(positive, i8(0), i8(positive.size // LANES))
    for first in range(0, factors.size, FACTORS):
        total += log64(multiply_above_one(factors, i8(first), i8(min(FACTORS, factors.size - first) // LANES)))
    return total


@kernel
def of_on(v, bias, taken):
    """The sum in float64 of the biases of units that are on; taken : room, (whole lanes,) float32, zero beyond them."""
    for i in range(v.size):
        taken[i] = bias[i] if v[i] else f4(0.0)
    return sum_lanes_in_double(taken, i8(0), i8(taken.size // LANES))


@kernel
def free_energies(v, b, c, fields, out):
    """out (rows,) float64 = -log sum_h e**-E(v, h) of rows v (rows, n_visible) uint8, from their hidden fields (rows,
    at least n_hidden) float32; c : (n_hidden,), for its size.
    """
    taken = whole_lanes(b.size)
    positive, factors = whole_lanes(c.size), whole_lanes(c.size)
    for s in range(v.shape[0]):
        out[s] = -of_on(v[s], b, taken) - softplus_sum(fields[s], c.size, f4(1.0), positive, factors)


@kernel
def swap(b, base, ladder, n_hidden, v, fields, stream, at, low, high, accepted):
    """Exchange the states of neighbouring rungs, even rungs with the next ones and then odd ones, of the chains
    low..high.

    Rungs i and i + 1 swap x and y with probability min(1, p_i(y) p_(i+1)(x) / (p_i(x) p_(i+1)(y))), hidden units summed
    out, which leaves the distribution of each rung invariant.
    ladder : (rungs,) float32 inverse temperatures; v, fields : of all rows; at : the word of each row's stream to take
    accepted : (rungs - 1, chains) uint8, filled
    """
    n_rungs = ladder.size
    n_chains = v.shape[0] // n_rungs
    taken = whole_lanes(b.size)
    positive, factors = whole_lanes(n_hidden), whole_lanes(n_hidden)
    root = root_key(stream.seed, stream.purpose, stream.step)
    for parity in range(2):
        for i in range(parity, n_rungs - 1, 2):
            before, after = ladder[i], ladder[i + 1]
            for s in range(low, high):
                x, y = i * n_chains + s, (i + 1) * n_chains + s
                drift = of_on(v[y], b, taken) - of_on(v[x], b, taken)
                drift -= of_on(v[y], base, taken) - of_on(v[x], base, taken)
                ratio = (f8(before) - f8(after)) * drift
                ratio += softplus_sum(fields[y], n_hidden, before, positive, factors)
                ratio += softplus_sum(fields[x], n_hidden, after, positive, factors)
                ratio -= softplus_sum(fields[x], n_hidden, before, positive, factors)
                ratio -= softplus_sum(fields[y], n_hidden, after, positive, factors)
                lower, upper = row_key(root, stream.first_row + x)
                u = unit(word(u4(at), lower, upper))
                accepted[i, s] = np.uint8(1) if log64(f8(u)) < ratio else np.uint8(0)
                if accepted[i, s]:
                    for q in range(v.shape[1]):
                        v[x, q], v[y, q] = v[y, q], v[x, q]
                    for j in range(fields.shape[1]):
                        fields[x, j], fields[y, j] = fields[y, j], fields[x, j]


@kernel
def log_ratios(b, base, before, after, n_hidden, v, fields, out):
    """out (rows,) float64 = log p_before(v) - log p_after(v) of rows v, not normalised, at two inverse temperatures."""
    taken = whole_lanes(b.size)
    positive, factors = whole_lanes(n_hidden), whole_lanes(n_hidden)
    for s in range(v.shape[0]):
        out[s] = (f8(before) - f8(after)) * (of_on(v[s], b, taken) - of_on(v[s], base, taken))
        out[s] += softplus_sum(fields[s], n_hidden, before, positive, factors)
        out[s] -= softplus_sum(fields[s], n_hidden, after, positive, factors)
