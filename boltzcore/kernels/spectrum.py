"""Tables over all states of some discrete variables: the transforms between parameters, probabilities and dual
parameters of a log-linear model, and the direct update of the duals (Takabatake and Akaho, sections 2.1 and 2.2).

A table lies in two parts. Below are the variables of 2**k values, a power of two together: each is k bits of the lower
index, and its local functions are the rows of a Walsh-Hadamard matrix (eq. 4). Above are those of any other number of
values, in mixed radix: phi_0 = 1, and phi_j(l) = 1 where l = j, else -1 (eq. 5).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import exp64

LANES = 16  # numbers that are summed side by side, each separately, and then added in order
CHUNK = 256  # numbers of a table that are processed together
ROOM = 1 << 18  # size of a step's buffer, unless a single group has more


@kernel
def butterflies(table, stride, begin, end):
    """One bit of the index, in place, for pairs begin <= q < end; a call may begin and end anywhere."""
    q = begin
    while q < end:
        at = q % stride
        length = min(stride - at, end - q)
        low = (q // stride) * 2 * stride + at
        lower, upper = table[low : low + length], table[low + stride : low + stride + length]
        for i in range(length):
            x, y = lower[i], upper[i]
            lower[i], upper[i] = x + y, x - y
        q += length


@kernel
def low_bits(table, bits):
    """Transform the lowest `bits` bits of the index, in place, block by block while it is in the fast cache."""
    size = 1 << bits
    for first in range(0, table.size, size):
        block, stride = table[first : first + size], 1
        if size >= 8:
            lowest_bits(block)
            stride = 8
        while stride < size:
            for low in range(0, size, 2 * stride):
                lower, upper = block[low : low + stride], block[low + stride : low + 2 * stride]
                for i in range(stride):
                    x, y = lower[i], upper[i]
                    lower[i], upper[i] = x + y, x - y
            stride *= 2


@kernel
def lowest_bits(block):
    """Transform the lowest three bits, eight numbers at a time: unrolled, these are shuffles."""
    for first in range(0, block.size, 8):
        x = block[first : first + 8]
        a, b, c, d, e, f, g, h = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
        a, b, c, d, e, f, g, h = a + b, a - b, c + d, c - d, e + f, e - f, g + h, g - h
        a, b, c, d, e, f, g, h = a + c, b + d, a - c, b - d, e + g, f + h, e - g, f - h
        x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = a + e, b + f, c + g, d + h, a - e, b - f, c - g, d - h


@kernel
def transform_axis(table, size, stride, to_expectations, begin, end):
    """One axis above, in place: probabilities become expectations of its local functions, or parameters log-weights.

    begin, end : of the columns, each of `size` numbers that lie `stride` apart
    """
    total, q = np.empty(CHUNK), begin
    while q < end:
        length = min(stride - q % stride, end - q, CHUNK)
        at = (q // stride) * size * stride + q % stride
        first = table[at : at + length]
        for i in range(length):
            total[i] = first[i] if to_expectations else 0.0
        for j in range(1, size):
            values = table[at + j * stride : at + j * stride + length]
            for i in range(length):
                total[i] += values[i]
        for i in range(length):
            first[i] = total[i] if to_expectations else first[i] - total[i]
            total[i] = -first[i] if to_expectations else first[i]
        for j in range(1, size):
            values = table[at + j * stride : at + j * stride + length]
            for i in range(length):
                values[i] = 2.0 * values[i] + total[i]
        q += length


@kernel
def exponentials(table, top):
    """Replace numbers by e**(number - top), in place; return their sum, added lane by lane."""
    lanes = np.zeros(LANES)
    whole = table.size // LANES * LANES
    for first in range(0, whole, LANES):
        part = table[first : first + LANES]
        for i in range(LANES):
            part[i] = exp64(part[i] - top)
            lanes[i] += part[i]
    total = 0.0
    for i in range(LANES):
        total += lanes[i]
    for i in range(whole, table.size):
        table[i] = exp64(table[i] - top)
        total += table[i]
    return total


@kernel(inline="always")
def _highest_bit(index):
    top = 1
    while 2 * top <= index:
        top *= 2
    return top


@kernel
def step_bits(dual, flip, t, of_term, begin, end):
    """A step along a term of bits alone, for pairs begin <= q < end of duals, whose indices differ by `flip`.

    dual_y <- (dual_y + t dual_(y xor flip)) / (1 + t of_term), on the right from before; t is the hyperbolic tangent of
    the step, of_term the term's dual before it. No two pairs share a number.
    """
    factor = 1.0 / (1.0 + t * of_term)
    top = _highest_bit(flip)
    low = flip ^ top
    run = low & -low if low > 0 else top
    q = begin
    while q < end:
        at = q % top
        length = min(run - at % run, end - q)
        block = (q // top) * 2 * top
        to = ((at - at % run) ^ low) + at % run
        lower, upper = dual[block + at : block + at + length], dual[block + top + to : block + top + to + length]
        for i in range(length):
            x, y = lower[i], upper[i]
            lower[i], upper[i] = (x + t * y) * factor, (y + t * x) * factor
        q += length


@kernel
def step_eights(dual, flip, t, of_term, begin, end):
    """`step_bits` where runs are short, for begin <= q < end of pairs of eights, or of eights where a pair lies in one.

    The lowest three bits of `flip` say which of eight goes with which: known when it is compiled, this is a shuffle.
    """
    factor, far = 1.0 / (1.0 + t * of_term), flip >> 3
    near = flip & 7
    if near == 0:
        _eights(dual, far, 0, t, factor, begin, end)
    elif near == 1:
        _eights(dual, far, 1, t, factor, begin, end)
    elif near == 2:
        _eights(dual, far, 2, t, factor, begin, end)
    elif near == 3:
        _eights(dual, far, 3, t, factor, begin, end)
    elif near == 4:
        _eights(dual, far, 4, t, factor, begin, end)
    elif near == 5:
        _eights(dual, far, 5, t, factor, begin, end)
    elif near == 6:
        _eights(dual, far, 6, t, factor, begin, end)
    else:
        _eights(dual, far, 7, t, factor, begin, end)


@kernel(inline="always")
def _eights(dual, far, near, t, factor, begin, end):
    if far == 0:
        for q in range(begin, end):
            x = dual[8 * q : 8 * q + 8]
            a = _shuffled(x, near)
            for j in range(8):
                x[j] = (x[j] + t * a[j]) * factor
        return
    top = _highest_bit(far)
    for q in range(begin, end):
        i = ((q & -top) << 1) | (q & (top - 1))
        k = i ^ far
        x, y = dual[8 * i : 8 * i + 8], dual[8 * k : 8 * k + 8]
        a, b = _shuffled(x, near), _shuffled(y, near)
        for j in range(8):
            x[j] = (x[j] + t * b[j]) * factor
        for j in range(8):
            y[j] = (y[j] + t * a[j]) * factor


@kernel(inline="always")
def _shuffled(x, near):
    return (x[near], x[1 ^ near], x[2 ^ near], x[3 ^ near], x[4 ^ near], x[5 ^ near], x[6 ^ near], x[7 ^ near])


class Above(NamedTuple):
    """Dependence of a term on the axes above: sizes of all, and its digit on each; 0 if it does not depend on one."""

    sizes: NDArray[np.int64]
    digits: NDArray[np.int64]


@kernel
def _act(values, sizes, digits, length):
    """Products with the term's own local functions, in place: values (group, length) of the axes it depends on."""
    stride = 1
    for k in range(sizes.size):
        if digits[k] == 0:
            continue
        size, digit = sizes[k], digits[k]
        for block in range(0, values.shape[0], size * stride):
            for s in range(stride):
                first, own = values[block + s], values[block + digit * stride + s]
                for j in range(1, size):
                    if j != digit:
                        other = values[block + j * stride + s]
                        for i in range(length):
                            other[i] = -(first[i] + own[i] + other[i])
                for i in range(length):
                    first[i], own[i] = own[i], first[i]
        stride *= size


