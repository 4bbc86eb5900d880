"""Products of float32 matrices with a fixed order of sums: that of BLAS differs between processors."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.rows import blank
from boltzcore.kernels.simd import LANES, accumulate_four, accumulate_one

i8 = np.int64

DEPTH = 64  # terms at a time, so that as many rows of the right matrix stay near
NARROW = f"right and out must be equally many columns wide, a multiple of {LANES}."


@kernel
def _add(factors, apart, stride, right, out, first, last):
    """out[first:last] += the rows first..last of a matrix, of which (i, q) is factors[i * apart + q * stride], times
    right (n, width).
    """
    if right.shape[1] % LANES or right.shape[1] != out.shape[1]:
        raise ValueError(NARROW)
    n, width = right.shape
    apart, stride, step = i8(apart), i8(stride), i8(width)
    vectors, sums = right.reshape(-1), out.reshape(-1)
    for q in range(0, n, DEPTH):
        terms = i8(min(DEPTH, n - q))
        for k in range(0, width, LANES):
            to = i8(q * width + k)
            for i in range(first, last - 3, 4):
                at, of = i8(i * width + k), i8(i * apart + q * stride)
                accumulate_four(sums, at, step, sums, factors, of, apart, stride, vectors, to, step, terms)
            for i in range(first + (last - first) // 4 * 4, last):
                at, of = i8(i * width + k), i8(i * apart + q * stride)
                accumulate_one(sums, at, step, sums, factors, of, apart, stride, vectors, to, step, terms)


@kernel
def add_product(left, right, out):
    """Add left (m, n) times right (n, width) to out (m, width); ValueError if width is not whole lanes."""
    _add(left.reshape(-1), left.shape[1], 1, right, out, 0, len(out))


@kernel
def add_transposed_product(left, right, out, first, last):
    """out[first:last] += the rows first..last of left' times right; left (n, m), right (n, width), out (m, width).

    Raises ValueError where width is not whole lanes.
    """
    _add(left.reshape(-1), 1, left.shape[1], right, out, first, last)


def whole(matrix):
    """Return a float32 copy of a matrix, its columns padded with zeros to whole tiles."""
    out = blank(*matrix.shape)
    out[:, : matrix.shape[1]] = matrix
    return out


def product(left, right, bias):
    """Return left (m, n) times right (n, width) plus bias, (m, n_columns) float32; bias : (n_columns,), or (m,
    n_columns); right : from `whole`.
    """
    columns = bias.shape[-1]
    out = blank(len(left), columns)
    out[:, :columns] = bias
    add_product(np.ascontiguousarray(left, np.float32), right, out)
    return np.ascontiguousarray(out[:, :columns])  # one layout, so that other kernels are compiled once
