"""Full-span log-linear model of discrete variables, and exact answers by sums over all states."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.models import spectrum
from boltzcore.models.base import ExactModel, Model, Rows, Setup
from boltzcore.models.landscape import MOST, Landscape
from boltzcore.models.spectrum import Layout
from boltzcore.models.state_probabilities import Evidence, check_evidence, draw, marginals_of, most_likely_of
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal, listed, quoted
from boltzcore.ticks import Tick, idle, portion

MOST_STATES = 2**26  # largest number of states: a table of float64 takes 512 MB
MOST_TERMS = 10_000
LARGEST = 1e100  # largest absolute parameter: sums stay finite
_ROWS, _TERMS = 10_000, 32  # rows at once, and their terms between two ticks
_MOST_COMPLETED = 2**24  # largest number of values in all completions of rows


@dataclass(frozen=True, eq=False, init=False)
class LogLinear(ExactModel):
    """p(x) = e**l(x) / Z with l(x) = sum_y theta_y Phi_y(x), Phi_y being -1 or +1 (Takabatake and Akaho, eq. 3).

    cardinalities : (n,) int64, number of values of each variable
    terms : (k,) int64, the indices y = sum_i y_i prod_{j<i} |X_j| of the parameters that are not 0
    values : (k,) float64, theta_y of each
    Constructed as LogLinear(cardinalities, {y: theta_y}). Local functions are the rows of a Walsh-Hadamard matrix if
    the number of values is a power of two (eq. 4), otherwise those of eq. 5. Raises Refusal naming an invalid array,
    and if there are more than 2**26 states, before any memory is allocated; values go up to 1e100.

    >>> from boltzcore.models import LogLinear
    >>> alike = LogLinear([2, 2], {3: 1.0})  # the two columns are equal more often than not
    >>> alike.log_likelihood([[0, 0], [0, 1]]).round(3).tolist()
    [-0.82, -2.82]
    """

    ARRAYS: ClassVar[dict[str, tuple[str, int]]] = {"cardinalities": ("i", 1), "terms": ("i", 1), "values": ("f", 1)}
    SIZES: ClassVar[dict[str, str]] = {"n_visible": "variables", "n_states": "states", "n_terms": "terms"}
    EQUATIONS: ClassVar[Mapping[str, str]] = {
        "Distribution": "p(x) = e^(l(x)) / Z, l(x) = sum_y theta_y Phi_y(x), each Phi_y(x) -1 or 1",
        "Dual parameters": "dual_y = <Phi_y>_model, to be compared with <Phi_y>_data",
    }
    SOURCE: ClassVar[str] = "Takabatake and Akaho, eq. 3 to 5"

    cardinalities: NDArray[np.int64]
    terms: NDArray[np.int64]
    values: NDArray[np.float64]

    def __init__(self, cardinalities: ArrayLike, theta: Mapping[int, float] | None = None) -> None:
        theta = {} if theta is None else theta
        if not isinstance(theta, Mapping):
            raise Refusal(
                f"theta must be values of terms by their index, such as {{3: 0.5}}, not {quoted(theta)}.", "theta"
            )
        self._put(cardinalities, list(theta), list(theta.values()))

    def _put(self, cardinalities: ArrayLike, terms: ArrayLike, values: ArrayLike) -> None:
        allowed = "whole numbers of 1 or more, one for each variable"
        sizes = as_numbers("cardinalities", cardinalities, (None,), allowed, "iu", least=1, low=1).astype(np.int64)
        if why := too_many(sizes):
            raise Refusal(why, "cardinalities")
        states = int(sizes.prod())
        places = as_numbers("terms", terms, (None,), "whole numbers")
        found = as_numbers("values", values, (None,), "numbers").astype(np.float64)
        if found.shape != places.shape or len(places) > MOST_TERMS:
            raise Refusal(f"terms and values must be equal in number, at most {MOST_TERMS:,}.")
        if len(places) and not (places.dtype.kind in "iu" and places.min() > 0 and places.max() < states):
            raise Refusal(f"terms must be whole numbers from 1 to {states - 1:,}.", "terms")
        if len(set(places.tolist())) < len(places):
            raise Refusal("terms must differ from each other.", "terms")
        if not (np.abs(found) <= LARGEST).all():  # also false for nan
            raise Refusal(f"values must be finite numbers from {-LARGEST:g} to {LARGEST:g}.", "values")
        put = object.__setattr__.__get__(self)
        put("cardinalities", sizes)
        put("terms", places.astype(np.int64))
        put("values", found)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray]) -> Self:
        model = cls.__new__(cls)
        model._put(**arrays)
        return model

    @property
    def theta(self) -> dict[int, float]:
        """Nonzero parameters {y: theta_y}."""
        return dict(zip(self.terms.tolist(), self.values.tolist(), strict=True))

    @property
    def n_visible(self) -> int:
        return len(self.cardinalities)

    @property
    def n_states(self) -> int:
        return self.layout.size

    @property
    def n_terms(self) -> int:
        return len(self.terms)

    @cached_property
    def layout(self) -> Layout:
        """Layout of states and terms in tables."""
        return Layout(tuple(self.cardinalities.tolist()))

    def digits(self) -> NDArray[np.int64]:
        """Return y_i of each term, (k, n): 0 if it does not depend on variable i."""
        return self.layout.digits(self.terms)

    # -- the law -----------------------------------------------------------------------------------------

    @property
    def law(self) -> Self:
        """The model itself: a Potts model has a `law` of this kind."""
        return self

    def log_weights(self, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return l(x) of each state, (states,), in the kernels' layout."""
        table = np.zeros(self.layout.size)
        table[self.layout.place(self.terms)] = self.values
        spectrum.log_weights(self.layout, table, tick)
        return table

    def table(self, *, tick: Tick = idle) -> tuple[NDArray[np.float64], float]:
        """Return (probability of each state in the kernels' layout, log Z)."""
        table = self.log_weights(tick=portion(tick, 0.0, 0.6))
        return table, spectrum.normalise(table, portion(tick, 0.6, 0.4))

    def probabilities(self, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return the probability of each state, (states,), in the order of their indices sum_i x_i prod_{k<i} |X_k|."""
        return self.layout.public(self.table(tick=tick)[0])

    def log_partition(self, *, tick: Tick = idle) -> float:
        """Return log Z in nats, with theta_0 = 0."""
        return self.table(tick=tick)[1]

    def log_weight(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return l(x) = sum_y theta_y Phi_y(x) of rows of codes, (n,)."""
        rows, digits = self.check_rows(x), self.digits()
        out = np.empty(len(rows))
        for i in range(0, len(rows), _ROWS):
            part = rows[i : i + _ROWS]
            total = np.zeros(len(part))
            for k, (value, y) in enumerate(zip(self.values, digits, strict=True)):
                total += value * self._function(part, y)
                if k % _TERMS == 0:
                    tick((i + len(part) * k / len(digits)) / len(rows))
            out[i : i + _ROWS] = total
        return out

    def log_likelihood(self, x: ArrayLike, *, tick: Tick = idle) -> NDArray[np.float64]:
        """Return log p(x) of each row of codes, (n,), in nats, exact."""
        return self.log_weight(x, tick=portion(tick, 0.0, 0.5)) - self.log_partition(tick=portion(tick, 0.5, 0.5))

    def functions(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return Phi_y of rows of codes, (n, k), a column for each term."""
        rows = self.check_rows(x)
        out = np.empty((len(rows), self.n_terms))
        for k, y in enumerate(self.digits()):
            out[:, k] = self._function(rows, y)
        return out

    def _function(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return Phi_y of rows, (n,)."""
        sign = np.ones(len(x))
        for i in np.flatnonzero(y).tolist():
            sign *= self._local(i, x[:, i], y[i])
        return sign

    def _local(self, i: int, x: Any, y: Any) -> NDArray[np.float64]:
        """Return the local function y of variable i at its values x, of shapes that broadcast: +1 if y is 0."""
        size = int(self.cardinalities[i])
        if size & (size - 1):
            return np.where((x == y) | (y == 0), 1.0, -1.0)
        return 1.0 - 2.0 * (np.bitwise_count(x & y) % 2)

    def check_rows(self, x: ArrayLike) -> NDArray[np.int64]:
        """Return x as (n, variables) codes; raise Refusal unless each is below its variable's number of values."""
        return check_codes(x, self.cardinalities)

    def landscape(self, most: int = MOST) -> Landscape | None:
        if self.n_visible > most or (self.cardinalities != 2).any():
            return None
        return Landscape(-self.layout.public(self.log_weights()))

    # -- questions ----------------------------------------------------------------------------------------

    def conditioned(self, given: Evidence) -> "LogLinear":
        """Return the distribution of the other variables, in their order, given the values of some: a model of this
        kind, whose terms are those of this one combined with the evidence. No evidence counts as impossible, however
        improbable. If all variables are given, it has one variable with one value.

        given : {variable: its value}. Raises Refusal if a variable does not exist, or has no such value.
        """
        return self._conditioned(given)[0]

    def log_probability_of(self, given: Evidence, *, tick: Tick = idle) -> float:
        """Return log P(given), nats."""
        rest, shift = self._conditioned(given)
        there = rest.log_partition(tick=portion(tick, 0.0, 0.5)) + shift
        return min(0.0, there - self.log_partition(tick=portion(tick, 0.5, 0.5)))

    def _conditioned(self, given: Evidence) -> "tuple[LogLinear, float]":
        """Return (`conditioned`, the contribution of the evidence to the log-weight of every state)."""
        held = check_evidence(self.layout.cardinalities, given)
        if not held:
            return self, 0.0
        left, digits, values = self.left(held), self.digits(), self.values.copy()
        for i, value in held.items():
            values *= self._local(i, np.int64(value), digits[:, i])
        layout = Layout(tuple(int(self.cardinalities[i]) for i in left) or (1,))
        places = layout.index(digits[:, left]) if left else np.zeros(len(digits), np.int64)
        terms, first, of = np.unique(places, return_index=True, return_inverse=True)
        sums, order = np.bincount(of, values), np.argsort(first)[terms[np.argsort(first)] > 0]
        rest = {"cardinalities": np.array(layout.cardinalities), "terms": terms[order], "values": sums[order]}
        return LogLinear.from_arrays(rest), float(sums[terms == 0].sum())

    def left(self, given: Evidence) -> list[int]:
        """Return the variables that are not given, in their order."""
        return [i for i in range(self.n_visible) if i not in given]

    def marginals(self, given: Evidence | None = None, *, tick: Tick = idle) -> dict[int, NDArray[np.float64]]:
        """Return {i: P(x_i | given)} of each variable that is not given, exact. Raises Refusal like `conditioned`.

        given : {variable: its value}
        """
        given = {} if given is None else given
        rest = self.conditioned(given)
        return dict(zip(self.left(given), marginals_of(rest.probabilities(tick=tick), rest.layout), strict=False))

    def completions(
        self, codes: NDArray[np.int16], *, tick: Tick = idle
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return each completion of each distinct row, with its probability given the row times the row's count.

        Parameters
        ----------
        codes : (n, variables), negative for a missing value

        Returns
        -------
        rows : (k, variables) codes
        weight : (k,) above 0

        Raises Refusal if there are too many.
        """
        distinct, counts = np.unique(codes, axis=0, return_counts=True)
        many = np.where(distinct < 0, self.cardinalities, 1).astype(np.float64).prod(axis=1)
        if many.sum() * codes.shape[1] > _MOST_COMPLETED:
            raise Refusal(
                f"data must have at most {_MOST_COMPLETED // codes.shape[1]:,} completions of rows with gaps, not "
                f"{many.sum():,.0f}: drop the rows or columns with the most missing values, or fill them in first.",
                "data",
            )
        parts, weights = [], []
        for k, (row, count) in enumerate(zip(distinct.tolist(), counts.tolist(), strict=True)):
            tick(k / len(distinct))
            rest = self.conditioned(given := {i: code for i, code in enumerate(row) if code >= 0})
            parts.append(self.with_evidence(rest.layout.digits(np.arange(rest.n_states)), given))
            weights.append(count * rest.probabilities())
        weight = np.concatenate(weights)
        return np.concatenate(parts)[weight > 0], weight[weight > 0]

    def sample(self, n: int, seed: int, *, tick: Tick = idle) -> NDArray[np.int64]:
        """Return codes (n, variables), drawn exactly and independently."""
        n, seed = whole("n", n, 0, 10_000_000), whole("seed", seed, 0, 2**63 - 1)
        return draw(self.probabilities(tick=tick), self.layout, n, seed)

    def most_likely(
        self, k: int = 1, given: Evidence | None = None, *, tick: Tick = idle
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return ((k, variables) states, (k,) their probabilities given the evidence), the most likely first."""
        given = {} if given is None else given
        rest = self.conditioned(given)
        found, p = most_likely_of(rest.probabilities(tick=tick), rest.layout, k)
        return self.with_evidence(found, given), p

    def with_evidence(self, rows: NDArray[np.int64], given: Evidence) -> NDArray[np.int64]:
        """Return rows (n, variables) of the model `conditioned` on this evidence, with the given values inserted."""
        left, out = self.left(given), np.zeros((len(rows), self.n_visible), np.int64)
        out[:, left] = rows[:, : len(left)]
        for variable, value in given.items():
            out[:, variable] = value
        return out


def too_many(sizes: ArrayLike) -> str | None:
    """Return a sentence if the variables have too many states, with what would fit; None if they do not."""
    bits, most = np.cumsum(np.log2(np.asarray(sizes, np.float64))), MOST_STATES.bit_length() - 1
    if bits[-1] <= most:
        return None
    return (
        f"data must have at most 2^{most} states, {MOST_STATES:,}, for a table over all of them in memory; these "
        f"{len(bits):,} columns have 2^{bits[-1]:.4g}. The first {np.count_nonzero(bits <= most):,} would fit."
    )


@dataclass(frozen=True)
class LogLinearSetup(Setup):
    """Setup of a model without terms: all states are equally likely."""

    name: ClassVar[str] = "log-linear"
    kind: ClassVar[type[Model]] = LogLinear

    def check(self, data: Rows) -> None:
        if data.gray:
            raise Refusal("data must be rows of codes, not images of 256 levels: binarise them by a threshold.", "data")
        if why := too_many(cardinalities_of(data)):
            raise Refusal(why, "data")

    def memory(self, data: Rows) -> int:
        return 3 * 8 * math.prod(cardinalities_of(data))  # two tables of a greedy search, and one for measures

    def drawn(self, data: Rows, seed: int) -> LogLinear:
        return LogLinear(cardinalities_of(data))


def cardinalities_of(data: Rows) -> tuple[int, ...]:
    """Return the number of values of each column."""
    return tuple(int(size) for size in np.broadcast_to(data.levels, data.n_visible))


def check_codes(x: ArrayLike, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return x as (n, variables) codes; raise Refusal unless each is below its variable's number of values."""
    rows = as_numbers("x", x, (None, len(sizes)), f"rows of {len(sizes)} codes", "bui").astype(np.int64, order="C")
    if len(rows) and (rows.min() < 0 or (rows.max(axis=0) >= sizes).any()):
        raise Refusal("x must hold whole numbers from 0 on, each below the number of values of its variable.", "x")
    return rows


def check_columns(sizes: NDArray[np.int64], data: Rows) -> None:
    """Raise Refusal unless the columns of the data have as many values as the variables of a model."""
    if cardinalities_of(data) != tuple(sizes.tolist()):
        mine, found = (listed(map(str, each), "") for each in (sizes.tolist(), cardinalities_of(data)))
        raise Refusal(f"data must have columns of {mine} values, as the model's variables, not of {found}.", "data")
