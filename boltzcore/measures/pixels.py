"""Pixel errors of restored images: All and Changed, as Ping and Ihler define them (section 6)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.examples import Examples


class PixelErrors(NamedTuple):
    """Shares of wrong pixels, in [0, 1].

    all : among all pixels
    changed : among the pixels that the corruption changed; nan where it changed none
    """

    all: float
    changed: float


def pixel_errors(truth: ArrayLike, seen: ArrayLike, guess: ArrayLike) -> PixelErrors:
    """The errors of restored images.

    truth, seen, guess : clean, corrupted and restored images, 0/1 arrays of one shape (of one image or of many)
    Raises ValueError where the shapes differ, nothing is there or a value is neither 0 nor 1.

    >>> from boltzcore.measures import pixel_errors
    >>> pixel_errors(truth=[1, 1, 0, 0], seen=[0, 1, 0, 0], guess=[1, 1, 1, 0])
    PixelErrors(all=0.25, changed=0.0)
    """
    clean, corrupted, restored = (
        _bits(name, values) for name, values in (("truth", truth), ("seen", seen), ("guess", guess))
    )
    if not clean.shape == corrupted.shape == restored.shape or clean.size == 0:
        raise ValueError(
            f"truth, seen and guess must have one shape and at least one pixel, not {clean.shape}, {corrupted.shape} "
            f"and {restored.shape}."
        )
    wrong, changed = clean != restored, clean != corrupted
    n_changed = int(changed.sum())
    return PixelErrors(float(wrong.mean()), float((wrong & changed).sum() / n_changed) if n_changed else float("nan"))


def errors_of_rows(rows: Examples, guess: ArrayLike) -> PixelErrors:
    """Pixel errors over rows with inputs, v the truth and x what was seen, by the weights of the rows."""
    if rows.weight is None:
        return pixel_errors(rows.v, rows.x, guess)  # type: ignore[arg-type]
    wrong, changed = rows.v != _bits("guess", guess), rows.v != rows.x
    n_changed = float(rows.weight @ changed.sum(axis=1))
    wrong_changed = float(rows.weight @ (wrong & changed).sum(axis=1))
    return PixelErrors(rows.average(wrong.mean(axis=1)), wrong_changed / n_changed if n_changed else float("nan"))


def _bits(name: str, values: ArrayLike) -> NDArray[np.bool_]:
    array = np.asarray(values)
    if array.dtype == bool:
        return array
    if array.dtype.kind not in "uif" or not ((array == 0) | (array == 1)).all():
        raise ValueError(f"{name} must hold only 0 and 1.")
    return array.astype(bool)
