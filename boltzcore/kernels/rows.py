"""Products of 0/1 rows with a weight matrix, and the block Gibbs sampler and gradient built on them.

The units of a row are taken four at a time. For each four rows of the matrix the sixteen sums that
four bits can choose are tabled once for a tile of columns (the method of the four Russians), so that
a product costs one table row for each four units that are not all off. Matrices are padded with zero
columns to whole tiles: `padded(n)` columns.
"""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, unit, word
from boltzcore.kernels.simd import (
    CHUNK,
    LINE,
    TILE,
    add_tiles,
    at_line,
    copy_tile,
    gather_tiles,
    list_groups,
    table_tiles,
    trailing_zeros,
)
from boltzcore.kernels.vector import exp32, sigmoid32

u4, u8, f4, i8 = np.uint32, np.uint64, np.float32, np.int64


def padded(n: int) -> int:
    """`n` rounded up to whole tiles."""
    return -(-n // TILE) * TILE


def blank(rows: int, columns: int) -> np.ndarray:
    """(rows, padded columns) float32 zeros that begin at a cache line, so that no tile straddles two."""
    size = rows * padded(columns)
    raw = np.zeros(size + LINE, np.float32)
    skip = -(raw.ctypes.data // 4) % LINE
    return raw[skip : skip + size].reshape(rows, padded(columns))


@kernel
def lists(n_rows, n):
    """Room for what `pack` and `add_products` make of n_rows rows of n units: (codes, counts, table)."""
    chunks = (n + 4 * CHUNK - 1) // (4 * CHUNK)
    table = at_line(CHUNK * 16 * TILE)
    for g in range(CHUNK):
        for k in range(TILE):
            table[g * 16 * TILE + k] = f4(0.0)
    return np.empty((chunks, n_rows, CHUNK), np.int16), np.empty((chunks, n_rows), np.int64), table


@kernel
def pack(v, codes, counts):
    """List the groups of four units of each row that are not all off, chunk after chunk.

    v : (rows, n) uint8 of 0/1; codes, counts : of `lists`, filled with offsets into the table of the
    group's chunk, and how many each chunk lists, in whole fours.
    """
    n, units = v.shape[1], 4 * CHUNK
    flat, listed, rows = v.reshape(-1), codes.reshape(-1), v.shape[0]
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
def add_tile(flat, begin, stride, n, codes, counts, table, tile):
    """tile (rows * TILE,) += the sums that `codes` list of the n tiles of `flat` at begin, begin + stride, ...

    flat : float32; codes, counts, table : of `lists`. The table holds a chunk of groups at a time, so that it stays in
        a near cache.
    """
    groups, listed = (n + 3) // 4, codes.reshape(-1)
    chunks, rows = counts.shape
    for chunk in range(chunks):
        for g in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, groups)):
            base, first = g % CHUNK * 16 * TILE, begin + 4 * g * stride
            if 4 * g + 4 <= n:
                table_tiles(table, i8(base), flat, i8(first), i8(stride))
                continue
            for r in range(n - 4 * g):
                half = 1 << r
                for m in range(half):
                    add_tiles(
                        table, i8(base + (half + m) * TILE), table, i8(base + m * TILE), flat, i8(first + r * stride)
                    )
        for s in range(rows):
            gather_tiles(tile, i8(s * TILE), table, listed, i8((chunk * rows + s) * CHUNK), counts[chunk, s])


@kernel
def add_products(matrix, codes, counts, table, out):
    """out += the sums of the rows of `matrix` that `codes` list.

    matrix : (n, width) float32, width whole tiles; out : (rows, width) float32; codes, counts, table : of `lists`.
    """
    n, width = matrix.shape
    flat, sums = matrix.reshape(-1), out.reshape(-1)
    tile = at_line(out.shape[0] * TILE)
    for column in range(0, width, TILE):
        for s in range(out.shape[0]):
            copy_tile(tile, i8(s * TILE), sums, i8(s * width + column))
        add_tile(flat, column, width, n, codes, counts, table, tile)
        for s in range(out.shape[0]):
            copy_tile(sums, i8(s * width + column), tile, i8(s * TILE))


@kernel
def transpose(matrix, n_columns, out):
    """out[:n_columns, :rows] = the transpose of matrix[:, :n_columns]."""
    rows = matrix.shape[0]
    for j0 in range(0, n_columns, 8):
        for i0 in range(0, rows, 8):
            if i0 + 8 <= rows and j0 + 8 <= n_columns:
                for j in range(8):  # constant bounds: such a block becomes shuffles of registers
                    for i in range(8):
                        out[j0 + j, i0 + i] = matrix[i0 + i, j0 + j]
            else:
                for j in range(j0, min(j0 + 8, n_columns)):
                    for i in range(i0, min(i0 + 8, rows)):
                        out[j, i] = matrix[i, j]


