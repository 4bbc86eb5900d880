"""Annealing of chains from one inverse temperature to the next, with their log importance weights.

p_beta(v) is proportional to e**(((1 - beta) base + beta b)'v) times the product over hidden units j of
1 + e**(beta f_j), f = c + vW (Salakhutdinov and Murray 2008, eq. 15 to 17).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, turns_on, unit, word
from boltzcore.kernels.rows import blank_lists, blank_table, fill_fields, require_tiles
from boltzcore.kernels.simd import LANES, at_line, multiply_above_one, sum_lanes
from boltzcore.kernels.tempered import FACTORS, whole_lanes
from boltzcore.kernels.vector import exp32, log64

u4, u8, i8, f4, f8 = np.uint32, np.uint64, np.int64, np.float32, np.float64


class Chains(NamedTuple):
    """State of some chains: v (rows, n_visible) uint8, fields (rows, padded n_hidden) float32, c + vW, filled at the
    first temperature, and log_weights (rows,) float64.
    """

    v: NDArray[np.uint8]
    fields: NDArray[np.float32]
    log_weights: NDArray[np.float64]


@kernel
def _sum(values):
    return f8(sum_lanes(values, i8(0), i8(values.size // LANES)))


@kernel
def _on(fields, before, beta, key, counter, states, change, positive):
    """Draw hidden units at beta from their fields, by words from `counter` on of the stream of a row; returns the log
    of the product of (1 + e**(beta f)) / (1 + e**(before f)).

    With 1 + e**x = e**max(x, 0) (1 + e**-|x|) the first factors are a sum, and of the second ones the
    product is taken, so that there is no logarithm for each unit. A factor is near 1 if temperatures are close: its
    difference from 1 is computed in float32, and added to 1 in float64, or the rounding errors of many temperatures
    would add up to more than the interval covers.
    The draw shares the exponential of the factor.
    change, positive : buffers, (whole lanes,) float32, zero beyond the units
    """
    for k in range(states.size):
        size = abs(fields[k])
        now, left = exp32(-beta * size), exp32(-before * size)
        change[k] = (now - left) / (f4(1.0) + left)
        positive[k] = max(fields[k], f4(0.0))
        u = unit(word(u4(counter + k), key[0], key[1]))
        states[k] = np.uint8(1) if u * (f4(1.0) + now) < (f4(1.0) if fields[k] > f4(0.0) else now) else np.uint8(0)
    total = 0.0
    for first in range(0, change.size, FACTORS):
        total += log64(multiply_above_one(change, i8(first), i8(min(FACTORS, change.size - first) // LANES)))
    return (f8(beta) - f8(before)) * _sum(positive) + total


@kernel
def _draw(products, beta, bias, key, counter, states):
    """Draw units of one row from their fields beta * products + bias."""
    for k in range(states.size):
        odds = exp32(-(beta * products[k] + bias[k]))
        states[k] = np.uint8(1) if turns_on(odds, counter + k, key[0], key[1]) else np.uint8(0)


@kernel
def _of_on(v, values, taken):
    """Return the sum of values of units that are on; taken : (whole lanes,) float32, zero beyond the units, filled."""
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
        _draw(base, f4(1.0), zero, row_key(root, stream.first_row + s), 0, v[s])


@kernel
def _fields(W, c, v, lists, out):
    """Set out (rows, width of W) = vW + c, the biases added last."""
    fill_fields(W, np.zeros(c.size, np.float32), v, lists, out)
    for s in range(v.shape[0]):
        for j in range(c.size):
            out[s, j] += c[j]


@kernel
def anneal(machine, base, betas, chains, stream, first, last):
    """Take chains through the inverse temperatures betas[first:last], in place; `first` is at least 1.

    At each, a chain's log weight gains log p_beta(v) - log p_before(v), both not normalised, where
    `before` is the previous inverse temperature; then one step of block Gibbs sampling leaves p_beta invariant.

    machine : an `RBMArrays`, W (n_visible, padded n_hidden) and WT (n_hidden, padded n_visible), of one b and c for
        all rows
    base : (n_visible,) float32, log-odds of the base-rate model's visible units
    betas : (n,) float32 inverse temperatures, in any order, betas[0] where the chains start
    chains : `Chains`
    stream : a `random.Stream`; at betas[k] a row uses words n_visible + (k - 1) * (n_hidden + n_visible) on, hidden
        units first
    Raises ValueError if W, WT or the fields are not padded to whole tiles.
    """
    W, WT, b, c = machine
    v, fields, log_weights = chains
    rows, n_visible = v.shape
    n_hidden = c.size
    require_tiles(W, n_hidden)
    require_tiles(fields, n_hidden)
    require_tiles(WT, n_visible)
    root = root_key(stream.seed, stream.purpose, stream.step)
    h = np.empty((rows, n_hidden), np.uint8)
    table = blank_table()
    v_lists, h_lists = blank_lists(rows, n_visible, table), blank_lists(rows, n_hidden, table)
    products = at_line(rows * WT.shape[1]).reshape(rows, WT.shape[1])
    bias, drift = np.empty(n_visible, np.float32), np.empty(n_visible, np.float32)
    taken, no_b = whole_lanes(n_visible), np.zeros(n_visible, np.float32)
    change, positive = whole_lanes(n_hidden), whole_lanes(n_hidden)
    for q in range(n_visible):
        drift[q] = b[q] - base[q]
    if first == 1:
        _fields(W, c, v, v_lists, fields)
    for k in range(first, last):
        before, beta = betas[k - 1], betas[k]
        counter = n_visible + (k - 1) * (n_hidden + n_visible)
        for q in range(n_visible):
            bias[q] = beta * b[q] + (f4(1.0) - beta) * base[q]
        for s in range(rows):
            key = row_key(root, stream.first_row + s)
            ratio = _on(fields[s], before, beta, key, counter, h[s], change, positive)
            log_weights[s] += ratio + (f8(beta) - f8(before)) * _of_on(v[s], drift, taken)
        fill_fields(WT, no_b, h, h_lists, products)
        for s in range(rows):
            key = row_key(root, stream.first_row + s)
            _draw(products[s], beta, bias, key, counter + n_hidden, v[s])
        _fields(W, c, v, v_lists, fields)
