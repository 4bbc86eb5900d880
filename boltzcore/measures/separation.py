"""Whether the pseudo-likelihood of some rows has a maximiser: no standard error means anything where it has none.

P_n has none where a direction leads uphill without end: a symmetric M of zero diagonal and a b, not all zero, whose
margins x_ij (m_j'x_i + b_j) are 0 or more for all rows i and columns j, one of them positive. Column j is then settled
by the others in row i. Nothing depends on how often a row occurs.

No direction along which P_n stays as it is (all margins 0) is searched for: where there is one, some columns satisfy
c_0 + sum_j c_j x_j = 0 in all rows, and then m_jk = -c_j c_k, b_j = -c_0 c_j has margins c_j**2. So a maximiser, where
there is one, is the only one, and the Hessian there is negative definite.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.models import pseudo_likelihood
from boltzcore.names import Names, column_names
from boltzcore.quoting import listed
from boltzcore.threads import beside, one_for_blas
from boltzcore.ticks import Tick, idle

# Each limit is where something begins to take long; what is beyond them is reported as not checked.
MOST_PRODUCTS = 5_000_000_000  # columns squared times rows: for more only constant columns are searched for
MOST_PARAMETERS = 2_000  # for more only columns that depend on each other
MOST_COEFFICIENTS = 2_500_000  # of the joint programme, columns squared times rows: some twenty seconds
_SLOW = 250_000  # of these the joint programme takes a second
MOST_OF_COLUMNS = 10_000_000  # of the programmes of single columns, counted alike: some ten seconds

_NONE = 1e-6  # margins below are rounding: HiGHS keeps its constraints to 1e-7, and sides of the box are 1
_SOME = 1e-3  # at least one margin of a direction that was found is so large
_LITTLE = 1e-5  # margins of a direction above this are not rounding
_LEAST = 1e-15  # a weight below this is rounding
_STEPS = 50
_VALUES = 2**20  # numbers of a table that is read in one piece


class _Direction(NamedTuple):
    """M, b and settled of a `Separation`."""

    M: NDArray[np.float64]
    b: NDArray[np.float64]
    settled: NDArray[np.bool_]

    @classmethod
    def among(cls, d: int, columns: NDArray, part: "_Direction | None" = None) -> "_Direction":
        """One for some columns, put among d columns; without it, nowhere."""
        M, b, settled = np.zeros((d, d)), np.zeros(d), np.zeros(d, bool)
        if part is not None:
            M[np.ix_(columns, columns)], b[columns], settled[columns] = part
        return cls(M, b, settled)


@dataclass(frozen=True, eq=False)
class Separation:
    """Whether P_n has a maximiser, and what leads uphill without end where it has none.

    exists : None where nobody knows: the table is too large for that, or a programme ended without an answer
    M, b : (d, d) and (d,) such a direction; zeros where there is none
    settled : (d,) which columns the others settle, along this direction, in some row
    constant : (d,) which of them have one value only
    """

    exists: bool | None
    M: NDArray[np.float64]
    b: NDArray[np.float64]
    settled: NDArray[np.bool_]
    constant: NDArray[np.bool_]

    def sentence(self, names: Names | None = None) -> str:
        """What there is to say of it; "" where a maximiser exists. Columns without names are x1, x2 and so on."""
        if self.exists:
            return ""
        if self.exists is None:
            return (
                "Whether the pseudo-likelihood of these data has a maximiser was not checked: the table is too large. "
                "Where it has none, some parameters grow without end, and have no standard errors."
            )
        called = column_names(names, len(self.b))
        why = []
        if self.constant.any():
            why.append(_columns(called, self.constant, "has", "have") + " one value only")
        if (others := self.settled & ~self.constant).any():
            why.append(_columns(called, others, "is", "are") + " settled by the others in some rows")
        return (
            f"The pseudo-likelihood of these data has no maximiser: {', and '.join(why)}. Some parameters grow without "
            "end, and have no standard errors."
        )


def separation(data: Examples | NDArray, tick: Tick = idle) -> Separation:
    """Whether the pseudo-likelihood of these rows has a maximiser; found once for the same Examples.

    data : rows of two values
    Raises ValueError for other rows. Cheap tests decide nearly always; else linear programmes do, in seconds.
    """
    if not isinstance(data, Examples):
        return _found(data, tick)
    with _lock:
        known = _known.get(data)
    if known is None:
        known = _found(data, tick)
        with _lock:
            _known[data] = known
    return known


_known: "WeakKeyDictionary[Examples, Separation]" = WeakKeyDictionary()
_lock = threading.Lock()


def _found(data: Examples | NDArray, tick: Tick) -> Separation:
    x = distinct_spins(data)[0]
    d, constant = x.shape[1], np.all(x == x[0], axis=0)
    left = np.arange(d)
    if x.size * d > MOST_PRODUCTS:
        exists, direction = (False, _constant(x[0], constant)) if constant.any() else (None, None)
    else:
        with one_for_blas():  # its small products wait for a second thread more than it helps, on busy cores by far
            try:
                exists, left, direction = _decided(x, tick)
            except _Unsettled:
                exists, direction = None, None
    return Separation(exists, *_Direction.among(d, left, direction), constant)


def _constant(row: NDArray[np.int8], constant: NDArray[np.bool_]) -> _Direction:
    """That of constant columns, whose biases grow towards the one value that there is."""
    return _Direction(np.zeros((len(row), len(row))), np.where(constant, row, 0.0), constant)


def _decided(x: NDArray[np.int8], tick: Tick) -> tuple[bool | None, NDArray[np.int64], _Direction | None]:
    """Whether there is a maximiser, and some columns with a direction among them that says why not.

    A column that no plane through the others separates has margins 0 along any direction, and as columns do not depend
    on each other (else there is a direction) its parameters are 0 there: it may be left out, and others after it.
    """
    left = np.arange(x.shape[1])
    while True:
        rows = np.unique(x[:, left], axis=0)
        if (direction := _dependence(rows, tick)) is not None:
            return False, left, direction
        if pseudo_likelihood.count(len(left)) > MOST_PARAMETERS:
            return None, left, None
        some = rows[:: -(-rows.size // _VALUES)]  # where they have a maximiser, all rows have one
        if (len(some) == len(rows) or _dependence(some, tick) is None) and _certain(some.astype(np.float64), tick):
            return True, left, None
        if rows.size * len(left) > MOST_OF_COLUMNS:
            return None, left, None
        apart = np.array([_separated(rows.astype(np.float64), j, tick) for j in range(len(left))])
        if not apart.any():
            return True, left, None
        if apart.all():
            break
        left = left[apart]
    if rows.size * len(left) > _SLOW:
        for few in (len(left) // 4, len(left) // 2):  # a direction among some columns is one among all
            exists, among, direction = _decided(rows[:, :few], tick)
            if exists is False:
                return False, left[among], direction
    if rows.size * len(left) > MOST_COEFFICIENTS:
        return None, left, None
    direction = _joint(rows.astype(np.float64), tick)
    return direction is None, left, direction


def _dependence(x: NDArray[np.int8], tick: Tick) -> _Direction | None:
    """The direction that follows from columns that satisfy linear equations, all of them together; None where none do.

    With the projection P on the vectors (c_0, c) of such equations it is M = -P and b = -P_0, and margins are P_jj.
    """
    d = x.shape[1]
    at = range(0, len(x), max(1, _VALUES // d))

    def block(i: int) -> NDArray[np.float64]:
        rows = x[i : i + at.step]
        return np.column_stack([np.ones(len(rows)), rows])

    gram = np.zeros((d + 1, d + 1))
    for i in at:
        Z = block(i)
        gram += Z.T @ Z
        tick(0.0)
    values, vectors = beside(lambda: np.linalg.eigh(gram), tick)
    vectors = vectors[:, values < _NONE * len(x)]
    for i in at:  # which equations hold in every row
        vectors = vectors[:, np.abs(block(i) @ vectors).max(axis=0) < _NONE]
        tick(0.0)
    if not vectors.shape[1]:
        return None
    P = vectors @ vectors.T
    M, margins = -P[1:, 1:], P.diagonal()[1:]
    np.fill_diagonal(M, 0.0)
    return _Direction(M, -P[1:, 0], margins > _LITTLE)


def _certain(x: NDArray[np.float64], tick: Tick) -> bool:
    """Whether weights were found that prove a maximiser to exist.

    There is one where positive weights y of the margins have A'y = 0 (A as in `models.pseudo_likelihood`): no direction
    can then have margins of 0 or more and one positive. The weights sigmoid(-2 margin) at any theta have A'y = g, and
    with A'YA s = g the weights y (1 - As) have none left: they do where no margin of the step s reaches 1. Going on by
    such steps, which climb P_n, comes there in a few; where there is no maximiser, weights vanish just as soon. What
    rounding leaves of A'y is taken away by the smallest change of weights that does, which must be small beside them.
    """
    at, even = np.zeros_like(x), None
    for _ in range(_STEPS):
        y = expit(-2.0 * at)
        if y.min() < _LEAST:
            return False
        gram = pseudo_likelihood.design_gram(x, y, tick)
        even = gram if even is None else even
        try:
            rise = _fitted(x, gram, y, tick)
        except np.linalg.LinAlgError:
            return False
        if rise.max() < 0.9:
            y *= 1.0 - rise
            return bool((0.5 * np.abs(_fitted(x, even, y, tick)) < 0.1 * y).all())
        length, height = 1.0, log_expit(2.0 * at).sum()
        while log_expit(2.0 * (at + length * rise)).sum() < height and length > _LEAST:
            length *= 0.5
        at += length * rise
    return False


def _fitted(
    x: NDArray[np.float64], gram: NDArray[np.float64], y: NDArray[np.float64], tick: Tick
) -> NDArray[np.float64]:
    """(n, d) margins of the step s with gram s = A'y."""
    slopes = pseudo_likelihood.design_transposed(x, y)
    step = np.asarray(beside(lambda: np.linalg.solve(gram, slopes), tick), np.float64)
    return pseudo_likelihood.margins(x, *pseudo_likelihood.unflat(step, x.shape[1]))


