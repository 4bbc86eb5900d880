"""Caltech 101 Silhouettes at 28 x 28, split 1."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import Shape, read_arrays
from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import Published
from boltzcore.data.matlab import read_matrices
from boltzcore.data.source import FileSource
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick

SPLITS = {"train": 4100, "val": 2264, "test": 2307}
SIDE, CLASSES = 28, 101


@dataclass(frozen=True)
class Caltech101(FileSource):
    """Outlines of things of 101 kinds, filled: 4,100 to learn from, 2,264 to validate, 2,307 to test, with labels
    1..101.
    """

    name: ClassVar[str] = "caltech101"
    title: ClassVar[str] = "Caltech 101 Silhouettes"
    n_columns: ClassVar[int | None] = SIDE**2
    about: ClassVar[str] = (
        "8,671 silhouettes of things of 101 kinds, 28 x 28 binary pixels. Marlin, Swersky, Chen and de Freitas (2010), "
        "from the outlines of Caltech 101; offered for research, no licence stated."
    )
    published: ClassVar[tuple[Published, ...]] = (
        Published(
            "caltech101_silhouettes_28_split1.mat",
            "https://people.cs.umass.edu/~marlin/data/caltech101_silhouettes_28_split1.mat",
            "sha256:eb6735e8d84b1850fabc5590124aab1755e90c9fd28123585324398405e1e42a",
            872_124,
        ),
    )
    packed: ClassVar[str] = "caltech101_silhouettes28.npz"

    inverted: bool = parameter(
        False, help="Shapes are 1 on a background of 0, as in some papers; as published they are 0 on 1."
    )

    def _read_packed(self, path: Path) -> Dataset:
        wanted: dict[str, tuple[str, int | Shape]] = {
            f"{split}_bits": ("u1", (n, SIDE * SIDE // 8)) for split, n in SPLITS.items()
        }
        found = read_arrays(path, wanted | {f"{split}_labels": ("u1", (n,)) for split, n in SPLITS.items()})
        images = [np.ascontiguousarray(np.unpackbits(found[f"{split}_bits"], axis=1)) for split in SPLITS]
        return self._dataset(path, images, [found[f"{split}_labels"] for split in SPLITS])

    def _read_published(self, paths: list[Path], ticks: list[Tick]) -> Dataset:
        (path,) = paths
        wanted = {f"{split}_data": (n, SIDE * SIDE) for split, n in SPLITS.items()}
        found = read_matrices(
            path, self.published[0], wanted | {f"{split}_labels": (n, 1) for split, n in SPLITS.items()}
        )
        for key in wanted:
            if not np.isin(found[key], (0, 1)).all():
                raise ValueError(f"{key} in {path.name} must hold only 0 and 1.")
        # An image's pixels go down its columns.
        images = [
            found[key].astype(np.uint8).reshape(-1, SIDE, SIDE).transpose(0, 2, 1).reshape(-1, SIDE * SIDE)
            for key in wanted
        ]
        return self._dataset(path, images, [found[f"{split}_labels"][:, 0] for split in SPLITS])

    def _dataset(self, path: Path, images: list[NDArray], labels: list[NDArray]) -> Dataset:
        if not all(np.isin(part, np.arange(1, CLASSES + 1)).all() for part in labels):
            raise ValueError(f"The labels in {path.name} must be whole numbers from 1 to {CLASSES}.")
        train, validation, test = (Examples(1 - rows if self.inverted else rows) for rows in images)
        named = {
            split: part.astype(np.uint8) for split, part in zip(("train", "validation", "test"), labels, strict=True)
        }
        return Dataset(train, validation, test, named, (SIDE, SIDE))
