"""Persistent contrastive divergence with parallel tempering (Desjardins et al. 2010)."""

import dataclasses
import itertools
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.inference.gibbs import Bits, fill_fields, machine_of, run_gibbs
from boltzcore.kernels import annealing, rows, tempered
from boltzcore.kernels.random import EXCHANGE, GIBBS, RESERVOIR, Stream
from boltzcore.kernels.rows import RBMArrays
from boltzcore.learners.ascending import Ascending, AscendingState
from boltzcore.learners.batches import Minibatches
from boltzcore.learners.blocks import Workspace
from boltzcore.learners.operations import product
from boltzcore.learners.tempering.exchanges import (
    ACCEPTED,
    FAMILIES,
    UNBOUNDED,
    Tempering,
    estimate,
    free_log_partition,
    log_ratio,
)
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from boltzcore.parameters import parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

FRESH, LONGEST = 0.95, 640  # share of chains descended from the hottest rung, and most sweeps to reach it
STILL = 2**62  # added to the step of a stream, so that chains of a fixed model draw other numbers


@dataclass(frozen=True, eq=False)
class TemperedState(AscendingState):
    """A State with chains at every inverse temperature.

    chains : (temperatures * chains, n_visible) uint8, from the hottest rung to the model itself
    base : (n_visible,) float32 log-odds at inverse temperature 0, where units are independent
    temperatures : number of inverse temperatures
    """

    chains: NDArray[np.uint8] = field(kw_only=True)
    base: NDArray[np.float32] = field(kw_only=True)
    temperatures: int = field(kw_only=True)

    @property
    def chains_of_model(self) -> NDArray[np.uint8]:
        return self.chains[-(len(self.chains) // self.temperatures) :]


@dataclass(frozen=True)
class TemperedPCD(Ascending, Tempering):
    """PCD whose chains are exchanged with chains at higher temperatures (Desjardins et al. 2010).

    Rung i has the distribution of annealed importance sampling at beta_i = i / (temperatures - 1), from independent
    pixels to the model. An update takes K Gibbs steps on every rung, then tries to swap all even rungs with the next
    ones, and all odd ones; swaps use the free energy of the visible units. The gradient uses the last rung. The paper's
    rungs, e**(-beta E), start from coin flips instead.
    """

    state_type: ClassVar[type[TemperedState]] = TemperedState

    temperatures: int = parameter(
        10,
        low=2,
        high=100,
        scale="log",
        help=(
            "Number of temperatures from independent pixels to the model. Each has the same number of chains and "
            "Gibbs steps."
        ),
    )

    def ladder(self) -> NDArray[np.float32]:
        """Return (temperatures,) inverse temperatures from 0 to 1."""
        return np.linspace(0, 1, self.temperatures, dtype=np.float32)

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> TemperedState:
        """Return the State before the first update, with all chains drawn at inverse temperature 0."""
        batches = self.minibatches(model, data, seed)
        base = base_rate_odds(batches.data.mean()).astype(np.float32)
        chains = np.empty((self.temperatures * self.chains, model.n_visible), np.uint8)
        annealing.start(base, Stream(np.uint64(seed), RESERVOIR, 0, 0), chains)
        return TemperedState(
            model,
            0,
            0,
            seed,
            velocity=self.first_velocity(model),
            chains=chains,
            base=base,
            temperatures=self.temperatures,
            batches=batches,
        )

    def _advance(self, state: TemperedState, data: Examples | NDArray, updates: int, tick: Tick) -> TemperedState:
        batches = self.checked_batches(state, data)
        rungs = Rungs(self, state.model, state.base, state.chains.copy(), state.seed)
        space = Workspace.from_model(state.model, max(batches.size, self.chains))
        rates, velocity = self.rates(state.stage_count, updates, batches.length), state.velocity.copy()
        for k in range(updates):
            part = portion(tick, k / updates, 1 / updates)
            rungs.run_sweep(space.machine, state.count + k, self.K, portion(part, 0, 0.9))
            space.set_data_term(batches.batch(state.count + k), portion(part, 0.9, 0.1))
            space.set_term(space.model, rungs.chains[-self.chains :], rungs.fields[-self.chains :])
            space.ascend(rates[k], self.options(velocity))
        of_data = batches.rows_of(state.count, updates)
        return dataclasses.replace(
            state,
            model=space.rbm(),
            count=state.count + updates,
            work=state.work + updates * self.K * self.temperatures,
            operations=state.operations + self._operations(of_data, updates, *state.model.W.shape),
            figures={ACCEPTED: float(rungs.accepted.mean())},
            chains=rungs.chains,
            velocity=velocity,
            batches=batches,
        )

    def _operations(self, of_data: int, updates: int, n: int, m: int) -> int:
        """Return the operations of p(h | v) of the data and the data term; on each rung of p(h | v) under the current
        parameters and the Gibbs steps; of the model term, and a step.

        of_data : rows of the mini-batches of all updates together
        """
        of_chains = self.temperatures * self.chains * (2 * self.K + 1) + self.chains
        return product(2 * of_data, n, m) + updates * (product(of_chains, n, m) + self.step_operations(n * m))

    def carried_shapes(self, model: RBM, batches: Minibatches) -> dict[str, tuple[int, ...]]:
        chains = {"chains": (self.temperatures * self.chains, model.n_visible)}
        return super().carried_shapes(model, batches) | chains

    def log_partition(self, state: TemperedState, *, tick: Tick = idle) -> LogPartition:
        """Return log Z of a State's model by Bennett's ratio from rung to rung, with three standard errors.

        The chains lag behind a model that moves, so copies of them run under the fixed model until 19 of 20 on each
        rung descend from the hottest rung, where chains are independent of their past. If that takes more than 640
        sweeps, the estimate has no interval.
        """
        model = state.model
        rungs, machine = Rungs(self, model, state.base, state.chains.copy(), state.seed), machine_of(model)
        fresh, sweeps = np.zeros((self.temperatures, self.chains), bool), 0
        while (still := bool(fresh[1:].mean(axis=1).min() < FRESH)) and sweeps < LONGEST:
            part = portion(tick, sweeps / LONGEST, 1 / LONGEST)
            rungs.run_sweep(machine, STILL + LONGEST * state.count + sweeps, self.K, part)
            fresh[0], sweeps = True, sweeps + 1
            for i in (*range(0, len(fresh) - 1, 2), *range(1, len(fresh) - 1, 2)):
                swapped = rungs.accepted[i] > 0
                fresh[i, swapped], fresh[i + 1, swapped] = fresh[i + 1, swapped], fresh[i, swapped]
        ladder, n_hidden = self.ladder(), model.n_hidden
        forward, backward = np.empty((2, self.chains))
        influence, even = np.full(FAMILIES, UNBOUNDED if still else 0.0), np.full(self.chains, 1 / self.chains)
        value = free_log_partition(state.base, n_hidden)
        v, fields = (np.split(each, len(ladder)) for each in (rungs.chains, rungs.fields))
        for i, (low, high) in enumerate(itertools.pairwise(ladder)):
            tempered.log_ratios(model.b, state.base, low, high, n_hidden, v[i], fields[i], forward)
            tempered.log_ratios(model.b, state.base, high, low, n_hidden, v[i + 1], fields[i + 1], backward)
            value += log_ratio(forward, backward, even, self.chains, influence)
        return estimate(value, influence)


def memory(learner: TemperedPCD, n_visible: int, n_hidden: int) -> int:
    """Return the bytes of the chains, their copy and their fields."""
    return learner.temperatures * learner.chains * (2 * n_visible + 4 * n_hidden)


class Rungs:
    """Chains on every rung, changed in place.

    fields : (rows, width of W) float32 hidden fields of the chains under the last model
    accepted : (temperatures - 1, chains) uint8, 1 for accepted swaps of the last sweep
    """

    def __init__(self, learner: TemperedPCD, model: RBM, base: NDArray[np.float32], chains: Bits, seed: int) -> None:
        self.ladder, self.base, self.chains, self.seed = learner.ladder(), base, chains, seed
        self.fields = rows.blank(len(chains), model.n_hidden)
        self.betas = np.repeat(self.ladder, learner.chains)
        self.accepted = np.zeros((learner.temperatures - 1, learner.chains), np.uint8)

    def run_sweep(self, machine: RBMArrays, update: int, steps: int, tick: Tick) -> None:
        """Run `steps` Gibbs steps under a model, setting its WT, then the swaps."""
        gibbs, swaps = (Stream(np.uint64(self.seed), purpose, update, 0) for purpose in (GIBBS, EXCHANGE))
        b, n_hidden = machine.b, machine.c.size
        rows.transpose(machine.W, n_hidden, machine.WT)
        fill_fields(machine, self.chains, self.fields, portion(tick, 0, 0))
        run_gibbs(machine, self.chains, self.fields, gibbs, 0, steps, tick, (self.betas, self.base))

        def swap(low: int, high: int) -> None:
            tempered.swap(
                b, self.base, self.ladder, n_hidden, self.chains, self.fields, swaps, 0, low, high, self.accepted
            )

        share(swap, self.accepted.shape[1])
