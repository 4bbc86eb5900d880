"""Corruptions of 0/1 images, which conditional models learn to undo (Ping and Ihler, section 6).

Each function takes images (n, n_visible) or (n, height, width) of 0 and 1 and returns uint8 images of the same shape.
Random numbers are a function of (seed, epoch, row): the corruption of row i does not depend on other rows.
"""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_array, as_numbers
from boltzcore.kernels import corruption as kernels
from boltzcore.parameters import Parameters, parameter, whole
from boltzcore.quoting import Refusal, quoted

Shape = tuple[int, int]
HIDING = ("patch", "lower half", "upper half")  # kinds whose position is visible
_APART = 2**40  # epochs between the random numbers of two splits of a data set: no two share their noise
_LARGEST = 2**53  # largest seed and epoch: whole numbers that JSON and a browser keep exactly


def flip(images: ArrayLike, rate: float, *, seed: int, epoch: int = 0) -> NDArray[np.uint8]:
    """Flip each pixel independently with probability `rate`.

    Raises Refusal if the images are not of 0 and 1, or rate is not from 0 to 1.

    >>> from boltzcore.data import flip, load
    >>> clean = load("digits").test.v
    >>> round(float((flip(clean, 0.1, seed=0) != clean).mean()), 2)
    0.1
    """
    v = _as_images(images)
    rows, rate = v.reshape(len(v), -1), Corruption.named("rate").check(rate)
    flipped: NDArray[np.uint8] = kernels.flip(rows, rate, *_drawn(seed, epoch))
    return flipped.reshape(v.shape)


def occlude(
    images: ArrayLike, size: int, value: int = 0, *, seed: int, epoch: int = 0, shape: Shape | None = None
) -> NDArray[np.uint8]:
    """Set a square of size x size pixels in each image to `value`, at a uniformly random position inside the image.

    shape : (height, width) of images given as rows; None for square images
    Raises Refusal if the images are not of 0 and 1 or the square is larger than they are.

    >>> from boltzcore.data import occlude
    >>> int(occlude([[1] * 16], 2, seed=0).sum())
    12
    """
    v = _as_images(images)
    height, width = _shape(v, shape)
    size = whole("size", size, 1, min(height, width))
    out = v.copy()
    kernels.patch_(out.reshape(-1, height, width), size, whole("value", value, 0, 1), *_drawn(seed, epoch))
    return out


def erase(images: ArrayLike, mask: ArrayLike, value: int = 0) -> NDArray[np.uint8]:
    """Set the pixels in `mask` to `value` in every image.

    mask : (height, width) or (n_visible,) booleans, True for lost pixels
    """
    v = _as_images(images)
    n_visible = math.prod(v.shape[1:])
    allowed = f"booleans, one for each of the {n_visible:,} pixels of an image"
    lost = as_array("mask", mask, allowed)
    fits = lost.shape in ((n_visible,), v.shape[1:]) or (v.ndim == lost.ndim == 2 and lost.size == n_visible)
    if lost.dtype != bool or not fits:
        raise Refusal(f"mask must be {allowed}, not {lost.dtype} of shape {lost.shape}.", "mask")
    out = v.copy()
    out.reshape(len(out), -1)[:, lost.ravel()] = whole("value", value, 0, 1)
    return out


