"""Boltzmann machines without hidden units, as log-linear models of terms of one and two variables: what the full-span
model is compared with (Takabatake and Akaho, sections 3.2 and 3.3).
"""

import dataclasses
import itertools
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.inference import gibbs
from boltzcore.kernels import random as streams
from boltzcore.learners.base import Learner, State, carried, check_advance, rate_field
from boltzcore.learners.lbfgs import LBFGSState, descended, ended, repeated, residual
from boltzcore.learners.log_linear.tables import KL, data_duals
from boltzcore.learners.operations import product, step, transform
from boltzcore.models import FVBM, spectrum
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, cardinalities_of, check_columns
from boltzcore.models.spectrum import Layout
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class DataMoments:
    """The statistics of the data for the terms of one and two variables.

    terms, place : (k,) their indices, and where they lie in the kernels' layout
    dual : (k,) their expectations under the data
    negative_entropy : sum of p log p over the data, nats
    """

    data: Any
    terms: NDArray[np.int64]
    place: NDArray[np.int64]
    dual: NDArray[np.float64]
    negative_entropy: float

    @classmethod
    def from_data(cls, model: LogLinear, data: Examples | NDArray, tick: Tick = idle) -> "DataMoments":
        """ValueError where model and data do not fit, or the model has terms of more variables."""
        rows, layout = examples(data), model.layout
        check_columns(model, rows)
        terms = pairwise_terms(layout.cardinalities)
        if not set(model.terms.tolist()) <= set(terms.tolist()):
            raise ValueError("The model must have no terms of more than two variables for this learner.")
        place = layout.place(terms)
        weight = rows.distinct().weight
        assert weight is not None
        share = weight[weight > 0] / rows.total
        dual = data_duals(layout, rows, tick)[place]
        return cls(data, terms, place, dual, float(np.sum(share * np.log(share))))

    def values(self, model: LogLinear) -> NDArray[np.float64]:
        """(k,) theta of each term."""
        theta = model.theta
        return np.array([theta.get(y, 0.0) for y in self.terms.tolist()])

    def model(self, layout: Layout, values: NDArray[np.float64]) -> LogLinear:
        """The model of these parameters."""
        return LogLinear(layout.cardinalities, dict(zip(self.terms.tolist(), values.tolist(), strict=True)))


def pairwise_terms(cardinalities: tuple[int, ...]) -> NDArray[np.int64]:
    """The indices of all terms of one variable, then of two, in lexicographic order of the variables.

    Raises Refusal where there are more than a model may have.
    """
    free = [size - 1 for size in cardinalities]
    count = sum(free) + sum(a * b for a, b in itertools.combinations(free, 2))
    if count > MOST_TERMS:
        raise Refusal(
            f"data must have at most {MOST_TERMS:,} terms of one and two columns for this learner, not {count:,}.",
            "data",
        )
    strides = [math.prod(cardinalities[:i]) for i in range(len(cardinalities))]
    own = [[y * stride for y in range(1, size)] for size, stride in zip(cardinalities, strides, strict=True)]
    pairs = [a + b for one, other in itertools.combinations(own, 2) for a in one for b in other]
    return np.array([y for each in own for y in each] + pairs, np.int64)


@dataclass(frozen=True, eq=False)
class PairwiseState(LBFGSState):
    """A State that keeps what the data say at hand."""

    given: DataMoments | None = carried()


