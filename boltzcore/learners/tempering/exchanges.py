"""Base class of learners with exchanges: estimates of log Z along a ladder of models, and exchanges of a model's chains
with samples of another model.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.annealing import LogPartition
from boltzcore.inference.gibbs import BLOCK, Bits, fill_fields, machine_of, run_gibbs
from boltzcore.kernels import bennett, exchange, rows, tempered
from boltzcore.kernels import random as streams
from boltzcore.kernels.elementwise import exp_in_double, log_in_double, softplus_in_double, sum_in_order
from boltzcore.kernels.rows import RBMArrays
from boltzcore.learners.base import gibbs_steps_field
from boltzcore.learners.batches import MinibatchLearner
from boltzcore.models import RBM
from boltzcore.parameters import parameter
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle

Floats = NDArray[np.float64]
FAMILIES = 10  # groups of chains that never meet; the spread between them is the error of an estimate
OVERLAP = 5.0  # smallest effective sample size shared by neighbours, at which intervals hold in 98 % of cases
UNBOUNDED = 1e20  # influence if there is no interval: finite and, unlike parameters as large, no sign of a divergence
LOG_Z, LOW, HIGH = "ladder_log_z", "ladder_log_z_low", "ladder_log_z_high"
ACCEPTED = "swaps_accepted"


@dataclass(frozen=True)
class Tempering(MinibatchLearner):
    """Base class of learners with persistent chains that are exchanged."""

    chains: int = parameter(
        100,
        low=FAMILIES,
        high=10_000,
        scale="log",
        symbol="C",
        help="Chains that estimate the model term of the gradient.",
    )
    K: int = gibbs_steps_field(1, "Gibbs steps of each chain between two exchanges.", high=100)

    @abstractmethod
    def log_partition(self, state: Any, *, tick: Tick = idle) -> LogPartition | None:
        """Return log Z of a State's model along its ladder, with three standard errors; None without a ladder."""


def ladder_figures(learner: Tempering, state: Any, *, tick: Tick = idle) -> dict[str, float]:
    """Return log Z along the ladder and the ends of its interval, omitting ends that are not finite."""
    if (found := learner.log_partition(state, tick=tick)) is None:
        return {}
    ends = {LOW: found.low, HIGH: found.high}
    return {LOG_Z: found.value} | {name: end for name, end in ends.items() if math.isfinite(end)}


def free_log_partition(base: NDArray[np.float32], n_hidden: int) -> float:
    """Return log Z of independent visible units with these log-odds, and n_hidden hidden units with probability 1/2."""
    return math.fsum(softplus_in_double(base).tolist()) + n_hidden * float(log_in_double(np.array([2.0]))[0])


def log_ratio(forward: Floats, backward: Floats, weights: Floats, n_chains: int, influence: Floats) -> float:
    """Return log Z1 / Z0 of neighbouring rungs by `bennett.ratio`, and add to the influence of each family.

    The influence becomes `UNBOUNDED` if the rungs overlap too little for an interval.
    """
    value, effective, own = bennett.ratio(forward, backward, weights, n_chains, FAMILIES)
    influence += own if effective >= OVERLAP else UNBOUNDED
    return float(value)


def estimate(value: float, influence: Floats) -> LogPartition:
    """Return an estimate with three standard errors from the influence of each family; no interval if `UNBOUNDED`."""
    n, squares = len(influence), math.fsum((influence * influence).tolist())
    error = 3 * math.sqrt(n / (n - 1) * squares) if influence.max() < UNBOUNDED else math.inf
    return LogPartition(value, value - error, value + error, np.array([value]))


def fill_energies(
    machine: RBMArrays, v: Bits, fields: NDArray[np.float32], energies: Floats, tick: Tick = idle
) -> None:
    """Fill the hidden fields (rows, width of W) and free energies (rows,) of rows v."""
    fill_fields(machine, v, fields, tick)
    _fill_energies(machine, v, fields, energies)


def _fill_energies(machine: RBMArrays, v: Bits, fields: NDArray[np.float32], energies: Floats) -> None:
    def work(low: int, high: int) -> None:
        part = slice(low, high)
        tempered.free_energies(v[part], machine.b, machine.c, fields[part], energies[part])

    share(work, len(v))


def free_energies(machine: RBMArrays, v: Bits, tick: Tick = idle) -> Floats:
    """Return the free energies (rows,) of rows v."""
    energies = np.empty(len(v))
    for at in range(0, len(v), BLOCK):
        tick(at / len(v))
        part = v[at : at + BLOCK]
        fill_energies(machine, part, rows.blank(len(part), machine.c.size), energies[at : at + BLOCK])
    return energies


@dataclass(frozen=True, eq=False)
class Populations:
    """Chains of a model p, and samples of a frozen model q, after their exchanges.

    chains, energies : (C, n_visible) uint8 chains, and (C,) free energies under the model that they were drawn from
    reservoir, reservoir_energies : (R, n_visible) uint8 samples, and (R,) their free energies under q
    """

    chains: Bits
    energies: Floats
    reservoir: Bits
    reservoir_energies: Floats

    def copy(self) -> "Populations":
        """Return a copy with arrays of its own."""
        return Populations(*(array.copy() for array in vars(self).values()))


@dataclass(frozen=True, eq=False)
class Rung:
    """A frozen model q.

    samples, samples_energies : (R, n_visible) uint8 samples of the model, and (R,) their free energies under it
    log_z, influence : its log Z, and (FAMILIES,) the influence of each family of chains on it
    """

    model: RBM
    samples: Bits
    samples_energies: Floats
    log_z: float
    influence: Floats


