"""Products of 0/1 rows with a weight matrix, and the block Gibbs sampler and gradient built on them.

The units of a row are taken four at a time. For each four rows of the matrix the sixteen sums that
four bits can choose are tabled once for a tile of columns (the method of the four Russians), so that
a product costs one table row for each four units that are not all off. Matrices are padded with zero
columns to whole tiles: `padded(n)` columns.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, turns_on
from boltzcore.kernels.simd import (
    CHUNK,
    LINE,
    TILE,
    at_line,
    copy_tile,
    gather_tiles,
    list_groups,
    table_tiles,
    trailing_zeros,
)
from boltzcore.kernels.vector import exp32, sigmoid32

u8, f4, i8 = np.uint64, np.float32, np.int64

NARROW = f"An array must be filled up to whole tiles, {TILE} columns wide each."


@register_jitable
def padded(n: int) -> int:
    """Return `n` rounded up to whole tiles."""
    return -(-n // TILE) * TILE


def blank(rows: int, columns: int) -> np.ndarray:
    """Return zeros (rows, padded columns), float32, aligned to cache lines, so that no tile straddles two."""
    size = rows * padded(columns)
    raw = np.zeros(size + LINE, np.float32)
    skip = -(raw.ctypes.data // 4) % LINE
    return raw[skip : skip + size].reshape(rows, padded(columns))


class RBMArrays(NamedTuple):
    """Weights (n_visible, n_hidden), their transpose, visible and hidden biases; float32.

    W, WT : their columns padded, or not, as documented in each kernel
    b, c : (n_visible,) and (n_hidden,), or (rows, ...) if each row has its own biases
    """

    W: NDArray[np.float32]
    WT: NDArray[np.float32]
    b: NDArray[np.float32]
    c: NDArray[np.float32]


class Lists(NamedTuple):
    """The groups of four units that are on in each row, and room for tables of the sums that they choose.

    codes : (chunks, rows, CHUNK) int16 offsets into the table of a chunk; counts : (chunks, rows) how many are listed
    table : the sums of a chunk of groups at a time, flat float32
    """

    codes: NDArray[np.int16]
    counts: NDArray[np.int64]
    table: NDArray[np.float32]


@kernel
def require_tiles(array, n):
    """Raise ValueError unless `array` has n columns padded to whole tiles: a kernel would write beyond others."""
    if array.shape[-1] != padded(n):
        raise ValueError(NARROW)


@kernel
def blank_table():
    """Return a buffer for the tables of `Lists`; one is shared by many in turn, and stays in a near cache."""
    table = at_line(CHUNK * 16 * TILE)
    for g in range(CHUNK):
        for k in range(TILE):
            table[g * 16 * TILE + k] = f4(0.0)
    return table


@kernel
def blank_lists(n_rows, n, table):
    """Return empty `Lists` for n_rows rows of n units."""
    chunks = (n + 4 * CHUNK - 1) // (4 * CHUNK)
    return Lists(np.empty((chunks, n_rows, CHUNK), np.int16), np.empty((chunks, n_rows), np.int64), table)


@kernel
def pack(v, lists):
    """List the groups of four units of each row that are not all off, chunk after chunk.

    v : (rows, n) uint8 of 0/1. Each chunk lists whole fours, filled up with offsets of zeros.
    """
    n, units, counts = v.shape[1], 4 * CHUNK, lists.counts
    flat, listed, rows = v.reshape(-1), lists.codes.reshape(-1), v.shape[0]
    last = np.zeros(units, np.uint8)
    for s in range(rows):
        for chunk in range(n // units):
            counts[chunk, s] = list_groups(flat, i8(s * n + chunk * units), listed, i8((chunk * rows + s) * CHUNK))
        if n % units:
            chunk = n // units
            for k in range(n % units):
                last[k] = v[s, chunk * units + k]
            counts[chunk, s] = list_groups(last, i8(0), listed, i8((chunk * rows + s) * CHUNK))


@kernel
def list_rows(v, first, last, rows, counts):
    """For each column first..last of v the rows in which it is on, as offsets of whole tiles.

    rows : (last - first, at least v.shape[0]) int16, filled; counts : (last - first,), how many are listed.
    """
    n = last - first
    bits = np.empty(n, np.uint64)
    for i in range(n):
        counts[i] = 0
    for base in range(0, v.shape[0], 64):
        for i in range(n):
            bits[i] = u8(v[base, first + i])
        for s in range(1, min(64, v.shape[0] - base)):
            for i in range(n):
                bits[i] |= u8(v[base + s, first + i]) << u8(s)
        for i in range(n):
            left, q = bits[i], counts[i]
            while left != u8(0):
                rows[i, q] = (base + trailing_zeros(left)) * TILE
                left &= left - u8(1)
                q += 1
            counts[i] = q


@kernel
def add_products(matrix, lists, out):
    """Add the sums of the rows of `matrix` selected by `lists` to `out`.

    matrix : (n, width) float32, width whole tiles; out : (rows, width) float32
    """
    n, width = matrix.shape
    flat, sums, listed = matrix.reshape(-1), out.reshape(-1), lists.codes.reshape(-1)
    counts, table, groups = lists.counts, lists.table, (n + 3) // 4
    chunks, rows = counts.shape
    tile, last = at_line(rows * TILE), at_line(4 * TILE)
    for k in range(4 * TILE):
        last[k] = f4(0.0)
    for column in range(0, width, TILE):
        for s in range(rows):
            copy_tile(tile, i8(s * TILE), sums, i8(s * width + column))
        for r in range(n % 4):
            copy_tile(last, i8(r * TILE), flat, i8((n - n % 4 + r) * width + column))
        for chunk in range(chunks):
            for g in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, groups)):
                base = i8(g % CHUNK * 16 * TILE)
                if 4 * g + 4 <= n:
                    table_tiles(table, base, flat, i8(column + 4 * g * width), i8(width))
                else:
                    table_tiles(table, base, last, i8(0), i8(TILE))
            for s in range(rows):
                gather_tiles(tile, i8(s * TILE), table, listed, i8((chunk * rows + s) * CHUNK), counts[chunk, s])
        for s in range(rows):
            copy_tile(sums, i8(s * width + column), tile, i8(s * TILE))


@kernel
def transpose(matrix, n_columns, out):
    """Set out[:n_columns, :rows] to the transpose of matrix[:, :n_columns]."""
    rows = matrix.shape[0]
    for j0 in range(0, n_columns, 8):
        for i0 in range(0, rows, 8):
            if i0 + 8 <= rows and j0 + 8 <= n_columns:
                for j in range(8):  # constant bounds turn such a block into shuffles of registers
                    for i in range(8):
                        out[j0 + j, i0 + i] = matrix[i0 + i, j0 + j]
            else:
                for j in range(j0, min(j0 + 8, n_columns)):
                    for i in range(i0, min(i0 + 8, rows)):
                        out[j, i] = matrix[i, j]


@kernel
def fill_fields(matrix, bias, states, lists, out):
    """out (rows, width of matrix) = bias + states times matrix, zero in the padding; bias : (n,) or (rows, n).

    lists : `Lists` for the states, filled
    """
    n = bias.shape[-1]
    for s in range(states.shape[0]):
        if bias.ndim == 1:
            for k in range(n):
                out[s, k] = bias[k]
        else:
            for k in range(n):
                out[s, k] = bias[s, k]
        for k in range(n, out.shape[1]):
            out[s, k] = f4(0.0)
    pack(states, lists)
    add_products(matrix, lists, out)


@kernel
def _draw(fields, lows, highs, counter, states):
    n = states.shape[1]
    for s in range(states.shape[0]):
        low, high = lows[s], highs[s]
        for k in range(n):
            states[s, k] = np.uint8(1) if turns_on(exp32(-fields[s, k]), counter + k, low, high) else np.uint8(0)


@kernel
def hidden_fields(W, c, v, out):
    """Set out (rows, width of W) = c + v W, the log-odds of the hidden units given rows v; zero in the padding.

    W : (n_visible, padded n_hidden); c : (n_hidden,), or (rows, n_hidden) if each row has its own biases
    Raises ValueError if W or out is not padded to whole tiles.
    """
    require_tiles(W, c.shape[-1])
    require_tiles(out, c.shape[-1])
    fill_fields(W, c, v, blank_lists(v.shape[0], v.shape[1], blank_table()), out)


@kernel
def _temper(fields, betas, bias, base):
    """fields (rows, at least n) = beta (fields + bias) + (1 - beta) base, bias and base (n,), each row at its beta."""
    for s in range(fields.shape[0]):
        beta = betas[s]
        for k in range(bias.size):
            fields[s, k] = beta * (fields[s, k] + bias[k]) + (f4(1.0) - beta) * base[k]


@kernel
def gibbs(machine, v, hidden, stream, first, steps, rungs):
    """Run `steps` steps of block Gibbs sampling in place: h from its fields, v from h, h's fields from v.

    machine : an `RBMArrays`, W (n_visible, padded n_hidden), WT (n_hidden, padded n_visible)
    v : (rows, n_visible) uint8
    hidden : (rows, width of W) float32, the hidden fields given v (`hidden_fields`), also on return
    stream : a `random.Stream`; step k of a row takes words k * (n_hidden + n_visible) on, hidden units first. `first`
        is the first k, so that a chain can be run in pieces.
    rungs : None, or (rows,) float32 inverse temperatures and (n_visible,) float32 log-odds at beta = 0, of the path of
        `kernels.tempered`, with one b and c for all rows
    Raises ValueError if W, WT or `hidden` is not padded to whole tiles.
    """
    W, WT, b, c = machine
    rows, n_visible = v.shape
    n_hidden = c.shape[-1]
    require_tiles(W, n_hidden)
    require_tiles(hidden, n_hidden)
    require_tiles(WT, n_visible)
    root = root_key(stream.seed, stream.purpose, stream.step)
    lows, highs = np.empty(rows, np.uint32), np.empty(rows, np.uint32)
    for s in range(rows):
        lows[s], highs[s] = row_key(root, stream.first_row + s)
    h = np.empty((rows, n_hidden), np.uint8)
    table = blank_table()
    v_lists, h_lists = blank_lists(rows, n_visible, table), blank_lists(rows, n_hidden, table)
    visible = at_line(rows * WT.shape[1]).reshape(rows, WT.shape[1])
    no_b, no_c = np.zeros(n_visible, np.float32), np.zeros(n_hidden, np.float32)
    for k in range(first, first + steps):
        counter = k * (n_hidden + n_visible)
        if rungs is not None:
            _temper(hidden, rungs[0], no_c, no_c)
        _draw(hidden, lows, highs, counter, h)
        if rungs is None:
            fill_fields(WT, b, h, h_lists, visible)
        else:
            fill_fields(WT, no_b, h, h_lists, visible)
            _temper(visible, rungs[0], b, rungs[1])
        _draw(visible, lows, highs, counter + n_hidden, v)
        fill_fields(W, c, v, v_lists, hidden)


@kernel
def probabilities(fields, n_hidden, scale, p, sums):
    """p (rows, width) = scale * sigmoid(fields), zero in the padding; its sums over rows are added to `sums`.

    Raises ValueError if p or the fields are not padded to whole tiles.
    """
    require_tiles(p, n_hidden)
    require_tiles(fields, n_hidden)
    total = np.zeros(n_hidden, np.float32)  # of these rows only: small terms added to a large sum lose their digits
    for s in range(fields.shape[0]):
        for k in range(n_hidden):
            p[s, k] = scale * sigmoid32(fields[s, k])
            total[k] += p[s, k]
        for k in range(n_hidden, fields.shape[1]):
            p[s, k] = f4(0.0)
    for k in range(n_hidden):
        sums[k] += total[k]


@kernel
def add_statistics(v, first, last, p, scale, term):
    """For the visible units first..last: term.vp += v'p, term.v += scale * sum of v.

    v : (rows, n_visible) uint8, at most 1,000 rows, whose offsets 16 bits can hold; p : (rows, width) float32
    term : an `ascent.SufficientStatistics` whose vp is (n_visible, width)
    A tile of p stays in the innermost cache, so that adding its single rows is faster than tables of sums.
    Raises ValueError if p or vp is not padded to whole tiles.
    """
    n_rows, width = p.shape
    require_tiles(p, term.p.size)
    require_tiles(term.vp, term.p.size)
    rows = np.empty((last - first, n_rows + 3), np.int16)
    counts = np.empty(last - first, np.int64)
    list_rows(v, first, last, rows, counts)
    for i in range(last - first):
        term.v[first + i] += scale * counts[i]
        while counts[i] % 4:
            rows[i, counts[i]] = n_rows * TILE
            counts[i] += 1
    tile = at_line((n_rows + 1) * TILE)
    for k in range(TILE):
        tile[n_rows * TILE + k] = f4(0.0)
    flat, listed, sums = p.reshape(-1), rows.reshape(-1), term.vp.reshape(-1)
    for column in range(0, width, TILE):
        for s in range(n_rows):
            copy_tile(tile, i8(s * TILE), flat, i8(s * width + column))
        for i in range(last - first):
            if counts[i] > 0:
                gather_tiles(sums, i8((first + i) * width + column), tile, listed, i8(i * (n_rows + 3)), counts[i])
