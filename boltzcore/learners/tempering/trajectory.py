"""Parallel trajectory tempering: chains that are exchanged with earlier models of the training (Bereux et al. 2026)."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import annealing
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import log_in_double
from boltzcore.learners.base import First, check_advance
from boltzcore.learners.batches import Minibatches, MinibatchState, check_width
from boltzcore.learners.tempering.base import ACCEPTED, FAMILIES, HIGH, LOG_Z, LOW, Tempering, free_log_partition
from boltzcore.learners.tempering.exchanges import free_energies, machine_of
from boltzcore.learners.tempering.phases import ANNEAL, FACTOR, FROZEN, REJECTED, Trajectory
from boltzcore.learners.walkthrough import tempering as walkthrough
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.learners.walkthrough.trace import UpdateTrace
from boltzcore.models import RBM
from boltzcore.models.base import FEW_ROWS
from boltzcore.names import Names
from boltzcore.parameters import Refusal, parameter
from boltzcore.ticks import Tick, idle, portion

BASE = 0.02  # a mean of the hottest pixels is at least so far from 0 and from 1


@dataclass(frozen=True, eq=False)
class TrajectoryState(MinibatchState):
    """A State with its chains, the last model that was frozen, and samples of it.

    chains : (C, n_visible) uint8; energies : (C,) their free energies under the model that they were drawn from
    samples : (R, n_visible) uint8 of the frozen model, as they were collected; samples_energies : (R,) theirs under it
    reservoir, reservoir_energies : the same as exchanges have changed them since
    base : (n_visible,) float32 log-odds of the independent pixels that the trajectory starts from
    W, b, c : the frozen model
    log_z, influence : its log Z, and (FAMILIES,) how much each family of chains pulls that up
    phase : what comes next: annealing from independent pixels, training, warming up before a freeze, collecting
    reached, heading, stride : how far along the way to the first model the frozen one is, the model now, and how long
        the next step on that way is; all 1 in training
    swaps : (sweeps, C) uint8 which chains were exchanged since warming up began
    pending : (collected, n_visible) uint8 samples so far of the model that is being frozen
    wait, waited : sweeps from one collection to the next, and since the last one
    since : updates since the last freeze or rejection; frozen, rejected : how many of either so far
    factor : of the rate: what rejections and large steps have left of it
    """

    chains: NDArray[np.uint8] = field(kw_only=True)
    energies: NDArray[np.float64] = field(kw_only=True)
    samples: NDArray[np.uint8] = field(kw_only=True)
    samples_energies: NDArray[np.float64] = field(kw_only=True)
    reservoir: NDArray[np.uint8] = field(kw_only=True)
    reservoir_energies: NDArray[np.float64] = field(kw_only=True)
    base: NDArray[np.float32] = field(kw_only=True)
    W: NDArray[np.float32] = field(kw_only=True)
    b: NDArray[np.float32] = field(kw_only=True)
    c: NDArray[np.float32] = field(kw_only=True)
    log_z: float = field(kw_only=True)
    influence: NDArray[np.float64] = field(kw_only=True)
    swaps: NDArray[np.uint8] = field(kw_only=True)
    pending: NDArray[np.uint8] = field(kw_only=True)
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

    @property
    def checkpoint(self) -> RBM:
        """The model that was frozen last."""
        return RBM(self.W, self.b, self.c)


@dataclass(frozen=True)
class TrajectoryTempering(Tempering):
    """Parallel trajectory tempering (Bereux, Decelle, Furtlehner and Seoane 2026, arXiv:2607.27077).

    The training's own past is the ladder: chains of the model now are exchanged with samples of the model that was
    frozen last. An update is one of four: on the way from independent pixels to the first model (annealing); an
    exchange, Gibbs steps and a step of the parameters (training); at most 20 sweeps of warming up before a freeze, or
    of collecting its samples, while the parameters stand still. Where too few exchanges would be accepted, the model
    goes back to the frozen one and the rate is halved, as `factor` of the State has it; `rate` stays as it was asked
    for.
    """

    title: ClassVar[str] = "Parallel trajectory tempering (PTT)"
    about: ClassVar[str] = (
        "As PCD, but chains are exchanged with samples of an earlier model of this training, whose log Z is known; "
        "once too few exchanges are accepted, the current model is frozen as the next rung. So chains stay at "
        "equilibrium, and log Z comes along."
    )
    source: ClassVar[str] = (
        "Bereux, Decelle, Furtlehner, Rosset and Seoane 2024; as a training Bereux et al., arXiv:2607.27077"
    )
    state_type: ClassVar[type[TrajectoryState]] = TrajectoryState
    extra_metrics: ClassVar[Mapping[str, str]] = MappingProxyType(
        {ACCEPTED: "share", FROZEN: "", REJECTED: "", FACTOR: "", LOG_Z: "nats", LOW: "nats", HIGH: "nats"}
    )

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
        help="Share of exchanges accepted below which the model is frozen as the next rung.",
        label="Freeze below",
    )
    alpha_min: float = parameter(
        0.1,
        low=0.001,
        high=0.99,
        symbol="\N{GREEK SMALL LETTER ALPHA}_min",
        help="Share of exchanges accepted below which the model goes back to the last rung.",
        label="Go back below",
    )
    sweeps: int = parameter(
        1, low=1, high=100, scale="log", help="Exchanges, each with its Gibbs steps, in an update.", live=True
    )
    step_bound: float = parameter(
        0.2,
        low=0.0,
        high=100.0,
        help="How far an update may move the chains' free energies (their standard deviation, in nats) before the rate "
        "is lowered; it comes back slowly. 0: no bound, and a rate that is halved by a rejection stays so, as in the "
        "paper.",
        label="Largest step",
    )

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """The settings of a first training: fewer updates than of others, for each costs more."""
        return First(cls(rate=0.2), 10_000, every=100) if rows < FEW_ROWS else First(cls(), 1_500, every=15)

    @property
    def transitions(self) -> int:
        return self.K * self.sweeps

    @property
    def cost(self) -> str:
        """The cost of an update, in a sentence."""
        n = self.transitions
        return (
            f"An update takes {n} Gibbs step{'s' * (n > 1)} of {self.chains:,} chains, the free energies of their "
            "exchanges and 2 terms of the gradient; before a freeze up to 20 sweeps, without a gradient."
        )

    @property
    def counted(self) -> str:
        """The products of rows with the weights, the outer products of the gradient's terms, and steps of weights."""
        return (
            "Products of units with the weights (two in each Gibbs step of a chain, three in an exchange, those of "
            "warming up and of filling the reservoir among them), outer products of the terms of the gradient, and "
            "steps of the weights."
        )

    def advice(self) -> tuple[str, ...]:
        return (*super().advice(), f"more sweeps than {self.sweeps}")

    def memory(self, rows: int, n_visible: int, n_hidden: int) -> int:
        # samples, reservoir and what is pending, and their copies; the frozen model
        return self.chains * (6 * self.reservoir + 2) * n_visible + 8 * n_visible * n_hidden

    def check_fields(self) -> None:
        """Refusal where a model would have to go back before it could be frozen."""
        if self.alpha_min >= self.alpha:
            raise Refusal(f"alpha_min must be below alpha = {self.alpha:g}, not {self.alpha_min:g}.", "alpha_min")

    def check(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> None:
        """Refusal as `check_fields` says."""
        self.check_fields()

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> TrajectoryState:
        """The State before the first update: chains and reservoir are drawn from independent pixels."""
        self.check_fields()
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        return self.begun(model, batches.data.mean(), seed, batches)

    def begun(
        self, model: RBM, mean: NDArray[np.float64], seed: int, batches: Minibatches | None = None
    ) -> TrajectoryState:
        """The same with independent pixels of these means, (n_visible,)."""
        mean = np.clip(mean, BASE, 1 - BASE)
        base = log_in_double(mean / (1 - mean)).astype(np.float32)
        n_samples = self.chains * self.reservoir
        v = np.empty((n_samples + self.chains, model.n_visible), np.uint8)
        annealing.start(base, streams.Stream(np.uint64(seed), streams.RESERVOIR, 0, 0), v)
        W, c = np.zeros_like(model.W), np.zeros_like(model.c)
        energies = free_energies(machine_of(RBM(W, base, c)), v)
        samples, samples_energies = v[:n_samples], energies[:n_samples]
        return TrajectoryState(
            model, 0, 0, seed,
            chains=v[n_samples:].copy(), energies=energies[n_samples:].copy(),
            samples=samples.copy(), samples_energies=samples_energies.copy(),
            reservoir=samples.copy(), reservoir_energies=samples_energies.copy(),
            base=base, W=W, b=base.copy(), c=c,
            log_z=free_log_partition(base, model.n_hidden), influence=np.zeros(FAMILIES),
            swaps=np.empty((0, self.chains), np.uint8), pending=np.empty((0, model.n_visible), np.uint8),
            batches=batches,
        )  # fmt: skip

    def advance(
        self, state: TrajectoryState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> TrajectoryState:
        """The State so many updates later. Raises ValueError where state and data do not belong together."""
        batches = self.checked_batches(state, data, updates)
        return self._advance(state, batches, updates, tick) if updates else state

    def trace_update(
        self, state: TrajectoryState, data: Examples | NDArray, *, row: int = 0, tick: Tick = idle
    ) -> UpdateTrace:
        """The next update: a row of its mini-batch and the chain of that number (modulo `chains`) with the samples that
        it is paired with, the gradient of all where there is one, and how the chain goes on between both models in the
        updates after it.

        Raises ValueError where state and data do not belong together, or the mini-batch has no such row.
        """
        batches = self.checked_batches(state, data, 1)
        return walkthrough.trace(
            self, state, batches, row, lambda before, recorder: self._advance(before, batches, 1, tick, recorder)
        )

    def checked_batches(self, state: TrajectoryState, data: Examples | NDArray, updates: int = 1) -> Minibatches:
        """The mini-batches; ValueError where state and data do not belong together."""
        check_advance(self, state, updates)
        self.check_fields()
        batches = self.batches_of(state, data)
        self._check_chains(state.model, batches.data, state.chains, self.chains)
        if len(state.samples) != self.chains * self.reservoir:
            raise ValueError(
                f"This State goes on with {len(state.samples)} samples, not with {self.chains * self.reservoir}."
            )
        return batches

    def _advance(
        self,
        state: TrajectoryState,
        batches: Minibatches,
        updates: int,
        tick: Tick,
        recorder: Recorder = NOT_RECORDING,
    ) -> TrajectoryState:
        going_on = Trajectory(self, state.copy(), batches, recorder)
        for update in range(state.count, state.count + updates):
            going_on.update(update, portion(tick, (update - state.count) / updates, 1 / updates))
        after = going_on.state()
        return dataclasses.replace(after, count=state.count + updates, batches=batches)

    def log_partition(self, state: TrajectoryState, *, tick: Tick = idle) -> LogPartition | None:
        """log Z of the model of a State along its trajectory, with three standard errors; None before it has got to
        its first model.
        """
        return Trajectory(self, state.copy(), None).log_partition(lambda: tick(0.5))

    def chains_of_model(self, state: TrajectoryState) -> NDArray[np.uint8] | None:
        return state.chains if state.heading == 1.0 else None
