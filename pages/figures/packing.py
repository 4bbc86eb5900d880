"""Arrays for a browser: small ones whole, of large matrices the values of one unit."""

import base64
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

WHOLE = 4_096  # numbers of a matrix that travels whole
PRECISE = 256  # numbers of an array that travels in double precision, if it has it
# The units along the axes of matrices (v visible, h hidden, x of the input), by the last part of their name.
AXES = {"W": "vh", "vx": "vx", "hx": "hx", "M": "vv", "units": "h "}

Arrays = Mapping[str, NDArray[Any]]


def parameters(model: Any) -> Arrays:
    """Return the arrays of a model, by name."""
    return {name: getattr(model, name) for name in model.ARRAYS}


def size(several: Iterable[Arrays]) -> int:
    """Return the bytes of all arrays, each counted once."""
    return sum({id(each): each.nbytes for arrays in several for each in arrays.values()}.values())


def pack_all(arrays: Arrays, *, large: bool = False) -> dict[str, Any]:
    """Return all numeric arrays, ready for JSON; of a large matrix, unless `large`, its shape and its largest number,
    so that scales are known.
    """
    some = {name: each for name, each in arrays.items() if each.dtype.kind in "biuf"}
    return {
        name: _scale(each) | ({} if _large(name, each) and not large else _encode(each)) for name, each in some.items()
    }


def pack_unit(arrays: Arrays, axis: str, index: int) -> dict[str, Any]:
    """Return one unit's values of the large matrices with this axis. Raises IndexError if there is no such unit."""
    found = {}
    for name, each in arrays.items():
        along = AXES.get(name.split("_")[-1], "")
        if axis in along and _large(name, each):
            if not 0 <= index < each.shape[along.index(axis)]:
                raise IndexError(index)
            part = each.take(index, along.index(axis))
            found[name] = _scale(part) | _encode(part)
    return found


def _large(name: str, array: NDArray[Any]) -> bool:
    return name.split("_")[-1] in AXES and array.ndim == 2 and array.size > WHOLE


def _scale(array: NDArray[Any]) -> dict[str, Any]:
    if array.ndim < 2:
        return {"shape": array.shape}
    return {"shape": array.shape, "most": float(np.abs(np.nan_to_num(array)).max(initial=0.0))}


def _encode(array: NDArray[Any]) -> dict[str, Any]:
    """{"type", "bytes"}: little-endian, base64."""
    kind = "u1" if array.itemsize == 1 and array.dtype.kind in "bu" else "i4" if array.dtype.kind in "biu" else "f4"
    if array.dtype == np.float64 and array.size <= PRECISE:
        kind = "f8"
    return {"type": kind, "bytes": base64_of(array, kind)}


def base64_of(array: ArrayLike, kind: str) -> str:
    """Return numbers as little-endian bytes, in base64."""
    with np.errstate(over="ignore"):
        return base64.b64encode(np.ascontiguousarray(array, f"<{kind}").tobytes()).decode()
