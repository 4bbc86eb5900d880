"""Rows drawn from a random Bayesian network: a random graph with a random probability table for each node."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset
from boltzcore.data.source import Source, rows_field, rows_with_test, seed_field, split_rows
from boltzcore.kernels import random as streams
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

MOST_CASES = 4096  # largest number of combinations of the values of a node's parents


@dataclass(frozen=True, eq=False)
class Network:
    """p(x) = prod_i p(x_i | x of its parents), with every node after its parents.

    parents : for each node the indices of its parents, each lower than its own
    tables : for each node (cases, values) p(x_i | parents), a case being sum_k x_(parent k) * values**k
    """

    parents: tuple[tuple[int, ...], ...]
    tables: tuple[NDArray[np.float64], ...]

    @property
    def values(self) -> int:
        """Number of values of each node."""
        return self.tables[0].shape[1]

    def log_likelihood(self, codes: NDArray) -> NDArray[np.float64]:
        """Return log p of each row of codes, (n,), nats."""
        x, out = np.asarray(codes), np.zeros(len(codes))
        for i, table in enumerate(self.tables):
            out += np.log(table)[self._cases(x, i), x[:, i]]
        return out

    def sample(self, n: int, seed: int, tick: Tick = idle) -> NDArray[np.uint8]:
        """Return a sample of codes, (n, nodes), each node drawn after its parents."""
        generator = streams.generator(seed, streams.SAMPLE)
        x = np.zeros((n, len(self.parents)), np.uint8)
        for i, table in enumerate(self.tables):
            below = np.cumsum(table, axis=1)[self._cases(x, i), :-1]  # the last value has the remaining probability
            x[:, i] = (generator.random(n)[:, None] >= below).sum(axis=1)
            tick(i / len(self.tables))
        return x

    def _cases(self, x: NDArray, i: int) -> NDArray[np.int64]:
        """Return the row of node i's table for each row of x, (n,)."""
        parents = list(self.parents[i])
        return x[:, parents].astype(np.int64) @ self.values ** np.arange(len(parents))


@dataclass(frozen=True)
class BayesNet(Source):
    """Random networks: each node has random earlier nodes as parents, and uniformly drawn tables."""

    name: ClassVar[str] = "bayes-net"
    title: ClassVar[str] = "Bayesian network"
    about: ClassVar[str] = (
        "Rows drawn from a random Bayesian network. Each node has the given number of parents, or all earlier nodes if "
        "these are fewer, and for each combination of their values a conditional distribution drawn uniformly. 20 "
        "nodes with 2 parents have 37 edges, with 3 parents 54. A quarter as many rows again are for testing. "
        "Generated here, after Takabatake and Akaho, who do not specify their random tables."
    )

    nodes: int = parameter(20, low=1, high=100, help="Nodes, the columns of the table.", label="Nodes")
    parents: int = parameter(2, low=0, high=8, help="Number of parents of a node.", label="Parents of a node")
    levels: int = parameter(2, low=2, high=8, help="Number of values of each node.", label="Values of a node")
    n: int = rows_field(1_000)
    seed: int = seed_field("network and its rows")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.levels**self.parents > MOST_CASES:
            most = max(k for k in range(self.parents) if self.levels**k <= MOST_CASES)
            raise Refusal(
                f"parents must be at most {most} for nodes of {self.levels} values, whose tables would be too large "
                f"with {self.parents}.",
                "parents",
            )

    def truth(self) -> Network:
        """The network that the rows are drawn from."""
        generator = streams.generator(self.seed, streams.TRUTH)
        parents, tables = [], []
        for i in range(self.nodes):
            chosen = generator.permutation(i)[: self.parents]
            parents.append(tuple(sorted(chosen.tolist())))
            cuts = np.sort(generator.random((self.levels ** len(chosen), self.levels - 1)), axis=1)
            tables.append(np.diff(cuts, axis=1, prepend=0.0, append=1.0))  # uniform on the simplex
        return Network(tuple(parents), tuple(tables))

    def _load(self, tick: Tick) -> Dataset:
        truth = self.truth()
        v = truth.sample(rows_with_test(self.n), self.seed, tick)
        codes = tuple(str(code) for code in range(self.levels))
        names = Names(tuple(f"x{i + 1}" for i in range(self.nodes)), (codes,) * self.nodes)
        return split_rows(v, self.n, self.levels, names=names, truth=truth)
