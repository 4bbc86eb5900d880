"""Compiled loops on plain arrays: the only home of numba in the project.

The cache of compiled code lives in a folder named by a digest of every kernel source and of the
versions that compile it: numba itself would not notice an edit of a module that other kernels call.

Every kernel gives the same digits on every processor: sums run in an order that the source fixes (lanes and tiles of a
fixed width, whatever the processor's vectors hold), and exponentials and logarithms are our own.
"""

import functools
import hashlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba.core import config
from numba.core.codegen import get_host_cpu_features

from boltzcore.home import folder


def _digest() -> str:
    digest = hashlib.sha256()
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(version(package).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


config.CACHE_DIR = str(folder("kernels", _digest()))

if config.CPU_NAME is None and config.CPU_FEATURES is None and binding.get_host_cpu_features().get("avx512f"):
    # For some Intel processors LLVM would halve the vectors of loops beside code that does not: whole ones were
    # measured as quicker.
    config.CPU_FEATURES = get_host_cpu_features() + ",-prefer-256-bit"


def compiled_for() -> str:
    """The processor that kernels are compiled for, as LLVM calls it."""
    return config.CPU_NAME or binding.get_host_cpu_name()


# Only flags that change no digit: no reassociation, contraction, reciprocal or approximate function, so that kernels
# round alike on every processor.
# Without error_model="numpy" the check for a zero divisor keeps loops scalar.
kernel: Callable[..., Any] = functools.partial(
    numba.njit, cache=True, fastmath={"nnan", "ninf", "nsz"}, error_model="numpy", nogil=True
)
