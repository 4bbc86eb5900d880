"""Contrastive divergence, its persistent form, and what the whole family shares, for RBMs."""

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.kernels import lanes
from boltzcore.kernels import random as streams
from boltzcore.kernels.ascent import ascend, slide
from boltzcore.kernels.machine import Machine
from boltzcore.kernels.simd import LANES
from boltzcore.kernels.told import Told
from boltzcore.learners.base import First, check_advance
from boltzcore.learners.batches import Minibatches, MinibatchLearner, MinibatchState, check_width
from boltzcore.learners.dissection import Dissection
from boltzcore.learners.large import Workspace
from boltzcore.learners.looks import spread
from boltzcore.learners.steps import dissection
from boltzcore.measures.contrast import beyond_chance
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.ticks import Tick, idle, portion

SMALL = 2_048  # weights up to which rows of the batch as lanes are quicker than rows of the weight matrix
OBSERVED = 512  # rows of a mini-batch, and chains, of which a page is shown the gradient
FIRST_TRANSITIONS = 12  # Gibbs steps of an update of a first training, those of Upadhya and Sastry's small experiments
MULTIPLICATIONS_A_CALL = 30_000_000  # in one compiled call of such lanes, some milliseconds


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

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """What a first training takes: all learners of the family as many Gibbs steps an update."""
        usual = super().first(rows, columns)
        return dataclasses.replace(usual, learner=usual.learner.changed(**cls.of_cost(FIRST_TRANSITIONS)))

    @property
    def slides(self) -> tuple[float, float]:
        """Sliding factors of the offsets mu and lambda, where the gradient is centred."""
        return 0.0, 0.0

    @property
    def cost(self) -> str:
        """What an update costs, in a sentence (Upadhya and Sastry 2017, section 3.1)."""
        K = self.transitions
        return f"An update takes {K} Gibbs step{'s' * (K > 1)} of each chain and 2 terms of the gradient."

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> ContrastiveState:
        """The State before the first update; chains start at the first rows of the data."""
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        chains = np.array(batches.data.head(batches.size).epoch(0, seed).v, np.uint8)
        return self.state_type(model, 0, 0, seed, chains=chains, batches=batches)

    def advance(
        self, state: ContrastiveState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> ContrastiveState:
        """The State `updates` mini-batches later. Raises ValueError where state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.batches_of(state, data)
        self._check(state, batches)
        return self._advance(state, batches, updates, tick, None)

    def _advance(
        self, state: ContrastiveState, batches: Minibatches, updates: int, tick: Tick, told: Told | None
    ) -> ContrastiveState:
        going_on = dataclasses.replace(state.copy(), batches=batches)  # chains and offsets are changed in place
        work = _work(batches.size, state.model)
        small = state.model.W.size <= SMALL and work * self.transitions <= 10 * MULTIPLICATIONS_A_CALL
        model = (self._small if small else self._large)(going_on, batches, updates, tick, told)
        done = state.work + updates * self.transitions
        return dataclasses.replace(going_on, model=model, count=state.count + updates, work=done)

    def dissect(
        self, state: ContrastiveState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
    ) -> Dissection:
        """The next update: row `row` of its mini-batch and the chain of that number, and the gradient of all rows.

        Raises ValueError where state and data do not belong together, or the mini-batch has no such row.
        """
        check_advance(self, state, 1)
        batches = self.batches_of(state, data)
        self._check(state, batches)
        return dissection(self, state, batches, row, lambda told: self._advance(state, batches, 1, tick, told))

    def observe(self, state: ContrastiveState, data: Examples | NDArray) -> Mapping[str, NDArray]:
        """What the gradient of the latest update was taken of, with the parameters as they are after it.

        batch : (n, n_visible) uint8, at most 512 rows of its mini-batch, evenly spread; before the first update of the
            one that comes, without the other arrays
        dreams, or reconstructions : (n, n_visible) uint8, ends of as many chains: dreams where chains go on from update
            to update, reconstructions where each starts at its row of the mini-batch
        beyond : () float64 how many times as large as by chance the two differ, `measures.contrast.beyond_chance`
        """
        rows, places = self.batches_of(state, data).some(max(0, state.count - 1), OBSERVED)
        if not state.count:
            return {"batch": rows}
        chains = state.chains[spread(len(state.chains), OBSERVED) if self.persistent else places]
        beyond = beyond_chance(state.model, rows, chains, paired=not self.persistent)
        return {
            "batch": rows,
            "dreams" if self.persistent else "reconstructions": chains,
            "beyond": np.array(beyond),
        }

    def _check(self, state: ContrastiveState, batches: Minibatches) -> None:
        fitting = (batches.size, batches.data.n_visible)
        if state.chains.shape != fitting or state.model.n_visible != fitting[1]:
            raise ValueError(
                f"This State goes on with {len(state.chains)} chains of {state.model.n_visible} visible units; "
                f"the data and batch_size given ask for {fitting[0]} of {fitting[1]}."
            )
        offsets = state.model.W.shape if self.centred else (0, 0)
        if (len(state.mu), len(state.lambda_)) != offsets:
            raise ValueError(
                f"This State has offsets of {len(state.mu)} visible and {len(state.lambda_)} hidden units; "
                f"{type(self).__name__} asks for {offsets[0]} and {offsets[1]}."
            )

    def _small(self, state: ContrastiveState, batches: Minibatches, updates: int, tick: Tick, told: Told | None) -> RBM:
        """Rows of the mini-batch side by side, many updates in one compiled call; chains and offsets go on in place."""
        model, d, K = state.model, self.inner_steps, self.gibbs_steps
        machine = Machine(model.W.copy(), np.empty(model.W.shape[::-1], np.float32), model.b.copy(), model.c.copy())
        kept = lanes.Kept(state.chains, state.mu, state.lambda_)
        slides, rate = np.array(self.slides, np.float32), np.float32(self.rate)
        algorithm = lanes.Algorithm(self.persistent, self.spectral or None, d, K, slides, rate)
        at_once = max(1, MULTIPLICATIONS_A_CALL // (_work(batches.size, model) * (d * (K + 1) + 1)))
        done = 0
        while done < updates:
            tick(done / updates)
            some = lanes.Updates(*batches.of(state.count + done, min(at_once, updates - done)))
            stream = streams.Stream(np.uint64(state.seed), streams.GIBBS, state.count + done, 0)
            lanes.contrastive(machine, kept, some, algorithm, stream, told)
            done += len(some.order)
        return RBM(machine.W, machine.b, machine.c)

    def _large(self, state: ContrastiveState, batches: Minibatches, updates: int, tick: Tick, told: Told | None) -> RBM:
        """Algorithm 3 (4 with offsets) of Upadhya and Sastry 2017; chains and offsets go on in place."""
        d, K = self.inner_steps, self.gibbs_steps
        space = Workspace.of(state.model, len(state.chains), state.mu, state.lambda_)
        slides, rate = np.array(self.slides, np.float32), np.float32(self.rate)
        for update in range(state.count, state.count + updates):
            of_update = portion(tick, (update - state.count) / updates, 1 / updates)
            v, order, sizes = batches.of(update, 1)
            minibatch = v[order[0, : sizes[0]]]
            chains = state.chains if self.persistent else state.chains[: len(minibatch)]
            if not self.persistent:
                chains[:] = minibatch
            stream = streams.Stream(np.uint64(state.seed), streams.GIBBS, update, 0)
            space.set_data_term(minibatch, portion(of_update, 0, 0))
            if told is not None and told.chain.row < len(minibatch):
                told.at_data[:] = space.fields[told.chain.row, : told.at_data.size]
            for inner in range(d):
                at_minibatch = inner == 0 and not self.persistent
                of_inner, chain = portion(of_update, inner / d, 1 / d), told.chain if told is not None else None
                space.set_model_term(chains, at_minibatch, stream, inner * K, K, of_inner, chain)
                of_update((inner + 1) / d)
                slide(space.data, space.model, slides, inner == 0)
                if told is not None:
                    space.tell_terms(told, inner)
                ascend(space.machine, space.data, space.model, self.spectral or None, rate)
                if told is not None:
                    space.tell_direction(told, inner)
        return space.rbm()


@dataclass(frozen=True)
class CD(Contrastive):
    """Contrastive divergence: K Gibbs steps from the mini-batch (Upadhya and Sastry 2017, Algorithm 1)."""

    title: ClassVar[str] = "Contrastive divergence (CD-K)"
    family: ClassVar[str] = "CD"
    source: ClassVar[str] = "Hinton 2002; Upadhya and Sastry 2017, Algorithm 1"

    K: int = parameter(
        1,
        low=1,
        high=1000,
        scale="log",
        symbol="K",
        help="Gibbs steps from the start of a chain to the sample that an update uses.",
        live=True,
        label="Gibbs steps",
    )

    @property
    def gibbs_steps(self) -> int:
        return self.K

    def advice(self) -> tuple[str, ...]:
        return (*super().advice(), f"more Gibbs steps than K = {self.K}")

    @classmethod
    def of_cost(cls, transitions: int) -> dict[str, int]:
        return {"K": transitions} if transitions <= (cls.named("K").high or transitions) else {}


@dataclass(frozen=True)
class PCD(CD):
    """Persistent contrastive divergence: chains go on from one mini-batch to the next (Tieleman 2008)."""

    title: ClassVar[str] = "Persistent contrastive divergence (PCD-K)"
    source: ClassVar[str] = "Tieleman 2008; Upadhya and Sastry 2017, section 3"
    persistent: ClassVar[bool] = True


def _work(n_rows: int, model: RBM) -> int:
    """How dear a Gibbs step of so many rows is, in multiplications: whole lanes of rows, and units that have to be
    drawn.
    """
    return -(-n_rows // LANES) * LANES * (model.W.size + 16 * sum(model.W.shape))
