"""Existence of a maximiser of the pseudo-likelihood, without which standard errors have no meaning.

P_n has none if along some direction it rises forever: a symmetric M of zero diagonal and a b, not all zero, whose
margins x_ij (m_j'x_i + b_j) are 0 or more for all rows i and columns j, one of them positive. Column j is then
determined by the others in row i. The counts of the rows do not matter.

Directions along which P_n is constant (all margins 0) need no search: if there is one, some columns satisfy c_0 + sum_j
c_j x_j = 0 in all rows, and then m_jk = -c_j c_k, b_j = -c_0 c_j has margins c_j**2. So a maximiser, if it exists, is
unique, and the Hessian there is negative definite. If a subset of the rows has one, all rows do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, log_expit

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.models import pseudo_likelihood
from boltzcore.names import Names, column_names
from boltzcore.quoting import listed
from boltzcore.threads import one_for_blas, run_in_background
from boltzcore.ticks import Tick, idle

# Larger tables take long, and are reported as not checked.
MOST_PARAMETERS = 2_000  # with more, only constant columns are searched for
MOST_OF_COLUMNS = 10_000_000  # size of the programmes of single columns, columns squared times rows: some ten seconds
MOST_COEFFICIENTS = 2_500_000  # size of the joint programme, counted in the same way: some twenty seconds
_SLOW = 250_000  # size at which the joint programme takes a second

_SOME = 1e-3  # a direction that was found has a margin of at least this
_LITTLE = 1e-5  # margins of a direction above this are not rounding errors
_LEAST = 1e-15  # weights below this are rounding errors
_STEPS = 50
_VALUES = 2**20  # numbers in the part of a table that is searched for a proof


@dataclass(frozen=True, eq=False)
class Separation:
    """Existence of a maximiser of P_n, and the columns that prevent it.

    exists : None if unknown: the table is too large, or a linear programme ended without an answer
    settled : (d,) columns that the others determine in some row, along the direction that was found
    constant : (d,) those of them with only one value
    """

    exists: bool | None
    settled: NDArray[np.bool_]
    constant: NDArray[np.bool_]

    def sentence(self, names: Names | None = None) -> str:
        """Return a sentence on why there is no maximiser; "" if there is one. Unnamed columns are x1, x2 and so on."""
        if self.exists:
            return ""
        if self.exists is None:
            return (
                "Whether the pseudo-likelihood of these data has a maximiser was not checked: the table is too large. "
                "If it has none, some parameters grow without bound and have no standard errors."
            )
        called = column_names(names, len(self.settled))
        why = []
        if self.constant.any():
            why.append(_columns(called, self.constant, "has", "have") + " one value only")
        if (others := self.settled & ~self.constant).any():
            why.append(_columns(called, others, "is", "are") + " determined by the others in some rows")
        return (
            f"The pseudo-likelihood of these data has no maximiser: {', and '.join(why)}. Some parameters grow without "
            "bound and have no standard errors."
        )


_known: "WeakKeyDictionary[Examples, Separation]" = WeakKeyDictionary()


def separation(data: Examples | NDArray, tick: Tick = idle) -> Separation:
    """Determine if the pseudo-likelihood of rows has a maximiser; cached for the same Examples.

    data : rows of two values
    Raises Refusal for other rows. Cheap tests nearly always decide; otherwise linear programmes do, in seconds.
    """
    if not isinstance(data, Examples):
        return _separate(data, tick)
    if (known := _known.get(data)) is None:
        known = _known[data] = _separate(data, tick)
    return known


def _separate(data: Examples | NDArray, tick: Tick) -> Separation:
    x = distinct_spins(data)[0]
    constant = np.all(x == x[0], axis=0)
    if constant.any():
        return Separation(False, constant, constant)
    try:
        with one_for_blas():  # its small products lose more by waiting for a second thread than they gain
            exists, settled = _decide(x, tick)
    except _Unsettled:
        exists, settled = None, np.zeros_like(constant)
    return Separation(exists, settled, constant)


def _decide(x: NDArray[np.int8], tick: Tick) -> tuple[bool | None, NDArray[np.bool_]]:
    """Return `exists` and `settled` of a Separation, for distinct rows."""
    d = x.shape[1]
    settled = np.zeros(d, bool)
    if pseudo_likelihood.count(d) > MOST_PARAMETERS:
        return None, settled
    # if a subset of the rows has a maximiser, all rows have one
    if _certain(x[:: -(-x.size // _VALUES)].astype(np.float64), tick):
        return True, settled
    if x.size * d > MOST_OF_COLUMNS:
        return None, settled

    # A column that no plane through the others separates has margins 0 along any direction. Unless columns depend on
    # each other, and are then separated, its parameters are 0 there, and it may be left out.
    apart = np.array([_is_separated(x.astype(np.float64), j, tick) for j in range(d)])
    if not apart.any():
        return True, settled
    if not apart.all():
        exists, settled[apart] = _decide(np.unique(x[:, apart], axis=0), tick)
        return exists, settled
    if x.size * d > _SLOW:
        for few in (d // 4, d // 2):  # a direction for some columns is one for all
            exists, settled[:few] = _decide(np.unique(x[:, :few], axis=0), tick)
            if exists is False:
                return False, settled
    if x.size * d > MOST_COEFFICIENTS:
        return None, settled
    settled = _jointly_settled(x.astype(np.float64), tick)
    return not settled.any(), settled


def _certain(x: NDArray[np.float64], tick: Tick) -> bool:
    """Find weights that prove that a maximiser exists; False if the search fails.

    It exists if positive weights y of the margins have A'y = 0 (A as in `models.pseudo_likelihood`): no direction can
    then have margins of 0 or more and one positive. The weights sigmoid(-2 margin) at any theta have A'y = g, and with
    A'YA s = g the weights y (1 - As) satisfy A'y = 0; they are positive if no margin of the step s reaches 1. A few
    such steps, which raise P_n, suffice; if there is no maximiser, weights vanish just as soon. The rounding error of
    A'y is removed by the smallest change of weights, which must be small.
    """
    at, even = np.zeros_like(x), None
    for _ in range(_STEPS):
        y = expit(-2.0 * at)
        if y.min() < _LEAST:
            return False
        gram = pseudo_likelihood.design_gram(x, y, tick)
        even = gram if even is None else even
        try:
            rise = _fit(x, gram, y, tick)
        except np.linalg.LinAlgError:
            return False
        if rise.max() < 0.9:
            y *= 1.0 - rise
            return bool((0.5 * np.abs(_fit(x, even, y, tick)) < 0.1 * y).all())
        length, height = 1.0, log_expit(2.0 * at).sum()
        while log_expit(2.0 * (at + length * rise)).sum() < height and length > _LEAST:
            length *= 0.5
        at += length * rise
    return False


def _fit(x: NDArray[np.float64], gram: NDArray[np.float64], y: NDArray[np.float64], tick: Tick) -> NDArray[np.float64]:
    """Return the margins of the step s with gram s = A'y, (n, d)."""
    slopes = pseudo_likelihood.design_transposed(x, y)
    step = np.asarray(run_in_background(lambda: np.linalg.solve(gram, slopes), tick), np.float64)
    return pseudo_likelihood.margins(x, *pseudo_likelihood.unflatten(step, x.shape[1]))


