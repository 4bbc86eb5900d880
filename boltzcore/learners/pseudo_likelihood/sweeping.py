"""Coordinate ascent of the pseudo-likelihood: BSLM and gradient ascent, one sweep an update (Nguyen and Wood 2016).

P_n is the log-pseudo-likelihood sum_n sum_j log p(x_j | the other columns), p = sigma(2 x_j eta_j) with
eta_j = b_j + sum_k m_jk x_k. A sweep moves one parameter after the other, b_1 to b_d and then m_12, m_13 to m_(d-1)d,

    b_j  <- b_j  + mu / n  dP_n/db_j      (eq. 2.4)
    m_jk <- m_jk + mu / 2n dP_n/dm_jk     (eq. 2.7)

each under all steps before it. With mu = 1 a step goes to the top of a parabola that touches P_n from below: BSLM.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import sweeps
from boltzcore.learners.base import check_advance
from boltzcore.learners.pseudo_likelihood.base import CachedRows, PseudoLikelihoodLearner, SweepState, data_at_hand
from boltzcore.models import FVBM
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle

INCREASE = "increase_per_sweep"
_ODDS_A_CALL = 30_000_000  # columns squared times rows, in one compiled call: some milliseconds
_PAIRS_A_CALL = 5_000_000  # rows times couplings, in one of a large table: at most two exponentials each, some 60 ms
PROVED, TRUE = 1, 2  # the largest mu for which the paper proves ascent, and the largest for which it is true


@dataclass(frozen=True)
class Sweeping(PseudoLikelihoodLearner):
    """One sweep an update: b_1 to b_d, then m_jk in lexicographic order, each using all steps before it."""

    tau: float = parameter(
        1e-5,
        low=0.0,
        high=1.0,
        symbol="\N{GREEK SMALL LETTER TAU}",
        help="The training ends once a sweep changes the log-pseudo-likelihood of all rows together by less than this, "
        "in nats. 0 never ends it, and one so small that rounding hides it (some 1e-16 of the sum) may not either.",
        label="Tolerance",
    )

    @property
    @abstractmethod
    def step(self) -> float:
        """mu, in whose steps parameters move."""

    def advance(
        self, state: SweepState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> SweepState:
        """The State `updates` sweeps later, or where one of them changes the log-pseudo-likelihood by less than tau."""
        check_advance(self, state, updates)
        given = data_at_hand(state, data)
        climb = _Climb(given.table, state.model, self.step, 0.0 if state.done else self.tau, tick)
        climb.go(updates)
        return self._after(state, given, climb) if climb.done else state

    def _after(self, state: SweepState, given: "CachedRows", climb: "_Climb") -> SweepState:
        """The State after what was climbed."""
        return dataclasses.replace(
            state,
            model=FVBM(climb.M, climb.b),
            count=state.count + climb.done,
            work=state.work + climb.done,
            figures={INCREASE: climb.change},
            operations=state.operations + climb.done * _operations(round(given.table.total), len(climb.b)),
            done=state.done or abs(climb.change) < self.tau,
            given=given,
        )


@dataclass(frozen=True)
class BSLM(Sweeping):
    """Block successive lower-bound maximisation (eq. 2.4 and 2.7): P_n never falls.

    Each step goes to the top of a parabola that touches P_n from below: it is the gradient ascent of mu = 1.
    """

    @property
    def step(self) -> float:
        return float(PROVED)


@dataclass(frozen=True)
class GradientAscent(Sweeping):
    """Gradient ascent of one parameter after the other with step mu (eq. 4.1 and 4.2).

    The paper proves that P_n never falls for mu up to 1. It is true up to 2: a step along a coordinate whose curvature
    is at most L gains at least g**2 / L * mu * (1 - mu / 2). Beyond, P_n may fall, and the training may never settle.
    """

    mu: float = parameter(
        1.0,
        low=0.01,
        high=3.0,
        symbol="\N{GREEK SMALL LETTER MU}",
        help="Step of each parameter. Up to 1 it is proved that the log-pseudo-likelihood never falls (1 is BSLM), and "
        "up to 2 it is true; beyond 2 it may fall.",
        live=True,
        label="Step",
    )

    @property
    def step(self) -> float:
        return self.mu


def proved_step(learner: GradientAscent) -> tuple[str, float]:
    """Return the field and value to go on with after a divergence: the step of BSLM."""
    return "mu", float(PROVED)


def _operations(rows: int, d: int) -> int:
    """Of a sweep. A bias: the weighted sum of eq. 2.4 and one field of each row; a coupling: the sum of eq. 2.7, which
    has two terms, and two fields.
    """
    return rows * (3 * d + 8 * (d * (d - 1) // 2))


class _Climb:
    """Sweeps over some rows, in calls so short that each can be followed by a tick.

    Many sweeps of a small table are one compiled call; else a call is one bias, or some couplings. The odds against
    each spin are kept from step to step; a sweep that leads so far that they would overflow is done anew by their
    logarithms.
    """

    def __init__(self, table: sweeps.Table, model: FVBM, mu: float, tau: float, tick: Tick) -> None:
        self.table, self.mu, self.tau, self.tick = table, mu, tau, tick
        self.M, self.b = model.M.copy(), model.b.copy()
        self.odds = sweeps.odds(table)
        self.done, self.change = 0, np.inf

    def go(self, most: int) -> None:
        if not most:
            return
        d, n = self.table.x.shape
        together = _ODDS_A_CALL // (d * d * n)
        before = self._fill_odds()
        while self.done < most and not abs(self.change) < self.tau:
            self.tick(self.done / most)
            too_far = not together
            if together:
                few = min(together, most - self.done)
                done, before, change, too_far = sweeps.sweeps(
                    self.table, self.odds, self.M, self.b, self.mu, self.tau, before, few
                )
                self.done += done
                self.change = change if done else self.change
                if too_far:
                    self._fill_odds()
            if too_far:
                now = self._sweep()
                self.change, before = now - before, now
                self.done += 1

    def _sweep(self) -> float:
        """One sweep in pieces, with odds if they reach; then with their logarithms. The odds are filled before and
        after.
        """
        kept = self.M.copy(), self.b.copy()
        self._step(sweeps.step_bias, sweeps.step_couplings, self.odds)
        if self.odds.reach.max() > sweeps.FARTHEST:
            self.M, self.b = kept
            for j in range(len(self.b)):
                self.tick(0.0)
                sweeps.fill_log_odds(self.table, self.M, self.b, self.odds.ratio, j)
            self._step(sweeps.step_bias_log, sweeps.step_couplings_log, self.odds.ratio)
        return self._fill_odds()

    def _step(self, bias: Callable[..., None], couplings: Callable[..., None], odds: Any) -> None:
        d, n = self.table.x.shape
        for j in range(d):
            self.tick(0.0)
            bias(self.table, odds, self.b, self.mu, j)
        piece = max(1, _PAIRS_A_CALL // n)
        for j in range(d):
            for first in range(j + 1, d, piece):
                self.tick(0.0)
                couplings(self.table, odds, self.M, self.mu, j, first, min(first + piece, d))

    def _fill_odds(self) -> float:
        """Return the log-pseudo-likelihood."""
        total = 0.0
        for j in range(len(self.b)):
            self.tick(0.0)
            total += sweeps.fill_odds(self.table, self.M, self.b, self.odds, j)
        return total