@kernel
def _fields(matrix, bias, states, codes, counts, table, out):
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
    pack(states, codes, counts)
    add_products(matrix, codes, counts, table, out)


@kernel
def _draw(fields, lows, highs, counter, states):
    n = states.shape[1]
    for s in range(states.shape[0]):
        low, high = lows[s], highs[s]
        for k in range(n):
            u = unit(word(u4(counter + k), low, high))
            states[s, k] = np.uint8(1) if u * (f4(1.0) + exp32(-fields[s, k])) < f4(1.0) else np.uint8(0)


@kernel
def hidden_fields(W, c, v, out):
    """out (rows, width of W) = c + v W, the log-odds of the hidden units given rows v; zero in the padding.

    c : (n_hidden,), or (rows, n_hidden) where each row has biases of its own
    """
    codes, counts, table = lists(v.shape[0], v.shape[1])
    _fields(W, c, v, codes, counts, table, out)


@kernel
def gibbs(W, WT, b, c, v, hidden, seed, purpose, step, first_row, first, steps):
    """Run `steps` steps of block Gibbs sampling in place: h from its fields, v from h, h's fields from v.

    W : (n_visible, padded n_hidden), WT : (n_hidden, padded n_visible); v : (rows, n_visible) uint8; b, c : biases
    (n_visible,) and (n_hidden,), or (rows, n_visible) and (rows, n_hidden) where each row has its own;
    hidden : (rows, width of W) float32, the hidden fields given v (`hidden_fields`), left so.
    Row s uses the stream (seed, purpose, step, first_row + s); step k of it words
    k * (n_hidden + n_visible) on, hidden units first. `first` is the first k, so that a chain can be
    run in pieces.
    """
    rows, n_visible = v.shape
    n_hidden = c.shape[-1]
    root = root_key(seed, purpose, step)
    lows, highs = np.empty(rows, np.uint32), np.empty(rows, np.uint32)
    for s in range(rows):
        key = row_key(root, first_row + s)
        lows[s], highs[s] = u4(key & u8(0xFFFFFFFF)), u4(key >> u8(32))
    h = np.empty((rows, n_hidden), np.uint8)
    v_codes, v_counts, table = lists(rows, n_visible)
    h_codes, h_counts, _ = lists(rows, n_hidden)
    visible = at_line(rows * WT.shape[1]).reshape(rows, WT.shape[1])
    for k in range(first, first + steps):
        counter = k * (n_hidden + n_visible)
        _draw(hidden, lows, highs, counter, h)
        _fields(WT, b, h, h_codes, h_counts, table, visible)
        _draw(visible, lows, highs, counter + n_hidden, v)
        _fields(W, c, v, v_codes, v_counts, table, hidden)


@kernel
def probabilities(fields, n_hidden, scale, p, dc):
    """p (rows, width) = scale * sigmoid(fields), zero in the padding; its sums over rows are added to dc."""
    total = np.zeros(n_hidden, np.float32)  # of these rows alone: beside a large sum small terms lose their digits
    for s in range(fields.shape[0]):
        for k in range(n_hidden):
            p[s, k] = scale * sigmoid32(fields[s, k])
            total[k] += p[s, k]
        for k in range(n_hidden, fields.shape[1]):
            p[s, k] = f4(0.0)
    for k in range(n_hidden):
        dc[k] += total[k]


@kernel
def add_statistics(v, first, last, p, scale, dW, db):
    """dW[first:last] += v'p, db[first:last] += scale * sum of v, for the visible units first..last.

    v : (rows, n_visible) uint8, at most 1,000 rows, whose offsets 16 bits can hold; p : (rows, width) float32; dW :
        (n_visible, width); db : (n_visible,).
    A tile of p stays in the innermost cache, so that adding single rows of it beats tables of their sums.
    """
    n_rows, width = p.shape
    rows = np.empty((last - first, n_rows + 3), np.int16)
    counts = np.empty(last - first, np.int64)
    list_rows(v, first, last, rows, counts)
    for i in range(last - first):
        db[first + i] += scale * counts[i]
        while counts[i] % 4:
            rows[i, counts[i]] = n_rows * TILE
            counts[i] += 1
    tile = at_line((n_rows + 1) * TILE)
    for k in range(TILE):
        tile[n_rows * TILE + k] = f4(0.0)
    flat, listed, sums = p.reshape(-1), rows.reshape(-1), dW.reshape(-1)
    for column in range(0, width, TILE):
        for s in range(n_rows):
            copy_tile(tile, i8(s * TILE), flat, i8(s * width + column))
        for i in range(last - first):
            if counts[i] > 0:
                gather_tiles(sums, i8((first + i) * width + column), tile, listed, i8(i * (n_rows + 3)), counts[i])
