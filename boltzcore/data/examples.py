"""Examples (rows to learn from) and Dataset (their splits)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.data.corruption import Corruption
from boltzcore.kernels import random as streams


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows to learn from.

    v : (n, n_visible) uint8 or float32 of 0/1; or, where `gray` is true, intensities 0..255 in
        uint8 that each epoch turns into fresh 0/1 pixels (pixel on with probability v/255).
    x : (n, n_x) inputs of a conditional model, or None.
    corruption, shape, part : where given, each epoch draws x anew: the rows v, as images of this (height, width),
        corrupted with noise of their part of the data set.
    weight : (n,) non-negative weight of each row, or None for equal weights.
    Raises ValueError where v is not a table of numbers with at least one row.
    """

    v: NDArray
    x: NDArray | None = None
    weight: NDArray | None = None
    gray: bool = False
    corruption: Corruption | None = None
    shape: tuple[int, int] = (1, 1)
    part: int = 0

    def __post_init__(self) -> None:
        v = np.asarray(self.v)
        if v.ndim != 2 or 0 in v.shape or v.dtype.kind not in "buif":
            raise ValueError(
                "data must be rows of visible units, numbers of shape (n, n_visible) with at least one row, not "
                f"{v.dtype} of shape {v.shape}."
            )
        object.__setattr__(self, "v", v)
        if self.x is not None:
            x = np.asarray(self.x)
            if x.ndim != 2 or len(x) != len(v) or 0 in x.shape or x.dtype.kind not in "buif":
                raise ValueError(
                    f"x must be rows of inputs, as many as the {len(v):,} rows of v, not {x.dtype} of shape {x.shape}."
                )
            object.__setattr__(self, "x", x)

    def __len__(self) -> int:
        return len(self.v)

    @property
    def n_visible(self) -> int:
        return self.v.shape[1]

    @property
    def fresh(self) -> bool:
        """Whether each epoch draws something anew."""
        return self.gray or (self.corruption is not None and self.corruption.redrawn == "each epoch")

    def mean(self) -> NDArray[np.float64]:
        """(n_visible,) mean of each visible unit (its expectation where `gray`)."""
        mean = (
            np.average(self.v, axis=0, weights=self.weight)
            if self.weight is not None
            else self.v.mean(axis=0, dtype=np.float64)
        )
        return mean / 255.0 if self.gray else mean

    def head(self, n: int) -> "Examples":
        """The first `n` rows, without a copy."""
        return replace(
            self,
            v=self.v[:n],
            x=None if self.x is None else self.x[:n],
            weight=None if self.weight is None else self.weight[:n],
        )

    def spread(self, n: int) -> "Examples":
        """At most `n` rows, one drawn from each of n equal parts; always the same ones of a data set.

        Spread, for the order of rows may mean something, and drawn, for so may their rhythm: MNIST's training rows
        alternate between two kinds of writers.
        """
        if len(self) <= n:
            return self
        begins = np.arange(n + 1) * len(self) // n
        rows = streams.generator(0, streams.SPREAD).integers(begins[:-1], begins[1:])
        return replace(
            self,
            v=self.v[rows],
            x=None if self.x is None else self.x[rows],
            weight=None if self.weight is None else self.weight[rows],
        )

    def epoch(self, e: int, seed: int) -> "Examples":
        """The rows as epoch `e` sees them, with what is drawn anew each epoch drawn."""
        v = streams.binarise(self.v, seed, e) if self.gray else self.v
        x = (
            self.x
            if self.corruption is None
            else self.corruption.apply(v, self.shape, seed=seed, epoch=e, part=self.part)
        )
        return replace(self, v=v, x=x, gray=False, corruption=None)

    def corrupted(self, corruption: Corruption, shape: tuple[int, int], part: int = 0) -> "Examples":
        """These rows as what a conditional model shall make of their corrupted copies; `shape` and `part` as above."""
        return replace(self, corruption=corruption, shape=shape, part=part)


def examples(data: "Examples | ArrayLike") -> Examples:
    """`data` as Examples; a plain (n, n_visible) array of 0/1 is taken too, as a copy.

    Raises ValueError for other shapes, for no rows, and for values other than 0 and 1 in rows that are not gray.
    """
    taken = data if isinstance(data, Examples) else Examples(np.asarray(data))
    if not taken.gray and not ((taken.v == 0) | (taken.v == 1)).all():
        raise ValueError("data must hold only 0 and 1.")
    return taken if isinstance(data, Examples) else replace(taken, v=np.array(taken.v, np.uint8))


@dataclass(frozen=True, eq=False)
class Dataset:
    """Splits of a data set, their labels and the shape in which a row is drawn."""

    train: Examples
    validation: Examples | None
    test: Examples
    labels: Mapping[str, NDArray] = field(default_factory=lambda: MappingProxyType({}))
    shape: tuple[int, int] = (1, 1)
    name: str = ""

    def corrupted(self, corruption: Corruption) -> "Dataset":
        """The same splits with corrupted copies as inputs; ValueError where the corruption does not fit the images."""
        corruption.apply(np.zeros((1, self.train.n_visible), np.uint8), self.shape, seed=0)
        splits = {name: getattr(self, name) for name in ("train", "validation", "test")}
        return replace(
            self,
            **{
                name: split and split.corrupted(corruption, self.shape, part)
                for part, (name, split) in enumerate(splits.items())
            },
        )