@dataclass(frozen=True)
class PairwiseExact(Learner):
    """Maximum likelihood of a Boltzmann machine without hidden units, all expectations exact, by scipy's L-BFGS.

    Any columns: a variable of c values has c - 1 terms of its own. An update is so many of its iterations, begun anew
    from where the last one ended; `done` once it has converged. Its digits may differ between processors: scipy adds up
    by BLAS and LAPACK, and nothing else goes on from its result.
    """

    libraries: ClassVar[tuple[str, ...]] = ("scipy",)
    same_everywhere: ClassVar[bool] = False
    state_type: ClassVar[type[State]] = PairwiseState
    random: ClassVar[bool] = False

    iterations: int = parameter(25, low=1, high=10_000, scale="log", help="Iterations of L-BFGS in an update.")
    tolerance: float = parameter(
        1e-4,
        low=1e-12,
        high=1e-2,
        scale="log",
        help="It has converged once no term's expectation differs from that of the data by more than this.",
    )

    def start(self, model: LogLinear, data: Examples | NDArray, *, seed: int) -> PairwiseState:
        """The State before the first update. Raises ValueError where model and data do not fit."""
        return PairwiseState(model, 0, 0, seed, given=DataMoments.from_data(model, data))

    def advance(
        self, state: PairwiseState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> PairwiseState:
        """The State `updates` runs of L-BFGS later, or where it has converged; its work counts gradients."""
        check_advance(self, state, updates)
        given = _given(state, data, tick)
        return repeated(state, updates, lambda one: self._improved(one, given, tick))

    def _improved(self, state: PairwiseState, given: DataMoments, tick: Tick) -> PairwiseState:
        layout = state.model.layout
        objective = _Objective(given, layout, np.empty(layout.size), tick)
        found = descended(objective, given.values(state.model), self.iterations, self.tolerance)
        return dataclasses.replace(
            state,
            model=given.model(layout, found.x),
            count=state.count + 1,
            work=state.work + found.nfev,
            operations=state.operations + found.nfev * (2 * transform(layout.cardinalities) + 4 * layout.size),
            figures={KL: float(found.fun) + given.negative_entropy},
            residual=residual(found, self.tolerance),
            done=state.done or ended(found),
            given=given,
        )


@dataclass
class _Objective:
    """Minus the mean log-likelihood and its derivatives: duals of the model minus those of the data (eq. 2)."""

    given: DataMoments
    layout: Layout
    table: spectrum.Table
    tick: Tick

    def __call__(self, theta: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        given, table = self.given, self.table
        table[:] = 0.0
        table[given.place] = theta
        spectrum.log_weights(self.layout, table, self.tick)
        log_z = spectrum.normalise(table, self.tick)
        spectrum.expectations(self.layout, table, self.tick)
        return log_z - float(theta @ given.dual), table[given.place] - given.dual


@dataclass(frozen=True, eq=False, kw_only=True)
class ChainsState(PairwiseState):
    """A State with where its chains are, (chains, columns) spins, int8: code 1 is +1."""

    chains: NDArray[np.int8]


@dataclass(frozen=True)
class PairwisePCD(Learner):
    """Persistent contrastive divergence (Tieleman 2008) of a Boltzmann machine without hidden units.

    An update is one Gibbs sweep of each chain and one step of all parameters, those of eq. 1: of codes 0 and 1 and
    their products. The chains start anywhere, each state equally likely.
    """

    state_type: ClassVar[type[State]] = ChainsState

    rate: float = rate_field(
        0.01, "Step of each parameter along the gradient, between expectations of the data and of the chains."
    )
    chains: int = parameter(100, low=1, high=10_000, scale="log", help="Chains whose mean stands for the model's.")

    def _operations(self, d: int) -> int:
        return 2 * product(self.chains, d, d) + step(d * (d + 1) // 2)

    def start(self, model: LogLinear, data: Examples | NDArray, *, seed: int) -> ChainsState:
        """Return the State before the first update. Raises ValueError if model and data do not fit, or by
        `check_two_values`.
        """
        check_two_values(self, data)
        bits = streams.generator(seed, streams.PARTICLES).integers(0, 2, (self.chains, model.n_visible))
        chains = (2 * bits - 1).astype(np.int8)
        return ChainsState(model, 0, 0, seed, given=DataMoments.from_data(model, data), chains=chains)

    def advance(
        self, state: ChainsState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ChainsState:
        """The State `updates` steps later. Raises ValueError where the chains are not as many as this learner's."""
        check_advance(self, state, updates)
        if len(state.chains) != self.chains:
            raise ValueError(f"This State goes on with {len(state.chains)} chains, not with {self.chains}.")
        given, d = _given(state, data, tick), state.model.n_visible
        if not updates:
            return state
        machine, chains = as_fvbm(state.model, given), state.chains
        means = _means(given, d)
        for update in range(state.count, state.count + updates):
            tick((update - state.count) / updates)
            chains = gibbs(machine, chains, 1, seed=state.seed, step=update, purpose=streams.GIBBS)
            machine = self._stepped(machine, *_less(means, chains))
        theta = machine.theta
        return dataclasses.replace(
            state,
            model=given.model(state.model.layout, np.concatenate([-theta[:d], theta[d:]])),
            count=state.count + updates,
            work=state.work + updates,
            operations=state.operations + updates * self._operations(d),
            chains=chains,
            given=given,
        )

    def _stepped(self, machine: FVBM, singles: NDArray[np.float64], pairs: NDArray[np.float64]) -> FVBM:
        """A step of rate along the derivatives by the parameters of codes, of those by the parameters of spins.

        x_i = (1 + s_i) / 2 takes theta_ij x_i x_j into M_ij = theta_ij / 4 and b_i = theta_i / 2 + sum_j theta_ij / 4.
        """
        slopes = _together(singles, pairs) / 4
        slopes[np.diag_indices(len(slopes))] = 0.0
        b = machine.b + self.rate * (singles / 4 + slopes.sum(axis=0) / 4)
        return FVBM(machine.M + self.rate / 4 * slopes, b)


def check_two_values(
    learner: PairwisePCD, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle
) -> None:
    """Raise Refusal if a column has another number of values than two."""
    sizes = cardinalities_of(examples(data))
    if odd := [size for size in sizes if size != 2]:
        raise Refusal(
            f"data must have two values in each column for this learner, but one has {odd[0]:,}: take GreedyMDL or "
            "PairwiseExact.",
            "data",
        )


def as_fvbm(model: LogLinear, given: DataMoments) -> FVBM:
    """The same law of spins: code 1 is +1, where the function of a variable's term is -1."""
    values, d = given.values(model), model.n_visible
    return FVBM.from_theta(np.concatenate([-values[:d], values[d:]]), d)


def _means(given: DataMoments, d: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(d,) means of spins over the data, (d, d) of their products: a spin is minus the function of its term, for Phi
    is +1 at code 0.
    """
    return -given.dual[:d], _square(given.dual[d:], d)


def _less(
    means: tuple[NDArray[np.float64], NDArray[np.float64]], chains: NDArray[np.int8]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means over the data less the same over the chains."""
    spins = chains.astype(np.float64)  # sums of whole numbers: the same in any order
    with one_for_blas():
        return means[0] - spins.sum(axis=0) / len(spins), means[1] - spins.T @ spins / len(spins)


def _together(singles: NDArray[np.float64], pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(d, d) of spins, s_i + s_j + s_i s_j: four times the product of their codes, less 1."""
    return singles[:, None] + singles + pairs


def _square(pairs: NDArray[np.float64], d: int) -> NDArray[np.float64]:
    """(d, d) symmetric, of its upper triangle in lexicographic order; 1 on the diagonal."""
    out = np.zeros((d, d))
    out[np.triu_indices(d, 1)] = pairs
    return out + out.T + np.eye(d)


def _given(state: PairwiseState, data: Examples | NDArray, tick: Tick) -> DataMoments:
    return state.given if state.given and state.given.data is data else DataMoments.from_data(state.model, data, tick)
