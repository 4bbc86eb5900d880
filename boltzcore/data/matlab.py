"""Data sets that are published as Matlab files: OMNIGLOT and Caltech 101 Silhouettes, both at 28 x 28."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.files import Published
from boltzcore.data.source import FileSource, Gray
from boltzcore.ticks import Tick

SIDE, ALPHABETS, CLASSES = 28, 50, 101
SPLITS = {"train": 4100, "val": 2264, "test": 2307}  # of Caltech 101


def read_matrices(path: Path, published: Published, wanted: Mapping[str, tuple[int, int]]) -> dict[str, NDArray]:
    """{name: matrix} of a .mat file; ValueError where it is not the published file, or naming the matrix and the shape
    it must have.

    Only a file with the published checksum is opened: a damaged one can end the process inside scipy's compiled reader.
    """
    import pooch
    from scipy.io import loadmat

    algorithm, _, checksum = published.checksum.partition(":")
    if pooch.file_hash(str(path), alg=algorithm) != checksum:
        raise ValueError(
            f"{path.name} is not the file that its authors published (checksum {published.checksum}); it may be "
            "damaged or cut off."
        )
    found = loadmat(path, variable_names=list(wanted), appendmat=False)
    for name, shape in wanted.items():
        matrix = found.get(name)
        if (
            not isinstance(matrix, np.ndarray)
            or matrix.shape != shape
            or matrix.dtype.kind not in "fiub"
            or not np.isfinite(matrix).all()
        ):
            raise ValueError(f"{name} in {path.name} must be a {' x '.join(map(str, shape))} matrix of finite numbers.")
    return {name: found[name] for name in wanted}


@dataclass(frozen=True)
class Omniglot(FileSource, Gray):
    """1,623 handwritten characters of 50 alphabets by 20 people, 28 x 28 gray pixels; the labels number the alphabets
    as the file does.
    """

    name: ClassVar[str] = "omniglot"
    title: ClassVar[str] = "OMNIGLOT"
    n_columns: ClassVar[int | None] = SIDE**2
    about: ClassVar[str] = (
        "32,415 handwritten characters of 50 alphabets, 28 x 28 grey pixels. Lake, Salakhutdinov and Tenenbaum (2015), "
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

    def _read(self, paths: list[Path], ticks: list[Tick]) -> Iterable[NDArray]:
        (path,) = paths
        wanted: dict[str, tuple[int, int]] = {}
        for start, (n, *_) in zip(("", "test"), self.arrays.values(), strict=False):
            wanted |= {f"{start}data": (SIDE**2, n), f"{start}target": (ALPHABETS, n)}
        found = read_matrices(path, self.published[0], wanted)
        images = [_upright(np.rint(255 * found[key].T).astype(np.uint8)) for key in ("data", "testdata")]
        return images + [found[key].argmax(axis=0).astype(np.uint8) for key in ("target", "testtarget")]

    def _dataset(self, *arrays: NDArray) -> Dataset:
        train, test = self._examples(*arrays[:2])
        return Dataset(train, None, test, dict(zip(("train", "test"), arrays[2:], strict=True)), (SIDE, SIDE))


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
    arrays: ClassVar[Mapping[str, tuple[int, ...]]] = {
        **{f"{split}_bits": (n, SIDE**2 // 8) for split, n in SPLITS.items()},
        **{f"{split}_labels": (n,) for split, n in SPLITS.items()},
    }

    def _read(self, paths: list[Path], ticks: list[Tick]) -> Iterable[NDArray]:
        (path,) = paths
        images = {f"{split}_data": (n, SIDE**2) for split, n in SPLITS.items()}
        labels = {f"{split}_labels": (n, 1) for split, n in SPLITS.items()}
        found = read_matrices(path, self.published[0], images | labels)
        return [_upright(found[key].astype(np.uint8)) for key in images] + [found[key][:, 0] for key in labels]

    def _dataset(self, *arrays: NDArray) -> Dataset:
        if not all(np.isin(part, np.arange(1, CLASSES + 1)).all() for part in arrays[3:]):
            raise ValueError(f"The labels of {self.title} must be whole numbers from 1 to {CLASSES}.")
        labels = zip(("train", "validation", "test"), (part.astype(np.uint8) for part in arrays[3:]), strict=True)
        train, validation, test = map(Examples, arrays[:3])
        return Dataset(train, validation, test, dict(labels), (SIDE, SIDE))


def _upright(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Rows of images whose pixels go down the columns of an image, as Matlab has them, along its lines."""
    return np.ascontiguousarray(images.reshape(-1, SIDE, SIDE).transpose(0, 2, 1)).reshape(len(images), -1)
