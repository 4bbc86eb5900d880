"""Binarised MNIST as H. Larochelle distributes it: drawn once and for all."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import read_arrays
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import Published
from boltzcore.data.source import FileSource
from boltzcore.ticks import Tick, idle

SPLITS = {"train": 50_000, "valid": 10_000, "test": 10_000}
SIDE = 28
_LINES = 1000  # read at a time
_ADDRESS = "https://www.cs.toronto.edu/~larocheh/public/datasets/binarized_mnist/"


def read_amat(path: Path, n: int, n_visible: int, tick: Tick = idle) -> NDArray[np.uint8]:
    """(n, n_visible) of 0/1 from a text of n lines of 0 and 1 with one space between; ValueError naming the line that
    is none.
    """
    length = 2 * n_visible
    if path.stat().st_size != n * length:
        raise ValueError(
            f"{path.name} must have {n:,} lines of {n_visible} digits with one space between, {n * length:,} bytes, "
            f"not {path.stat().st_size:,}."
        )
    v = np.empty((n, n_visible), np.uint8)
    gap = np.full(n_visible, ord(" "), np.uint8)
    gap[-1] = ord("\n")
    with path.open("rb") as stream:
        for first in range(0, n, _LINES):
            text = np.frombuffer(stream.read(_LINES * length), np.uint8).reshape(-1, n_visible, 2)
            digits = text[:, :, 0] - np.uint8(ord("0"))
            wrong = ((digits > 1) | (text[:, :, 1] != gap)).any(axis=1)
            if wrong.any():
                raise ValueError(
                    f"{path.name}, line {first + int(wrong.argmax()) + 1}, must be {n_visible} digits 0 or 1 with one "
                    "space between."
                )
            v[first : first + len(digits)] = digits
            tick((first + len(digits)) / n)
    return v


@dataclass(frozen=True)
class BinarizedMNIST(FileSource):
    """The fixed binary images of Salakhutdinov and Murray (2008): 50,000, 10,000 and 10,000, without labels."""

    name: ClassVar[str] = "binarized-mnist"
    title: ClassVar[str] = "Binarized MNIST"
    n_columns: ClassVar[int | None] = SIDE**2
    about: ClassVar[str] = (
        "MNIST drawn as 0/1 pixels once and for all by Salakhutdinov and Murray (2008), as distributed by H. "
        "Larochelle; "
        "its likelihoods compare with published ones. Licence as MNIST."
    )
    published: ClassVar[tuple[Published, ...]] = tuple(
        Published(
            f"binarized_mnist_{split}.amat",
            f"{_ADDRESS}binarized_mnist_{split}.amat",
            f"sha256:{digest}",
            2 * SIDE * SIDE * SPLITS[split],
        )
        for split, digest in (
            ("train", "ad693b29f94c14277b095f5238ddefbbdaaae0939789dd2f4f0205278cee3e4d"),
            ("valid", "1de3d397c40fe8eeb33dafd4099a1f665ec01e96d9be234aaeeac8a34930e2e2"),
            ("test", "e6687bfea3f820c174f33b7865140b2a2dd2930ef786f35d45795fc193b5ab2c"),
        )
    )
    packed: ClassVar[str] = "binarized_mnist.npz"

    def _read_packed(self, path: Path) -> Dataset:
        bits = read_arrays(path, {f"{split}_bits": ("u1", (n, SIDE * SIDE // 8)) for split, n in SPLITS.items()})
        return self._dataset(*(np.ascontiguousarray(np.unpackbits(packed, axis=1)) for packed in bits.values()))

    def _read_published(self, paths: list[Path], ticks: list[Tick]) -> Dataset:
        return self._dataset(
            *(
                read_amat(path, n, SIDE * SIDE, tick)
                for path, n, tick in zip(paths, SPLITS.values(), ticks, strict=True)
            )
        )

    def _dataset(self, train: NDArray, validation: NDArray, test: NDArray) -> Dataset:
        return Dataset(Examples(train), Examples(validation), Examples(test), shape=(SIDE, SIDE))