@kernel
def step_above(dual, bits, flip, above, t, of_term, begin, end):
    """A step, as of `step_bits`, along a term that may depend on axes above: groups begin <= g < end of the numbers
    that mix, side by side; with a flip of the lower part, of both its sides.

    bits : numbers of the lower part; flip : the term's index there
    """
    sizes, digits = above
    factor = 1.0 / (1.0 + t * of_term)
    group, stride, within = 1, bits, 1
    for k in range(sizes.size):
        if digits[k] > 0:
            group *= sizes[k]
    offsets = np.zeros(group, np.int64)
    for k in range(sizes.size):
        if digits[k] > 0:
            for g in range(group):
                offsets[g] += (g // within) % sizes[k] * stride
            within *= sizes[k]
        stride *= sizes[k]
    free, strides = np.ones(sizes.size + 2, np.int64), np.ones(sizes.size + 2, np.int64)  # axes that distinguish groups
    free[0], stride, axes = bits, bits, 0
    if flip != 0:
        free[0] = _highest_bit(flip)
        free[1], strides[1], axes = bits // (2 * free[0]), 2 * free[0], 1
    for k in range(sizes.size):
        if digits[k] == 0 and strides[axes] * free[axes] == stride:
            free[axes] *= sizes[k]  # numbers of both lie side by side
        elif digits[k] == 0:
            axes += 1
            free[axes], strides[axes] = sizes[k], stride
        stride *= sizes[k]
    digit, at, rest = np.zeros(axes + 1, np.int64), 0, begin
    for k in range(axes + 1):
        digit[k] = rest % free[k]
        at += digit[k] * strides[k]
        rest //= free[k]
    chunk = max(1, min(CHUNK, end - begin, ROOM // group))
    base = np.empty(chunk, np.int64)
    one, other, new = np.empty((group, chunk)), np.empty((group, chunk)), np.empty((group, chunk))
    for first in range(begin, end, chunk):
        length = min(chunk, end - first)
        for i in range(length):
            base[i] = at
            for k in range(axes + 1):  # advance to the next
                digit[k] += 1
                at += strides[k]
                if digit[k] < free[k]:
                    break
                digit[k], at = 0, at - free[k] * strides[k]
        for g in range(group):
            for i in range(length):
                one[g, i] = dual[base[i] + offsets[g]]
                other[g, i] = new[g, i] = dual[(base[i] + offsets[g]) ^ flip]
        _act(new, sizes, digits, length)
        for g in range(group):
            for i in range(length):
                dual[base[i] + offsets[g]] = (one[g, i] + t * new[g, i]) * factor
        if flip == 0:
            continue
        _act(one, sizes, digits, length)
        for g in range(group):
            for i in range(length):
                dual[(base[i] + offsets[g]) ^ flip] = (other[g, i] + t * one[g, i]) * factor
