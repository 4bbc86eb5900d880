"""Examples (rows of data) and Dataset (their splits)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.data.corruption import Corruption
from boltzcore.kernels import random as streams
from boltzcore.names import Names
from boltzcore.parameters import name_owner
from boltzcore.quoting import Refusal

BINARY, GRAY = 2, 256
_MOST_LEVELS = 2**16


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows of data.

    v : (n, n_visible) unsigned codes below `levels`; whole numbers of other types are also accepted, and copied
    x : (n, n_x) inputs of a conditional model, or None.
    weight : (n,) weight of each row, 0 or more and not all 0; None for equal weights.
    levels : number of codes, one number or one for each column. Two codes are a unit's off and on; the single number
        256 means gray images, whose intensities are resampled to 0/1 pixels each epoch (on with probability v/255).
    corruption, shape, split : if given, x is resampled each epoch: the rows v, as images of this (height, width),
        corrupted with noise of their split of the data set.
    gaps : (k, n_visible) further rows, -1 for a missing value, for learners that take them (`Learner.takes_gaps`)
    Raises Refusal if v is not a table of such codes with at least one row.

    >>> from boltzcore.data import Examples
    >>> different = Examples([[0, 1], [1, 1], [1, 1]]).distinct()
    >>> different.v.tolist(), different.weight.tolist()
    ([[0, 1], [1, 1]], [1.0, 2.0])
    """

    v: NDArray
    x: NDArray | None = None
    weight: NDArray | None = None
    levels: int | tuple[int, ...] = BINARY
    corruption: Corruption | None = None
    shape: tuple[int, int] = (1, 1)
    split: int = 0
    gaps: NDArray[np.int16] | None = None

    def __post_init__(self) -> None:
        allowed = "rows of visible units, numbers of shape (n, n_visible) with at least one row"
        v = as_numbers("data", self.v, (None, None), allowed, least=1)
        object.__setattr__(self, "v", self._codes(v))
        if self.x is not None:
            allowed = f"rows of inputs, as many as the {len(v):,} rows of v"
            x = as_numbers("x", self.x, (len(v), None), allowed, least=1)
            if x.dtype.kind == "f" and not np.isfinite(x).all():
                raise Refusal("x must be finite, but it holds infinities or nan.", "x")
            object.__setattr__(self, "x", x)
        if self.weight is not None:
            weight = as_numbers("weight", self.weight, (len(v),), f"a number for each of the {len(v):,} rows")
            if not (np.isfinite(weight.sum(dtype=np.float64)) and weight.min() >= 0 and weight.max() > 0):
                raise Refusal("weight must hold numbers of 0 or more, and one above 0, with a finite sum.", "weight")
            object.__setattr__(self, "weight", np.float64(weight) if weight.dtype == np.float16 else weight)
        if self.gaps is not None:
            allowed = f"rows of {self.n_visible} codes below the levels of their columns, -1 for a missing value"
            gaps = as_numbers("gaps", self.gaps, (None, v.shape[1]), allowed, "i", low=-1)
            if (wrong := gaps[gaps >= self.levels]).size:
                raise Refusal(f"gaps must be {allowed}, not {wrong[0]}.", "gaps")
            object.__setattr__(self, "gaps", gaps)

    def _codes(self, v: NDArray) -> NDArray:
        """Return the rows as unsigned codes, and set `levels` to plain numbers; raise Refusal for other rows."""
        allowed = f"a whole number from 1 to {_MOST_LEVELS:,}, or one for each of the {v.shape[1]} columns of the data"
        shape = () if np.isscalar(self.levels) else v.shape[1:]
        levels = as_numbers("levels", self.levels, shape, allowed, "iu", low=1)
        if levels.max() > _MOST_LEVELS:
            raise Refusal(f"levels must be {allowed}, not {levels.max()}.", "levels")
        object.__setattr__(self, "levels", tuple(levels.tolist()) if levels.ndim else int(levels))
        if v.dtype == np.uint8 and self.gray:
            return v
        whole = v.dtype.kind in "bu" or ((v >= 0).all() and (v == np.floor(v)).all())
        if not (whole and (v.max(axis=0) < levels).all()):
            allowed = "only 0 and 1" if (levels == BINARY).all() else f"whole numbers from 0 to {levels.max() - 1}"
            raise Refusal(f"data must hold {allowed}.")
        if v.dtype.kind == "u":
            return v
        return v.astype(np.uint8 if levels.max() <= GRAY else np.uint16)

    def __len__(self) -> int:
        return len(self.v)

    @property
    def n_visible(self) -> int:
        return self.v.shape[1]

    @property
    def gray(self) -> bool:
        """True if the codes are intensities of images."""
        return self.levels == GRAY

    @property
    def fresh(self) -> bool:
        """True if each epoch resamples v or x."""
        return self.gray or (self.corruption is not None and self.corruption.redrawn == "each epoch")

    @property
    def total(self) -> float:
        """Number of rows, or the sum of their weights."""
        return float(len(self) if self.weight is None else self.weight.sum())

    def average(self, values: ArrayLike) -> float:
        """Return the weighted mean of a value of each row, (n,)."""
        return float(np.average(np.asarray(values), weights=self.weight))

    def mean(self) -> NDArray[np.float64]:
        """Return the mean of each visible unit, (n_visible,) (its expectation if `gray`)."""
        mean: NDArray[np.float64] = np.average(self.v, axis=0, weights=self.weight)
        return mean / 255.0 if self.gray else mean

    def rates(self) -> NDArray[np.float64]:
        """Return the frequency of each code in each column, (n_visible, most levels); for gray rows, off and on."""
        if self.gray or self.levels == BINARY:
            mean = self.mean()
            return np.column_stack([1 - mean, mean])
        weight = np.ones(len(self)) if self.weight is None else self.weight
        counts = [np.bincount(column, weight, int(np.max(self.levels))) for column in self.v.T]
        return np.array(counts) / self.total

    def head(self, n: int) -> "Examples":
        """Return the first `n` rows, without a copy; if all have weight 0, they count equally."""
        return self._select(slice(n))

    def spread(self, n: int) -> "Examples":
        """Return at most `n` rows, one drawn from each of n equal parts; always the same rows of a data set.

        They are spread because the order of rows may have a meaning, and random because it may be periodic: MNIST's
        training rows alternate between two kinds of writers.
        """
        if len(self) <= n:
            return self
        begins = np.arange(n + 1) * len(self) // n
        return self._select(streams.generator(0, streams.SPREAD).integers(begins[:-1], begins[1:]))

    def distinct(self) -> "Examples":
        """Return each distinct row once, with the total weight of its copies (their number without weights).

        Rows are in the order of their codes; the result is cached. Raises Refusal if rows have inputs or are
        resampled each epoch.
        """
        return self._distinct

    @cached_property
    def _distinct(self) -> "Examples":
        if self.x is not None or self.fresh or self.corruption is not None:
            raise Refusal("data must be rows of codes alone to be counted: without inputs, and not grey.")
        v, at = _unique_rows(self.v)
        return replace(self, v=v, weight=np.bincount(at, self.weight, len(v)).astype(np.float64))

    def shares(self) -> tuple[NDArray, NDArray[np.float64]]:
        """Return the distinct rows (n, n_visible), and the share of the data in each (n,)."""
        few = self.distinct()
        assert few.weight is not None
        return few.v, few.weight / few.total

    def epoch(self, e: int, seed: int) -> "Examples":
        """Return the rows of epoch `e`, with their random parts resampled."""
        v = streams.binarise(self.v, seed, e) if self.gray else self.v
        x = self.x
        if self.corruption is not None:
            x = self.corruption.apply(v, self.shape, seed=seed, epoch=e, split=self.split)
        return replace(self, v=v, x=x, levels=BINARY if self.gray else self.levels, corruption=None)

    def corrupted(self, corruption: Corruption, shape: tuple[int, int], split: int = 0) -> "Examples":
        """Return these rows as targets for their corrupted copies; `shape` and `split` are as above."""
        return replace(self, corruption=corruption, shape=shape, split=split)

    def _select(self, rows: slice | NDArray) -> "Examples":
        weight = None if self.weight is None or not self.weight[rows].any() else self.weight[rows]
        return replace(self, v=self.v[rows], x=None if self.x is None else self.x[rows], weight=weight)


