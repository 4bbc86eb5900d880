"""Rows drawn from a fully visible machine whose parameters are drawn themselves: what was to be found is known."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.source import Source
from boltzcore.kernels import random as streams
from boltzcore.models import FVBM
from boltzcore.models.states import LIMIT
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick

TESTED = 4  # training rows for each row to test on


@dataclass(frozen=True)
class RandomFVBM(Source):
    """The law of the simulation of Nguyen and Wood (2016, section 5): the truth's couplings and biases are normal."""

    name: ClassVar[str] = "random-fvbm"
    title: ClassVar[str] = "Random FVBM"
    about: ClassVar[str] = (
        "Exact samples from a fully visible machine with normally distributed couplings and biases of mean 0; a "
        "quarter as many further rows are for testing. Generated here, after Nguyen and Wood (2016)."
    )

    d: int = parameter(5, low=1, high=LIMIT, symbol="d", help="Number of columns.", label="Columns")
    variance: float = parameter(
        0.5,
        low=0.0,
        high=10.0,
        symbol="\N{GREEK SMALL LETTER SIGMA}\N{SUPERSCRIPT TWO}",
        help="Variance of the true couplings and biases.",
    )
    n: int = parameter(
        16_000, low=1, high=1_000_000, scale="log", symbol="n", help="Number of training rows.", label="Rows"
    )
    seed: int = parameter(
        0, low=0, high=2**53, help="Seed of the true model and its rows, independent of the training seed."
    )

    def truth(self) -> FVBM:
        """The model that the rows are drawn from."""
        theta = streams.normal_in_double(self.d * (self.d + 1) // 2, np.sqrt(self.variance), self.seed, streams.TRUTH)
        return FVBM.from_theta(theta, self.d)

    def _load(self, tick: Tick) -> Dataset:
        model = self.truth()
        rows = (model.sample(self.n + -(-self.n // TESTED), self.seed, tick=tick) > 0).astype(np.uint8)
        names = Names(tuple(f"x{i + 1}" for i in range(self.d)), (("-1", "+1"),) * self.d)
        train, test = Examples(rows[: self.n]), Examples(rows[self.n :])
        return Dataset(train, None, test, names=names, truth=model)
