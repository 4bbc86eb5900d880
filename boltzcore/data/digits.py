"""Small handwritten digits that come with scikit-learn."""

from dataclasses import dataclass
from importlib.metadata import distribution
from typing import ClassVar

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.data.source import Gray
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick

PLACE = "sklearn/datasets/data/digits.csv.gz"
TRAIN, VALIDATION, TEST = 1297, 250, 250


@dataclass(frozen=True)
class Digits(Gray):
    """1,797 handwritten digits of 8 × 8 pixels: 1,297 for training, 250 for validation, 250 for testing, in a fixed
    random order.
    """

    name: ClassVar[str] = "digits"
    title: ClassVar[str] = "Digits 8 × 8"
    about: ClassVar[str] = (
        "1,797 real handwritten digits, 8 × 8 grey pixels, installed with scikit-learn. E. Alpaydin and C. Kaynak, UCI "
        "Machine Learning Repository; CC BY 4.0."
    )

    binarise: str = parameter("threshold", choices=Gray.named("binarise").choices, help=Gray.named("binarise").help)

    def _load(self, tick: Tick) -> Dataset:
        # Importing scikit-learn for them would take a second.
        table = np.loadtxt(str(distribution("scikit-learn").locate_file(PLACE)), delimiter=",")
        gray, digits = np.rint(255 * table[:, :-1] / 16).astype(np.uint8), table[:, -1].astype(np.uint8)
        # RandomState's stream never changes: the split is the same with every version of numpy.
        order = np.random.RandomState(0).permutation(len(gray))
        parts = np.split(order, [TRAIN, TRAIN + VALIDATION])
        train, validation, test = self._examples(*(gray[part] for part in parts))
        labels = {split: digits[part] for split, part in zip(("train", "validation", "test"), parts, strict=True)}
        return Dataset(train, validation, test, labels, (8, 8))
