"""Responses of one hidden unit to many rows, and derivatives in its weights, in one pass: rows lie side by side."""

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp32, log32

f4 = np.float32
SIDE = 64  # rows of a block, side by side
LANES = 16  # sums of a derivative that run side by side, and are then added in order


def side_by_side(v: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return rows of 0/1 column by column, (blocks, columns, SIDE), the last block padded with zeros."""
    n, columns = v.shape
    blocks = np.zeros((-(-n // SIDE), columns, SIDE), np.uint8)
    for k, block in enumerate(blocks):
        part = v[k * SIDE : (k + 1) * SIDE]
        block[:, : len(part)] = part.T
    return blocks


@kernel(inline="always")
def _fields(block, w, fields):
    """w' v of each row of a block, the last weight being the bias; four columns at a time, added in their order."""
    columns = w.size - 1
    by_four = columns - columns % 4
    for i in range(SIDE):
        fields[i] = w[columns]
    for j in range(0, by_four, 4):
        w_0, w_1, w_2, w_3 = w[j], w[j + 1], w[j + 2], w[j + 3]
        on_0, on_1, on_2, on_3 = block[j], block[j + 1], block[j + 2], block[j + 3]
        for i in range(SIDE):
            field = fields[i]
            field += w_0 * f4(on_0[i])
            field += w_1 * f4(on_1[i])
            field += w_2 * f4(on_2[i])
            field += w_3 * f4(on_3[i])
            fields[i] = field
    for j in range(by_four, columns):
        weight, on = w[j], block[j]
        for i in range(SIDE):
            fields[i] += weight * f4(on[i])


@kernel(inline="always")
def _respond(fields, softplus, sigmoid):
    for i in range(SIDE):
        x = fields[i]
        e = exp32(-abs(x))
        softplus[i] = max(x, f4(0.0)) + log32(f4(1.0) + e)
        sigmoid[i] = (f4(1.0) if x >= f4(0.0) else e) / (f4(1.0) + e)


@kernel
def respond(blocks, w, scale, begin, end, gradient):
    """sum over blocks begin <= k < end of scale[k, i] * softplus(w' v_i); derivatives by w go to `gradient`.

    blocks : (blocks, columns, SIDE) uint8; w : (columns + 1,) float32, the last of a unit that is always on
    scale : (blocks, SIDE) float32, 0 where there is no row; gradient : (columns + 1,) float64
    """
    columns = w.size - 1
    fields, softplus, sigmoid = np.empty(SIDE, f4), np.empty(SIDE, f4), np.empty(SIDE, f4)
    sums, rest, total = np.zeros((columns, LANES), f4), np.zeros(SIDE), np.zeros(SIDE)
    for k in range(begin, end):
        block, weight = blocks[k], scale[k]
        _fields(block, w, fields)
        _respond(fields, softplus, sigmoid)
        for i in range(SIDE):
            total[i] += weight[i] * softplus[i]
            sigmoid[i] *= weight[i]
            rest[i] += sigmoid[i]
        for j in range(columns):
            on, own = block[j], sums[j]
            for i in range(LANES):
                own[i] += (sigmoid[i] * f4(on[i]) + sigmoid[LANES + i] * f4(on[LANES + i])) + (
                    sigmoid[2 * LANES + i] * f4(on[2 * LANES + i]) + sigmoid[3 * LANES + i] * f4(on[3 * LANES + i])
                )
    for j in range(columns):
        gradient[j] = 0.0
        for i in range(LANES):
            gradient[j] += sums[j, i]
    value, gradient[columns] = 0.0, 0.0
    for i in range(SIDE):
        value += total[i]
        gradient[columns] += rest[i]
    return value


@kernel
def responses(blocks, w, softplus):
    """softplus (blocks, SIDE) float32 of each row's w' v."""
    fields, sigmoid = np.empty(SIDE, f4), np.empty(SIDE, f4)
    for k in range(blocks.shape[0]):
        _fields(blocks[k], w, fields)
        _respond(fields, softplus[k], sigmoid)
