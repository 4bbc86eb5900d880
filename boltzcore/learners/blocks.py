"""Large RBMs: rows in blocks, each shared among threads, whose fields and probabilities fit into a core's cache."""

from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from boltzcore.inference.gibbs import BLOCK, Bits, Floats, fill_fields, machine_of
from boltzcore.kernels import ascent, rows
from boltzcore.kernels.ascent import Options, SufficientStatistics
from boltzcore.kernels.rows import RBMArrays
from boltzcore.models import RBM
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle

NO_OFFSETS = np.empty(0, np.float32)
_OFF = np.float32(0)
PLAIN = Options(_OFF, _OFF, _OFF, _OFF, NO_OFFSETS)  # a step without options


@dataclass(frozen=True, eq=False)
class Workspace:
    """Parameters of an RBM and both terms of its gradient, changed in place.

    machine : W and WT with columns in whole tiles; WT is set while chains run
    data, model : the terms, vp as wide as W; `model` holds the current offsets, `data` those that it was centred with
    fields : (rows, width of W) hidden fields of the latest mini-batch, or of as many chains
    p : (at most BLOCK, width of W) buffer for their probabilities
    """

    machine: RBMArrays
    data: SufficientStatistics
    model: SufficientStatistics
    fields: Floats
    p: Floats

    @classmethod
    def from_model(cls, model: RBM, n_rows: int, mu: Floats = NO_OFFSETS, lambda_: Floats = NO_OFFSETS) -> Self:
        """Return a copy of a model's parameters; offsets (empty if nothing is centred) are shared, not copied."""
        data, of_model = (
            SufficientStatistics(rows.blank(*model.W.shape), np.empty_like(model.b), np.empty_like(model.c), *offsets)
            for offsets in ((mu.copy(), lambda_.copy()), (mu, lambda_))
        )
        fields, p = (rows.blank(n, model.n_hidden) for n in (n_rows, min(BLOCK, n_rows)))
        return cls(machine_of(model), data, of_model, fields, p)

    def rbm(self) -> RBM:
        """Return the current model."""
        return RBM(self.machine.W[:, : self.machine.c.size], self.machine.b, self.machine.c)

    def set_data_term(self, v: Bits, tick: Tick = idle) -> None:
        """Set the data term and the fields from a mini-batch v (rows, n_visible)."""
        fill_fields(self.machine, v, self.fields, tick)
        self.set_term(self.data, v, self.fields)

    def ascend(self, rate: float, options: Options = PLAIN, *, spectral: bool = False) -> None:
        """Move the parameters along the data term minus the model term; the direction overwrites a term."""
        ascent.ascend(self.machine, self.data, self.model, spectral or None, np.float32(rate), options)

    def set_term(self, term: SufficientStatistics, v: Bits, fields: Floats) -> None:
        """Set the data or the model term from states v (states, n_visible) with these hidden fields."""
        scale, p = np.float32(1 / len(v)), self.p
        ascent.clear(term)

        def work(block: Bits, first: int, last: int) -> None:
            rows.add_statistics(block, first, last, p[: len(block)], scale, term)

        for at in range(0, len(v), BLOCK):
            block = v[at : at + BLOCK]
            rows.probabilities(fields[at : at + len(block)], self.machine.c.size, scale, p[: len(block)], term.p)
            # each thread has visible units of its own, so that no sum depends on the number of threads
            share(partial(work, block), v.shape[1])
