"""Persistent contrastive divergence of Boltzmann machines without hidden units, as log-linear models with terms of one
and two variables: the baseline of the full-span model (Takabatake and Akaho, section 3.3).
"""

import dataclasses
import itertools
import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples, examples
from boltzcore.inference import gibbs
from boltzcore.kernels import random as streams
from boltzcore.learners.base import CachedState, Learner, State, rate_field
from boltzcore.learners.log_linear.tables import data_duals
from boltzcore.learners.operations import product, step
from boltzcore.models import FVBM
from boltzcore.models.log_linear import MOST_TERMS, LogLinear, cardinalities_of, check_columns
from boltzcore.models.spectrum import Layout
from boltzcore.parameters import check_arguments, parameter
from boltzcore.quoting import Refusal
from boltzcore.threads import one_for_blas
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class DataMoments:
    """Statistics of the data for the terms of one and two variables.

    terms, place : (k,) their indices, and their places in the kernels' layout
    dual : (k,) their expectations under the data
    negative_entropy : sum of p log p over the data, nats
    """

    data: Any
    terms: NDArray[np.int64]
    place: NDArray[np.int64]
    dual: NDArray[np.float64]
    negative_entropy: float

    @classmethod
    @check_arguments
    def from_data(cls, model: LogLinear, data: Examples | NDArray, tick: Tick = idle) -> "DataMoments":
        """Return the moments; Refusal if model and data do not fit, or the model has terms of more variables."""
        rows, layout = examples(data), model.layout
        check_columns(model.cardinalities, rows)
        terms = pairwise_terms(layout.cardinalities)
        if not set(model.terms.tolist()) <= set(terms.tolist()):
            raise Refusal("The model must have no terms of more than two variables for this learner.")
        place = layout.place(terms)
        share = rows.shares()[1]
        share = share[share > 0]
        dual = data_duals(layout, rows, tick)[place]
        return cls(data, terms, place, dual, float(np.sum(share * np.log(share))))

    def values(self, model: LogLinear) -> NDArray[np.float64]:
        """Return theta of each term, (k,)."""
        theta = model.theta
        return np.array([theta.get(y, 0.0) for y in self.terms.tolist()])

    def model(self, layout: Layout, values: NDArray[np.float64]) -> LogLinear:
        """Return the model with these parameters."""
        return LogLinear(layout.cardinalities, dict(zip(self.terms.tolist(), values.tolist(), strict=True)))


def pairwise_terms(cardinalities: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the indices of all terms of one variable, then of two, in lexicographic order of the variables.

    Raises Refusal if there are more terms than a model may have.
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


@dataclass(frozen=True, eq=False, kw_only=True)
class ChainsState(CachedState):
    """A State with its chains and the statistics of the data.

    chains : (chains, columns) spins as int8, where code 1 is +1; codes for a Potts model
    """

    chains: NDArray[np.integer]


@dataclass(frozen=True)
class PersistentChains(Learner):
    """Base class of persistent contrastive divergence (Tieleman 2008) for models without hidden units.

    An update is one Gibbs sweep of each chain and one step of all parameters. Chains start uniformly at random.
    """

    state_type: ClassVar[type[State]] = ChainsState

    rate: float = rate_field(
        0.01, "Step size along the gradient, the difference between expectations of the data and of the chains."
    )
    chains: int = parameter(
        100, low=1, high=10_000, scale="log", help="Number of chains that estimate the model's expectations."
    )

    def _advance(self, state: ChainsState, data: Examples | NDArray, updates: int, tick: Tick) -> ChainsState:
        if len(state.chains) != self.chains:
            raise Refusal(f"This State has {len(state.chains)} chains, not {self.chains}.")
        state, operations = self._sweep(state, data, updates, tick)
        return dataclasses.replace(
            state,
            count=state.count + updates,
            work=state.work + updates,
            operations=state.operations + updates * operations,
        )

    @abstractmethod
    def _sweep(self, state: ChainsState, data: Examples | NDArray, updates: int, tick: Tick) -> tuple[ChainsState, int]:
        """Return the State with the model and chains after these updates, and the operations of one update."""


@dataclass(frozen=True)
class PairwisePCD(PersistentChains):
    """Persistent contrastive divergence of a Boltzmann machine without hidden units.

    The parameters are those of eq. 1, for codes 0 and 1 and their products.
    """

    def start(self, model: LogLinear, data: Examples | NDArray, *, seed: int) -> ChainsState:
        """Return the State before the first update. Raises Refusal if model and data do not fit, or by
        `check_two_values`.
        """
        check_two_values(self, data)
        bits = streams.generator(seed, streams.PARTICLES).integers(0, 2, (self.chains, model.n_visible))
        chains = (2 * bits - 1).astype(np.int8)
        return ChainsState(model, 0, 0, seed, given=DataMoments.from_data(model, data), chains=chains)

    def _sweep(self, state: ChainsState, data: Examples | NDArray, updates: int, tick: Tick) -> tuple[ChainsState, int]:
        given, d, chains = state.given_for(data, DataMoments.from_data, tick), state.model.n_visible, state.chains
        machine, of_data = as_fvbm(state.model, given), FVBM.from_theta(_of_spins(given.dual, d), d)
        means, products = of_data.b, of_data.M + np.eye(d)
        for update in range(state.count, state.count + updates):
            tick((update - state.count) / updates)
            chains = gibbs(machine, chains, 1, seed=state.seed, step=update, purpose=streams.GIBBS)
            spins = chains.astype(np.float64)  # sums of whole numbers: the same in any order
            with one_for_blas():
                singles = means - spins.sum(axis=0) / len(spins)
                pairs = products - spins.T @ spins / len(spins)
            # the step is in the parameters of codes: x_i = (1 + s_i) / 2 turns theta_ij x_i x_j into M_ij = theta_ij /
            # 4 and b_i = theta_i / 2 + sum_j theta_ij / 4
            slopes = (singles[:, None] + singles + pairs) / 4
            slopes[np.diag_indices(d)] = 0.0
            b = machine.b + self.rate * (singles / 4 + slopes.sum(axis=0) / 4)
            machine = FVBM(machine.M + self.rate / 4 * slopes, b)
        model = given.model(state.model.layout, _of_spins(machine.theta, d))
        operations = 2 * product(self.chains, d, d) + step(d * (d + 1) // 2)
        return dataclasses.replace(state, model=model, chains=chains, given=given), operations


def check_two_values(learner: PairwisePCD, data: Examples | NDArray, **_context: Any) -> None:
    """Raise Refusal if a column does not have exactly two values."""
    sizes = cardinalities_of(examples(data))
    if odd := [size for size in sizes if size != 2]:
        raise Refusal(
            f"data must have two values in each column for this learner, but one has {odd[0]:,}: use GreedyMDL or "
            "PairwiseExact.",
            "data",
        )


def as_fvbm(model: LogLinear, given: DataMoments) -> FVBM:
    """Return the same distribution as a model of spins: code 1 is +1."""
    return FVBM.from_theta(_of_spins(given.values(model), model.n_visible), model.n_visible)


def _of_spins(numbers: NDArray[np.float64], d: int) -> NDArray[np.float64]:
    """Convert values or expectations of terms to those of spins, or back: Phi is +1 at code 0."""
    return np.concatenate([-numbers[:d], numbers[d:]])
