"""Coordinate ascent of the pseudo-likelihood: BSLM and gradient ascent, one sweep per update (Nguyen and Wood 2016).

P_n is the log-pseudo-likelihood sum_n sum_j log p(x_j | the other columns), p = sigma(2 x_j eta_j) with
eta_j = b_j + sum_k m_jk x_k. A sweep moves one parameter after the other, b_1 to b_d and then m_12, m_13 to m_(d-1)d,

    b_j  <- b_j  + mu / n  dP_n/db_j      (eq. 2.4)
    m_jk <- m_jk + mu / 2n dP_n/dm_jk     (eq. 2.7)

each after all steps before it. With mu = 1 (BSLM) a step goes to the top of a parabola that touches P_n from below.

Sums are over distinct rows, each weighted by its count; this equals the sum over all rows up to rounding.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.kernels import sweeps
from boltzcore.learners.base import CachedState, Learner, State, check_numbers
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM
from boltzcore.models.base import check_width
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle

INCREASE = "increase_per_sweep"
PROVED, MONOTONE = 1, 2  # largest mu for which P_n never falls: as proved in the paper, and in fact
_ODDS_A_CALL = 30_000_000  # columns squared times rows in one compiled call: some milliseconds
_PAIRS_A_CALL = 5_000_000  # rows times couplings in one call for a large table: some milliseconds


@dataclass(eq=False)
class CachedRows:
    """Distinct rows of data in the form that kernels take, and their odds.

    filled_for : the model for which the odds are filled; None for none, or while they change
    reached : P_n of that model
    """

    data: Any
    table: sweeps.Table
    odds: sweeps.Odds
    filled_for: FVBM | None = None
    reached: float = 0.0

    @classmethod
    def from_data(cls, model: FVBM, data: Examples | NDArray, tick: Tick = idle) -> "CachedRows":
        """Return the rows. Raises Refusal if they do not have two values, are too many or do not fit."""
        x, weight = distinct_spins(data)
        check_numbers(*x.shape)
        check_width(model, x.shape[1])
        table = sweeps.table(x, weight)
        return cls(data, table, sweeps.Odds(np.empty_like(table.x), np.ones_like(table.weight)))

    def fill(self, M: NDArray[np.float64], b: NDArray[np.float64], tick: Tick) -> float:
        """Fill the odds, and return P_n."""
        total, self.filled_for = 0.0, None
        self.odds.product[:] = 1.0  # a call interrupted by a tick leaves other numbers
        for j in range(len(b)):
            tick(0.0)
            total += sweeps.fill_odds(self.table, M, b, self.odds, j)
        return total


@dataclass(frozen=True)
class Sweeping(Learner):
    """One sweep per update: b_1 to b_d, then m_jk in lexicographic order, each using all steps before it."""

    state_type: ClassVar[type[State]] = CachedState

    tau: float = parameter(
        1e-5,
        low=0.0,
        high=1.0,
        symbol="\N{GREEK SMALL LETTER TAU}",
        help="Training ends once a sweep changes the log-pseudo-likelihood of all rows together by less than this, in "
        "nats. With 0, or a value below rounding error (about 1e-16 of the sum), it may never end.",
        label="Tolerance",
    )

    @property
    def step(self) -> float:
        """Step size mu of the parameters: that of BSLM unless it is a field."""
        return float(self.values().get("mu", PROVED))

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> CachedState:
        return CachedState(model, 0, 0, seed, given=CachedRows.from_data(model, data))

    def _advance(self, state: CachedState, data: Examples | NDArray, updates: int, tick: Tick) -> CachedState:
        given, d = state.given_for(data, CachedRows.from_data, tick), state.model.n_visible
        model, sweeps_done, change = _run_sweeps(
            given, state.model, self.step, 0.0 if state.done else self.tau, updates, tick
        )
        # a bias: the weighted sum of eq. 2.4, one field per row; a coupling: the two terms of eq. 2.7, and two fields
        operations = round(given.table.total) * (3 * d + 8 * (d * (d - 1) // 2))
        return dataclasses.replace(
            state,
            model=model,
            count=state.count + sweeps_done,
            work=state.work + sweeps_done,
            figures={INCREASE: change},
            operations=state.operations + sweeps_done * operations,
            done=state.done or abs(change) < self.tau,
            given=given,
        )


@dataclass(frozen=True)
class BSLM(Sweeping):
    """Block successive lower-bound maximisation (eq. 2.4 and 2.7): P_n never falls.

    Each step goes to the top of a parabola that touches P_n from below: it is gradient ascent with mu = 1.
    """


@dataclass(frozen=True)
class GradientAscent(Sweeping):
    """Gradient ascent of one parameter after the other with step mu (eq. 4.1 and 4.2).

    The paper proves that P_n never falls for mu up to 1. It is true up to 2: a step along a coordinate whose curvature
    is at most L gains at least g**2 / L * mu * (1 - mu / 2). Beyond 2, P_n may fall, and training may never converge.
    """

    mu: float = parameter(
        1.0,
        low=0.01,
        high=3.0,
        symbol="\N{GREEK SMALL LETTER MU}",
        help="Step size of each parameter; 1 is BSLM. With a step of at most 2 the log-pseudo-likelihood never falls "
        "(the paper proves it up to 1); beyond 2 it may.",
        live=True,
        label="Step",
    )


def warn_of_separation(data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> str:
    """Return a sentence on why P_n has no maximiser on these rows; "" if it has one."""
    return separation(data, tick).sentence(names)


def _run_sweeps(rows: CachedRows, model: FVBM, mu: float, tau: float, most: int, tick: Tick) -> tuple[FVBM, int, float]:
    """Return the model after up to `most` sweeps, until one changes P_n by less than tau, the number of sweeps, and the
    change by the last.

    Many sweeps of a small table are one compiled call; otherwise a call is one bias, or some couplings, so that each
    can be followed by a tick. The odds of each spin are updated from step to step.
    """
    M, b, (d, n) = model.M.copy(), model.b.copy(), rows.table.x.shape
    together = _ODDS_A_CALL // (d * d * n)
    reached = rows.reached if rows.filled_for is model else rows.fill(M, b, tick)
    rows.filled_for = None
    done, change = 0, np.inf
    while done < most and not abs(change) < tau:
        tick(done / most)
        if together:
            few = min(together, most - done)
            count, reached, change = sweeps.sweeps(rows.table, rows.odds, M, b, mu, tau, reached, few)
            done += count
        else:
            _sweep(rows, M, b, mu, tick)
            before, reached = reached, rows.fill(M, b, tick)
            change = reached - before
            done += 1
    model = FVBM(M, b)
    rows.filled_for, rows.reached = model, reached
    return model, done, change


def _sweep(rows: CachedRows, M: NDArray[np.float64], b: NDArray[np.float64], mu: float, tick: Tick) -> None:
    """Take one sweep in pieces; the odds must be filled again afterwards."""
    d, n = rows.table.x.shape
    piece = max(1, _PAIRS_A_CALL // n)
    for j in range(d):
        tick(0.0)
        sweeps.step_bias(rows.table, rows.odds, b, mu, j)
    for j in range(d):
        for first in range(j + 1, d, piece):
            tick(0.0)
            sweeps.step_couplings(rows.table, rows.odds, M, mu, j, first, min(first + piece, d))
