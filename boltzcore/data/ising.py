"""Exact samples of spins coupled on a grid, and their true distribution."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.data.source import Source, rows_field, rows_with_test, seed_field, split_rows
from boltzcore.kernels import random as streams
from boltzcore.models import FVBM
from boltzcore.models.states import LIMIT
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, portion


@dataclass(frozen=True)
class Ising(Source):
    """Spins on a grid: neighbours agree more often than not if the coupling is positive."""

    name: ClassVar[str] = "ising"
    title: ClassVar[str] = "Ising grid"
    about: ClassVar[str] = (
        "Exact samples of spins on a grid with coupled neighbours, no external field and open boundaries; x2.3 is the "
        "spin in row 2, column 3. A quarter as many rows again are for testing. Generated here, after Takabatake and "
        "Akaho: 5 × 4 spins, coupling 1/2."
    )

    rows: int = parameter(5, low=1, high=LIMIT, help="Rows of the grid.", label="Rows of the grid")
    columns: int = parameter(4, low=1, high=LIMIT, help="Columns of the grid.", label="Columns of the grid")
    coupling: float = parameter(
        0.5, low=-5.0, high=5.0, symbol="J", help="p is proportional to exp(J * sum of the products of neighbours)."
    )
    n: int = rows_field(1_000, label="Examples")
    seed: int = seed_field("rows")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows * self.columns > LIMIT:
            raise Refusal(
                f"rows must be at most {LIMIT // self.columns} with {self.columns} columns, because exact sampling "
                f"sums over the states of at most {LIMIT} spins, not {self.rows}.",
                "rows",
            )

    def truth(self) -> FVBM:
        """Return the true distribution."""
        at = np.arange(self.rows * self.columns).reshape(self.rows, self.columns)
        M = np.zeros((at.size, at.size))
        for one, other in ((at[1:], at[:-1]), (at[:, 1:], at[:, :-1])):
            M[one, other] = M[other, one] = self.coupling
        return FVBM(M, np.zeros(at.size))

    def _load(self, tick: Tick) -> Dataset:
        n, grid = rows_with_test(self.n), self  # spins are drawn along the shorter side
        if self.rows < self.columns:
            grid = self.changed(rows=self.columns, columns=self.rows)
        spins = _sample(grid.truth(), n, self.seed, tick).reshape(n, grid.rows, grid.columns)
        v = (spins if grid is self else spins.transpose(0, 2, 1)).reshape(n, -1)
        titles = tuple(f"x{i + 1}.{j + 1}" for i in range(self.rows) for j in range(self.columns))
        names = Names(titles, (("-1", "+1"),) * len(titles))
        return split_rows(v, self.n, shape=(self.rows, self.columns), names=names, truth=self.truth())


def _sample(model: FVBM, n: int, seed: int, tick: Tick) -> NDArray[np.uint8]:
    """Return codes (n, d), drawn spin by spin, each given the earlier ones."""
    generator, sums = streams.generator(seed, streams.SAMPLE), [model.probabilities(tick=portion(tick, 0.0, 0.5))]
    while len(sums[0]) > 1:
        sums.insert(0, sums[0].reshape(2, -1).sum(axis=0))  # sums out the last spin
    state, v = np.zeros(n, np.int64), np.empty((n, model.n_visible), np.uint8)
    for i, ahead in enumerate(sums[1:]):
        off, on = ahead[state], ahead[state | 1 << i]
        v[:, i] = generator.random(n) * (off + on) >= off
        state |= v[:, i].astype(np.int64) << i
        tick(0.5 + 0.5 * i / model.n_visible)
    return v
