"""Rows drawn from a random fully visible machine, whose parameters are known."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.data.source import Source, rows_field, rows_with_test, seed_field, split_rows
from boltzcore.kernels import random as streams
from boltzcore.models import FVBM
from boltzcore.models.states import LIMIT
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick


@dataclass(frozen=True)
class RandomFVBM(Source):
    """Simulation of Nguyen and Wood (2016, section 5): the true couplings and biases are normal."""

    name: ClassVar[str] = "random-fvbm"
    title: ClassVar[str] = "Random FVBM"
    about: ClassVar[str] = (
        "Exact samples from a fully visible machine with normally distributed couplings and biases of mean 0; a "
        "quarter as many rows again are for testing. Generated here, after Nguyen and Wood (2016)."
    )

    d: int = parameter(5, low=1, high=LIMIT, symbol="d", help="Number of columns.", label="Columns")
    variance: float = parameter(
        0.5,
        low=0.0,
        high=10.0,
        symbol="\N{GREEK SMALL LETTER SIGMA}\N{SUPERSCRIPT TWO}",
        help="Variance of the true couplings and biases.",
    )
    n: int = rows_field(16_000)
    seed: int = seed_field("true model and its rows")

    def truth(self) -> FVBM:
        """Return the true model."""
        theta = streams.normal_in_double(self.d * (self.d + 1) // 2, np.sqrt(self.variance), self.seed, streams.TRUTH)
        return FVBM.from_theta(theta, self.d)

    def _load(self, tick: Tick) -> Dataset:
        model = self.truth()
        rows = (model.sample(rows_with_test(self.n), self.seed, tick=tick) > 0).astype(np.uint8)
        names = Names(tuple(f"x{i + 1}" for i in range(self.d)), (("-1", "+1"),) * self.d)
        return split_rows(rows, self.n, names=names, truth=model)
