"""The workspace of contrastive learning of a large RBM: rows in blocks, each shared among threads."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels import rows
from boltzcore.kernels.ascent import Term, clear
from boltzcore.kernels.machine import Machine
from boltzcore.kernels.random import Stream
from boltzcore.models import RBM
from boltzcore.threads import share
from boltzcore.ticks import Tick

BLOCK = 256  # rows at a time: their fields and probabilities stay in a near cache
ADDITIONS_A_CALL = 60_000_000  # of products, drawing a unit as 16: some milliseconds in one compiled call
SPARED = 20  # additions of a product, of which tables of sums leave one


@dataclass(frozen=True, eq=False)
class Workspace:
    """The parameters of an RBM, the two terms of its gradient, and room for its hidden units; all changed in place.

    machine : W and WT with columns in whole tiles; WT is set where chains go on
    data, model : the terms, vp as wide as W; `model` holds the offsets of now, `data` those that it was centred with
    fields : (chains, width of W) hidden fields of the rows that came last, those of the mini-batch or of the chains
    p : (at most BLOCK, width of W) room for their probabilities
    """

    machine: Machine
    data: Term
    model: Term
    fields: NDArray[np.float32]
    p: NDArray[np.float32]

    @classmethod
    def from_model(cls, model: RBM, n_chains: int, mu: NDArray[np.float32], lambda_: NDArray[np.float32]) -> Self:
        """A copy of a model's parameters, with offsets (empty where nothing is centred) that are taken as they are."""
        n_visible, n_hidden = model.W.shape
        machine = Machine(
            rows.blank(n_visible, n_hidden), rows.blank(n_hidden, n_visible), model.b.copy(), model.c.copy()
        )
        machine.W[:, :n_hidden] = model.W
        data, of_model = (
            Term(rows.blank(n_visible, n_hidden), np.empty_like(model.b), np.empty_like(model.c), *offsets)
            for offsets in ((mu.copy(), lambda_.copy()), (mu, lambda_))
        )
        fields, p = (rows.blank(n, n_hidden) for n in (n_chains, min(BLOCK, n_chains)))
        return cls(machine, data, of_model, fields, p)

    def rbm(self) -> RBM:
        """The model as it is now."""
        return RBM(self.machine.W[:, : self.machine.c.size], self.machine.b, self.machine.c)

    def set_data_term(self, v: NDArray[np.uint8], tick: Tick) -> None:
        """The data term of a mini-batch v (rows, n_visible), whose hidden fields are left."""
        clear(self.data)
        for first in range(0, len(v), BLOCK):
            tick(first / len(v))
            block = v[first : first + BLOCK]
            fields = self.fields[first : first + len(block)]
            self._find(fields, block)
            self._add(block, fields, 1 / len(v), self.data)

    def set_model_term(
        self,
        chains: NDArray[np.uint8],
        known: bool,
        stream: Stream,
        first: int,
        steps: int,
        tick: Tick,
    ) -> None:
        """The model term of chains (chains, n_visible) that go on `steps` Gibbs steps in place, from number `first`.

        known : whether the hidden fields that are left are those of the chains
        """
        clear(self.model)
        n_visible, n_hidden = self.machine.b.size, self.machine.c.size
        rows.transpose(self.machine.W, n_hidden, self.machine.WT)
        additions = n_visible * n_hidden // SPARED + 16 * (n_visible + n_hidden) + 1000
        for at in range(0, len(chains), BLOCK):
            block = chains[at : at + BLOCK]
            fields = self.fields[at : at + len(block)]
            if not known:
                self._find(fields, block)
            piece = max(1, ADDITIONS_A_CALL // (len(block) * additions))
            for k in range(0, steps, piece):
                tick((at + len(block) * k / steps) / len(chains))
                here = stream._replace(first_row=at)
                self._go_on(block, fields, here, first + k, min(piece, steps - k))
            self._add(block, fields, 1 / len(chains), self.model)

    def set_term_of(self, chains: NDArray[np.uint8], fields: NDArray[np.float32]) -> None:
        """The model term of chains (chains, n_visible) whose hidden fields (chains, width of W) are these."""
        clear(self.model)
        for at in range(0, len(chains), BLOCK):
            self._add(chains[at : at + BLOCK], fields[at : at + BLOCK], 1 / len(chains), self.model)

    # what follows is of one block: its rows, their hidden fields

    def _find(self, fields: NDArray[np.float32], v: NDArray[np.uint8]) -> None:
        W, c = self.machine.W, self.machine.c
        share(lambda low, high: rows.hidden_fields(W, c, v[low:high], fields[low:high]), len(v))

    def _go_on(
        self, chains: NDArray[np.uint8], fields: NDArray[np.float32], stream: Stream, first: int, steps: int
    ) -> None:
        def work(low: int, high: int) -> None:
            mine = stream._replace(first_row=stream.first_row + low)
            rows.gibbs(self.machine, chains[low:high], fields[low:high], mine, first, steps)

        share(work, len(chains))

    def _add(self, v: NDArray[np.uint8], fields: NDArray[np.float32], weight: float, term: Term) -> None:
        p, scale = self.p[: len(v)], np.float32(weight)
        rows.probabilities(fields, self.machine.c.size, scale, p, term.p)
        # each thread has visible units of its own, so that no sum depends on how many threads there are
        share(lambda first, last: rows.add_statistics(v, first, last, p, scale, term), v.shape[1])
