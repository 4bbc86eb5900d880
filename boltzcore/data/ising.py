"""Rows drawn from a grid of coupled spins, exactly, and the law they were drawn from."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.random_fvbm import TESTED
from boltzcore.data.source import Source
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.ticks import Tick, idle

NARROWEST = 12  # spins of the shorter side: sums go over the states of one line
MOST_SPINS = 100_000_000  # of all rows


@dataclass(frozen=True, eq=False)
class Grid:
    """p(x) = exp(coupling * sum of s_i s_j over neighbours) / Z, spins s = 2 x - 1 on a grid without a field.

    Its sums go site by site along the lines of the shorter side (transfer matrix), so that no table over all states
    is needed; a row of codes goes along the rows of the grid.
    """

    rows: int
    columns: int
    coupling: float

    def log_probability(self, codes: NDArray) -> NDArray[np.float64]:
        """(n,) log p of each row of codes, nats."""
        x = np.ascontiguousarray(np.asarray(codes, np.uint8).T).reshape(self.rows, self.columns, -1)
        pairs = 2 * self.rows * self.columns - self.rows - self.columns
        apart = (x[1:] ^ x[:-1]).sum(axis=(0, 1), dtype=np.int64) + (x[:, 1:] ^ x[:, :-1]).sum(
            axis=(0, 1), dtype=np.int64
        )
        return self.coupling * (pairs - 2 * apart) - self.log_partition

    def sample(self, n: int, seed: int, tick: Tick = idle) -> NDArray[np.uint8]:
        """(n, rows * columns) codes drawn from it, exactly and independently."""
        generator = streams.generator(seed, streams.SAMPLE)
        lines, width = self._sides
        out, line = np.empty((n, lines, width), np.uint8), np.zeros(n, np.int64)
        for i, ahead in enumerate(self._sums[0][1:]):
            row, at = divmod(i, width)
            off = line & ~(1 << at)
            weight = [ahead[state] for state in (off, off | 1 << at)]
            for on, sums in enumerate(weight):
                for before in ([line >> at & 1] if row else []) + ([line >> (at - 1) & 1] if at else []):
                    sums *= self._pair[(before == on).astype(np.int64)]
            drawn = generator.random(n) * (weight[0] + weight[1]) >= weight[0]
            out[:, row, at] = drawn
            line = off | drawn.astype(np.int64) << at
            tick(i / (lines * width))
        return np.ascontiguousarray(out if width == self.columns else out.transpose(0, 2, 1)).reshape(n, -1)

    @cached_property
    def log_partition(self) -> float:
        """log Z in nats."""
        ahead, scale = self._sums
        return float(math.log(ahead[0][0]) + scale)

    @property
    def _sides(self) -> tuple[int, int]:
        """The number of lines, and of spins in each: that of the shorter side."""
        return max(self.rows, self.columns), min(self.rows, self.columns)

    @property
    def _pair(self) -> NDArray[np.float64]:
        """The weight of two neighbours that differ, and of two that agree."""
        weights: NDArray[np.float64] = exp_in_double([-self.coupling, self.coupling])
        return weights

    @cached_property
    def _sums(self) -> tuple[list[NDArray[np.float64]], float]:
        """(of each site (2**width,): the weight of it and all later ones, for each state of the last line of spins
        before it, over a common factor; the log of the first one's factor). Bit k of a state is the last spin set in
        place k of a line.
        """
        (lines, width), (apart, alike) = self._sides, self._pair
        sums, scale = [np.ones(1 << width)], 0.0
        for i in reversed(range(lines * width)):
            row, at = divmod(i, width)
            chosen = sums[0].reshape(-1, 2, 1 << at)  # the middle axis is this spin, the last one the spins before it
            low = np.arange(1 << at) >> max(at - 1, 0) & 1
            pair = [np.where(low == s, alike, apart) if at else 1.0 for s in (0, 1)]
            off, on = chosen[:, 0] * pair[0], chosen[:, 1] * pair[1]
            above = [alike * off + apart * on, apart * off + alike * on] if row else [off + on, off + on]
            new = np.stack(above, axis=1).reshape(-1)
            largest = new.max()
            scale += math.log(largest)
            sums.insert(0, new / largest)
        return sums, scale


@dataclass(frozen=True)
class Ising(Source):
    """Spins on a grid: neighbours agree more often than not where the coupling is positive."""

    name: ClassVar[str] = "ising"
    title: ClassVar[str] = "Ising grid"
    about: ClassVar[str] = (
        "Exact samples of spins on a grid with coupled neighbours, no external field and open boundaries; x2.3 is the "
        "spin in row 2, column 3. A quarter as many further rows are for testing. Generated here, after Takabatake and "
        "Akaho: 5 x 4 spins, coupling 1/2."
    )

    rows: int = parameter(5, low=1, high=50, help="Rows of the grid.", label="Rows of the grid")
    columns: int = parameter(4, low=1, high=50, help="Columns of the grid.", label="Columns of the grid")
    coupling: float = parameter(
        0.5, low=-5.0, high=5.0, symbol="J", help="p is proportional to exp(J * sum of the products of neighbours)."
    )
    n: int = parameter(
        1_000, low=1, high=1_000_000, scale="log", symbol="n", help="Number of training rows.", label="Examples"
    )
    seed: int = parameter(0, low=0, high=2**53, help="Seed of the rows, independent of the training seed.")

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.rows, self.columns) > NARROWEST:
            raise Refusal(
                f"rows must be at most {NARROWEST} if columns are more, because exact sampling sums over the states of "
                f"the shorter side; {self.rows} x {self.columns} is too wide.",
                "rows",
            )
        spins = self.rows * self.columns
        if self.n * spins > MOST_SPINS:
            raise Refusal(
                f"n must be at most {MOST_SPINS // spins:,} for a grid of {spins:,} spins, not {self.n:,}.", "n"
            )

    def truth(self) -> Grid:
        """The law that the rows are drawn from."""
        return Grid(self.rows, self.columns, self.coupling)

    def _load(self, tick: Tick) -> Dataset:
        truth = self.truth()
        v = truth.sample(self.n + -(-self.n // TESTED), self.seed, tick)
        titles = tuple(f"x{i + 1}.{j + 1}" for i in range(self.rows) for j in range(self.columns))
        names = Names(titles, (("-1", "+1"),) * len(titles))
        train, test = Examples(v[: self.n]), Examples(v[self.n :])
        return Dataset(train, None, test, shape=(self.rows, self.columns), names=names, truth=truth)
