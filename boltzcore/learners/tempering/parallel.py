"""Persistent contrastive divergence with parallel tempering (Desjardins et al. 2010)."""

import dataclasses
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.inference.annealing import LogPartition
from boltzcore.kernels import annealing, rows, tempered
from boltzcore.kernels import random as streams
from boltzcore.kernels.machine import Machine
from boltzcore.learners.base import check_advance
from boltzcore.learners.batches import Minibatches, MinibatchState, check_width
from boltzcore.learners.contrastive.blocks import ADDITIONS_A_CALL, BLOCK, SPARED
from boltzcore.learners.operations import product, step
from boltzcore.learners.tempering.base import (
    ACCEPTED,
    FAMILIES,
    UNBOUNDED,
    Tempering,
    ascend_gradient,
    estimate,
    free_log_partition,
    log_ratio,
    workspace,
)
from boltzcore.learners.tempering.exchanges import machine_of
from boltzcore.models import RBM
from boltzcore.models.rbm import base_rate_odds
from boltzcore.parameters import parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

FRESH, LONGEST = 0.95, 640  # share of chains that must descend from the hottest rung, and most sweeps until they do
STILL = 2**62  # added to the step of a stream: chains of a model held fixed draw other numbers


@dataclass(frozen=True, eq=False)
class TemperedState(MinibatchState):
    """A State with chains at every inverse temperature.

    chains : (temperatures * chains, n_visible) uint8, from the hottest to the model's own
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
class TemperedPCD(Tempering):
    """PCD whose chains exchange states with chains of higher temperatures (Desjardins et al. 2010).

    Rung i has the law of annealed importance sampling at beta_i = i / (temperatures - 1): from independent pixels to
    the model. An update takes K Gibbs steps on every rung, then tries to swap all even rungs with the next ones, and
    all odd ones; swaps go by the visible units alone, hidden ones summed out. The gradient takes the last rung.
    With start="uniform" the rungs are those of the paper, e**(-beta E).
    """

    state_type: ClassVar[type[TemperedState]] = TemperedState

    temperatures: int = parameter(
        10,
        low=2,
        high=100,
        scale="log",
        help="Rungs from independent pixels to the model: each has as many chains, and costs as many Gibbs steps.",
    )
    start_from: str = parameter(
        "base rate",
        choices=("base rate", "uniform"),
        help="What the hottest chains are drawn from: independent pixels with the means of the training rows, or coin "
        "flips, as in the paper.",
        label="Hottest chains",
    )

    def _operations(self, of_data: int, updates: int, n: int, m: int) -> int:
        """p(h | v) of the data and the data term; on each rung p(h | v) of the parameters now and the Gibbs steps; the
        model term, and a step.

        of_data : rows of the mini-batches of all updates together
        """
        of_chains = self.temperatures * self.chains * (2 * self.K + 1) + self.chains
        return product(2 * of_data, n, m) + updates * (product(of_chains, n, m) + step(n * m))

    def ladder(self) -> NDArray[np.float32]:
        """Return (temperatures,) inverse temperatures from 0 to 1."""
        return np.linspace(0, 1, self.temperatures, dtype=np.float32)

    def start(self, model: RBM, data: Examples | NDArray, *, seed: int) -> TemperedState:
        """Return the State before the first update, with all chains drawn at inverse temperature 0."""
        batches = Minibatches(data, self.batch_size, seed)
        check_width(model, batches.data)
        odds = base_rate_odds(batches.data.mean()) if self.start_from == "base rate" else np.zeros(model.n_visible)
        base = odds.astype(np.float32)
        chains = np.empty((self.temperatures * self.chains, model.n_visible), np.uint8)
        annealing.start(base, streams.Stream(np.uint64(seed), streams.RESERVOIR, 0, 0), chains)
        return TemperedState(
            model, 0, 0, seed, chains=chains, base=base, temperatures=self.temperatures, batches=batches
        )

    def advance(
        self, state: TemperedState, data: Examples | NDArray, *, updates: int = 1, tick: Tick = idle
    ) -> TemperedState:
        """Return the State `updates` later. Raises ValueError if state and data do not belong together."""
        check_advance(self, state, updates)
        batches = self.checked_batches(state, data)
        if not updates:
            return state
        chains = state.chains.copy()
        rungs = Rungs(self, state.model, state.base, chains, state.seed)
        space = workspace(state.model, max(batches.size, self.chains))
        for k in range(updates):
            part = portion(tick, k / updates, 1 / updates)
            rungs.run_sweep(space.machine, state.count + k, self.K, portion(part, 0, 0.9))
            last = chains[-self.chains :], rungs.fields[-self.chains :]
            ascend_gradient(space, batches.batch(state.count + k), *last, self.rate, portion(part, 0.9, 0.1))
        of_data = batches.rows_of(state.count, updates)
        return dataclasses.replace(
            state,
            model=space.rbm(),
            count=state.count + updates,
            work=state.work + updates * self.K * self.temperatures,
            operations=state.operations + self._operations(of_data, updates, *state.model.W.shape),
            figures={ACCEPTED: float(rungs.accepted.mean())},
            chains=chains,
            batches=batches,
        )

    def checked_batches(self, state: TemperedState, data: Examples | NDArray) -> Minibatches:
        """Return the mini-batches; raise ValueError if state and data do not belong together."""
        batches = self.batches_of(state, data)
        self._check_chains(state.model, batches.data, state.chains, self.temperatures * self.chains)
        return batches

    def log_partition(self, state: TemperedState, *, tick: Tick = idle) -> LogPartition:
        """Return log Z of a State's model by Bennett's ratio from rung to rung, with three standard errors.

        The chains lag behind a model that moves. Copies of them run, with the model held fixed, until 19 of 20 on each
        rung descend from the hottest rung, where chains are independent of their past. If that takes more than 640
        sweeps, the estimate has no interval.
        """
        model, chains = state.model, state.chains.copy()
        rungs, machine = Rungs(self, model, state.base, chains, state.seed), machine_of(model)
        fresh, sweeps = np.zeros((self.temperatures, self.chains), bool), 0
        while (still := bool(fresh[1:].mean(axis=1).min() < FRESH)) and sweeps < LONGEST:
            part = portion(tick, sweeps / LONGEST, 1 / LONGEST)
            rungs.run_sweep(machine, STILL + LONGEST * state.count + sweeps, self.K, part)
            fresh[0], sweeps = True, sweeps + 1
            for i in (*range(0, len(fresh) - 1, 2), *range(1, len(fresh) - 1, 2)):
                swapped = rungs.accepted[i] > 0
                fresh[i, swapped], fresh[i + 1, swapped] = fresh[i + 1, swapped], fresh[i, swapped]
        ladder, n_hidden = self.ladder(), model.n_hidden
        there, back = np.empty(self.chains), np.empty(self.chains)
        influence, even = np.full(FAMILIES, UNBOUNDED if still else 0.0), np.full(self.chains, 1 / self.chains)
        value = free_log_partition(state.base, n_hidden)
        pairs = zip(np.split(chains, len(ladder)), np.split(rungs.fields, len(ladder)), strict=True)
        for i, (v, fields) in enumerate(pairs):
            if i > 0:
                tempered.log_ratios(model.b, state.base, ladder[i], ladder[i - 1], n_hidden, v, fields, back)
                value += log_ratio(there, back, even, self.chains, influence)
            if i + 1 < len(ladder):
                tempered.log_ratios(model.b, state.base, ladder[i], ladder[i + 1], n_hidden, v, fields, there)
        return estimate(value, influence)


def memory(learner: TemperedPCD, n_visible: int, n_hidden: int) -> int:
    """Return the bytes of the chains, their copy and their fields."""
    return learner.temperatures * learner.chains * (2 * n_visible + 4 * n_hidden)


class Rungs:
    """Chains on every rung, changed in place.

    Attributes
    ----------
    fields : array (rows, width of W) of float32
        Hidden fields of the chains under the last model.
    accepted : array (temperatures - 1, chains) of uint8
        1 for accepted swaps of the last sweep.
    """

    def __init__(
        self, learner: TemperedPCD, model: RBM, base: NDArray[np.float32], chains: NDArray[np.uint8], seed: int
    ) -> None:
        self.ladder, self.base, self.chains, self.seed = learner.ladder(), base, chains, seed
        self.fields = rows.blank(len(chains), model.n_hidden)
        self.betas = np.repeat(self.ladder, learner.chains)
        self.accepted = np.zeros((learner.temperatures - 1, learner.chains), np.uint8)

    def run_sweep(self, machine: Machine, update: int, steps: int, tick: Tick) -> None:
        """Run `steps` Gibbs steps under a model, whose WT is set here, then the swaps."""
        n_visible, n_hidden = machine.b.size, machine.c.size
        rows.transpose(machine.W, n_hidden, machine.WT)
        additions = n_visible * n_hidden // SPARED + 16 * (n_visible + n_hidden) + 1000
        stream = streams.Stream(np.uint64(self.seed), streams.GIBBS, update, 0)
        for at in range(0, len(self.chains), BLOCK):
            block = min(BLOCK, len(self.chains) - at)
            piece = max(1, ADDITIONS_A_CALL // (block * additions))
            share(partial(self._fill_fields, machine, at), block)
            for k in range(0, steps, piece):
                tick((at + block * k / steps) / len(self.chains))
                share(partial(self._run_gibbs, machine, stream, at, k, min(piece, steps - k)), block)
        share(partial(self._swap, machine, stream._replace(purpose=streams.EXCHANGE)), self.accepted.shape[1])

    def _fill_fields(self, machine: Machine, at: int, low: int, high: int) -> None:
        part = slice(at + low, at + high)
        rows.hidden_fields(machine.W, machine.c, self.chains[part], self.fields[part])

    def _run_gibbs(
        self, machine: Machine, stream: streams.Stream, at: int, first: int, steps: int, low: int, high: int
    ) -> None:
        part, mine = slice(at + low, at + high), stream._replace(first_row=at + low)
        tempered.gibbs(machine, self.base, self.betas[part], self.chains[part], self.fields[part], mine, first, steps)

    def _swap(self, machine: Machine, stream: streams.Stream, low: int, high: int) -> None:
        b, n_hidden = machine.b, machine.c.size
        tempered.swap(
            b, self.base, self.ladder, n_hidden, self.chains, self.fields, stream, 0, low, high, self.accepted
        )
