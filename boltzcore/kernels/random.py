"""Counter-based random streams: any part of any stream at any time, without global or stored state.

A stream is named by (seed, purpose, step, row). Its 64-bit key is a mix of the four, and its n-th 32-bit word a hash of
n under the whole key, so that two streams are equal, or shifted copies of each other, only if their 64-bit keys happen
to collide. Words become uniforms on the centres of 2**23 equal cells of (0, 1).
"""

from typing import NamedTuple

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.vector import float_of_int, log64

u4, u8, i4, f4, f8 = np.uint32, np.uint64, np.int32, np.float32, np.float64

INITIAL, SHUFFLE, BINARISE, GIBBS, PARTICLES, SAMPLE, ANNEALING, SPREAD, FLIP, SALT, PATCH, TRUTH = range(1, 13)
ACCEPT, UNIT, INSERT, BRIDGE = range(13, 17)
PAIR, EXCHANGE, RESERVOIR, RESTART, HELD_OUT = range(18, 23)


class Stream(NamedTuple):
    """Random streams of an array's rows: row s draws from (seed, purpose, step, first_row + s)."""

    seed: np.uint64
    purpose: int
    step: int
    first_row: int


@kernel(inline="always")
def mix64(x):
    """Return a bijective mix of 64-bit words (the finaliser of SplitMix64; Steele, Lea and Flood 2014)."""
    x = u8(x ^ (x >> u8(30))) * u8(0xBF58476D1CE4E5B9)
    x = u8(x ^ (x >> u8(27))) * u8(0x94D049BB133111EB)
    return u8(x ^ (x >> u8(31)))


@kernel(inline="always")
def root_key(seed, purpose, step):
    """Return the 64-bit key of all rows' streams of one step."""
    x = mix64(u8(seed) + u8(0x9E3779B97F4A7C15))
    x = mix64(x ^ u8(u8(purpose) * u8(0xD1342543DE82EF95)))
    return mix64(x + u8(step) * u8(0x9E3779B97F4A7C15))


@kernel(inline="always")
def row_key(root, row):
    """Return the 64-bit key of one row's stream, as its lower and its upper half."""
    key = mix64(root ^ mix64(u8(row) + u8(0x632BE59BD9B4E019)))
    return u4(key & u8(0xFFFFFFFF)), u4(key >> u8(32))


@kernel(inline="always")
def word(n, low, high):
    """Return the n-th 32-bit word of the stream with key (high, low); each half enters between two rounds."""
    x = u4(u4(n) * u4(0x9E3779B9)) + low
    x = u4(x)
    x = u4(u4(x ^ u4(x >> u4(16))) * u4(0x7FEB352D))
    x = u4(u4(x ^ u4(x >> u4(15))) + high)
    x = u4(u4(x ^ u4(x >> u4(13))) * u4(0x846CA68B))
    return u4(x ^ u4(x >> u4(16)))


@kernel(inline="always")
def unit(w):
    """Return a 32-bit word as a uniform in (0, 1), a multiple of 2**-23 plus 2**-24."""
    return float_of_int(i4(u4(w >> u4(9)) | u4(0x3F800000))) - f4(0.99999994039535522)


@kernel(inline="always")
def turns_on(odds, n, low, high):
    """Return True if the n-th word of a stream turns on a unit with these odds of being off: u (1 + odds) < 1."""
    return unit(word(n, low, high)) * (f4(1.0) + odds) < f4(1.0)


@kernel
def _uniforms(seed, purpose, step, rows, first, out):
    root = root_key(seed, purpose, step)
    for i in range(rows.size):
        low, high = row_key(root, rows[i])
        for n in range(out.shape[1]):
            out[i, n] = unit(word(u4(first + n), low, high))


def uniforms(seed, purpose, step, rows, n, first=0):
    """Return float32 uniforms (rows, n), words `first` on, of the streams (seed, purpose, step, row) of rows, (rows,)
    or one: the same as in a kernel.
    """
    numbers = np.asarray(rows, np.int64).reshape(-1)
    out = np.empty((numbers.size, n), np.float32)
    _uniforms(np.uint64(seed), purpose, step, numbers, first, out)
    return out.reshape(*np.shape(rows), n)


@kernel
def _below(codes, limits, seed, purpose, epoch, out):
    root = root_key(seed, purpose, epoch)
    for i in range(out.shape[0]):
        low, high = row_key(root, i)
        for j in range(out.shape[1]):
            out[i, j] = u8(word(u4(j), low, high)) < limits[codes[i, j]]


def below(codes, limits, seed, purpose, epoch):
    """Return 1 for pixels whose word, of 2**32, is below the limit of its code, (n, n_visible) uint8."""
    out, codes = np.empty(codes.shape, np.uint8), codes.view()
    codes.flags.writeable = False  # numba compiles read-only arrays separately: make all read-only
    _below(codes, limits, np.uint64(seed), purpose, np.uint64(epoch), out)
    return out


def binarise(gray, seed, epoch):
    """Return 0/1 pixels, (n, n_visible) uint8, each on with probability gray/255, drawn for this epoch."""
    limits = ((np.arange(256, dtype=u8) << u8(32)) + u8(254)) // u8(255)  # 0 is never on, 255 always
    return below(gray, limits, seed, BINARISE, epoch)


@kernel
def _normal(seed, purpose, step, out):
    root = root_key(seed, purpose, step)
    for pair in range((out.size + 1) // 2):
        low, high = row_key(root, pair)
        n, s, x, y = 0, 0.0, 0.0, 0.0
        while s == 0.0 or s >= 1.0:
            x, y = (
                (f8(word(u4(n), low, high)) - 2147483647.5) / 2147483648.0,
                (f8(word(u4(n + 1), low, high)) - 2147483647.5) / 2147483648.0,
            )
            s = x * x + y * y
            n += 2
        stretch = np.sqrt(-2.0 * log64(s) / s)
        out[2 * pair] = stretch * x
        if 2 * pair + 1 < out.size:
            out[2 * pair + 1] = stretch * y


def normal_in_double(shape, deviation, seed, purpose, step=0):
    """Return numbers of this shape from a normal distribution with mean 0 (Marsaglia's polar method), the same on every
    machine.
    """
    out = np.empty(shape)
    _normal(np.uint64(seed), purpose, step, out.reshape(-1))
    return deviation * out


def normal(shape, deviation, seed, purpose, step=0):
    """Return `normal_in_double`, rounded to float32."""
    return normal_in_double(shape, deviation, seed, purpose, step).astype(np.float32)


def generator(seed, purpose, step=0):
    """Return a numpy Generator on a stream of its own, for rare draws (starts, permutations)."""
    return np.random.Generator(np.random.Philox(np.random.SeedSequence((seed, purpose, step))))
