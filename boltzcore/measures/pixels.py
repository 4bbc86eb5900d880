"""Pixel errors of restored images: All and Changed, as Ping and Ihler define them (section 6)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_array
from boltzcore.quoting import Refusal


class PixelErrors(NamedTuple):
    """Shares of wrong pixels, in [0, 1].

    all : among all pixels
    changed : among the pixels that the corruption changed; nan if it changed none
    """

    all: float
    changed: float


def pixel_errors(
    truth: ArrayLike, seen: ArrayLike, guess: ArrayLike, weight: NDArray[np.float64] | None = None
) -> PixelErrors:
    """Return the errors of restored images.

    truth, seen, guess : clean, corrupted and restored images, 0/1 arrays of one shape (of one image or of many)
    weight : (n,) weights of n rows; None for equal weights
    Raises Refusal if the shapes differ, the arrays are empty or a value is neither 0 nor 1.

    >>> from boltzcore.measures.pixels import pixel_errors
    >>> pixel_errors(truth=[1, 1, 0, 0], seen=[0, 1, 0, 0], guess=[1, 1, 1, 0])
    PixelErrors(all=0.25, changed=0.0)
    """
    clean, corrupted, restored = _bits("truth", truth), _bits("seen", seen), _bits("guess", guess)
    if not clean.shape == corrupted.shape == restored.shape or clean.size == 0:
        raise Refusal(
            f"truth, seen and guess must have one shape and at least one pixel, not {clean.shape}, {corrupted.shape} "
            f"and {restored.shape}."
        )

    def count(which: NDArray[np.bool_]) -> float:
        return float(which.sum() if weight is None else weight @ which.sum(axis=1))

    wrong, changed = clean != restored, clean != corrupted
    n_changed = count(changed)
    wrong_changed = count(wrong & changed) / n_changed if n_changed else float("nan")
    return PixelErrors(count(wrong) / count(np.ones_like(wrong)), wrong_changed)


def _bits(name: str, values: ArrayLike) -> NDArray[np.bool_]:
    array = as_array(name, values, "one image or rows of 0 and 1")
    if array.dtype == bool:
        return array
    if array.dtype.kind not in "uif" or not ((array == 0) | (array == 1)).all():
        raise Refusal(f"{name} must hold only 0 and 1.")
    return array.astype(bool)