def _separated(x: NDArray[np.float64], j: int, tick: Tick) -> bool:
    """Whether some (m_j, b_j) has margins of 0 or more in column j, and one positive."""
    A = x * x[:, [j]]
    A[:, j] = x[:, j]
    return _uphill(A, tick) is not None


def _joint(x: NDArray[np.float64], tick: Tick) -> _Direction | None:
    """A direction for all columns together, from one sparse programme; None where there is none."""
    from scipy.sparse import csr_array  # with linprog below, a third of a second to import

    n, d = x.shape
    values = x[:, :, None] * x[:, None, :]
    values[:, np.arange(d), np.arange(d)] = x
    columns = np.broadcast_to(pseudo_likelihood.places(d), values.shape)
    starts = np.arange(0, values.size + 1, d)
    A = csr_array((values.ravel(), columns.ravel(), starts), shape=(n * d, pseudo_likelihood.count(d)))
    found = _uphill(A, tick)
    if found is None:
        return None
    return _Direction(*pseudo_likelihood.unflat(found, d), ((A @ found).reshape(n, d) > _LITTLE).any(axis=0))


class _Unsettled(Exception):
    """HiGHS ended without an answer."""


def _uphill(A: Any, tick: Tick) -> NDArray[np.float64] | None:
    """A direction in the box from -1 to 1 with A direction >= 0 and the largest sum; None where that sum is 0.

    Were any direction in there, one of its margins would be far from 0: A holds -1, 0 and 1, and the direction may be
    stretched until it meets the box.
    """
    from scipy.optimize import linprog

    found = beside(lambda: linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(A.shape[0]), bounds=(-1, 1)), tick)
    if found.status != 0:
        raise _Unsettled
    return found.x if (A @ found.x).max() > _SOME else None


def _columns(called: Sequence[str], which: NDArray[np.bool_], one: str, several: str) -> str:
    """The names of some columns and the verb behind them."""
    names = [name for name, is_one in zip(called, which, strict=True) if is_one]
    return f"column{'s' * (len(names) > 1)} {listed(names, '')} {one if len(names) == 1 else several}"
