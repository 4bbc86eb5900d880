"""Parallel trajectory tempering: chains that are exchanged with earlier models of the training (Bereux et al. 2026)."""

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import annealing
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import log_in_double
from boltzcore.learners.base import check_advance
from boltzcore.learners.batches import Minibatches, check_width
from boltzcore.learners.tempering.base import FAMILIES, free_log_partition
from boltzcore.learners.tempering.exchanges import free_energies, machine_of
from boltzcore.learners.tempering.trajectory_update import (
    Trajectory,
    TrajectorySettings,
    TrajectoryState,
)
from boltzcore.models import RBM
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

    state_type: ClassVar[type[TrajectoryState]] = TrajectoryState

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> TrajectoryState:
        """Return the State before the first update, with chains and reservoir drawn from independent pixels."""
        check_fields(self, data)
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
        check_fields(self, data)
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


def memory(learner: TrajectoryTempering, n_visible: int, n_hidden: int) -> int:
    """Return the bytes of samples, reservoir and what is pending, their copies, and the frozen model."""
    return learner.chains * (6 * learner.reservoir + 2) * n_visible + 8 * n_visible * n_hidden


def check_fields(
    learner: TrajectoryTempering, data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle
) -> None:
    """Raise Refusal if a model would have to go back before it could be frozen."""
    if learner.alpha_min >= learner.alpha:
        raise Refusal(f"alpha_min must be below alpha = {learner.alpha:g}, not {learner.alpha_min:g}.", "alpha_min")
