"""Chains that follow an RBM from one inverse temperature to the next, and the log weights they gather.

p_beta(v) is proportional to e**(((1 - beta) base + beta b)'v) times the product over hidden units j of
1 + e**(beta f_j), f = c + vW (Salakhutdinov and Murray 2008, eq. 15 to 17).

The weights stay as they are all the way, so that matrices come cut into tiles of columns: (tiles, rows,
TILE), each tile lying in memory as it is read.
"""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import ANNEALING, root_key, row_key, unit, word
from boltzcore.kernels.rows import add_tile, lists, pack
from boltzcore.kernels.simd import LANES, TILE, at_line, multiply_above_one, sum_lanes
from boltzcore.kernels.vector import exp32, log64

u4, u8, i8, f4, f8 = np.uint32, np.uint64, np.int64, np.float32, np.float64

FACTORS = 960  # each between 1/2 and 2: so many have a product within float64


@kernel
def _stream(root, row):
    key = row_key(root, row)
    return u4(key & u8(0xFFFFFFFF)), u4(key >> u8(32))


@kernel
def _sum(values):
    return f8(sum_lanes(values, i8(0), i8(values.size // LANES)))


@kernel
def _on(fields, before, beta, low, high, counter, states, change, positive):
    """Draw hidden units at beta from their fields; returns the log of the product of (1 + e**(beta f)) / (1 +
    e**(before f)).

    With 1 + e**x = e**max(x, 0) (1 + e**-|x|) the first factors are a sum, and of the second ones the
    product is taken, so that there is no logarithm for each unit. A factor is near 1 where temperatures
    are close: what it differs by is formed in float32, and added to 1 in float64, or the roundings of
    many temperatures would add up to more than the interval tells.
    change, positive : (whole lanes,) float32, zero beyond the units, filled. The draw shares the exponential of the
        factor.
    """
    for k in range(fields.size):
        size = abs(fields[k])
        now, left = exp32(-beta * size), exp32(-before * size)
        change[k] = (now - left) / (f4(1.0) + left)
        positive[k] = max(fields[k], f4(0.0))
        u = unit(word(u4(counter + k), low, high))
        states[k] = np.uint8(1) if u * (f4(1.0) + now) < (f4(1.0) if fields[k] > f4(0.0) else now) else np.uint8(0)
    total = 0.0
    for first in range(0, change.size, FACTORS):
        total += log64(multiply_above_one(change, i8(first), i8(min(FACTORS, change.size - first) // LANES)))
    return (f8(beta) - f8(before)) * _sum(positive) + total


@kernel
def _draw(products, beta, bias, low, high, counter, states):
    """Draw units from their fields beta * products + bias, all of one row."""
    for k in range(states.size):
        u = unit(word(u4(counter + k), low, high))
        states[k] = np.uint8(1) if u * (f4(1.0) + exp32(-(beta * products[k] + bias[k]))) < f4(1.0) else np.uint8(0)


@kernel
def _of_on(v, values, taken):
    """The sum of the values of units that are on; taken : (whole lanes,) float32, zero beyond the units, filled."""
    for k in range(v.size):
        taken[k] = values[k] if v[k] else f4(0.0)
    return _sum(taken)


@kernel
def _whole_lanes(n):
    return np.zeros((n + LANES - 1) // LANES * LANES, np.float32)


@kernel
def start(base, seed, step, first_row, v):
    """Fill v (rows, n_visible) uint8 with independent draws from the base-rate model, log-odds `base` (n_visible,)
    float32.

    Row s uses words 0 to n_visible - 1 of the stream (seed, ANNEALING, step, first_row + s).
    """
    root = root_key(seed, ANNEALING, step)
    zero = np.zeros(base.size, np.float32)
    for s in range(v.shape[0]):
        low, high = _stream(root, first_row + s)
        _draw(base, f4(1.0), zero, low, high, 0, v[s])


@kernel
def _products(matrix, bias, codes, counts, table, sums, out):
    """out (rows, n) = bias (n,) + the sums of the rows of `matrix`, in tiles, that `codes` list."""
    n, flat = matrix.shape[1], matrix.reshape(-1)
    for q in range(matrix.shape[0]):
        column = q * TILE
        width = min(TILE, bias.size - column)
        for k in range(sums.size):
            sums[k] = f4(0.0)
        add_tile(flat, q * n * TILE, TILE, n, codes, counts, table, sums)
        for s in range(out.shape[0]):
            for k in range(width):
                out[s, column + k] = bias[column + k] + sums[s * TILE + k]


@kernel
def hidden_fields(W, c, v, out):
    """out (rows, n_hidden) float32 = c + vW, W in tiles; v : (rows, n_visible) uint8 of 0/1."""
    codes, counts, table = lists(v.shape[0], v.shape[1])
    sums = at_line(v.shape[0] * TILE)
    pack(v, codes, counts)
    _products(W, c, codes, counts, table, sums, out)


@kernel
def anneal(W, WT, b, c, base, betas, v, fields, log_weights, seed, step, first_row, first, last):
    """Take chains through the inverse temperatures betas[first:last], in place.

    At each, a chain's log weight gains log p_beta(v) - log p_before(v), both not normalised, where
    `before` is the inverse temperature just left; then one step of block Gibbs sampling leaves p_beta as it is.

    W, WT : the weights and their transpose, in tiles
    betas : (n,) float32, in any order, betas[0] where the chains start, so that `first` is at least 1
    v : (rows, n_visible) uint8; fields : (rows, n_hidden) float32, c + vW; log_weights : (rows,) float64
    Row s uses the stream (seed, ANNEALING, step, first_row + s): at betas[k] words
    n_visible + (k - 1) * (n_hidden + n_visible) on, hidden units first.
    """
    rows, n_visible = v.shape
    n_hidden = c.size
    root = root_key(seed, ANNEALING, step)
    h = np.empty((rows, n_hidden), np.uint8)
    v_codes, v_counts, table = lists(rows, n_visible)
    h_codes, h_counts, _ = lists(rows, n_hidden)
    sums = at_line(rows * TILE)
    products = np.empty((rows, n_visible), np.float32)
    bias, drift = np.empty(n_visible, np.float32), np.empty(n_visible, np.float32)
    no_b, taken = np.zeros(n_visible, np.float32), _whole_lanes(n_visible)
    change, positive = _whole_lanes(n_hidden), _whole_lanes(n_hidden)
    for q in range(n_visible):
        drift[q] = b[q] - base[q]
    for k in range(first, last):
        before, beta = betas[k - 1], betas[k]
        counter = n_visible + (k - 1) * (n_hidden + n_visible)
        for q in range(n_visible):
            bias[q] = beta * b[q] + (f4(1.0) - beta) * base[q]
        for s in range(rows):
            low, high = _stream(root, first_row + s)
            ratio = _on(fields[s], before, beta, low, high, counter, h[s], change, positive)
            log_weights[s] += ratio + (f8(beta) - f8(before)) * _of_on(v[s], drift, taken)
        pack(h, h_codes, h_counts)
        _products(WT, no_b, h_codes, h_counts, table, sums, products)
        for s in range(rows):
            low, high = _stream(root, first_row + s)
            _draw(products[s], beta, bias, low, high, counter + n_hidden, v[s])
        pack(v, v_codes, v_counts)
        _products(W, c, v_codes, v_counts, table, sums, fields)
