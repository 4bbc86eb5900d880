"""Maximum pseudo-likelihood of a fully visible Boltzmann machine (Nguyen and Wood 2016).

Every learner here climbs the one strictly concave objective P_n, eq. 2.1, over the distinct rows of the data, each
weighted by how often it occurs: the digits are those of the sums over all rows but for rounding.
"""

import dataclasses
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.kernels import sweeps
from boltzcore.learners.base import First, Learner, State, carried, check_advance
from boltzcore.learners.coordinates import Coordinates
from boltzcore.learners.dissection import Dissection
from boltzcore.learners.looks import Path
from boltzcore.learners.quasi_newton import CONVERGED, descended, dissection, ended, info_after, repeated, why_ended
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter, whole
from boltzcore.ticks import Tick, idle

INCREASE = "increase_per_sweep"
FIRST_WIDE = 100  # columns beyond which an update takes seconds
MOST_NUMBERS = 2**26  # columns times distinct rows: 512 MB of odds, and as much of rows
_ODDS_A_CALL = 30_000_000  # columns squared times rows, in one compiled call: some milliseconds
_PAIRS_A_CALL = 5_000_000  # rows times couplings, in one of a large table: at most two exponentials each, some 60 ms
PROVED, TRUE = 1, 2  # the largest mu for which the paper proves ascent, and the largest for which it is true


@dataclass(frozen=True)
class Given:
    """The distinct rows of data, as kernels take them, and how many there are."""

    data: Any
    table: sweeps.Table
    rows: int

    @classmethod
    def of(cls, data: Examples | NDArray) -> "Given":
        """Refusal where they are not rows of two values, or too many."""
        x, weight = distinct_spins(data)
        if x.size > MOST_NUMBERS:
            raise Refusal(
                f"data must have at most {MOST_NUMBERS:,} numbers in distinct rows for this learner, not "
                f"{len(x):,} rows of {x.shape[1]:,}.",
                "data",
            )
        return cls(data, sweeps.table(x, weight), len(x))


@dataclass(frozen=True, eq=False)
class SweepState(State):
    """A State that keeps the rows at hand."""

    given: Given | None = carried()


