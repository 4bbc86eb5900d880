"""Rows drawn from a few distant clusters of unequal shares: Gibbs steps do not move between them."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boltzcore.data.examples import Dataset
from boltzcore.data.source import Source, rows_field, rows_with_test, seed_field, split_rows
from boltzcore.kernels import random as streams
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick

SHARES = (0.35, 0.25, 0.2, 0.12, 0.08)


@dataclass(frozen=True, eq=False)
class Mixture:
    """Each row is the pattern of one cluster with each pixel flipped at a rate.

    patterns : (clusters, n_visible) uint8 of 0/1; shares : (clusters,) probability of each
    """

    patterns: NDArray[np.uint8]
    shares: NDArray[np.float64]
    rate: float

    def log_likelihood(self, codes: NDArray) -> NDArray[np.float64]:
        """Return log p of each row of codes, (n,), nats."""
        flipped = self._count_flips(codes)
        kept = self.patterns.shape[1] - flipped
        each = np.log(self.shares) + flipped * math.log(self.rate) + kept * math.log(1 - self.rate)
        return np.asarray(logsumexp(each, axis=1))

    def sample(self, n: int, seed: int) -> NDArray[np.uint8]:
        """Return a sample of codes, (n, n_visible)."""
        generator = streams.generator(seed, streams.SAMPLE)
        cluster = np.searchsorted(np.cumsum(self.shares)[:-1], generator.random(n), side="right")
        return self.patterns[cluster] ^ (generator.random((n, self.patterns.shape[1])) < self.rate).astype(np.uint8)

    def shares_of(self, codes: NDArray) -> NDArray[np.float64]:
        """Return the share of rows nearest to each pattern, and of rows that differ from all patterns in more than a
        quarter of the pixels, (clusters + 1,).
        """
        flipped, clusters = self._count_flips(codes), len(self.shares)
        found = np.where(flipped.min(axis=1) <= self.patterns.shape[1] / 4, flipped.argmin(axis=1), clusters)
        return np.bincount(found, minlength=clusters + 1) / len(found)

    def _count_flips(self, codes: NDArray) -> NDArray[np.int64]:
        rows = np.asarray(codes, np.uint8)
        return np.array([(rows ^ pattern).sum(axis=1, dtype=np.int64) for pattern in self.patterns]).T


@dataclass(frozen=True)
class Clusters(Source):
    """Five random patterns of unequal shares, with flipped pixels."""

    name: ClassVar[str] = "clusters"
    title: ClassVar[str] = "Five clusters"
    about: ClassVar[str] = (
        "D x D images, each one of five random patterns with some pixels flipped, in shares of 35, 25, 20, 12 and 8 %. "
        "Gibbs steps do not move chains between clusters, so a model can have wrong shares without its chains showing "
        "it. A quarter as many rows again are for testing. Generated here."
    )

    D: int = parameter(10, low=2, high=28, symbol="D", help="Rows and columns of the images.", label="Side")
    rate: float = parameter(0.05, low=0.001, high=0.4, help="Share of pixels that are flipped.", label="Flipped")
    n: int = rows_field(2_000, high=100_000)
    seed: int = seed_field("patterns and rows")

    def truth(self) -> Mixture:
        """Return the true distribution."""
        coins = streams.generator(self.seed, streams.TRUTH).random((len(SHARES), self.D**2))
        return Mixture((coins < 0.5).astype(np.uint8), np.array(SHARES), self.rate)

    def _load(self, tick: Tick) -> Dataset:
        truth = self.truth()
        return split_rows(truth.sample(rows_with_test(self.n), self.seed), self.n, shape=(self.D, self.D), truth=truth)
