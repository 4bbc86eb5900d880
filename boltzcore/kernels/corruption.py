"""Noise on rows of 0/1 pixels: flipped, set to 1, or hidden by a patch; each row has its own stream."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import FLIP, PATCH, SALT, below, root_key, row_key, u4, u8, word


@kernel
def _patch(images, size, value, seed, epoch):
    root = root_key(seed, PATCH, epoch)
    n, height, width = images.shape
    for i in range(n):
        low, high = row_key(root, i)
        # the high half of word * places: uniform to within places / 2**32
        top = np.int64(u8(word(u4(0), low, high)) * u8(height - size + 1) >> u8(32))
        left = np.int64(u8(word(u4(1), low, high)) * u8(width - size + 1) >> u8(32))
        images[i, top : top + size, left : left + size] = value


def flip(v, rate, seed, epoch):
    """Return `v` with each pixel flipped with probability `rate`, (n, n_visible) uint8 0/1."""
    return v ^ _noisy(v, rate, seed, FLIP, epoch)


def salt(v, rate, seed, epoch):
    """Return `v` with each pixel set to 1 with probability `rate`, (n, n_visible) uint8 0/1."""
    return v | _noisy(v, rate, seed, SALT, epoch)


def patch_(images, size, value, seed, epoch):
    """Set a size x size square of each of the (n, height, width) images to `value`, in place, anywhere inside."""
    _patch(images, np.int64(size), np.uint8(value), np.uint64(seed), np.uint64(epoch))


def _noisy(v, rate, seed, purpose, epoch):
    limit = np.array([round(rate * 2**32)], u8)  # none is below it at rate 0, all at rate 1
    return below(np.zeros(v.shape, np.uint8), limit, seed, purpose, epoch)
