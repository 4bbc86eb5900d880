"""Compiled loops on plain arrays: the only home of numba in the project.

Every kernel gives the same digits on every processor: sums run in an order that the source fixes (lanes and tiles of a
fixed width, whatever the processor's vectors hold), and exponentials and logarithms are our own.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba

from boltzcore.kernels.cache import KernelCache


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function for each signature that it is called with, once on this machine; a decorator, with options of
    numba's or without.

    Only flags that change no digit: no reassociation, contraction, reciprocal or approximate function, so that kernels
    round alike on every processor. Without error_model="numpy" the check for a zero divisor keeps loops scalar.
    """
    if function is None:
        return functools.partial(kernel, **options)
    compiled = numba.njit(fastmath={"nnan", "ninf", "nsz"}, error_model="numpy", nogil=True, **options)(function)
    compiled._cache = KernelCache(function)  # what `enable_caching` does with numba's own
    return compiled
