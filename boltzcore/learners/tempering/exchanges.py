"""Chains of one model that are exchanged with a reservoir of samples of another, and go on by Gibbs steps."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import exchange, rows, tempered
from boltzcore.kernels import random as streams
from boltzcore.kernels.machine import Machine
from boltzcore.learners.tempering.base import FAMILIES
from boltzcore.learners.walkthrough.recorder import NOT_RECORDING, Recorder
from boltzcore.models import RBM
from boltzcore.threads import share

Floats = NDArray[np.float64]
Pause = Callable[[], None]
BLOCK = 256  # rows at a time: their fields stay in a near cache


def nothing() -> None:
    """The pause of work that nobody watches."""


def machine_of(model: RBM) -> Machine:
    """The parameters of a model as kernels of large rows take them, its transpose not set."""
    W, WT = rows.blank(model.n_visible, model.n_hidden), rows.blank(model.n_hidden, model.n_visible)
    W[:, : model.n_hidden] = model.W
    return Machine(W, WT, model.b.copy(), model.c.copy())


def find(
    machine: Machine, v: NDArray[np.uint8], fields: NDArray[np.float32], energies: Floats, pause: Pause = nothing
) -> None:
    """Fill hidden fields (rows, width of W) and free energies (rows,) of rows v; pause is called now and then."""

    def work(low: int, high: int, at: int) -> None:
        part = slice(at + low, at + high)
        rows.hidden_fields(machine.W, machine.c, v[part], fields[part])
        tempered.free_energies(v[part], machine.b, machine.c, fields[part], energies[part])

    for at in range(0, len(v), BLOCK):
        pause()
        share(partial(work, at=at), min(BLOCK, len(v) - at))


def free_energies(machine: Machine, v: NDArray[np.uint8], pause: Pause = nothing) -> Floats:
    """(rows,) free energies of rows v under a model."""
    out = np.empty(len(v))
    for at in range(0, len(v), BLOCK):
        part = v[at : at + BLOCK]
        find(machine, part, rows.blank(len(part), machine.c.size), out[at : at + BLOCK], pause)
    return out


@dataclass(frozen=True)
class Proposal:
    """Exchanges that are proposed, of each chain with one sample.

    ratios : (chains,) logarithms of p(y) q(x) / (p(x) q(y))
    last : (chains,) free energies of the chains under the reservoir's model
    partners, energies, samples : (chains,) the samples, and their free energies under the model now and under their own
    acceptance : the share that would be accepted, the chains weighted to the model now
    spread : the standard deviation of the logarithms of those weights
    """

    ratios: Floats
    last: Floats
    partners: NDArray[np.int64]
    energies: Floats
    samples: Floats
    acceptance: float
    spread: float


class Exchanges:
    """Chains and a reservoir, changed in place. Within an update the model stays one, and each sweep takes words of its
    own of the update's streams.

    chains (C, n_visible) uint8; energies (C,) their free energies under the model that they were drawn from
    reservoir (R, n_visible) uint8; reservoir_energies (R,) theirs under `last`
    last : the model that the reservoir's samples are of
    recorder : of whose row's chain each sweep is recorded
    fields : (C, width of W) hidden fields of the chains, where `known`
    products : rows that have been multiplied by the weights so far
    """

    def __init__(
        self,
        chains: NDArray[np.uint8],
        energies: Floats,
        reservoir: NDArray[np.uint8],
        reservoir_energies: Floats,
        last: Machine,
        seed: int,
        recorder: Recorder = NOT_RECORDING,
    ) -> None:
        self.chains, self.energies, self.last, self.seed = chains, energies, last, seed
        self._recorder, self._mine = recorder, recorder.row % len(chains)
        self.reservoir, self.reservoir_energies = reservoir, reservoir_energies
        self.fields, self._others = (rows.blank(len(chains), last.c.size) for _ in range(2))
        self._shares, self._accepted = np.empty(len(chains)), np.empty(len(chains), np.uint8)
        self.update = self.sweep = self.products = 0
        self.known, self._transposed, self.pause = False, False, nothing

    def begin(self, update: int, pause: Pause) -> None:
        """What follows belongs to this update; pause is called now and then."""
        self.update, self.sweep, self.pause = update, 0, pause
        self._transposed = False
        self.known = False  # however a training is cut into calls, an update costs the same

    def propose(self, machine: Machine) -> Proposal:
        """Pair each chain with a sample of its family; the chains themselves stay as they are."""
        n, there = len(self.chains), np.empty(len(self.chains))
        now = self.energies.copy()
        if not self.known:
            find(machine, self.chains, self.fields, now, self.pause)
        last = free_energies(self.last, self.chains, self.pause)
        partners = self._paired(streams.PAIR)
        find(machine, self.reservoir[partners], self._others, there, self.pause)
        self.products += n * (2 + (not self.known))
        spread = exchange.weights(self.energies, now, self._shares)
        ratios = np.empty(n)
        samples = self.reservoir_energies[partners]
        exchange.log_ratios(now, last, there, samples, ratios)
        self.energies[:], self.known = now, True
        self._recorder.record("rungs", self._on_rungs, partners)
        acceptance = exchange.acceptance(ratios, self._shares)
        return Proposal(ratios, last, partners, there, samples, acceptance, spread)

    def swap(self, proposal: Proposal) -> NDArray[np.uint8]:
        """Exchange, or not, as proposed; returns (C,) uint8 which were."""
        stream, p = self._stream(streams.EXCHANGE), proposal
        exchange.exchange(
            p.ratios, self.chains, self.fields, self.energies, p.last, self.reservoir, self.reservoir_energies,
            p.partners, self._others, p.energies, stream, self.sweep, self._accepted,
        )  # fmt: skip
        self._recorder.record("swap", self._swapped, p)
        return self._accepted

    def go_on(self, machine: Machine, steps: int) -> None:
        """So many Gibbs steps of the chains, WT included; ends the sweep."""
        if not self._transposed:
            rows.transpose(machine.W, machine.c.size, machine.WT)
            self._transposed = True
        for at in range(0, len(self.chains), BLOCK):
            self.pause()
            share(partial(self._steps, machine, self.sweep * steps, steps, at), min(BLOCK, len(self.chains) - at))
        self.products += 2 * steps * len(self.chains)
        self.sweep += 1
        self._recorder.record("gibbs", self._chain)

    def sweep_once(self, machine: Machine, steps: int) -> NDArray[np.uint8]:
        """Exchanges, then Gibbs steps; returns which chains were exchanged."""
        accepted = self.swap(self.propose(machine))
        self.go_on(machine, steps)
        return accepted

    def restart(self, samples: NDArray[np.uint8], energies: Floats) -> None:
        """Let the chains be samples, each one of its own family."""
        chosen = self._paired(streams.RESTART)
        self.chains[:], self.energies[:], self.known = samples[chosen], energies[chosen], False

    def _steps(self, machine: Machine, first: int, steps: int, at: int, low: int, high: int) -> None:
        part, stream = slice(at + low, at + high), self._stream(streams.GIBBS)._replace(first_row=at + low)
        v, fields = self.chains[part], self.fields[part]
        rows.gibbs(machine, v, fields, stream, first, steps)
        tempered.free_energies(v, machine.b, machine.c, fields, self.energies[part])

    def _on_rungs(self, partners: NDArray[np.int64]) -> dict[str, NDArray]:
        """The sample that the recorded chain is paired with, and the chain."""
        v = np.array([self.reservoir[partners[self._mine]], self.chains[self._mine]])
        return {"v": v, "states": np.arange(2), "partner": partners[[self._mine]]}

    def _swapped(self, p: Proposal) -> dict[str, NDArray]:
        """What decided on the recorded chain's exchange, and where both are then: of_x of the sample, of_y of the
        chain.
        """
        s, j = self._mine, p.partners[self._mine]
        of_x = p.samples[s] - p.energies[s]
        u = streams.uniforms(self.seed, streams.EXCHANGE, self.update, s, 1, self.sweep)
        on = self._accepted[[s]]
        return {
            "v": np.array([self.reservoir[j], self.chains[s]]),
            "states": np.arange(2)[::-1] if on[0] else np.arange(2),
            "lower": np.array([0]),
            "of_x": np.array([of_x]),
            "of_y": p.ratios[[s]] - of_x,
            "u": u,
            "accepted": on,
            "partner": p.partners[[s]],
        }

    def _chain(self) -> dict[str, NDArray]:
        """The recorded chain, after its Gibbs steps."""
        return {"v": self.chains[[self._mine]]}

    def _paired(self, purpose: int) -> NDArray[np.int64]:
        n = len(self.chains)
        partners = np.empty(n, np.int64)
        exchange.pair(n, len(self.reservoir), FAMILIES, self._stream(purpose), self.sweep * n, partners)
        return partners

    def _stream(self, purpose: int) -> streams.Stream:
        return streams.Stream(np.uint64(self.seed), purpose, self.update, 0)
