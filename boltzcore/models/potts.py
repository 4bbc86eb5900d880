"""Potts model: categorical columns with pairwise couplings, and its exact computations."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers, as_parameters
from boltzcore.kernels.elementwise import exp_in_double, log_in_double
from boltzcore.kernels.potts import log_weights
from boltzcore.models.base import ExactModel, Model, Rows, Setup
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, cardinalities_of, check_codes, too_many
from boltzcore.models.state_probabilities import Evidence, check_evidence
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle, portion

MOST_VALUES = 2_000  # largest number of values of all columns together: two million couplings
LARGEST = 1e100  # largest absolute parameter: sums stay finite
_NUMBERS = 2**22  # rows times values between two ticks: some 30 ms


@dataclass(frozen=True, eq=False)
class Potts(ExactModel):
    """p(x) = e**(sum_i h_i(x_i) + sum_{i<j} J_ij(x_i, x_j)) / Z, each x_i one of its column's values.

    levels : (d,) int64, number of values of each column
    h : (D,) float64, h_i(a) of each value of each column, column by column; D is the sum of `levels`
    J : (D, D) float64, J_ij(a, b), symmetric, 0 within a column
    Rows are codes, from 0 on. With two values in each column it is the fully visible machine (`FVBM`): its couplings M
    are J_ij(1, 1), its biases h_i(1), in the zero-sum gauge. Raises Refusal naming an invalid array.

    >>> import numpy as np
    >>> from boltzcore.models import Potts
    >>> alike = Potts([3, 3], np.zeros(6), np.kron([[0, 1], [1, 0]], np.eye(3)))  # the columns are equal more often
    >>> alike.log_likelihood([[2, 2], [2, 0]]).round(3).tolist()
    [-1.65, -2.65]
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"levels": ("i", 1), "h": ("f", 1), "J": ("f", 2)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "columns", "n_values": "values"}
    EQUATIONS: ClassVar[Mapping[str, str]] = {
        "Distribution": "p(x) = e^(sum_i h_i(x_i) + sum_(i<j) J_ij(x_i, x_j)) / Z, sum_a J_ij(a, b) = 0",
        "A column given all others": "p(x_i = a | others) ~ e^(h_i(a) + sum_(j != i) J_ij(a, x_j))",
        "Log-pseudo-likelihood": "P_n = sum_n sum_i log p(x_ni | others), over all rows and columns",
    }
    SOURCE: ClassVar[str] = "Potts 1952; Ekeberg et al. 2013, eq. 3 and 7"

    levels: NDArray[np.int64]
    h: NDArray[np.float64]
    J: NDArray[np.float64]

    def __post_init__(self) -> None:
        allowed = "whole numbers of 1 or more, one for each column"
        levels = as_numbers("levels", self.levels, (None,), allowed, "iu", least=1, low=1)
        object.__setattr__(self, "levels", levels.astype(np.int64))
        for name, ndim in (("h", 1), ("J", 2)):
            found = as_parameters(name, getattr(self, name), ndim, np.float64)
            if found.shape != (self.n_values,) * ndim:
                raise Refusal(f"{name} must have {self.n_values} values a side, as levels says.", name)
            if np.abs(found).max() > LARGEST:
                raise Refusal(f"{name} must hold values from -{LARGEST:g} to {LARGEST:g}.", name)
            object.__setattr__(self, name, found)
        if not np.array_equal(self.J, self.J.T) or self.J[self.of_value[:, None] == self.of_value].any():
            raise Refusal("J must be symmetric, with zeros within each column.", "J")

    @property
    def n_visible(self) -> int:
        return len(self.levels)

    @property
    def n_values(self) -> int:
        """Number of values of all columns together, D."""
        return sum(self.levels.tolist())

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """Index in h of each column's first value, (d,)."""
        return np.cumsum(self.levels) - self.levels

    @cached_property
    def of_value(self) -> NDArray[np.int64]:
        """Column of each value, (D,)."""
        return np.repeat(np.arange(self.n_visible), self.levels)

    # -- conditional laws, of any size -------------------------------------------------------------------

    def field(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return h_i(a) + sum_j J_ij(a, x_j) of rows x, (n, D): the log-odds of each value given the other columns, up
        to a constant per column.
        """
        rows = self.check_rows(x)
        out = np.empty((len(rows), self.n_values))
        piece = max(1, _NUMBERS // self.n_values)
        for i in range(0, len(rows), piece):
            part = out[i : i + piece]
            part[:] = self.h
            for j, first in enumerate(self.first):
                part += self.J[first + rows[i : i + piece, j]]
                tick((i + len(part) * j / self.n_visible) / len(rows))
        return out

    def log_conditionals(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(x_i = a | the other columns) of rows x, (n, D), in nats."""
        field = self.field(x, tick=tick)
        field -= np.maximum.reduceat(field, self.first, axis=1)[:, self.of_value]
        totals = np.add.reduceat(exp_in_double(field), self.first, axis=1)
        field -= log_in_double(totals)[:, self.of_value]
        return field

    def log_pseudo_likelihood(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return sum_i log p(x_i | the others) of each row, (n,), in nats (Ekeberg et al. 2013, eq. 7)."""
        rows = self.check_rows(x)
        return np.take_along_axis(self.log_conditionals(rows, tick=tick), self.first + rows, axis=1).sum(axis=1)

    def log_weight(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(x) + log Z of rows of codes, (n,), in nats."""
        rows = self.check_rows(x)
        out = np.empty(len(rows))
        piece = max(1, _NUMBERS // self.n_visible**2)
        for i in range(0, len(rows), piece):
            log_weights(self.J, self.h, self.first, rows[i : i + piece], out[i : i + piece])
            tick(i / len(rows))
        return out

    def conditioned(self, given: Evidence) -> Self:
        """Return the distribution of the other columns, in their order, given the values of some: a model of this kind,
        of any size, whose fields include the couplings to the given values. If all columns are given, it has one column
        with one value.

        given : {column: its value}. Raises Refusal if a column does not exist, or has no such value.
        """
        held = check_evidence(self.levels.tolist(), given)
        at = [self.first[i] + value for i, value in held.items()]
        if len(held) == self.n_visible:
            return type(self)(np.ones(1, np.int64), np.zeros(1), np.zeros((1, 1)))
        left = np.flatnonzero(~np.isin(self.of_value, list(held)))
        h = self.h[left] + self.J[np.ix_(at, left)].sum(axis=0)
        return type(self)(np.delete(self.levels, list(held)), h, self.J[np.ix_(left, left)])

    # -- the law, while a table of all states can be held --------------------------------------------------

    @property
    def enumerable(self) -> bool:
        """Return True if the model has few enough states and parameters for exact sums."""
        free = self.levels - 1
        return too_many(self.levels) is None and (free.sum() ** 2 - (free**2).sum()) // 2 + free.sum() <= MOST_TERMS

    @cached_property
    def law(self) -> LogLinear:
        """The same distribution as a log-linear model with terms of one and two columns, for exact answers. Raises
        Refusal if it is not `enumerable`.
        """
        if not self.enumerable:
            why = f"Exact sums go over at most {MOST_TERMS:,} terms; this model has {self.size}."
            raise Refusal(too_many(self.levels) or why)
        strides = np.cumprod(np.concatenate([[1], self.levels[:-1]]))
        inverse = []  # of each variable: maps a table over its values to coefficients of 1 and Phi_1, Phi_2, ...
        for size in self.levels.tolist():
            functions = LogLinear([size], dict.fromkeys(range(1, size), 1.0)).functions(np.arange(size)[:, None])
            inverse.append(np.linalg.inv(np.column_stack([np.ones(size), functions])))
        theta: dict[int, float] = {}

        def add(coefficients: NDArray[np.float64], *of: int) -> None:
            for y in np.ndindex(coefficients.shape):
                place = int(sum(digit * strides[i] for digit, i in zip(y, of, strict=True)))
                theta[place] = theta.get(place, 0.0) + float(coefficients[y])

        parts = [slice(first, first + size) for first, size in zip(self.first, self.levels, strict=True)]
        for i, part in enumerate(parts):
            add(inverse[i] @ self.h[part], i)
        for i, j in combinations(range(self.n_visible), 2):
            add(inverse[i] @ self.J[parts[i], parts[j]] @ inverse[j].T, i, j)
        return LogLinear(self.levels, {y: value for y, value in theta.items() if y and value})

    def log_partition(self, *, tick: Tick = idle) -> float:
        """Return log Z in nats, exact. Raises Refusal if it is not `enumerable`."""
        law = self.law
        row = np.zeros((1, self.n_visible), np.int64)
        return law.log_partition(tick=tick) + float((self.log_weight(row) - law.log_weight(row))[0])

    def log_likelihood(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(x) of each row, (n,), in nats, exact. Raises Refusal if it is not `enumerable`."""
        return self.log_weight(x, tick=portion(tick, 0.0, 0.5)) - self.log_partition(tick=portion(tick, 0.5, 0.5))

    def sample(self, n: int, seed: int, *, tick: Tick = idle) -> NDArray[np.int64]:
        """Return (n, d) codes, drawn exactly and independently; Refusal if it is too large: use `draw_samples`."""
        return self.law.sample(n, seed, tick=tick)

    # -- parameters ---------------------------------------------------------------------------------------

    def zero_sum(self) -> Self:
        """Return the same distribution in the zero-sum gauge: couplings of a pair of columns sum to 0 over the values
        of either, fields over those of their column, so that couplings of independent columns are 0.
        """
        over = np.add.reduceat(self.J, self.first, axis=1) / self.levels
        J = self.J - over[:, self.of_value]
        J -= (np.add.reduceat(J, self.first, axis=0) / self.levels[:, None])[self.of_value]
        h = self.h + over.sum(axis=1)
        h -= (np.add.reduceat(h, self.first) / self.levels)[self.of_value]
        J = (J + J.T) / 2
        J[self.of_value[:, None] == self.of_value] = 0.0
        return type(self)(self.levels, h, J)

    def strengths(self) -> NDArray[np.float64]:
        """Return the Frobenius norm of the couplings of each pair of columns, (d, d), in the zero-sum gauge."""
        squares = np.square(self.zero_sum().J)
        return np.sqrt(np.add.reduceat(np.add.reduceat(squares, self.first, axis=0), self.first, axis=1))

    def check_rows(self, x: ArrayLike) -> NDArray[np.int64]:
        """Return x as (n, d) codes; raise Refusal unless each is below its column's number of values."""
        return check_codes(x, self.levels)


@dataclass(frozen=True)
class PottsSetup(Setup):
    """Setup with independent columns, whose values have their shares in the data (with one more of each counted)."""

    name: ClassVar[str] = "potts"
    kind: ClassVar[type[Model]] = Potts

    def check(self, data: Rows) -> None:
        if data.gray:
            raise Refusal("data must be rows of codes, not images of 256 levels: binarise them by a threshold.", "data")
        if (found := sum(cardinalities_of(data))) > MOST_VALUES:
            raise Refusal(
                f"data must have at most {MOST_VALUES:,} values in all columns together for a Potts model, not "
                f"{found:,}: all pairs are coupled.",
                "data",
            )

    def memory(self, data: Rows) -> int:
        sizes = cardinalities_of(data)
        return 0 if too_many(sizes) else 2 * 8 * math.prod(sizes)  # log-weights and transform of the likelihood

    def drawn(self, data: Rows, seed: int) -> Potts:
        levels = np.array(cardinalities_of(data), np.int64)
        weight = np.ones(len(data.v)) if data.weight is None else data.weight
        counts = [np.bincount(v, weight, size) for v, size in zip(data.v.T, levels, strict=True)]
        return Potts(levels, log_in_double(np.concatenate(counts) + 1.0), np.zeros((levels.sum(),) * 2)).zero_sum()
