"""Exact maxima of concave objectives by scipy's L-BFGS: of the pseudo-likelihood of a fully visible machine, and of the
likelihood of a log-linear model with terms of one and two variables (Takabatake and Akaho, section 3.2).

An update is a number of L-BFGS iterations, restarted where the last update ended.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import CachedState, Learner, State, repeat_update
from boltzcore.learners.log_linear.pairwise import DataMoments
from boltzcore.learners.log_linear.tables import KL
from boltzcore.learners.operations import product, transform
from boltzcore.learners.pseudo_likelihood import CachedRows
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM, spectrum
from boltzcore.names import Names
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class LBFGS(Learner):
    """Base class of learners by L-BFGS; `made_of` is the type of the prepared data.

    A State is `done` once it has converged, or no step has a gain that float64 can resolve. Digits may differ between
    processors, because scipy sums with BLAS and LAPACK, and so may those of a later stage that starts from its result.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    state_type: ClassVar[type[State]] = CachedState
    made_of: ClassVar[type[Any]]

    iterations: int = parameter(25, low=1, high=10_000, scale="log", help="L-BFGS iterations per update.")
    tolerance: float = parameter(
        1e-9,
        low=1e-12,
        high=1e-2,
        scale="log",
        help="Converged once no derivative of the log-pseudo-likelihood, per example, exceeds this.",
    )

    def start(self, model: Any, data: Examples | NDArray, *, seed: int) -> CachedState:
        return CachedState(model, 0, 0, seed, given=self.made_of.from_data(model, data))

    def _advance(self, state: CachedState, data: Examples | NDArray, updates: int, tick: Tick) -> CachedState:
        state = dataclasses.replace(state, given=state.given_for(data, self.made_of.from_data, tick))
        return repeat_update(state, updates, self._update, tick)

    @abstractmethod
    def _update(self, state: CachedState, tick: Tick) -> CachedState:
        """Return the State after a run of L-BFGS."""

    def _run(
        self, state: CachedState, objective: Callable[[Vector], tuple[float, Vector]], theta: Vector, operations: int
    ) -> tuple[CachedState, Any]:
        """Return the State after a run, except for its model, and scipy's `OptimizeResult`.

        objective : theta -> (value to minimise, its gradient); operations : of one evaluation
        """
        from scipy.optimize import minimize  # importing it takes a third of a second

        options = {"maxiter": self.iterations, "gtol": self.tolerance, "ftol": 0.0, "maxcor": 30}
        with one_for_blas():
            found = minimize(objective, theta, jac=True, method="L-BFGS-B", options=options)
        state = dataclasses.replace(
            state,
            count=state.count + 1,
            work=state.work + found.nfev,
            operations=state.operations + found.nfev * operations,
            done=state.done or bool(found.status != 1),  # status 1: stopped by the limit of iterations
        )
        return state, found


@dataclass(frozen=True)
class PseudoLikelihoodLBFGS(LBFGS):
    """scipy's L-BFGS on the objective of BSLM: the optimum that the other curves approach."""

    made_of: ClassVar[type[CachedRows]] = CachedRows

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> CachedState:
        """Return the State before the first update. Raises Refusal if model and data do not fit, or by
        `check_maximiser`.
        """
        check_maximiser(self, data)
        return super().start(model, data, seed=seed)

    def _update(self, state: CachedState, tick: Tick) -> CachedState:
        given, table, d = state.given, state.given.table, state.model.n_visible

        def objective(theta: Vector) -> tuple[float, Vector]:
            """Return -P_n / n and its gradient in b and the upper triangle of M."""
            model = FVBM.from_theta(theta, d)
            total, odds = given.fill(model.M, model.b, tick), given.odds.ratio
            slopes = table.weight * table.x * (2.0 * odds / (1.0 + odds))
            pairs = slopes @ table.x.T
            gradient = np.concatenate([slopes.sum(axis=1), (pairs + pairs.T)[np.triu_indices(d, 1)]])
            return -total / table.total, -gradient / table.total

        state, found = self._run(state, objective, state.model.theta, 2 * product(round(table.total), d, d))
        return dataclasses.replace(state, model=FVBM.from_theta(found.x, d))


def check_maximiser(
    learner: PseudoLikelihoodLBFGS, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle
) -> None:
    """Raise Refusal if P_n has no maximiser on these rows, so that L-BFGS could not converge."""
    found = separation(data, tick)
    if found.exists is False:
        raise Refusal(f"{found.sentence(names)} L-BFGS would not converge: use BSLM or GradientAscent.")


@dataclass(frozen=True)
class PairwiseExact(LBFGS):
    """Maximum likelihood of a Boltzmann machine without hidden units, with exact expectations.

    Columns may have any number of values: a variable of c values has c - 1 terms of its own.
    """

    random: ClassVar[bool] = False
    made_of: ClassVar[type[DataMoments]] = DataMoments

    tolerance: float = parameter(
        1e-4,
        low=1e-12,
        high=1e-2,
        scale="log",
        help="Converged once no term's expectation differs from that of the data by more than this.",
    )

    def _update(self, state: CachedState, tick: Tick) -> CachedState:
        given, layout = state.given, state.model.layout
        table = np.empty(layout.size)

        def objective(theta: Vector) -> tuple[float, Vector]:
            """Return minus the mean log-likelihood and its gradient: model duals minus data duals (eq. 2)."""
            table[:] = 0.0
            table[given.place] = theta
            spectrum.log_weights(layout, table, tick)
            log_z = spectrum.normalise(table, tick)
            spectrum.expectations(layout, table, tick)
            return log_z - float(theta @ given.dual), table[given.place] - given.dual

        operations = 2 * transform(layout.cardinalities) + 4 * layout.size
        state, found = self._run(state, objective, given.values(state.model), operations)
        kl = float(found.fun) + given.negative_entropy
        return dataclasses.replace(state, model=given.model(layout, found.x), figures={KL: kl})
