"""MNIST, from its four idx files or packed in one."""

import gzip
import math
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import read_arrays
from boltzcore.data.examples import Dataset
from boltzcore.data.files import Published
from boltzcore.data.gray import Gray
from boltzcore.data.source import FileSource
from boltzcore.parameters import Refusal, parameter
from boltzcore.ticks import Tick, idle

TRAIN, TEST, VALIDATION, SIDE = 60_000, 10_000, 10_000, 28
_PIECE = 2**20
_MIRROR = "https://ossci-datasets.s3.amazonaws.com/mnist/"


def read_idx(path: Path, shape: tuple[int, ...], tick: Tick = idle) -> NDArray[np.uint8]:
    """The array of a gzipped idx file of unsigned bytes; ValueError where it has another type or shape than `shape`."""
    expected = bytes([0, 0, 8, len(shape)]) + b"".join(length.to_bytes(4, "big") for length in shape)
    values = np.empty(math.prod(shape), np.uint8)
    try:
        with gzip.open(path) as stream:
            header = stream.read(len(expected))
            if header[:4] != expected[:4]:
                raise ValueError(
                    f"{path.name} must be an idx file of unsigned bytes with {len(shape)} dimensions; it begins with "
                    f"{header[:4].hex(' ') or 'nothing'}."
                )
            if header != expected:
                found = " x ".join(str(int.from_bytes(header[at : at + 4], "big")) for at in range(4, len(header), 4))
                raise ValueError(
                    f"{path.name} must hold {' x '.join(map(str, shape))} values; its header says {found}."
                )
            n = 0
            while n < values.size and (piece := stream.read(min(_PIECE, values.size - n))):
                values[n : n + len(piece)] = np.frombuffer(piece, np.uint8)
                n += len(piece)
                tick(n / values.size)
            if n < values.size or stream.read(1):
                raise ValueError(
                    f"{path.name} holds {'fewer' if n < values.size else 'more'} bytes than the {values.size:,} its "
                    "header promises."
                )
    except (gzip.BadGzipFile, zlib.error, EOFError):
        raise ValueError(f"{path.name} is not a whole gzip file; it may be damaged or cut off.") from None
    return values.reshape(shape)


@dataclass(frozen=True)
class MNIST(FileSource, Gray):
    """Handwritten digits of 28 x 28 gray pixels, in the published order, with labels 0..9."""

    name: ClassVar[str] = "mnist"
    title: ClassVar[str] = "MNIST"
    n_columns: ClassVar[int | None] = SIDE**2
    about: ClassVar[str] = (
        "70,000 handwritten digits, 28 x 28 grey pixels. Y. LeCun, C. Cortes and C. J. C. Burges, "
        "derived from Special Databases 1 and 3 of NIST; commonly distributed under CC BY-SA 3.0."
    )
    published: ClassVar[tuple[Published, ...]] = (
        Published(
            "train-images-idx3-ubyte.gz",
            _MIRROR + "train-images-idx3-ubyte.gz",
            "sha256:440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            9_912_422,
        ),
        Published(
            "train-labels-idx1-ubyte.gz",
            _MIRROR + "train-labels-idx1-ubyte.gz",
            "sha256:3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            28_881,
        ),
        Published(
            "t10k-images-idx3-ubyte.gz",
            _MIRROR + "t10k-images-idx3-ubyte.gz",
            "sha256:8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            1_648_877,
        ),
        Published(
            "t10k-labels-idx1-ubyte.gz",
            _MIRROR + "t10k-labels-idx1-ubyte.gz",
            "sha256:f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
            4_542,
        ),
    )
    packed: ClassVar[str] = "mnist.npz"

    split: str = parameter(
        "60000/10000",
        choices=("60000/10000", "50000/10000/10000"),
        help="Training and test images; or training, validation (the last 10,000 of the published training images) and "
        "test.",
    )
    rows: int = parameter(
        0, low=0, high=TRAIN, help="Train on this many of the first images only; 0 for all.", label="Training rows"
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

    def _read_packed(self, path: Path) -> Dataset:
        shapes = {
            "train_images": (TRAIN, SIDE, SIDE),
            "train_labels": (TRAIN,),
            "test_images": (TEST, SIDE, SIDE),
            "test_labels": (TEST,),
        }
        return self._dataset(*read_arrays(path, {key: ("u1", shape) for key, shape in shapes.items()}).values())

    def _read_published(self, paths: list[Path], ticks: list[Tick]) -> Dataset:
        shapes = ((TRAIN, SIDE, SIDE), (TRAIN,), (TEST, SIDE, SIDE), (TEST,))
        return self._dataset(*(read_idx(*each) for each in zip(paths, shapes, ticks, strict=True)))

    def _dataset(self, train: NDArray, train_labels: NDArray, test: NDArray, test_labels: NDArray) -> Dataset:
        # Whatever the options, a pixel drawn once is drawn alike: the published order is binarised before it is cut.
        learnt, tested = self._examples(train.reshape(TRAIN, -1), test.reshape(TEST, -1))
        n = self._n_train()
        kept = self.rows or n
        validation = replace(learnt, v=learnt.v[n:].copy()) if n < TRAIN else None
        labels = {"train": train_labels[:kept], "test": test_labels} | (
            {"validation": train_labels[n:]} if validation else {}
        )
        cut = replace(learnt, v=learnt.v[:kept].copy()) if kept < TRAIN else learnt
        return Dataset(cut, validation, tested, labels, (SIDE, SIDE))
