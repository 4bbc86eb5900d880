"""Bars & Stripes, Shifting Bar and parity: all patterns of a tiny world, with a known best log-likelihood."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.source import Source
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick

MOST_ROWS = 2**20


@dataclass(frozen=True)
class BarsAndStripes(Source):
    """D x D images in which each row, or each column, is entirely on or off; training and test rows are all of them."""

    name: ClassVar[str] = "bars-and-stripes"
    title: ClassVar[str] = "Bars & Stripes"
    about: ClassVar[str] = (
        "All images in which each row, or each column, is entirely on or off. If they are equally probable, as by "
        "default, no model can exceed a log-likelihood of -log of their number. Generated here; MacKay (2003)."
    )

    D: int = parameter(
        3, low=2, high=10, symbol="D", help="Images are D x D; there are 2^(D+1) - 2 of them.", label="Size D"
    )
    process: bool = parameter(
        False,
        help="Keep the two uniform images twice, once as bars and once as stripes.",
    )

    def _load(self, tick: Tick) -> Dataset:
        lines = np.arange(2**self.D)[:, None] >> np.arange(self.D) & 1
        bars = np.repeat(lines[:, :, None], self.D, axis=2)
        stripes = bars.transpose(0, 2, 1)
        images = np.concatenate([bars, stripes if self.process else stripes[1:-1]])
        rows = Examples(images.reshape(len(images), -1).astype(np.uint8))
        return Dataset(rows, None, rows, shape=(self.D, self.D))


@dataclass(frozen=True)
class ShiftingBar(Source):
    """A bar of B units at each of N positions on a ring; training and test rows are all of them."""

    name: ClassVar[str] = "shifting-bar"
    title: ClassVar[str] = "Shifting Bar"
    about: ClassVar[str] = (
        "A bar of B units at each of the N places on a ring, equally probable: no model can exceed a log-likelihood of "
        "-log N. Generated here."
    )

    N: int = parameter(
        9, low=2, high=1000, symbol="N", help="Number of units on the ring, and of patterns.", label="Units N"
    )
    B: int = parameter(
        1, low=1, high=999, symbol="B", help="Number of adjacent units that are on; less than N.", label="Bar length B"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.B >= self.N:
            raise Refusal(f"B must be a whole number from 1 to {self.N - 1} for N = {self.N}, not {self.B}.", "B")

    def _load(self, tick: Tick) -> Dataset:
        place, unit = np.ogrid[: self.N, : self.N]
        rows = Examples(((unit - place) % self.N < self.B).astype(np.uint8))
        return Dataset(rows, None, rows, shape=(1, self.N))


@dataclass(frozen=True)
class Parity(Source):
    """Rows of n bits with an even number of them on, each repeated; training and test rows are all of them."""

    name: ClassVar[str] = "parity"
    title: ClassVar[str] = "Parity"
    about: ClassVar[str] = (
        "All rows of n bits with an even number of them on, equally probable. Any n - 1 bits of a row are independent, "
        "so for three or more bits a pairwise model learns nothing: it stays at n log 1/2, and no model can exceed (n "
        "- 1) log 1/2. Generated here."
    )

    n: int = parameter(
        3, low=2, high=16, symbol="n", help="Number of bits of a row; there are 2^(n-1) rows.", label="Bits"
    )
    copies: int = parameter(
        1, low=1, high=10_000, help="Copies of each row: a term is worth its price only with enough rows."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (most := MOST_ROWS >> (self.n - 1)) < self.copies:
            raise Refusal(f"copies must be at most {most:,} for n = {self.n}, not {self.copies:,}.", "copies")

    def _load(self, tick: Tick) -> Dataset:
        bits = np.arange(2 ** (self.n - 1))[:, None] >> np.arange(self.n - 1) & 1
        last = bits.sum(axis=1, keepdims=True) % 2
        rows = Examples(np.tile(np.hstack([bits, last]).astype(np.uint8), (self.copies, 1)))
        return Dataset(rows, None, rows)
