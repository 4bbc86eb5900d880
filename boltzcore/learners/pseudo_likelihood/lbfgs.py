"""The optimum of the pseudo-likelihood by scipy's L-BFGS."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import sweeps
from boltzcore.learners.base import check_advance
from boltzcore.learners.lbfgs import descended, ended, repeated, residual
from boltzcore.learners.operations import product
from boltzcore.learners.pseudo_likelihood.base import CachedRows, PseudoLikelihoodLearner, SweepState, data_at_hand
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True)
class PseudoLikelihoodLBFGS(PseudoLikelihoodLearner):
    """scipy's L-BFGS on the same objective: the optimum that the other curves approach.

    An update is so many of its iterations, begun anew from where the last one ended; `done` once it has converged. Its
    digits may differ between processors, for scipy adds up by BLAS and LAPACK, and so may those of a later stage that
    starts from its result.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False

    iterations: int = parameter(25, low=1, high=10_000, scale="log", help="Iterations of L-BFGS in an update.")
    tolerance: float = parameter(
        1e-9,
        low=1e-12,
        high=1e-2,
        scale="log",
        help="It has converged once no derivative of the log-pseudo-likelihood, per example, is larger than this.",
    )

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> SweepState:
        """Return the State before the first update. Raises Refusal if model and data do not fit, or by
        `check_maximiser`.
        """
        check_maximiser(self, data)
        return super().start(model, data, seed=seed)

    def advance(
        self, state: SweepState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> SweepState:
        """The State `updates` runs of L-BFGS later, or where it has converged; its work counts gradients."""
        check_advance(self, state, updates)
        given = data_at_hand(state, data)
        return repeated(state, updates, lambda one: self._improved(one, given, tick))

    def _improved(self, state: SweepState, given: CachedRows, tick: Tick) -> SweepState:
        objective, d = _Objective(given.table, sweeps.odds(given.table), tick), state.model.n_visible
        found = descended(objective, state.model.theta, self.iterations, self.tolerance)
        return dataclasses.replace(
            state,
            model=FVBM.from_theta(found.x, d),
            count=state.count + 1,
            work=state.work + found.nfev,
            residual=residual(found, self.tolerance),
            operations=state.operations + found.nfev * 2 * product(round(given.table.total), d, d),
            done=state.done or ended(found),
            given=given,
        )


def check_maximiser(
    learner: PseudoLikelihoodLBFGS, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle
) -> None:
    """Raise Refusal if P_n has no maximiser on these rows: there is nothing that it could converge to."""
    found = separation(data, tick)
    if found.exists is False:
        raise Refusal(f"{found.sentence(names)} L-BFGS would not converge: take BSLM or GradientAscent.")


@dataclass
class _Objective:
    """-P_n / n and its derivatives in b and the upper triangle of M."""

    table: sweeps.Table
    odds: sweeps.Odds
    tick: Tick

    def __call__(self, theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        against = self.odds.ratio
        d = len(against)
        model = FVBM.from_theta(theta, d)
        total = 0.0
        for j in range(d):
            self.tick(0.0)
            total += sweeps.fill_odds(self.table, model.M, model.b, self.odds, j)
        slopes = self.table.weight * self.table.x * (2.0 * against / (1.0 + against))
        pairs = slopes @ self.table.x.T
        gradient = np.concatenate([slopes.sum(axis=1), (pairs + pairs.T)[np.triu_indices(d, 1)]])
        return -total / self.table.total, -gradient / self.table.total
