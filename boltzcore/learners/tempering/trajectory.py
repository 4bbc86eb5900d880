"""Parallel trajectory tempering: chains that are exchanged with earlier models of the training (Bereux et al. 2026)."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
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
from boltzcore.learners.batches import Minibatches, check_width
from boltzcore.learners.tempering.base import ACCEPTED, FAMILIES, HIGH, LOG_Z, LOW, free_log_partition
from boltzcore.learners.tempering.exchanges import free_energies, machine_of
from boltzcore.learners.tempering.trajectory_update import (
    FACTOR,
    FROZEN,
    REJECTED,
    Trajectory,
    TrajectorySettings,
    TrajectoryState,
)
from boltzcore.models import RBM
from boltzcore.models.base import FEW_ROWS
from boltzcore.names import Names
from boltzcore.parameters import Refusal
from boltzcore.ticks import Tick, idle, portion

BASE = 0.02  # least distance of the means of the independent units from 0 and 1


@dataclass(frozen=True)
class TrajectoryTempering(TrajectorySettings):
    """Parallel trajectory tempering (Bereux, Decelle, Furtlehner and Seoane 2026, arXiv:2607.27077).

    The training's own past is the ladder: chains of the current model are exchanged with samples of the model that was
    frozen last. An update is one of four: a step from independent pixels to the first model (annealing); an exchange,
    Gibbs steps and a step of the parameters (training); at most 20 sweeps of warming up before a freeze, or of
    collecting its samples, without a step of the parameters. If too few exchanges would be accepted, the model goes
    back to the frozen one and the rate is halved, through `factor` of the State; `rate` keeps its value.
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

    @classmethod
    def first(cls, rows: int, columns: int) -> First:
        """Return the settings of a first training, with fewer updates than other learners because each costs more."""
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
        """Raise Refusal if a model would have to go back before it could be frozen."""
        if self.alpha_min >= self.alpha:
            raise Refusal(f"alpha_min must be below alpha = {self.alpha:g}, not {self.alpha_min:g}.", "alpha_min")

    def check(self, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> None:
        """Raise Refusal as `check_fields` does."""
        self.check_fields()

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> TrajectoryState:
        """Return the State before the first update, with chains and reservoir drawn from independent pixels."""
        self.check_fields()
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        return self.start_from_means(model, batches.data.mean(), seed, batches)

    def start_from_means(
        self, model: RBM, mean: NDArray[np.float64], seed: int, batches: Minibatches | None = None
    ) -> TrajectoryState:
        """Return the State before the first update, with independent pixels of these means, (n_visible,)."""
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
        """Return the State `updates` later. Raises ValueError if state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.checked_batches(state, data)
        if not updates:
            return state
        trajectory = Trajectory(self, state.copy(), batches)
        for k in range(updates):
            trajectory.update(portion(tick, k / updates, 1 / updates))
        return dataclasses.replace(trajectory.state(), batches=batches)

    def checked_batches(self, state: TrajectoryState, data: Examples | NDArray) -> Minibatches:
        """Return the mini-batches; raise ValueError if state and data do not belong together."""
        self.check_fields()
        batches = self.batches_of(state, data)
        self._check_chains(state.model, batches.data, state.chains, self.chains)
        if len(state.samples) != self.chains * self.reservoir:
            raise ValueError(
                f"This State goes on with {len(state.samples)} samples, not with {self.chains * self.reservoir}."
            )
        return batches

    def log_partition(self, state: TrajectoryState, *, tick: Tick = idle) -> LogPartition | None:
        """Return log Z of a State's model along its trajectory, with three standard errors; None in annealing."""
        return Trajectory(self, state.copy()).log_partition(lambda: tick(0.5))

    def chains_of_model(self, state: TrajectoryState) -> NDArray[np.uint8] | None:
        return state.chains if state.heading == 1.0 else None