@dataclass(frozen=True)
class Corruption(Parameters):
    """Corruption of clean images, which a conditional model learns to undo.

    numerics : version of its numbers, raised whenever they change

    >>> from boltzcore.data import Corruption
    >>> Corruption("lower half").apply([[1, 1, 1, 1]], (2, 2), seed=0).tolist()
    [[1, 1, 0, 0]]
    """

    numerics: ClassVar[int] = 1
    kind: str = parameter(
        "flip",
        choices=("flip", "patch", "lower half", "upper half", "salt"),
        help="Pixels flipped, a square patch hidden, one half hidden, or pixels set to 1.",
        label="Corruption",
    )
    rate: float = parameter(0.1, low=0, high=1, help="Probability with which a pixel is flipped, or set to 1.")
    size: int = parameter(8, low=1, high=512, help="Side of the patch, in pixels.", label="Patch size")
    value: int = parameter(0, low=0, high=1, help="Value of the pixels in the patch or half.")
    redrawn: str = parameter(
        "each epoch",
        choices=("each epoch", "once"),
        help="New noise in each epoch, or the same noise throughout.",
    )

    def apply(self, v: ArrayLike, shape: Shape, *, seed: int, epoch: int = 0, split: int = 0) -> NDArray[np.uint8]:
        """Return the rows `v` (n, n_visible) of 0 and 1, corrupted; a function of v, seed, epoch and split alone.

        shape : (height, width) of a row
        split : split of a data set; each has its own noise, so that noise memorised on one split does not help on
            another
        Raises Refusal if the rows are not of 0 and 1 or have another shape, or a patch is larger than the image.
        """
        epoch = (0 if self.redrawn == "once" else epoch) + split * _APART
        if self.kind == "flip":
            return flip(v, self.rate, seed=seed, epoch=epoch)
        if self.kind == "salt":
            salted: NDArray[np.uint8] = kernels.salt(_as_images(v), self.rate, *_drawn(seed, epoch))
            return salted
        if self.kind == "patch":
            return occlude(v, self.size, self.value, seed=seed, epoch=epoch, shape=shape)
        height, width = _shape(_as_images(v), shape)
        lines, half = np.arange(height), height // 2  # for an odd height the middle line stays
        lost = lines >= height - half if self.kind == "lower half" else lines < half
        return erase(v, np.repeat(lost, width), self.value)

    @property
    def hides(self) -> bool:
        """True if the damage is visible: pixels are lost, not merely changed."""
        return self.kind in HIDING

    def lost(self, n: int, shape: Shape, *, seed: int, epoch: int = 0, split: int = 0) -> NDArray[np.bool_]:
        """Return True for the pixels of n rows that `apply` erases, (n, n_visible); all False if it hides nothing."""
        blank = np.zeros((n, math.prod(shape)), np.uint8)
        if not self.hides:
            return blank.astype(bool)
        dark, light = (self.apply(rows, shape, seed=seed, epoch=epoch, split=split) for rows in (blank, blank + 1))
        return dark == light

    @property
    def title(self) -> str:
        """The corruption in a few words."""
        if self.kind in ("flip", "salt"):
            return f"{100 * self.rate:.4g} % of pixels {'flipped' if self.kind == 'flip' else 'set to 1'}"
        if self.kind == "patch":
            return f"{self.size} × {self.size} patch set to {self.value}"
        return f"{self.kind} set to {self.value}"


def _as_images(images: ArrayLike) -> NDArray[np.uint8]:
    """Return images as a C-ordered uint8 array (not a copy if they already are one)."""
    allowed = "numbers of shape (n, n_visible) or (n, height, width)"
    array = as_array("images", images, allowed)
    v = as_numbers("images", array, (None,) * (3 if array.ndim == 3 else 2), allowed, least=1)
    small = v.max() <= 1 if v.dtype in (bool, np.uint8) else ((v == 0) | (v == 1)).all()
    if not small:
        raise Refusal("images must hold only 0 and 1.")
    return np.ascontiguousarray(v, np.uint8)


def _shape(v: NDArray[np.uint8], shape: Shape | None) -> Shape:
    """Return (height, width) of one image."""
    if v.ndim == 3:
        if shape not in (None, v.shape[1:]):
            raise Refusal(f"shape must be that of the images, {v.shape[1:]}, not {quoted(shape)}.")
        return v.shape[1], v.shape[2]
    n_visible = v.shape[1]
    if shape is None:
        side = math.isqrt(n_visible)
        if side * side != n_visible:
            raise Refusal(f"shape must be given for rows of {n_visible:,} pixels, which do not form a square.")
        return side, side
    height, width = as_numbers("shape", shape, (2,), "a height and a width", "iu").tolist()
    if height < 1 or width < 1 or height * width != n_visible:
        raise Refusal(
            f"shape must be a height and a width whose product is the {n_visible:,} pixels of a row, not "
            f"{quoted(shape)}."
        )
    return height, width


def _drawn(seed: int, epoch: int) -> tuple[int, int]:
    return whole("seed", seed, 0, _LARGEST), whole("epoch", epoch, 0, _LARGEST)
