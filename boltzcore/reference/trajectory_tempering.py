"""Parallel trajectory tempering in plain numpy (Bereux, Decelle, Furtlehner and Seoane 2026)."""

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np

from boltzcore.kernels.random import EXCHANGE, GIBBS, PAIR, RESTART
from boltzcore.reference.draws import Array, Draws
from boltzcore.reference.exchanges import autocorrelation, bennett, free_energy, random_partners
from boltzcore.reference.rbm import Phases, Statistics, difference, gibbs_steps, hidden_given_visible

ANNEAL, TRAIN, WARM, COLLECT = range(4)
SWEEPS, LONGEST = 20, 2_000  # of an update that warms up or collects, and of a whole warming up
Model = tuple[Array, Array, Array]  # W (n, m), b (n,), c (m,)


@dataclass
class Trajectory:
    """Chains x of the model p and samples y of the frozen model q, changed by `update`.

    Parameters
    ----------
    model, frozen_model : W, b, c
        The model under training (in annealing the one that the way leads to), and q.
    base : array (n,)
        Log-odds of the independent units that annealing starts from.
    chains, energies : arrays (C, n), (C,)
        Chains x, and their free energies under the model that they were drawn from.
    samples, samples_energies : arrays (R, n), (R,)
        Samples of q as they were collected, and their free energies under q.
    reservoir, reservoir_energies : arrays (R, n), (R,)
        Samples y of q: the same, as exchanges have changed them.
    log_z : float
        log Z of q.
    swaps, pending : arrays (sweeps, C), (collected, n)
        Accepted exchanges of the warming up, and the samples of p collected so far.
    phase, reached, heading, stride, wait, waited, since, frozen, rejected, factor
        As `TrajectoryState` has them.
    seed, count : int
        Of the random streams.
    settings
        Hyper-parameters `rate`, `K`, `sweeps`, `alpha`, `alpha_min` and `step_bound`.
    """

    model: Model
    frozen_model: Model
    base: Array
    chains: Array
    energies: Array
    samples: Array
    samples_energies: Array
    reservoir: Array
    reservoir_energies: Array
    log_z: float
    swaps: Array
    pending: Array
    phase: int
    reached: float
    heading: float
    stride: float
    wait: int
    waited: int
    since: int
    frozen: int
    rejected: int
    factor: float
    seed: int
    count: int
    settings: Any
    sweep: int = 0

    @property
    def p(self) -> Model:
        """The model of the chains: in annealing the one at `heading` of the way."""
        W, b, c = self.model
        return self.heading * W, self.base + self.heading * (b - self.base), self.heading * c

    def update(self, minibatch: Array) -> Phases:
        """Yield the phases of one update, on a mini-batch (rows, n) of 0 and 1.

        The share of exchanges that would be accepted decides what follows. It is an average over the chains, weighted
        by p(x) now over p(x) when they were drawn:

            alpha or more      exchange, Gibbs steps, a step of the parameters
            below alpha        exchange, and freeze: p stands still while chains warm up and samples are collected
            below alpha_min    p goes back to q, and the rate is halved

        In annealing p is on the way from independent units to the first model, and is frozen at each step.

        Yields
        ------
        phase : {"decide", "rungs", "swap", "gibbs", "freeze", "frozen", "back", "data", "difference", "new"}
        arrays : dict of str to array
        """
        if self.phase in (WARM, COLLECT):
            yield from self._freeze()
            return
        alpha, alpha_min, annealing = self.settings.alpha, self.settings.alpha_min, self.phase == ANNEAL
        if annealing:
            self.heading = min(1.0, self.reached + self.stride)
        log_w = self.energies - free_energy(self.chains, *self.p)
        w = np.exp(log_w - np.logaddexp.reduce(log_w))
        acceptance = w @ np.exp(np.minimum(self._log_ratios(self._partners(PAIR)), 0))
        yield "decide", {"acceptance": np.array([acceptance])}

        if acceptance < alpha_min or (not annealing and acceptance < alpha and self.since <= 1):
            yield from self._go_back()
            return
        if annealing and acceptance > 0.6:
            self.stride = min(1.0, 2 * self.stride)
        yield from self._exchange()
        if annealing or acceptance < alpha:
            self.phase = WARM
            self._refill()  # exchanges have left chains in the reservoir that lag behind their model
            yield "freeze", {}
            return
        for _ in range(1, self.settings.sweeps):
            yield from self._exchange()
        yield from self._step(minibatch, float(log_w.std()))

    def _exchange(self) -> Generator[tuple[str, dict[str, Array]], None, Array]:
        """Yield a sweep: each chain x is exchanged with a sample y or not, then takes Gibbs steps.

        Returns which chains were exchanged, (C,).
        """
        partners = self._partners(PAIR)
        states = np.repeat([[0], [1]], len(self.chains), axis=1)
        yield "rungs", {"v": np.stack([self.reservoir[partners], self.chains]), "states": states}

        D = self._log_ratios(partners)
        u = Draws(self.seed, EXCHANGE, self.count).uniforms(len(D), 1, self.sweep)[:, 0]
        on = np.log(u, dtype=float) < D
        x, at = self.chains[on], partners[on]
        self.chains[on], self.reservoir[at] = self.reservoir[at], x
        self.reservoir_energies[at] = free_energy(x, *self.frozen_model)
        v, states = np.stack([self.reservoir[partners], self.chains]), np.where(on, states[::-1], states)
        pair = {"lower": np.zeros(1, int), "D": D[None], "u": u[None], "accepted": on[None]}
        yield "swap", {"v": v, "states": states, **pair}

        steps = range(self.sweep * self.settings.K, (self.sweep + 1) * self.settings.K)
        *_, (_, end) = gibbs_steps(self.chains, *self.p, Draws(self.seed, GIBBS, self.count), steps)
        self.chains, self.energies = end["v"], free_energy(end["v"], *self.p)
        self.sweep += 1
        yield "gibbs", {"v": self.chains[None]}
        return on

    def _log_ratios(self, partners: Array) -> Array:
        """Return D (C,): the exchange of x and y is accepted with probability min(1, e**D)."""
        of_x = free_energy(self.chains, *self.p) - free_energy(self.chains, *self.frozen_model)
        of_y = free_energy(self.reservoir[partners], *self.p) - self.reservoir_energies[partners]
        return of_x - of_y

    def _step(self, minibatch: Array, spread: float) -> Phases:
        """Yield a step of the parameters. The rate is lowered if log p(x) now over then spreads beyond the bound."""
        W, b, c = self.p
        rate = self.settings.rate * self.factor
        data, end = (hidden_given_visible(v, W, c) for v in (minibatch, self.chains))
        yield "data", data
        G = difference(*(Statistics.from_rows(each["v"], each["p"]) for each in (data, end)))
        yield "difference", G
        self.model = W + rate * G["W"], b + rate * G["b"], c + rate * G["c"]
        yield "new", dict(zip("Wbc", self.model, strict=True))

        self.since += 1
        if bound := self.settings.step_bound:
            self.factor = min(1.0, 1.02 * self.factor, self.factor * bound / max(spread, 1e-9))

    def _freeze(self) -> Phases:
        """Yield up to 20 sweeps in which the chains warm up for 20 autocorrelation times, or samples are collected.

        Samples are two integrated autocorrelation times apart.
        """
        while self.sweep < SWEEPS and self.phase in (WARM, COLLECT):
            accepted = yield from self._exchange()
            if self.phase == WARM:
                self.swaps = np.vstack([self.swaps, accepted])
                n = len(self.swaps)
                if n == LONGEST or n in SWEEPS * 2 ** np.arange(7):
                    integrated, exponential = autocorrelation(self.swaps)
                    late, warm = self.swaps[n // 2 :].mean(), n >= 20 * max(integrated, exponential)
                    if late < self.settings.alpha_min or (n == LONGEST and not warm):
                        yield from self._go_back()
                    elif warm:
                        self.phase, self.wait, self.waited = COLLECT, math.ceil(2 * integrated), 0
                        self.swaps = self.swaps[:0]
                continue
            self.waited += 1
            if self.waited >= self.wait:
                self.pending, self.waited = np.vstack([self.pending, self.chains]), 0
            if len(self.pending) == len(self.samples):
                yield from self._keep()

    def _keep(self) -> Phases:
        """Yield the end of a freeze: p becomes q, with the samples collected and log Z by Bennett's ratio."""
        energies = free_energy(self.pending, *self.p)
        forward = free_energy(self.samples, *self.p) - self.samples_energies
        backward = free_energy(self.pending, *self.frozen_model) - energies
        self.log_z += bennett(forward, backward)
        self.frozen_model, self.samples, self.samples_energies = self.p, self.pending, energies
        self._refill()
        self.pending = self.pending[:0]
        self.reached, self.since, self.frozen = self.heading, 0, self.frozen + 1
        self.phase = TRAIN if self.reached == 1 else ANNEAL
        yield "frozen", {"log_z": np.array([self.log_z])}

    def _go_back(self) -> Phases:
        """Yield a rejection: p goes back to q, and chains to its samples; half the rate, or half the next step."""
        self._refill()
        chosen = self._partners(RESTART)
        self.chains, self.energies = self.samples[chosen], self.samples_energies[chosen]
        self.swaps, self.pending = self.swaps[:0], self.pending[:0]
        self.since, self.heading, self.rejected = 0, self.reached, self.rejected + 1
        if self.reached == 1:
            self.phase, self.model, self.factor = TRAIN, self.frozen_model, self.factor / 2
        else:
            self.phase, self.stride = ANNEAL, self.stride / 2
        yield "back", dict(zip("Wbc", self.model, strict=True))

    def _refill(self) -> None:
        """Make the reservoir the samples of q again."""
        self.reservoir, self.reservoir_energies = self.samples.copy(), self.samples_energies.copy()

    def _partners(self, purpose: int) -> Array:
        """Return a random sample for each chain, (C,), no two the same."""
        n = len(self.chains)
        return random_partners(n, len(self.samples), self.seed, purpose, self.count, self.sweep * n)
