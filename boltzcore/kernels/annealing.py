"""Chains that follow an RBM from one inverse temperature to the next, and the log weights they gather.

p_beta(v) is proportional to e**(((1 - beta) base + beta b)'v) times the product over hidden units j of
1 + e**(beta f_j), f = c + vW (Salakhutdinov and Murray 2008, eq. 15 to 17).

The weights stay as they are all the way, so that matrices come cut into tiles of columns: (tiles, rows,
TILE), each tile lying in memory as it is read.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, unit, word
from boltzcore.kernels.rows import add_tile, blank_lists, blank_table, pack, padded
from boltzcore.kernels.simd import LANES, TILE, at_line, multiply_above_one, sum_lanes
from boltzcore.kernels.tempered import FACTORS, whole_lanes
from boltzcore.kernels.vector import exp32, log64

u4, u8, i8, f4, f8 = np.uint32, np.uint64, np.int64, np.float32, np.float64

NARROW_W = f"W must be cut into the tiles of n_hidden columns, {TILE} wide each."
NARROW_WT = f"WT must be cut into the tiles of n_visible columns, {TILE} wide each."


class Path(NamedTuple):
    """The way from the base-rate model to the RBM.

    base : (n_visible,) float32, log-odds of the base-rate model's visible units
    betas : (n,) float32 inverse temperatures, in any order, betas[0] where the chains start
    """

    base: NDArray[np.float32]
    betas: NDArray[np.float32]


class Chains(NamedTuple):
    """Where chains stand: v (rows, n_visible) uint8, fields (rows, n_hidden) float32, c + vW, and log_weights (rows,)
    float64.
    """

    v: NDArray[np.uint8]
    fields: NDArray[np.float32]
    log_weights: NDArray[np.float64]


class Words(NamedTuple):
    """The words of one row's stream, of key (high, low), from number `first` on."""

    low: np.uint32
    high: np.uint32
    first: int


class Room(NamedTuple):
    """Room for what `_on` makes of each hidden unit of a row: (whole lanes,) float32, zero beyond the units."""

    change: NDArray[np.float32]
    positive: NDArray[np.float32]


@kernel
def _words(root, row, first):
    low, high = row_key(root, row)
    return Words(low, high, first)