def _unique_rows(v: NDArray) -> tuple[NDArray, NDArray[np.intp]]:
    """Return the distinct rows of codes in order, and (n,) the index among them of each row: `np.unique` of rows, but
    by their bytes, which takes a hundredth of the time.
    """
    codes = np.ascontiguousarray(v, v.dtype.newbyteorder(">"))  # whose bytes sort in the order of the codes
    rows = codes.view(np.dtype((np.void, codes[0].nbytes)))[:, 0]
    _, first, at = np.unique(rows, return_index=True, return_inverse=True)
    return v[first], at


def examples(data: Any) -> Examples:
    """Return `data` as Examples; a plain (n, n_visible) array of 0/1 is copied. Raises Refusal like Examples.

    >>> from boltzcore.data import examples
    >>> len(examples([[0, 1], [1, 1], [1, 0]]))
    3
    """
    if isinstance(data, Examples):
        return data
    return replace(found := Examples(data), v=found.v.copy())


class Truth(Protocol):
    """True distribution of rows."""

    def log_likelihood(self, codes: NDArray) -> NDArray[np.float64]:
        """Return the log-probability of each row of codes, (n,), nats."""
        ...


@dataclass(frozen=True, eq=False)
class Dataset:
    """Splits of a data set, their labels, and information on their columns.

    shape : (height, width) of rows that are images; None for other rows
    names : names of the columns and their codes; None if they have none
    truth : true distribution of the rows; None if unknown

    >>> from boltzcore.data import load
    >>> {name: split.v.shape for name, split in load("digits").splits.items()}
    {'train': (1297, 64), 'validation': (250, 64), 'test': (250, 64)}
    """

    train: Examples
    validation: Examples | None
    test: Examples
    labels: Mapping[str, NDArray] = field(default_factory=lambda: MappingProxyType({}))
    shape: tuple[int, int] | None = None
    names: Names | None = None
    truth: Truth | None = None

    @property
    def splits(self) -> dict[str, Examples]:
        """Splits by name: "train", "validation" if there is one, and "test"."""
        named = {"train": self.train, "validation": self.validation, "test": self.test}
        return {name: split for name, split in named.items() if split is not None}

    def corrupted(self, corruption: Corruption) -> "Dataset":
        """Return the same splits with corrupted copies as inputs; raise Refusal if they are no such images."""
        if self.shape is None:
            raise Refusal("data must be images to be corrupted; these rows have no height and width.", "data")
        with name_owner("corruption"):
            corruption.apply(np.zeros((1, self.train.n_visible), np.uint8), self.shape, seed=0)
        damaged = {
            name: split.corrupted(corruption, self.shape, ("train", "validation", "test").index(name))
            for name, split in self.splits.items()
        }
        return replace(self, train=damaged["train"], validation=damaged.get("validation"), test=damaged["test"])

    def mapped(self, made: Callable[[Examples], Examples]) -> "Dataset":
        """Return the same data set with a function applied to each split."""
        validation = None if self.validation is None else made(self.validation)
        return replace(self, train=made(self.train), validation=validation, test=made(self.test))
