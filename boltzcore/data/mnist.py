"""MNIST: from its four idx files or one packed file, a sample that comes with the project, and a fixed 0/1 version.

The sample's 6,000 training and 1,000 validation rows come from the published training images, its 1,000 test rows from
the published test images; no row occurs twice, and gray values are unchanged. `assets/mnist-small.npz` was made by

    order, test_order = (np.random.RandomState(0).permutation(n) for n in (60_000, 10_000))
    whole = load("mnist")
    np.savez_compressed(
        "assets/mnist-small.npz",
        images=np.concatenate([whole.train.v[order[:7000]], whole.test.v[test_order[:1000]]]).reshape(-1, 28, 28),
        labels=np.concatenate([whole.labels["train"][order[:7000]], whole.labels["test"][test_order[:1000]]]),
    )
"""

import gzip
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore import home
from boltzcore.arrays import read_arrays
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import Published
from boltzcore.data.source import FileSource, Gray
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick

TRAIN, TEST, VALIDATION, SIDE = 60_000, 10_000, 10_000, 28
SAMPLE = {"train": 6_000, "validation": 1_000, "test": 1_000}
_FILE = "mnist-small.npz"
_MIRROR = "https://ossci-datasets.s3.amazonaws.com/mnist/"
_ADDRESS = "https://www.cs.toronto.edu/~larocheh/public/datasets/binarized_mnist/"


@dataclass(frozen=True)
class MNIST(FileSource, Gray):
    """Handwritten digits of 28 x 28 gray pixels, in the published order, with labels 0..9."""

    name: ClassVar[str] = "mnist"
    title: ClassVar[str] = "MNIST"
    about: ClassVar[str] = (
        "70,000 handwritten digits, 28 × 28 grey pixels. Y. LeCun, C. Cortes and C. J. C. Burges, "
        "derived from Special Databases 1 and 3 of NIST; commonly distributed under CC BY-SA 3.0."
    )
    published: ClassVar[tuple[Published, ...]] = tuple(
        Published(name, _MIRROR + name, f"sha256:{digest}", n_bytes)
        for name, n_bytes, digest in (
            (
                "train-images-idx3-ubyte.gz",
                9_912_422,
                "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            ),
            (
                "train-labels-idx1-ubyte.gz",
                28_881,
                "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            ),
            (
                "t10k-images-idx3-ubyte.gz",
                1_648_877,
                "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            ),
            ("t10k-labels-idx1-ubyte.gz", 4_542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
        )
    )
    packed: ClassVar[str] = "mnist.npz"
    arrays: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "train_images": (TRAIN, SIDE, SIDE),
        "train_labels": (TRAIN,),
        "test_images": (TEST, SIDE, SIDE),
        "test_labels": (TEST,),
    }

    split: str = parameter(
        "60000/10000",
        choices=("60000/10000", "50000/10000/10000"),
        help="Training and test images; or training, validation (the last 10,000 of the published training images) and "
        "test.",
    )
    rows: int = parameter(
        0, low=0, high=TRAIN, help="Train on this number of the first images only; 0 for all.", label="Training rows"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows > self._n_train():
            raise Refusal(
                f"rows must be a whole number from 0 to {self._n_train():,} for the split {self.split}, "
                f"not {self.rows}.",
                "rows",
            )

    def _n_train(self) -> int:
        return TRAIN if self.split == "60000/10000" else TRAIN - VALIDATION

    def _read(self, paths: list[Path]) -> Iterable[NDArray]:
        for path, shape in zip(paths, self.arrays.values(), strict=True):
            content = np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8)
            yield content[-math.prod(shape) :].reshape(shape)  # after the header of an idx file

    def _dataset(self, *arrays: NDArray) -> Dataset:
        train, train_labels, test, test_labels = arrays
        # A pixel sampled once must not depend on the options: the published order is binarised before it is split.
        learnt, tested = self._examples(train, test)
        n = self._n_train()
        kept = self.rows or n
        validation = replace(learnt, v=learnt.v[n:].copy()) if n < TRAIN else None
        labels = {"train": train_labels[:kept], "test": test_labels} | (
            {"validation": train_labels[n:]} if validation else {}
        )
        cut = replace(learnt, v=learnt.v[:kept].copy()) if kept < TRAIN else learnt
        return Dataset(cut, validation, tested, labels, (SIDE, SIDE))


@dataclass(frozen=True)
class MNISTSmall(Gray):
    """8,000 of MNIST's digits, 28 x 28 gray pixels: 6,000 for training, 1,000 for validation, 1,000 for testing."""

    name: ClassVar[str] = "mnist-small"
    title: ClassVar[str] = "MNIST, a sample"
    about: ClassVar[str] = (
        "8,000 handwritten digits of MNIST, 28 × 28 grey pixels, included in the project: 6,000 for training, 1,000 "
        "for validation, 1,000 for testing. Y. LeCun, C. Cortes and C. J. C. Burges, derived from Special Databases 1 "
        "and 3 of NIST; commonly distributed under CC BY-SA 3.0."
    )

    def at_hand(self) -> bool:
        return (home.ASSETS / _FILE).is_file()

    def _load(self, tick: Tick) -> Dataset:
        n, *cuts = sum(SAMPLE.values()), *np.cumsum([*SAMPLE.values()])[:-1]
        held = read_arrays(home.asset(_FILE), {"images": ("u1", (n, SIDE, SIDE)), "labels": ("u1", (n,))})
        train, validation, test = self._examples(*np.split(held["images"], cuts))
        labels = dict(zip(SAMPLE, np.split(held["labels"], cuts), strict=True))
        return Dataset(train, validation, test, labels, (SIDE, SIDE))


@dataclass(frozen=True)
class BinarizedMNIST(FileSource):
    """The fixed binary images of Salakhutdinov and Murray (2008): 50,000, 10,000 and 10,000, without labels."""

    name: ClassVar[str] = "binarized-mnist"
    title: ClassVar[str] = "Binarized MNIST"
    about: ClassVar[str] = (
        "MNIST with fixed 0/1 pixels by Salakhutdinov and Murray (2008), as distributed by H. Larochelle; likelihoods "
        "are comparable with published ones. Licence as MNIST."
    )
    published: ClassVar[tuple[Published, ...]] = tuple(
        Published(
            f"binarized_mnist_{split}.amat",
            f"{_ADDRESS}binarized_mnist_{split}.amat",
            f"sha256:{digest}",
            2 * SIDE * SIDE * n,
        )
        for split, n, digest in (
            ("train", 50_000, "ad693b29f94c14277b095f5238ddefbbdaaae0939789dd2f4f0205278cee3e4d"),
            ("valid", 10_000, "1de3d397c40fe8eeb33dafd4099a1f665ec01e96d9be234aaeeac8a34930e2e2"),
            ("test", 10_000, "e6687bfea3f820c174f33b7865140b2a2dd2930ef786f35d45795fc193b5ab2c"),
        )
    )
    packed: ClassVar[str] = "binarized_mnist.npz"
    arrays: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "train_bits": (50_000, SIDE**2 // 8),
        "valid_bits": (10_000, SIDE**2 // 8),
        "test_bits": (10_000, SIDE**2 // 8),
    }

    def _read(self, paths: list[Path]) -> Iterable[NDArray]:
        # lines of 0 and 1, each followed by one space or the end of the line
        return ((np.fromfile(path, np.uint8)[::2] - np.uint8(ord("0"))).reshape(-1, SIDE**2) for path in paths)

    def _dataset(self, *arrays: NDArray) -> Dataset:
        train, validation, test = map(Examples, arrays)
        return Dataset(train, validation, test, shape=(SIDE, SIDE))
