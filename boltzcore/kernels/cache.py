"""Cache of compiled kernels, named by their sources, so that a copy of the code elsewhere finds them."""

import hashlib
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llvmlite import binding
from numba.core import caching, config
from numba.core.codegen import get_host_cpu_features

from boltzcore.home import folder

UNUSED = 30 * 24 * 3600.0  # seconds after which unused kernels of other code or another processor are removed


def target_cpu() -> str:
    """Return the processor that kernels are compiled for, by LLVM's name."""
    return config.CPU_NAME or binding.get_host_cpu_name()


def digest_of(sources: Path) -> str:
    """Return a digest of the sources of all kernels below a folder, and of their compiler and target.

    A compiled kernel contains the functions that it calls and the constants that it reads, from any module: a change of
    any source invalidates it. Kernels import nothing else of the project (tests/test_floors.py checks that).
    """
    digest = hashlib.sha256()
    versions = [version(package) for package in ("numba", "llvmlite", "numpy")]
    features = config.CPU_FEATURES or get_host_cpu_features()
    digest.update(repr((sys.implementation.cache_tag, versions, target_cpu(), features)).encode())
    for source in sorted(sources.rglob("*.py")):
        digest.update(repr((source.relative_to(sources).as_posix(), source.read_bytes())).encode())
    return digest.hexdigest()[:16]


if config.CPU_NAME is None and config.CPU_FEATURES is None and binding.get_host_cpu_features().get("avx512f"):
    # For some Intel processors LLVM would halve the vectors of some loops, which is slower.
    config.CPU_FEATURES = get_host_cpu_features() + ",-prefer-256-bit"

FOLDER = folder("kernels", digest_of(Path(__file__).parent))
os.utime(FOLDER)  # marks it as used


def tidy() -> None:
    """Remove kernels that no process has used for a month."""
    for other in FOLDER.parent.iterdir():
        if other != FOLDER and time.time() - other.stat().st_mtime > UNUSED:
            shutil.rmtree(other, ignore_errors=True)


class _Place(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):
    """A folder for each module, by its name: numba's own are named by the path of the source."""

    def __init__(self, function: Callable[..., Any], source: str) -> None:
        self._py_file, self._lineno = source, function.__code__.co_firstlineno
        self._path = str(FOLDER / function.__module__)

    def get_cache_path(self) -> str:
        return str(folder(self._path))


class _Result(caching.CompileResultCacheImpl):
    _locator_classes = [_Place]  # noqa: RUF012 - as numba has it


class _Files(caching.IndexDataCacheFile):
    """A file for each signature, named by it. Numba's index of all signatures could lose those written by two processes
    at the same time, and give two of them one file.
    """

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._name(key), (key, data))
        os.chmod(self._data_path(self._name(key)), 0o600)  # numba uses the umask's permissions

    def load(self, key: Any) -> Any:
        try:
            of, data = self._load_data(self._name(key))
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return data if of == key else None

    def _name(self, key: Any) -> str:
        named = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]
        return f"{self._index_name.removesuffix('.nbi')}.{named}.nbc"


class KernelCache(caching.FunctionCache):
    """Cache of the compiled code of a kernel, instead of numba's own."""

    _impl_class = _Result

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())
