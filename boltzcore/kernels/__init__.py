"""Compiled loops on plain arrays: the only home of numba in the project.

The cache of compiled code lives in a folder named by a digest of every kernel source and of the
versions that compile it: numba itself would not notice an edit of a module that other kernels call.
"""

import functools
import hashlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
from numba.core import config

from boltzcore.home import folder


def _digest() -> str:
    digest = hashlib.sha256()
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(version(package).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


config.CACHE_DIR = str(folder("kernels", _digest()))

# Without error_model="numpy" the check for a zero divisor keeps loops scalar.
kernel: Callable[..., Any] = functools.partial(numba.njit, cache=True, fastmath={"nnan", "ninf", "nsz"}, error_model="numpy", nogil=True)
