"""Parallel trajectory tempering: chains are exchanged with earlier models of the training (Bereux et al. 2026).

`reference/trajectory_tempering.py` has the same update in plain numpy.
"""

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.inference.gibbs import Bits, machine_of
from boltzcore.kernels import annealing, exchange
from boltzcore.kernels.elementwise import log_in_double
from boltzcore.kernels.random import RESERVOIR, Stream
from boltzcore.learners.ascending import Ascending, AscendingState
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.blocks import Workspace
from boltzcore.learners.operations import product
from boltzcore.learners.tempering.exchanges import (
    ACCEPTED,
    FAMILIES,
    Exchanges,
    Populations,
    Rung,
    Tempering,
    free_energies,
    free_log_partition,
)
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle, portion

ANNEAL, TRAIN, WARM, COLLECT = range(4)
FROZEN, REJECTED, FACTOR = "models_frozen", "models_rejected", "rate_factor"
BASE = 0.02  # smallest distance of the means of the independent units from 0 and 1
SWEEPS = 20  # sweeps of an update that warms up or collects, and the smallest number of a warm-up
LONGEST = 2_000  # longest warm-up in sweeps: a model that takes longer is given up
TIMES = 20  # length of a warm-up in autocorrelation times
GENEROUS = 0.6  # share of accepted exchanges above which the next step of annealing is twice as long
RECOVERY = 1.02  # factor by which a lowered rate recovers in each update


@dataclass
class Position:
    """Position of a training on its trajectory.

    phase : phase of the next update: ANNEAL, TRAIN, WARM or COLLECT
    reached, heading, stride : position of the frozen model and of the current model on the way to the first model, as
        fractions, and length of the next step on this way; all 1 in training
    wait, waited : sweeps between two collections, and since the last one
    since, frozen, rejected : updates since the last freeze or rejection, and number of freezes and of rejections
    factor : factor of the rate, after rejections and large steps
    acceptance : expected share of accepted exchanges in the latest proposal
    """

    phase: int = ANNEAL
    reached: float = 0.0
    heading: float = 0.0
    stride: float = 1.0
    wait: int = 1
    waited: int = 0
    since: int = 0
    frozen: int = 0
    rejected: int = 0
    factor: float = 1.0
    acceptance: float = 1.0


@dataclass(frozen=True, eq=False)
class TrajectoryState(AscendingState):
    """A State with chains, the frozen model and its samples.

    populations : chains of the current model, and samples of the frozen model, after their exchanges
    rung : the frozen model
    base : (n_visible,) float32 log-odds of the independent units from which annealing starts
    swaps : (sweeps, C) uint8 accepted exchanges since warming up began
    pending : (collected, n_visible) uint8 samples so far of the model to be frozen
    position : position of the training on its trajectory
    """

    populations: Populations = field(kw_only=True)
    rung: Rung = field(kw_only=True)
    base: NDArray[np.float32] = field(kw_only=True)
    swaps: Bits = field(kw_only=True)
    pending: Bits = field(kw_only=True)
    position: Position = field(kw_only=True)

    @property
    def chains_of_model(self) -> Bits | None:
        return self.populations.chains if self.position.heading == 1.0 else None


