"""The base of contrastive learners of RBMs: their States, their mini-batches, their updates."""

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.learners.base import check_advance
from boltzcore.learners.batches import (
    Minibatches,
    MinibatchLearner,
    MinibatchState,
    check_width,
)
from boltzcore.learners.contrastive import algorithm
from boltzcore.learners.operations import product, singular_values, step
from boltzcore.models import RBM
from boltzcore.parameters import Refusal, parameter
from boltzcore.ticks import Tick, idle

MOST_CHAINS = 100_000  # of an update with several for each row: as many as the largest batch has rows


def _nothing() -> NDArray[np.float32]:
    return np.empty(0, np.float32)


@dataclass(frozen=True, eq=False)
class ContrastiveState(MinibatchState):
    """A State with what goes on from update to update.

    chains : (chains, n_visible) uint8, the ends of the Gibbs chains: PCD goes on from them
    mu, lambda_ : (n_visible,) and (n_hidden,) float32, the offsets of the units; empty where nothing is centred

    The model is the plain one: the centred parameterisation with biases b', c' is that with b = b' - W lambda,
    c = c' - W'mu.
    """

    chains: NDArray[np.uint8] = dataclasses.field(kw_only=True)
    mu: NDArray[np.float32] = dataclasses.field(kw_only=True, default_factory=_nothing)
    lambda_: NDArray[np.float32] = dataclasses.field(kw_only=True, default_factory=_nothing)


@dataclass(frozen=True, eq=False)
class PersistentState(ContrastiveState):
    """A ContrastiveState whose chains go on from update to update."""

    @property
    def chains_of_model(self) -> NDArray[np.uint8]:
        return self.chains


@dataclass(frozen=True)
class Contrastive(MinibatchLearner):
    """A data term at the mini-batch, minus a model term at the end of Gibbs chains: what the family shares.

    An update takes `inner_steps` steps, each after `gibbs_steps` Gibbs steps on which the chains go on; the data
    term stays that of the parameters before the first. Both terms use p(h | v). Raises ValueError for a field out
    of its bounds, and on `start` where the batch is larger than the data.
    """

    state_type: ClassVar[type[ContrastiveState]] = ContrastiveState
    centred: ClassVar[bool] = False
    persistent: ClassVar[bool] = False
    spectral: ClassVar[bool] = False

    _: dataclasses.KW_ONLY
    chains_per_row: int = parameter(
        1,
        low=1,
        high=1000,
        scale="log",
        help="Gibbs chains for each row of a batch: more of them make the model term of the gradient less noisy, and "
        "an update as many times dearer.",
        label="Chains for each row",
    )

    @property
    def copies(self) -> int:
        """How often an update takes each row of its mini-batch: once for each chain that starts at it."""
        return 1 if self.persistent else self.chains_per_row

    @property
    def inner_steps(self) -> int:
        """Steps of the parameters in an update."""
        return 1

    @property
    @abstractmethod
    def gibbs_steps(self) -> int:
        """Gibbs steps of each chain before a step of the parameters."""

    @property
    def transitions(self) -> int:
        """Gibbs steps of each chain in an update."""
        return self.inner_steps * self.gibbs_steps

    @property
    def slides(self) -> tuple[float, float]:
        """Sliding factors of the offsets mu and lambda, where the gradient is centred."""
        return 0.0, 0.0

    def _chains(self, batches: Minibatches) -> int:
        chains = batches.size * self.chains_per_row
        if self.chains_per_row > 1 and chains > MOST_CHAINS:
            raise Refusal(
                f"chains_per_row must be at most {max(1, MOST_CHAINS // batches.size):,} with batches of "
                f"{batches.size:,} rows, not {self.chains_per_row:,}.",
                "chains_per_row",
            )
        return chains

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ContrastiveState:
        """The State before the first update; chains start at the first rows of the data."""
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        self._chains(batches)
        first = np.array(batches.data.head(batches.size).epoch(0, seed).v, np.uint8)
        chains = np.repeat(first, self.chains_per_row, axis=0)
        return self.state_type(model, 0, 0, seed, chains=chains, batches=batches)

    def advance(
        self, state: ContrastiveState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ContrastiveState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.checked_batches(state, data)
        going_on = dataclasses.replace(state.copy(), batches=batches)  # chains and offsets are changed in place
        model = algorithm.run(self, going_on, batches, updates, tick)
        work = state.work + updates * self.transitions * self.chains_per_row
        rows = batches.rows_of(state.count, updates) * self.copies
        chains = len(state.chains) * updates if self.persistent else rows
        operations = state.operations + self._operations(rows, chains, updates, *state.model.W.shape)
        return dataclasses.replace(going_on, model=model, count=state.count + updates, work=work, operations=operations)

    def _operations(self, rows: int, chains: int, updates: int, n: int, m: int) -> int:
        """Algorithms 1 to 4: p(h | v) of the data and the data term, then in each inner step the chains' Gibbs steps,
        p(h | v) at their ends and the model term, and a step. A chain that starts at the data shares their p(h | v).

        rows, chains : of all updates together
        """
        products = self.inner_steps * (2 * self.gibbs_steps + 1)
        of_rows = product(rows, n, m) * (2 - (not self.persistent))
        of_chains = product(chains, n, m) * (products + self.inner_steps)
        of_step = step(n * m)
        if self.centred:  # what mu and lambda take off either term, and what W's step means for b and c
            of_step += 2 * 2 * product(1, n, m) + 2 * product(1, n, m)
        if self.spectral:
            of_step += singular_values(n, m) + product(n, min(n, m), m)
        return of_rows + of_chains + updates * self.inner_steps * of_step

    def checked_batches(self, state: ContrastiveState, data: Examples | NDArray) -> Minibatches:
        """Return the mini-batches of a training. Raises ValueError if State and data do not belong together."""
        batches = self.batches_of(state, data)
        fitting = (self._chains(batches), batches.data.n_visible)
        if state.chains.shape != fitting or state.model.n_visible != fitting[1]:
            raise ValueError(
                f"This State goes on with {len(state.chains)} chains of {state.model.n_visible} visible units; "
                "the data, batch_size and chains_per_row given ask for "
                f"{fitting[0]} of {fitting[1]}."
            )
        offsets = state.model.W.shape if self.centred else (0, 0)
        if (len(state.mu), len(state.lambda_)) != offsets:
            raise ValueError(
                f"This State has offsets of {len(state.mu)} visible and {len(state.lambda_)} hidden units; "
                f"{type(self).__name__} asks for {offsets[0]} and {offsets[1]}."
            )
        return batches