def _is_separated(x: NDArray[np.float64], j: int, tick: Tick) -> bool:
    """Return True if some (m_j, b_j) has margins of 0 or more in column j, and one positive."""
    A = x * x[:, [j]]
    A[:, j] = x[:, j]
    return bool(_margins_uphill(A, tick).max() > _SOME)


def _jointly_settled(x: NDArray[np.float64], tick: Tick) -> NDArray[np.bool_]:
    """Return `settled` along a direction for all columns together, (d,), from one sparse programme."""
    from scipy.sparse import csr_array  # with linprog below, importing takes a third of a second

    n, d = x.shape
    values = x[:, :, None] * x[:, None, :]
    values[:, np.arange(d), np.arange(d)] = x
    columns = np.broadcast_to(pseudo_likelihood.places(d), values.shape)
    starts = np.arange(0, values.size + 1, d)
    A = csr_array((values.ravel(), columns.ravel(), starts), shape=(n * d, pseudo_likelihood.count(d)))
    margins = _margins_uphill(A, tick)
    if margins.max() <= _SOME:
        return np.zeros(d, bool)
    return np.asarray((margins.reshape(n, d) > _LITTLE).any(axis=0))


class _Unsettled(Exception):
    """HiGHS ended without an answer."""


def _margins_uphill(A: Any, tick: Tick) -> NDArray[np.float64]:
    """Return A direction for the direction in the box from -1 to 1 with A direction >= 0 and the largest sum.

    If there is any such direction, one of its margins is far from 0: A holds -1, 0 and 1, and the direction can be
    scaled until it meets the box.
    """
    from scipy.optimize import linprog

    found = run_in_background(lambda: linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(A.shape[0]), bounds=(-1, 1)), tick)
    if found.status != 0:
        raise _Unsettled
    return np.asarray(A @ found.x)


def _columns(called: Sequence[str], which: NDArray[np.bool_], one: str, several: str) -> str:
    """Return the names of some columns and the verb after them."""
    names = [name for name, is_one in zip(called, which, strict=True) if is_one]
    return f"column{'s' * (len(names) > 1)} {listed(names, '')} {one if len(names) == 1 else several}"