@dataclass(frozen=True)
class TrajectoryTempering(Ascending, Tempering):
    """Parallel trajectory tempering (Bereux, Decelle, Furtlehner and Seoane 2026, arXiv:2607.27077).

    The training's own past is the ladder: chains of the current model are exchanged with samples of the last frozen
    model. An update is one of four: a step from independent pixels to the first model (annealing); an exchange, Gibbs
    steps and a step of the parameters (training); up to 20 sweeps of warm-up before a freeze, or of collecting its
    samples, without a step of the parameters. If too few exchanges would be accepted, the parameters return to the
    frozen model, the velocity is set to 0, and the rate is halved, through `factor` of the State's position; `rate`
    keeps its value.
    """

    state_type: ClassVar[type[TrajectoryState]] = TrajectoryState

    reservoir: int = parameter(
        10,
        low=1,
        high=100,
        scale="log",
        help="Samples of the frozen model for each chain.",
        label="Reservoir",
    )
    alpha: float = parameter(
        0.3,
        low=0.01,
        high=0.99,
        symbol="\N{GREEK SMALL LETTER ALPHA}",
        help="Share of accepted exchanges below which the model is frozen as the next rung.",
        label="Freeze below",
    )
    alpha_min: float = parameter(
        0.1,
        low=0.001,
        high=0.99,
        symbol="\N{GREEK SMALL LETTER ALPHA}_min",
        help="Share of accepted exchanges below which the model goes back to the last rung.",
        label="Go back below",
    )
    step_bound: float = parameter(
        0.2,
        low=0.0,
        high=100.0,
        help="Maximum change of the chains' free energies (standard deviation, in nats) in an update before the rate "
        "is lowered; it recovers slowly. 0: no bound, and a rate halved by a rejection stays halved, as in the paper.",
        label="Largest step",
    )

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> TrajectoryState:
        """Return the State before the first update, with chains and reservoir drawn from independent pixels."""
        check_fields(self, data)
        batches = self.minibatches(model, data, seed)
        mean = np.clip(batches.data.mean(), BASE, 1 - BASE)
        base = log_in_double(mean / (1 - mean)).astype(np.float32)
        first = RBM(np.zeros_like(model.W), base, np.zeros_like(model.c))
        n_samples = self.chains * self.reservoir
        v = np.empty((n_samples + self.chains, model.n_visible), np.uint8)
        annealing.start(base, Stream(np.uint64(seed), RESERVOIR, 0, 0), v)
        energies = free_energies(machine_of(first), v)
        samples, chains = (v[:n_samples], energies[:n_samples]), (v[n_samples:], energies[n_samples:])
        return TrajectoryState(
            model,
            0,
            0,
            seed,
            velocity=self.first_velocity(model),
            populations=Populations(*chains, *samples),
            rung=Rung(first, *samples, free_log_partition(base, model.n_hidden), np.zeros(FAMILIES)),
            base=base,
            swaps=np.empty((0, self.chains), np.uint8),
            pending=np.empty((0, model.n_visible), np.uint8),
            position=Position(),
            batches=batches,
        )

    def _advance(self, state: TrajectoryState, data: Examples | NDArray, updates: int, tick: Tick) -> TrajectoryState:
        trajectory = Trajectory(self, state, self.checked_batches(state, data))
        for k in range(updates):
            trajectory.update(portion(tick, k / updates, 1 / updates))
        return trajectory.state()

    def carried_shapes(self, model: RBM, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        chains, samples = (self.chains,), (self.chains * self.reservoir,)
        pixels = (model.n_visible,)
        return super().carried_shapes(model, batches) | {
            "populations.chains": chains + pixels,
            "populations.energies": chains,
            "populations.reservoir": samples + pixels,
            "populations.reservoir_energies": samples,
            "rung.samples": samples + pixels,
        }

    def log_partition(self, state: TrajectoryState, *, tick: Tick = idle) -> LogPartition | None:
        """Return log Z of a State's model along its trajectory, with three standard errors; None in annealing."""
        if state.position.heading < 1.0:
            return None
        exchanges = Exchanges(state.populations, state.rung, state.seed)
        exchanges.tick = portion(tick, 0.5, 0.0)
        return exchanges.log_partition(machine_of(state.model))


def memory(learner: TrajectoryTempering, n_visible: int, n_hidden: int) -> int:
    """Return the bytes of samples, reservoir and pending samples, their copies, and the frozen model."""
    return learner.chains * (6 * learner.reservoir + 2) * n_visible + 8 * n_visible * n_hidden


def check_fields(learner: TrajectoryTempering, data: Examples | NDArray, **_context: Any) -> None:
    """Raise Refusal if alpha_min is not below alpha: a model would be rejected before it could be frozen."""
    if learner.alpha_min >= learner.alpha:
        raise Refusal(f"alpha_min must be below alpha = {learner.alpha:g}, not {learner.alpha_min:g}.", "alpha_min")


class Trajectory:
    """Updates of a training from one State to another."""

    def __init__(self, learner: TrajectoryTempering, state: TrajectoryState, batches: Minibatches) -> None:
        self._learner, self._state, self._batches = learner, state, batches
        self._count, self._work, self._operations = state.count, state.work, state.operations
        self._swaps, self._pending = list(state.swaps), list(state.pending)
        self._velocity = state.velocity.copy()
        self.position = dataclasses.replace(state.position)
        self.exchanges = Exchanges(state.populations.copy(), state.rung, state.seed)
        self._set_model(self._model_on_the_way())

    def update(self, tick: Tick) -> None:
        """Take the next update."""
        at, exchanges, learner = self.position, self.exchanges, self._learner
        exchanges.begin(self._count, portion(tick, 0.0, 0.0))
        if at.phase in (WARM, COLLECT):
            self._warm_or_collect(tick)
        else:
            annealing = at.phase == ANNEAL
            if annealing:
                at.heading = min(1.0, at.reached + at.stride)
                self._set_model(self._model_on_the_way())
            at.acceptance, spread = exchanges.propose(self._space.machine)
            few = at.acceptance < learner.alpha
            if at.acceptance < learner.alpha_min or (few and not annealing and at.since <= 1):
                self._go_back()
            else:
                if annealing and at.acceptance > GENEROUS:
                    at.stride = min(1.0, 2 * at.stride)
                self._exchange()
                if annealing or few:
                    at.phase = WARM
                    exchanges.refill()
                else:
                    self._train(spread, portion(tick, 0.9, 0.1))
        self._operations += product(exchanges.products, *self._state.model.W.shape)
        exchanges.products = 0
        self._count += 1

    def state(self) -> TrajectoryState:
        """Return the State after the updates so far."""
        at, before = self.position, self._state
        figures = {ACCEPTED: at.acceptance, FROZEN: float(at.frozen), REJECTED: float(at.rejected), FACTOR: at.factor}
        return dataclasses.replace(
            before,
            model=before.model if at.heading < 1.0 else self._space.rbm(),
            count=self._count,
            work=self._work,
            operations=self._operations,
            figures=figures,
            velocity=self._velocity,
            populations=self.exchanges.populations,
            rung=self.exchanges.rung,
            swaps=np.array(self._swaps, np.uint8).reshape(-1, before.swaps.shape[1]),
            pending=np.array(self._pending, np.uint8).reshape(-1, before.base.size),
            position=at,
            batches=self._batches,
        )

    def _train(self, spread: float, tick: Tick) -> None:
        """Take a step of the parameters."""
        at, learner, exchanges, space = self.position, self._learner, self.exchanges, self._space
        batch, chains = self._batches.batch(self._count), exchanges.populations.chains
        space.set_data_term(batch, tick)
        space.set_term(space.model, chains, exchanges.fields)
        rate = learner.rates(self._count - self._state.progress.from_count, 1, self._batches.length, np.float64)[0]
        space.ascend(rate * at.factor, learner.options(self._velocity))
        exchanges.products += 2 * len(batch) + len(chains)
        self._operations += learner.step_operations(self._state.model.W.size)
        at.since += 1
        if bound := learner.step_bound:
            at.factor = min(1.0, RECOVERY * at.factor, at.factor * bound / max(spread, 1e-9))

    def _warm_or_collect(self, tick: Tick) -> None:
        """Take up to 20 sweeps, in which the chains warm up or their samples are collected."""
        at, exchanges = self.position, self.exchanges
        for k in range(SWEEPS):
            exchanges.tick = portion(tick, k / SWEEPS, 0.0)
            exchanges.propose(self._space.machine)
            accepted = self._exchange()
            if at.phase == WARM:
                self._swaps.append(accepted)
                n = len(self._swaps)
                if n == LONGEST or (n % SWEEPS == 0 and (n // SWEEPS).bit_count() == 1):
                    self._check_warm()
            else:
                at.waited += 1
                if at.waited >= at.wait:
                    self._pending.extend(exchanges.populations.chains.copy())
                    at.waited = 0
                if len(self._pending) == len(exchanges.rung.samples):
                    exchanges.freeze(self._space.rbm(), np.array(self._pending))
                    self._pending.clear()
                    at.reached, at.since, at.frozen = at.heading, 0, at.frozen + 1
                    at.phase = TRAIN if at.reached == 1.0 else ANNEAL
            if at.phase not in (WARM, COLLECT):
                return

    def _check_warm(self) -> None:
        """Collect samples if the chains have warmed up, give up the model if they cannot, or otherwise continue."""
        at, swaps = self.position, np.array(self._swaps)
        late = int(swaps[len(swaps) // 2 :].sum()) / swaps[len(swaps) // 2 :].size
        integrated, exponential = exchange.autocorrelation(swaps)
        warm = len(swaps) >= TIMES * max(integrated, exponential)
        if late < self._learner.alpha_min or (len(swaps) >= LONGEST and not warm):
            self._go_back()
        elif warm:
            at.phase, at.wait, at.waited = COLLECT, math.ceil(2 * integrated), 0
            self._swaps.clear()

    def _go_back(self) -> None:
        """Return to the frozen model, with its samples as chains; halve the rate, or the next step of annealing."""
        at = self.position
        self.exchanges.restart()
        self._swaps.clear()
        self._pending.clear()
        at.since, at.heading, at.rejected = 0, at.reached, at.rejected + 1
        if at.reached == 1.0:
            at.phase, at.factor = TRAIN, at.factor / 2
            self._velocity[:] = 0
            self._set_model(self.exchanges.rung.model)
        else:
            at.phase, at.stride = ANNEAL, at.stride / 2

    def _exchange(self) -> Bits:
        self._work += self._learner.K
        return self.exchanges.run_sweep(self._space.machine, self._learner.K)

    def _model_on_the_way(self) -> RBM:
        """Return the model of the chains: in annealing one between independent pixels and the first model."""
        model, base, t = self._state.model, self._state.base, np.float32(self.position.heading)
        return model if t == 1 else RBM(t * model.W, base + t * (model.b - base), t * model.c)

    def _set_model(self, model: RBM) -> None:
        self._space = Workspace.from_model(model, max(self._batches.size, len(self.exchanges.fields)))
