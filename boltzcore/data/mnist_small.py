"""A sample of MNIST that comes with the project: 28 x 28 pixels without a download.

6,000 training and 1,000 validation rows are of the published training images, 1,000 test rows of the published test
images; no row is taken twice, and gray values are unchanged. `assets/mnist-small.npz` was made by

    order, test_order = (np.random.RandomState(0).permutation(n) for n in (60_000, 10_000))
    whole = load("mnist")
    np.savez_compressed(
        "assets/mnist-small.npz",
        images=np.concatenate([whole.train.v[order[:7000]], whole.test.v[test_order[:1000]]]).reshape(-1, 28, 28),
        labels=np.concatenate([whole.labels["train"][order[:7000]], whole.labels["test"][test_order[:1000]]]),
    )
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boltzcore.arrays import read_arrays
from boltzcore.data.examples import Dataset
from boltzcore.data.files import DataUnavailable
from boltzcore.data.gray import Gray
from boltzcore.data.mnist import SIDE
from boltzcore.home import asset
from boltzcore.ticks import Tick

TRAIN, VALIDATION, TEST = 6_000, 1_000, 1_000
FILE = "mnist-small.npz"


@dataclass(frozen=True)
class MNISTSmall(Gray):
    """8,000 of MNIST's digits, 28 x 28 gray pixels: 6,000 to learn from, 1,000 to validate, 1,000 to test."""

    name: ClassVar[str] = "mnist-small"
    title: ClassVar[str] = "MNIST, a sample"
    n_columns: ClassVar[int | None] = SIDE**2
    about: ClassVar[str] = (
        "8,000 handwritten digits of MNIST, 28 x 28 grey pixels, that come with the project: 6,000 to learn from, "
        "1,000 to validate, 1,000 to test. Y. LeCun, C. Cortes and C. J. C. Burges, derived from Special Databases 1 "
        "and 3 of NIST; commonly distributed under CC BY-SA 3.0."
    )

    def at_hand(self) -> bool:
        try:
            asset(FILE)
        except FileNotFoundError:
            return False
        return True

    def _load(self, tick: Tick) -> Dataset:
        try:
            file = asset(FILE)
        except FileNotFoundError as absent:
            raise DataUnavailable(str(absent)) from None
        n = TRAIN + VALIDATION + TEST
        held = read_arrays(file, {"images": ("u1", (n, SIDE, SIDE)), "labels": ("u1", (n,))})
        cuts = (TRAIN, TRAIN + VALIDATION)
        train, validation, test = self._examples(*np.split(held["images"].reshape(n, -1), cuts))
        labels = dict(zip(("train", "validation", "test"), np.split(held["labels"], cuts), strict=True))
        return Dataset(train, validation, test, labels, (SIDE, SIDE))