class Exchanges:
    """Exchanges between chains x of a model p and samples y of a frozen model q, the rung.

    populations : changed in place
    fields : (C, width of W) hidden fields of the chains; valid if `has_fields`
    products : rows multiplied by the weights so far
    """

    def __init__(self, populations: Populations, rung: Rung, seed: int) -> None:
        self.populations, self.rung, self.seed = populations, rung, seed
        self._frozen = machine_of(rung.model)
        n = len(populations.chains)
        self.fields, self._partner_fields = (rows.blank(n, rung.model.n_hidden) for _ in range(2))
        self._last, self._partner_energies, self._log_ratios = np.empty((3, n))
        self._partners = np.empty(n, np.int64)
        self.products = 0
        self.begin(0, idle)

    def begin(self, update: int, tick: Tick) -> None:
        """Begin an update, in which p is one model and each sweep uses its own numbers of the update's streams."""
        self.update, self.sweep, self.tick = update, 0, tick
        self.has_fields = self._has_transpose = False  # each update costs the same however training is cut into calls

    def propose(self, machine: RBMArrays) -> tuple[float, float]:
        """Pair each chain x with a sample y of its family, under p = `machine`, without changing either.

        Returns the expected share of accepted exchanges, with the chains weighted to the current p, and the standard
        deviation of the logarithms of those weights.
        """
        at, now = self.populations, self.populations.energies.copy()
        if not self.has_fields:
            fill_energies(machine, at.chains, self.fields, now, self.tick)
        self._last = free_energies(self._frozen, at.chains, self.tick)
        y = self._partners = self._draw_partners(streams.PAIR)
        fill_energies(machine, at.reservoir[y], self._partner_fields, self._partner_energies, self.tick)
        self.products += len(now) * (2 + (not self.has_fields))
        # log p(y) q(x) / (p(x) q(y))
        self._log_ratios = (now - self._last) - (self._partner_energies - at.reservoir_energies[y])
        weights, spread = exchange.weights(at.energies, now)
        at.energies[:], self.has_fields = now, True
        return float(sum_in_order(weights * exp_in_double(np.minimum(self._log_ratios, 0.0)))), spread

    def run_sweep(self, machine: RBMArrays, steps: int) -> Bits:
        """Exchange the proposed pairs, each with its probability, and run the chains for Gibbs steps; return a (C,)
        array with 1 for exchanged chains.
        """
        at, n = self.populations, len(self.populations.chains)
        u = streams.uniforms(self.seed, streams.EXCHANGE, self.update, np.arange(n), 1, self.sweep)[:, 0]
        accepted, y = log_in_double(u) < self._log_ratios, self._partners
        exchange.exchange(accepted, y, at.chains, at.reservoir, self.fields, self._partner_fields)
        at.reservoir_energies[y[accepted]] = self._last[accepted]
        at.energies[accepted] = self._partner_energies[accepted]
        if not self._has_transpose:
            rows.transpose(machine.W, machine.c.size, machine.WT)
            self._has_transpose = True
        gibbs = self._stream(streams.GIBBS)
        run_gibbs(machine, at.chains, self.fields, gibbs, self.sweep * steps, steps, self.tick)
        _fill_energies(machine, at.chains, self.fields, at.energies)
        self.products += 2 * steps * len(at.chains)
        self.sweep += 1
        return accepted.astype(np.uint8)

    def refill(self) -> None:
        """Reset the reservoir to the samples of q: exchanges leave chains in it that lag behind their model."""
        at, rung = self.populations, self.rung
        at.reservoir[:], at.reservoir_energies[:] = rung.samples, rung.samples_energies

    def restart(self) -> None:
        """Refill the reservoir, and set the chains to distinct samples of their own families."""
        self.refill()
        at, rung, chosen = self.populations, self.rung, self._draw_partners(streams.RESTART)
        at.chains[:], at.energies[:], self.has_fields = rung.samples[chosen], rung.samples_energies[chosen], False

    def freeze(self, model: RBM, samples: Bits) -> None:
        """Make a model the frozen model q, with these samples of it."""
        machine, n = machine_of(model), len(samples)
        energies = free_energies(machine, samples, self.tick)
        log_z, influence = self._next_log_z(machine, samples, energies, np.full(n, 1 / n))
        self.rung, self._frozen = Rung(model, samples, energies, log_z, influence), machine
        self.products += 3 * n
        self.refill()

    def log_partition(self, machine: RBMArrays) -> LogPartition:
        """Return log Z of the model p, with three standard errors."""
        at = self.populations
        now = free_energies(machine, at.chains, self.tick)
        return estimate(*self._next_log_z(machine, at.chains, now, exchange.weights(at.energies, now)[0]))

    def _next_log_z(self, machine: RBMArrays, v: Bits, energies: Floats, weights: Floats) -> tuple[float, Floats]:
        """Return log Z of a model and its influence, from rows v drawn from it, their free energies and weights."""
        rung, influence = self.rung, self.rung.influence.copy()
        forward = free_energies(machine, rung.samples, self.tick) - rung.samples_energies
        backward = free_energies(self._frozen, v, self.tick) - energies
        n_chains = len(self.populations.chains)
        return rung.log_z + log_ratio(forward, backward, weights, n_chains, influence), influence

    def _draw_partners(self, purpose: int) -> NDArray[np.int64]:
        n = len(self.populations.chains)
        partners = np.empty(n, np.int64)
        exchange.pair(n, len(self.populations.reservoir), FAMILIES, self._stream(purpose), self.sweep * n, partners)
        return partners

    def _stream(self, purpose: int) -> streams.Stream:
        return streams.Stream(np.uint64(self.seed), purpose, self.update, 0)
