"""Tables over all states of some discrete variables, in the layout of the kernels, and their transforms.

A table holds a number for each state, variable 0 varying fastest. Kernels need the variables of 2**k values together
and below the others: `Layout` maps each state, and each term, to its place there.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import spectrum as kernels
from boltzcore.kernels.elementwise import log_in_double
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle

_CACHED = 12  # bits of a block that fits into the fast cache
_PIECE = 1 << 20  # numbers between two ticks: some milliseconds
_PART = 1 << 14  # numbers of a part: sums are taken part by part, so they do not depend on the number of threads
_RUN = 32  # length from which runs have contiguous partners; shorter ones are processed eight numbers at a time

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """Layout of the states of some variables.

    cardinalities : number of values of each, 1 or more
    """

    cardinalities: tuple[int, ...]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Variables in the layout, from the one that varies fastest: those of 2**k values, then the others."""
        return tuple(sorted(range(len(self.cardinalities)), key=lambda i: not _is_power(self.cardinalities[i])))

    @property
    def size(self) -> int:
        """Number of states."""
        return math.prod(self.cardinalities)

    @cached_property
    def bits(self) -> int:
        """Size of the lower part: the number of states of the variables of 2**k values."""
        return math.prod(c for c in self.cardinalities if _is_power(c))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Axes above the lower part: the number of values of each of the other variables."""
        return np.array([c for c in self.cardinalities if not _is_power(c)], np.int64)

    def digits(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the value of each variable at these indices, (n, variables)."""
        out, rest = np.empty((len(index), len(self.cardinalities)), np.int64), index
        for i, size in enumerate(self.cardinalities):
            rest, out[:, i] = rest // size, rest % size
        return out

    def index(self, digits: NDArray) -> NDArray[np.int64]:
        """Return the index of each state, (n,): sum_i x_i prod_{k<i} |X_k|."""
        return _index(digits, range(len(self.cardinalities)), self.cardinalities)

    def place(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places in the kernels' layout of the states, or terms, with these indices."""
        if self.order == tuple(range(len(self.order))):
            return index
        return _index(self.digits(index), self.order, self.cardinalities)

    def at(self, place: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the indices at these places: the inverse of `place`."""
        if self.order == tuple(range(len(self.order))):
            return place
        laid = Layout(tuple(self.cardinalities[i] for i in self.order)).digits(place)
        out = np.empty_like(laid)
        out[:, list(self.order)] = laid
        return self.index(out)

    def public(self, table: Table) -> Table:
        """Return a table of the kernels' layout in the order of the indices; a view if nothing moves."""
        return self._moved(table, self.order, range(len(self.order)))

    def arrange(self, table: Table) -> Table:
        """Return a table in the order of the indices in the kernels' layout."""
        return np.ascontiguousarray(self._moved(table, range(len(self.order)), self.order))

    def _moved(self, table: Table, order: Sequence[int], wanted: Sequence[int]) -> Table:
        # a variable with one value moves nothing, and numpy has at most 64 axes
        order, wanted = ([i for i in each if self.cardinalities[i] > 1] for each in (order, wanted))
        if order == wanted:
            return table
        shaped = table.reshape([self.cardinalities[i] for i in reversed(order)])
        axes = [len(order) - 1 - order.index(i) for i in reversed(wanted)]
        return shaped.transpose(axes).reshape(-1)


def _is_power(c: int) -> bool:
    return c & (c - 1) == 0


def _index(digits: NDArray, order: "range | tuple[int, ...]", cardinalities: tuple[int, ...]) -> NDArray[np.int64]:
    out, stride = np.zeros(len(digits), np.int64), 1
    for i in order:
        out += digits[:, i].astype(np.int64) * stride
        stride *= cardinalities[i]
    return out


# -- transforms, in place, of tables in the kernels' layout ---------------------------------------------


def expectations(layout: Layout, table: Table, tick: Tick = idle) -> None:
    """Turn probabilities into dual parameters, in place: the expectation of every term (section 2.2.2)."""
    _transform(layout, table, True, tick)


def log_weights(layout: Layout, table: Table, tick: Tick = idle) -> None:
    """Turn parameters into sum_y theta_y Phi_y(x) for every state, in place (eq. 3)."""
    _transform(layout, table, False, tick)


def normalise(table: Table, tick: Tick = idle) -> float:
    """Turn log-weights into probabilities, in place; return log Z, in nats."""
    firsts, top = range(0, table.size, _PART), float(table.max())
    sums = np.empty(len(firsts))

    def work(first: int, last: int) -> None:
        for k in range(first, last):
            sums[k] = kernels.exponentials(table[firsts[k] : firsts[k] + _PART], top)

    _shared(work, len(firsts), _PART, tick)
    total = math.fsum(sums)
    table *= 1.0 / total
    return top + float(log_in_double(total))


def _transform(layout: Layout, table: Table, to_expectations: bool, tick: Tick) -> None:
    bits = layout.bits.bit_length() - 1
    low = min(_CACHED, bits)
    block = 1 << low
    if low:
        _shared(lambda a, b: kernels.low_bits(table[a * block : b * block], low), table.size // block, block, tick)
    for bit in range(low, bits):
        _shared(partial(kernels.butterflies, table, 1 << bit), table.size // 2, 2, tick)
    stride = layout.bits
    for size in map(int, layout.sizes):
        _shared(partial(kernels.transform_axis, table, size, stride, to_expectations), table.size // size, size, tick)
        stride *= size


def _shared(work: Callable[[int, int], object], count: int, numbers: int, tick: Tick) -> None:
    """Call work(first, last) over range(count), items of `numbers` numbers each, on all threads, with ticks."""
    piece = max(1, _PIECE // numbers)
    for first in range(0, count, piece):
        tick(first / count)
        length = min(piece, count - first)
        share(lambda a, b, first=first: work(first + a, first + b), length, max(1, _PART // numbers))  # type: ignore[misc]


def step(layout: Layout, dual: Table, place: int, tanh_step: float, of_term: float, tick: Tick = idle) -> None:
    """Move the parameter of the term at `place`, and update the duals of all terms in place.

    tanh_step : the hyperbolic tangent of the step; of_term : the dual of the term before it
    """
    flip, above = place % layout.bits, place // layout.bits
    digits = np.empty(len(layout.sizes), np.int64)
    for k, size in enumerate(map(int, layout.sizes)):
        above, digits[k] = divmod(above, size)
    if not digits.any() and flip & -flip >= _RUN:
        work, numbers = partial(kernels.step_bits, dual, flip, tanh_step, of_term), 2
    elif not digits.any() and layout.bits >= 8:
        work, numbers = partial(kernels.step_eights, dual, flip, tanh_step, of_term), 8 if flip < 8 else 16
    else:
        axes = kernels.Above(layout.sizes, digits)
        work = partial(kernels.step_above, dual, layout.bits, flip, axes, tanh_step, of_term)
        numbers = math.prod(int(size) for size in layout.sizes[digits > 0]) * (2 if flip else 1)
    _shared(work, dual.size // numbers, numbers, tick)