@kernel
def _sum(values):
    return f8(sum_lanes(values, i8(0), i8(values.size // LANES)))


@kernel
def _on(fields, before, beta, words, states, room):
    """Draw hidden units at beta from their fields; returns the log of the product of (1 + e**(beta f)) / (1 +
    e**(before f)).

    With 1 + e**x = e**max(x, 0) (1 + e**-|x|) the first factors are a sum, and of the second ones the
    product is taken, so that there is no logarithm for each unit. A factor is near 1 where temperatures
    are close: what it differs by is formed in float32, and added to 1 in float64, or the roundings of
    many temperatures would add up to more than the interval tells.
    The draw shares the exponential of the factor.
    """
    change, positive = room.change, room.positive
    for k in range(fields.size):
        size = abs(fields[k])
        now, left = exp32(-beta * size), exp32(-before * size)
        change[k] = (now - left) / (f4(1.0) + left)
        positive[k] = max(fields[k], f4(0.0))
        u = unit(word(u4(words.first + k), words.low, words.high))
        states[k] = np.uint8(1) if u * (f4(1.0) + now) < (f4(1.0) if fields[k] > f4(0.0) else now) else np.uint8(0)
    total = 0.0
    for first in range(0, change.size, FACTORS):
        total += log64(multiply_above_one(change, i8(first), i8(min(FACTORS, change.size - first) // LANES)))
    return (f8(beta) - f8(before)) * _sum(positive) + total


@kernel
def _draw(products, beta, bias, words, states):
    """Draw units from their fields beta * products + bias, all of one row."""
    for k in range(states.size):
        u = unit(word(u4(words.first + k), words.low, words.high))
        states[k] = np.uint8(1) if u * (f4(1.0) + exp32(-(beta * products[k] + bias[k]))) < f4(1.0) else np.uint8(0)


@kernel
def _of_on(v, values, taken):
    """The sum of the values of units that are on; taken : (whole lanes,) float32, zero beyond the units, filled."""
    for k in range(v.size):
        taken[k] = values[k] if v[k] else f4(0.0)
    return _sum(taken)


@kernel
def start(base, stream, v):
    """Fill v (rows, n_visible) uint8 with independent draws from the base-rate model, log-odds `base` (n_visible,)
    float32.

    stream : a `random.Stream`, of which each row uses words 0 to n_visible - 1
    """
    root = root_key(stream.seed, stream.purpose, stream.step)
    zero = np.zeros(base.size, np.float32)
    for s in range(v.shape[0]):
        _draw(base, f4(1.0), zero, _words(root, stream.first_row + s, 0), v[s])


@kernel
def _products(matrix, bias, lists, sums, out):
    """out (rows, n) = bias (n,) + the sums of the rows of `matrix`, in tiles, that `lists` choose."""
    n, flat = matrix.shape[1], matrix.reshape(-1)
    for q in range(matrix.shape[0]):
        column = q * TILE
        width = min(TILE, bias.size - column)
        for k in range(sums.size):
            sums[k] = f4(0.0)
        add_tile(flat, q * n * TILE, TILE, n, lists, sums)
        for s in range(out.shape[0]):
            for k in range(width):
                out[s, column + k] = bias[column + k] + sums[s * TILE + k]


@kernel
def _in_tiles(matrix, n_columns):
    return matrix.shape[2] == TILE and matrix.shape[0] * TILE == padded(n_columns)


@kernel
def hidden_fields(W, c, v, out):
    """out (rows, n_hidden) float32 = c + vW, W in tiles; v : (rows, n_visible) uint8 of 0/1.

    Raises ValueError where W is not in tiles.
    """
    if not _in_tiles(W, c.size):
        raise ValueError(NARROW_W)
    lists = blank_lists(v.shape[0], v.shape[1], blank_table())
    sums = at_line(v.shape[0] * TILE)
    pack(v, lists)
    _products(W, c, lists, sums, out)


@kernel
def anneal(machine, path, chains, stream, first, last):
    """Take chains through the inverse temperatures betas[first:last] of a path, in place; `first` is at least 1.

    At each, a chain's log weight gains log p_beta(v) - log p_before(v), both not normalised, where
    `before` is the inverse temperature just left; then one step of block Gibbs sampling leaves p_beta as it is.

    machine : a `Machine` with W and WT in tiles, of one b and c for all rows
    path, chains : a `Path` and `Chains`
    stream : a `random.Stream`; at betas[k] a row uses words n_visible + (k - 1) * (n_hidden + n_visible) on, hidden
        units first
    Raises ValueError where W or WT is not in tiles.
    """
    W, WT, b, c = machine
    base, betas = path
    v, fields, log_weights = chains
    rows, n_visible = v.shape
    n_hidden = c.size
    if not _in_tiles(W, n_hidden):
        raise ValueError(NARROW_W)
    if not _in_tiles(WT, n_visible):
        raise ValueError(NARROW_WT)
    root = root_key(stream.seed, stream.purpose, stream.step)
    h = np.empty((rows, n_hidden), np.uint8)
    table = blank_table()
    v_lists, h_lists = blank_lists(rows, n_visible, table), blank_lists(rows, n_hidden, table)
    sums = at_line(rows * TILE)
    products = np.empty((rows, n_visible), np.float32)
    bias, drift = np.empty(n_visible, np.float32), np.empty(n_visible, np.float32)
    no_b, taken = np.zeros(n_visible, np.float32), whole_lanes(n_visible)
    room = Room(whole_lanes(n_hidden), whole_lanes(n_hidden))
    for q in range(n_visible):
        drift[q] = b[q] - base[q]
    for k in range(first, last):
        before, beta = betas[k - 1], betas[k]
        counter = n_visible + (k - 1) * (n_hidden + n_visible)
        for q in range(n_visible):
            bias[q] = beta * b[q] + (f4(1.0) - beta) * base[q]
        for s in range(rows):
            words = _words(root, stream.first_row + s, counter)
            ratio = _on(fields[s], before, beta, words, h[s], room)
            log_weights[s] += ratio + (f8(beta) - f8(before)) * _of_on(v[s], drift, taken)
        pack(h, h_lists)
        _products(WT, no_b, h_lists, sums, products)
        for s in range(rows):
            _draw(products[s], beta, bias, _words(root, stream.first_row + s, counter + n_hidden), v[s])
        pack(v, v_lists)
        _products(W, c, v_lists, sums, fields)
