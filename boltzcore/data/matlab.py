"""Data sets published as Matlab files: OMNIGLOT and Caltech 101 Silhouettes, both at 28 x 28."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import Published
from boltzcore.data.source import FileSource, Gray
from boltzcore.quoting import Refusal

SIDE, CLASSES = 28, 101
SPLITS = {"train": 4100, "val": 2264, "test": 2307}  # sizes of the splits of Caltech 101


@dataclass(frozen=True)
class Omniglot(FileSource, Gray):
    """1,623 handwritten characters of 50 alphabets by 20 people, 28 x 28 gray pixels; the labels are the file's numbers
    of the alphabets.
    """

    name: ClassVar[str] = "omniglot"
    title: ClassVar[str] = "OMNIGLOT"
    about: ClassVar[str] = (
        "32,415 handwritten characters of 50 alphabets, 28 × 28 grey pixels. Lake, Salakhutdinov and Tenenbaum (2015), "
        "MIT licence; "
        "size and split of Burda, Grosse and Salakhutdinov (2015): chardata.mat of github.com/yburda/iwae, not fetched."
    )
    published: ClassVar[tuple[Published, ...]] = (
        Published("chardata.mat", "", "md5:21ecaf34373511aa7691cf2e0802aa3d", 2**27),
    )
    packed: ClassVar[str] = "omniglot28.npz"
    arrays: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "train_images": (24_345, SIDE, SIDE),
        "test_images": (8_070, SIDE, SIDE),
        "train_alphabet": (24_345,),
        "test_alphabet": (8_070,),
    }
    downloadable: ClassVar[bool] = False

    def _read(self, paths: list[Path]) -> Iterable[NDArray]:
        found = _matrices(*paths)
        images = [_upright(np.rint(255 * found[key].T).astype(np.uint8)) for key in ("data", "testdata")]
        return images + [found[key].argmax(axis=0).astype(np.uint8) for key in ("target", "testtarget")]

    def _dataset(self, *arrays: NDArray) -> Dataset:
        train, test = self._examples(*arrays[:2])
        return Dataset(train, None, test, dict(zip(("train", "test"), arrays[2:], strict=True)), (SIDE, SIDE))


@dataclass(frozen=True)
class Caltech101(FileSource):
    """Filled outlines of objects of 101 kinds: 4,100 for training, 2,264 for validation, 2,307 for testing, with labels
    1..101.
    """

    name: ClassVar[str] = "caltech101"
    title: ClassVar[str] = "Caltech 101 Silhouettes"
    about: ClassVar[str] = (
        "8,671 silhouettes of objects of 101 kinds, 28 × 28 binary pixels. Marlin, Swersky, Chen and de Freitas "
        "(2010), from the outlines of Caltech 101; offered for research, no licence stated."
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
    arrays: ClassVar[Mapping[str, tuple[int, ...]]] = {
        **{f"{split}_bits": (n, SIDE**2 // 8) for split, n in SPLITS.items()},
        **{f"{split}_labels": (n,) for split, n in SPLITS.items()},
    }

    def _read(self, paths: list[Path]) -> Iterable[NDArray]:
        found = _matrices(*paths)
        images = [_upright(found[f"{split}_data"].astype(np.uint8)) for split in SPLITS]
        return images + [found[f"{split}_labels"][:, 0] for split in SPLITS]

    def _dataset(self, *arrays: NDArray) -> Dataset:
        if not all(np.isin(part, np.arange(1, CLASSES + 1)).all() for part in arrays[3:]):
            raise Refusal(f"The labels of {self.title} must be whole numbers from 1 to {CLASSES}.")
        labels = zip(("train", "validation", "test"), (part.astype(np.uint8) for part in arrays[3:]), strict=True)
        train, validation, test = map(Examples, arrays[:3])
        return Dataset(train, validation, test, dict(labels), (SIDE, SIDE))


def _matrices(path: Path) -> dict[str, NDArray]:
    from scipy.io import loadmat

    found: dict[str, NDArray] = loadmat(path, appendmat=False)
    return found


def _upright(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return rows of column-major images, as stored by Matlab, in row-major order."""
    return np.ascontiguousarray(images.reshape(-1, SIDE, SIDE).transpose(0, 2, 1)).reshape(len(images), -1)
