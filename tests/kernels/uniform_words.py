"""Words of one stream as uniforms, for tests that follow a kernel's draws."""

import numpy as np

from boltzcore.kernels import kernel
from boltzcore.kernels.random import root_key, row_key, unit, word

u4, u8 = np.uint32, np.uint64


@kernel(cache=False)
def _fill(seed, purpose, step, row, first, out):
    key = row_key(root_key(seed, purpose, step), row)
    for n in range(out.size):
        out[n] = unit(word(u4(first + n), u4(key & u8(0xFFFFFFFF)), u4(key >> u8(32))))


def uniforms(seed, purpose, step, row, n, first=0):
    """n uniforms of the stream (seed, purpose, step, row), from word `first` on."""
    out = np.empty(n, np.float32)
    _fill(seed, purpose, step, row, first, out)
    return out