@dataclass(frozen=True)
class _Climbing(Learner):
    """What the learners of this family share."""

    family: ClassVar[str] = "PL"
    models: ClassVar[tuple[str, ...]] = ("fvbm",)
    length: ClassVar[tuple[int, str]] = (10_000, "updates")
    state_type: ClassVar[type[State]] = SweepState

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """What a first training takes: most of the way is made in the first updates; of wide rows each takes long."""
        return First(cls(), 200 if columns <= FIRST_WIDE else 10)

    def remark(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> str:
        """Why P_n has no maximiser on these rows, where it has none."""
        return separation(data, tick).sentence(names)

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> SweepState:
        """The State before the first update. Raises Refusal where model and data do not fit."""
        return SweepState(model, 0, 0, seed, given=_given(model, data))


@dataclass(frozen=True)
class _Sweeping(_Climbing):
    """One sweep an update: b_1 to b_d, then m_jk in lexicographic order, each using all steps before it."""

    tells: ClassVar[Mapping[str, str]] = MappingProxyType({INCREASE: "nats"})

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

    @property
    def ending(self) -> str:
        return f"The last sweep changed the log-pseudo-likelihood of all rows by less than {self.tau:g} nats."

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence."""
        return "An update is one sweep: each bias and each coupling in turn."

    def advance(
        self, state: SweepState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> SweepState:
        """The State `updates` sweeps later, or where one of them changes the log-pseudo-likelihood by less than tau."""
        check_advance(self, state, updates)
        given = _kept(state, data)
        climb = _Climb(given.table, state.model, self.step, 0.0 if state.done else self.tau, tick)
        climb.go(updates)
        return self._after(state, given, climb) if climb.done else state

    def dissect(self, state: SweepState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle) -> Dissection:
        """The next sweep, parameter by parameter; `row` is one of the distinct rows, in the order of
        `Examples.distinct`. Raises ValueError where there is no such row.
        """
        check_advance(self, state, 1)
        given = _kept(state, data)
        told = Coordinates(given.table, whole("row", row, 0, given.rows - 1))
        climb = _Climb(given.table, state.model, self.step, 0.0, tick, told)
        climb.go(1)
        models = (state.model, FVBM(climb.M, climb.b))
        return Dissection("coordinate", told.phases, models, self._after(state, given, climb), row, given.rows)

    def _after(self, state: SweepState, given: "Given", climb: "_Climb") -> SweepState:
        """The State after what was climbed."""
        return dataclasses.replace(
            state,
            model=FVBM(climb.M, climb.b),
            count=state.count + climb.done,
            work=state.work + climb.done,
            info={**state.info, INCREASE: climb.change},
            done=state.done or abs(climb.change) < self.tau,
            given=given,
        )


class _Climb:
    """Sweeps over some rows, in calls so short that each can be followed by a tick."""

    def __init__(
        self,
        table: sweeps.Table,
        model: FVBM,
        mu: float,
        tau: float,
        tick: Tick,
        told: Coordinates | None = None,
    ) -> None:
        self.table, self.mu, self.tau, self.tick, self.told = table, mu, tau, tick, told
        self.M, self.b = model.M.copy(), model.b.copy()
        self.odds = sweeps.odds(table)
        self.done, self.change = 0, np.inf

    def go(self, most: int) -> None:
        if not most:
            return
        d, n = self.table.x.shape
        together = _ODDS_A_CALL // (d * d * n) if self.told is None else 0
        before = self._oppose()
        while self.done < most and not abs(self.change) < self.tau:
            self.tick(self.done / most)
            far = not together
            if together:
                few = min(together, most - self.done)
                done, before, change, far = sweeps.sweeps(
                    self.table, self.odds, self.M, self.b, self.mu, self.tau, before, few
                )
                self.done += done
                self.change = change if done else self.change
            if far:
                now = self._sweep()
                self.change, before = now - before, now
                self.done += 1

    def _sweep(self) -> float:
        """One sweep in pieces, with odds if they reach; then with their logarithms."""
        kept = self.M.copy(), self.b.copy()
        self._oppose()
        self._step(sweeps.step_bias, sweeps.step_couplings, self.odds)
        if self.odds.reach.max() > sweeps.FARTHEST:
            self.M, self.b = kept
            for j in range(len(self.b)):
                self.tick(0.0)
                sweeps.far_fields(self.table, self.M, self.b, self.odds.against, j)
            self._step(sweeps.far_bias, sweeps.far_couplings, self.odds.against)
        return self._oppose()

    def _step(self, bias: Callable[..., None], couplings: Callable[..., None], of_rows: Any) -> None:
        d, n = self.table.x.shape
        if self.told is not None:
            self.told.begin(of_rows)
        for j in range(d):
            self.tick(0.0)
            before = self.b[j]
            bias(self.table, of_rows, self.b, self.mu, j)
            if self.told is not None:
                self.told.bias(j, before, self.b[j])
        piece = max(1, _PAIRS_A_CALL // n) if self.told is None else 1
        for j in range(d):
            for first in range(j + 1, d, piece):
                self.tick(0.0)
                before = self.M[j, first]
                couplings(self.table, of_rows, self.M, self.mu, j, first, min(first + piece, d))
                if self.told is not None:
                    self.told.coupling(j, first, before, self.M[j, first])

    def _oppose(self) -> float:
        total = 0.0
        for j in range(len(self.b)):
            self.tick(0.0)
            total += sweeps.oppose(self.table, self.M, self.b, self.odds, j)
        return total


@dataclass(frozen=True)
class BSLM(_Sweeping):
    """Block successive lower-bound maximisation (eq. 2.4 and 2.7): P_n never falls.

    Each step goes to the top of a parabola that touches P_n from below: it is the gradient ascent of mu = 1.
    """

    title: ClassVar[str] = "Block lower-bound maximisation (BSLM)"
    source: ClassVar[str] = "Nguyen and Wood 2016, eq. 2.4 and 2.7"

    @property
    def step(self) -> float:
        return float(PROVED)


@dataclass(frozen=True)
class GradientAscent(_Sweeping):
    """Gradient ascent of one parameter after the other with step mu (eq. 4.1 and 4.2).

    The paper proves that P_n never falls for mu up to 1. It is true up to 2: a step along a coordinate whose curvature
    is at most L gains at least g**2 / L * mu * (1 - mu / 2). Beyond, P_n may fall, and the training may never settle.
    """

    title: ClassVar[str] = "Gradient ascent (GA)"
    source: ClassVar[str] = "Hyvarinen 2006; Nguyen and Wood 2016, eq. 4.1 and 4.2"

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

    def advice(self) -> tuple[str, ...]:
        return (f"a step of at most {TRUE}",)

    def remedy(self) -> tuple[str, float] | None:
        return "mu", BSLM().step


@dataclass(frozen=True)
class PseudoLikelihoodLBFGS(_Climbing):
    """scipy's L-BFGS on the same objective: the optimum that the other curves approach.

    An update is so many of its iterations, begun anew from where the last one ended; `done` once it has converged. Its
    digits may differ between processors, for scipy adds up by BLAS and LAPACK, and so may those of a later stage that
    starts from its result.
    """

    title: ClassVar[str] = "Quasi-Newton ascent (L-BFGS)"
    source: ClassVar[str] = "scipy.optimize.minimize, L-BFGS-B; the objective of Nguyen and Wood 2016, eq. 2.1"

    iterations: int = parameter(25, low=1, high=10_000, scale="log", help="Iterations of L-BFGS in an update.")
    tolerance: float = parameter(
        1e-9,
        low=1e-12,
        high=1e-2,
        scale="log",
        help="It has converged once no derivative of the log-pseudo-likelihood, per example, is larger.",
    )

    def check(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> None:
        """Refusal where P_n has no maximiser on these rows: there is nothing that it could converge to."""
        found = separation(data, tick)
        if found.exists is False:
            raise Refusal(f"{found.sentence(names)} L-BFGS would not converge: take BSLM or GradientAscent.")

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> SweepState:
        """The State before the first update. Raises Refusal as `check` does, and where model and data do not fit."""
        self.check(data)
        return super().start(model, data, seed=seed)

    @property
    def ending(self) -> str:
        return CONVERGED

    def why_ended(self, state: State) -> str:
        return why_ended(state, self.tolerance)

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence."""
        return f"An update is up to {self.iterations:,} iterations, each a gradient over all rows or a few."

    def advance(
        self, state: SweepState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> SweepState:
        """The State `updates` runs of L-BFGS later, or where it has converged; its work counts gradients."""
        check_advance(self, state, updates)
        given = _kept(state, data)
        return repeated(state, updates, lambda one: self._improved(one, given, tick))

    def dissect(self, state: SweepState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle) -> Dissection:
        """The next run of L-BFGS, which regards all rows: `row` tells nothing."""
        check_advance(self, state, 1)
        given = _kept(state, data)
        objective = _Objective(given.table, sweeps.odds(given.table), tick)
        once = partial(self._improved, state, given, tick)
        return dissection(state, objective, state.model.theta, objective.of_data(), once)

    def _improved(self, state: SweepState, given: Given, tick: Tick, path: Path | None = None) -> SweepState:
        objective = _Objective(given.table, sweeps.odds(given.table), tick)
        found = descended(objective, state.model.theta, self.iterations, self.tolerance, path)
        return dataclasses.replace(
            state,
            model=FVBM.of(found.x, state.model.n_visible),
            count=state.count + 1,
            work=state.work + found.nfev,
            info=info_after(state.info, found, self.tolerance),
            done=state.done or ended(found),
            given=given,
        )


@dataclass
class _Objective:
    """-P_n / n and its derivatives in b and the upper triangle of M."""

    table: sweeps.Table
    odds: sweeps.Odds
    tick: Tick

    def __call__(self, theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        against = self.odds.against
        d = len(against)
        model = FVBM.of(theta, d)
        total = 0.0
        for j in range(d):
            self.tick(0.0)
            total += sweeps.oppose(self.table, model.M, model.b, self.odds, j)
        slopes = self.table.weight * self.table.x * (2.0 * against / (1.0 + against))
        pairs = slopes @ self.table.x.T
        gradient = np.concatenate([slopes.sum(axis=1), (pairs + pairs.T)[np.triu_indices(d, 1)]])
        return -total / self.table.total, -gradient / self.table.total

    def of_data(self) -> NDArray[np.float64]:
        """What the slopes would be if no column were expected: the means of x_j, and twice those of x_j x_k."""
        x, weight = self.table.x, self.table.weight / self.table.total
        pairs = 2.0 * (weight * x) @ x.T
        return np.concatenate([(weight * x).sum(axis=1), pairs[np.triu_indices(len(x), 1)]])


def _kept(state: SweepState, data: Examples | NDArray) -> Given:
    """The rows that a State has at hand, where they are these."""
    return state.given if state.given and state.given.data is data else _given(state.model, data)


def _given(model: FVBM, data: Examples | NDArray) -> Given:
    given = Given.of(data)
    if model.n_visible != len(given.table.x):
        raise ValueError(
            f"The model has {model.n_visible} visible units, but the rows of the data have {len(given.table.x)}."
        )
    return given
