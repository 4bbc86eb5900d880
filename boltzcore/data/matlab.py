"""Matrices out of Matlab files, checked."""

import zlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

LIMIT_BYTES = 2**28
_NUMERIC = {"double", "single", "logical", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"}


def read_matrices(path: Path, wanted: Mapping[str, tuple[int, int]]) -> dict[str, NDArray]:
    """{name: matrix} of a .mat file of version 4 to 7; ValueError naming the file, the matrix and the shape it must have.

    Only these matrices are read, and only once the file's own headers promise real numbers of these shapes.
    """
    from scipy.io import loadmat, whosmat
    from scipy.io.matlab import MatReadError

    if path.stat().st_size > LIMIT_BYTES:
        raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes; at most {LIMIT_BYTES:,} are read.")
    try:
        promised = {name: (shape, kind) for name, shape, kind in whosmat(path)}
        for name, shape in wanted.items():
            _check(path, name, shape, *promised.get(name, ((), "nothing")))
        found = loadmat(path, variable_names=list(wanted))
    except (MatReadError, NotImplementedError, TypeError, KeyError, IndexError, OSError, EOFError, zlib.error, OverflowError, MemoryError):
        raise ValueError(f"{path.name} is not a Matlab file of version 4 to 7, or it is damaged.") from None
    for name, shape in wanted.items():
        matrix = found.get(name)
        if not isinstance(matrix, np.ndarray) or matrix.shape != shape or matrix.dtype.kind not in "fiub" or not np.isfinite(matrix).all():
            raise ValueError(f"{name} in {path.name} must be a {' x '.join(map(str, shape))} matrix of finite numbers.")
    return {name: found[name] for name in wanted}


def _check(path: Path, name: str, shape: tuple[int, int], found: tuple[int, ...], kind: str) -> None:
    if kind not in _NUMERIC or found != shape:
        told = " x ".join(map(str, found)) + f" ({kind})" if found else kind
        raise ValueError(f"{name} in {path.name} must be a {' x '.join(map(str, shape))} matrix of numbers, not {told}.")
