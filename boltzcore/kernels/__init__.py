"""Compiled loops on plain arrays: the only part of the project that uses numba.

Every kernel gives the same digits on every processor: the source fixes the order of sums (lanes and tiles of a fixed
width, independent of the processor's vectors), and exponentials and logarithms are our own.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba

from boltzcore.kernels.cache import KernelCache


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function for each new signature, once per machine; a decorator, with or without options of numba.

    Only flags that change no digit: no reassociation, contraction, reciprocal or approximate function, so that kernels
    round alike on every processor. Without error_model="numpy" the check for a zero divisor keeps loops scalar.
    """
    if function is None:
        return functools.partial(kernel, **options)
    compiled = numba.njit(fastmath={"nnan", "ninf", "nsz"}, error_model="numpy", nogil=True, **options)(function)
    compiled._cache = KernelCache(function)  # as `enable_caching` does with numba's own cache
    return compiled
