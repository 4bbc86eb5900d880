"""OMNIGLOT at 28 x 28, split as by Burda, Grosse and Salakhutdinov."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.arrays import read_arrays
from boltzcore.data.examples import Dataset
from boltzcore.data.files import Published
from boltzcore.data.gray import Gray
from boltzcore.data.matlab import read_matrices
from boltzcore.data.source import FileSource
from boltzcore.ticks import Tick

TRAIN, TEST, SIDE, ALPHABETS = 24_345, 8_070, 28, 50


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
        Published(
            "chardata.mat",
            "",
            "md5:21ecaf34373511aa7691cf2e0802aa3d",
            2**27,
        ),
    )
    packed: ClassVar[str] = "omniglot28.npz"
    downloadable: ClassVar[bool] = False

    def _read_packed(self, path: Path) -> Dataset:
        shapes = {
            "train_images": (TRAIN, SIDE, SIDE),
            "test_images": (TEST, SIDE, SIDE),
            "train_alphabet": (TRAIN,),
            "test_alphabet": (TEST,),
        }
        train, test, *labels = read_arrays(path, {key: ("u1", shape) for key, shape in shapes.items()}).values()
        return self._dataset(train, test, labels)

    def _read_published(self, paths: list[Path], ticks: list[Tick]) -> Dataset:
        (path,) = paths
        pixels = SIDE * SIDE
        found = read_matrices(
            path,
            self.published[0],
            {
                "data": (pixels, TRAIN),
                "testdata": (pixels, TEST),
                "target": (ALPHABETS, TRAIN),
                "testtarget": (ALPHABETS, TEST),
            },
        )
        images = []
        for key in ("data", "testdata"):
            gray = np.rint(255 * found[key].T)
            if gray.min() < 0 or gray.max() > 255:
                raise ValueError(
                    f"{key} in {path.name} must hold intensities from 0 to 1, not {found[key].min():g} to "
                    f"{found[key].max():g}."
                )
            # Each column of the file is an image, and an image's pixels go down its columns.
            images.append(gray.astype(np.uint8).reshape(-1, SIDE, SIDE).transpose(0, 2, 1))
        return self._dataset(
            images[0], images[1], [found[key].argmax(axis=0).astype(np.uint8) for key in ("target", "testtarget")]
        )

    def _dataset(self, train: NDArray, test: NDArray, labels: list[NDArray]) -> Dataset:
        learnt, tested = self._examples(train.reshape(TRAIN, -1), test.reshape(TEST, -1))
        return Dataset(learnt, None, tested, dict(zip(("train", "test"), labels, strict=True)), (SIDE, SIDE))
