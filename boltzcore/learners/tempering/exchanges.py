"""Exchanges of a model's chains with samples of another model, and the Gibbs steps between them."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import exchange, rows, tempered
from boltzcore.kernels import random as streams
from boltzcore.kernels.machine import Machine
from boltzcore.learners.tempering.base import FAMILIES
from boltzcore.models import RBM
from boltzcore.threads import share
from boltzcore.ticks import idle

Floats = NDArray[np.float64]
Pause = Callable[[], None]  # called at least every 100 ms
BLOCK = 256  # rows at a time, whose fields stay in a near cache


def machine_of(model: RBM) -> Machine:
    """Return the parameters of a model as the kernels of large rows take them, with WT not set."""
    W, WT = rows.blank(model.n_visible, model.n_hidden), rows.blank(model.n_hidden, model.n_visible)
    W[:, : model.n_hidden] = model.W
    return Machine(W, WT, model.b.copy(), model.c.copy())


def fill_energies(
    machine: Machine, v: NDArray[np.uint8], fields: NDArray[np.float32], energies: Floats, pause: Pause = idle
) -> None:
    """Fill the hidden fields (rows, width of W) and free energies (rows,) of rows v."""

    def work(low: int, high: int, at: int) -> None:
        part = slice(at + low, at + high)
        rows.hidden_fields(machine.W, machine.c, v[part], fields[part])
        tempered.free_energies(v[part], machine.b, machine.c, fields[part], energies[part])

    for at in range(0, len(v), BLOCK):
        pause()
        share(partial(work, at=at), min(BLOCK, len(v) - at))


def free_energies(machine: Machine, v: NDArray[np.uint8], pause: Pause = idle) -> Floats:
    """Return the free energies (rows,) of rows v."""
    energies = np.empty(len(v))
    for at in range(0, len(v), BLOCK):
        part = v[at : at + BLOCK]
        fill_energies(machine, part, rows.blank(len(part), machine.c.size), energies[at : at + BLOCK], pause)
    return energies


class Proposal(NamedTuple):
    """Proposed exchanges of each chain x of the model p with one sample y of the model q.

    log_ratios : (chains,) log p(y) q(x) / (p(x) q(y))
    last : (chains,) free energies of the chains under q
    partners, energies : (chains,) the samples, and their free energies under p
    acceptance : expected share of accepted exchanges, the chains weighted to p as it is now
    spread : standard deviation of the logarithms of those weights
    """

    log_ratios: Floats
    last: Floats
    partners: NDArray[np.int64]
    energies: Floats
    acceptance: float
    spread: float


class Exchanges:
    """Chains of a model p and samples of a model q, changed in place.

    Parameters
    ----------
    chains, energies : arrays (C, n_visible) of uint8, (C,)
        Chains, and their free energies under the model that they were drawn from.
    reservoir, reservoir_energies : arrays (R, n_visible) of uint8, (R,)
        Samples of q, and their free energies under q.
    last : Machine
        The model q.
    seed : int

    Attributes
    ----------
    fields : array (C, width of W)
        Hidden fields of the chains; valid if `has_fields`.
    products : int
        Rows multiplied by the weights so far.
    """

    def __init__(
        self,
        chains: NDArray[np.uint8],
        energies: Floats,
        reservoir: NDArray[np.uint8],
        reservoir_energies: Floats,
        last: Machine,
        seed: int,
    ) -> None:
        self.chains, self.energies, self.last, self.seed = chains, energies, last, seed
        self.reservoir, self.reservoir_energies = reservoir, reservoir_energies
        self.fields, self._partner_fields = (rows.blank(len(chains), last.c.size) for _ in range(2))
        self._weights, self._accepted = np.empty(len(chains)), np.empty(len(chains), np.uint8)
        self.products = 0
        self.begin(0, idle)

    def begin(self, update: int, pause: Pause) -> None:
        """Begin an update, in which p stays one model and each sweep has words of its own of the update's streams."""
        self.update, self.sweep, self.pause = update, 0, pause
        self.has_fields = self._has_transpose = False  # an update costs the same however a training is cut into calls

    def propose(self, machine: Machine) -> Proposal:
        """Pair each chain with a sample of its family, under p = `machine`; the chains stay as they are."""
        n, now, energies = len(self.chains), self.energies.copy(), np.empty(len(self.chains))
        if not self.has_fields:
            fill_energies(machine, self.chains, self.fields, now, self.pause)
        last = free_energies(self.last, self.chains, self.pause)
        partners = self._draw_partners(streams.PAIR)
        fill_energies(machine, self.reservoir[partners], self._partner_fields, energies, self.pause)
        self.products += n * (2 + (not self.has_fields))
        spread = exchange.weights(self.energies, now, self._weights)
        log_ratios = (now - last) - (energies - self.reservoir_energies[partners])
        self.energies[:], self.has_fields = now, True
        return Proposal(
            log_ratios, last, partners, energies, exchange.acceptance(log_ratios, self._weights), float(spread)
        )

    def swap(self, proposal: Proposal) -> NDArray[np.uint8]:
        """Exchange each pair with its probability; return (C,) uint8, 1 for the chains that were exchanged."""
        exchange.exchange(
            proposal.log_ratios, self.chains, self.fields, self.energies, proposal.last, self.reservoir,
            self.reservoir_energies, proposal.partners, self._partner_fields, proposal.energies,
            self._stream(streams.EXCHANGE), self.sweep, self._accepted,
        )  # fmt: skip
        return self._accepted

    def run_chains(self, machine: Machine, steps: int) -> None:
        """Run the chains for `steps` Gibbs steps, and end the sweep."""
        if not self._has_transpose:
            rows.transpose(machine.W, machine.c.size, machine.WT)
            self._has_transpose = True

        def work(low: int, high: int, at: int) -> None:
            part, stream = slice(at + low, at + high), self._stream(streams.GIBBS)._replace(first_row=at + low)
            rows.gibbs(machine, self.chains[part], self.fields[part], stream, self.sweep * steps, steps)
            tempered.free_energies(self.chains[part], machine.b, machine.c, self.fields[part], self.energies[part])

        for at in range(0, len(self.chains), BLOCK):
            self.pause()
            share(partial(work, at=at), min(BLOCK, len(self.chains) - at))
        self.products += 2 * steps * len(self.chains)
        self.sweep += 1

    def run_sweep(self, machine: Machine, steps: int) -> NDArray[np.uint8]:
        """Exchange, then run the chains; return (C,) uint8, 1 for the chains that were exchanged."""
        accepted = self.swap(self.propose(machine))
        self.run_chains(machine, steps)
        return accepted

    def restart(self, samples: NDArray[np.uint8], energies: Floats) -> None:
        """Set the chains to different samples of their own families."""
        chosen = self._draw_partners(streams.RESTART)
        self.chains[:], self.energies[:], self.has_fields = samples[chosen], energies[chosen], False

    def refill(self, samples: NDArray[np.uint8], energies: Floats) -> None:
        """Set the reservoir to samples."""
        self.reservoir[:], self.reservoir_energies[:] = samples, energies

    def _draw_partners(self, purpose: int) -> NDArray[np.int64]:
        n = len(self.chains)
        partners = np.empty(n, np.int64)
        exchange.pair(n, len(self.reservoir), FAMILIES, self._stream(purpose), self.sweep * n, partners)
        return partners

    def _stream(self, purpose: int) -> streams.Stream:
        return streams.Stream(np.uint64(self.seed), purpose, self.update, 0)
