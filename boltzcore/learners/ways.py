"""One row's way through an update: what its learner notes of it, phase by phase."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.inference.rounds import rounds
from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.random import GIBBS, uniforms
from boltzcore.kernels.told import Chain, blank_chain
from boltzcore.learners.dissection import Phase

Floats = NDArray[np.float32]
ENDS = 4  # iterations, first and last, whose messages are noted
MOST_MESSAGES = 20_000_000  # of all that are noted, in both directions


def half_steps(
    chain: Chain, steps: range, v: NDArray[np.uint8], seed: int, update: int
) -> Iterator[tuple[str, dict[str, NDArray[Any]]]]:
    """(kind, arrays) of the phases "hidden" and "visible" of some steps of a chain that begin at v: what each unit was
    drawn from, with the uniforms that its stream gave.
    """
    n_hidden, n_visible = chain.hidden.shape[1], chain.visible.shape[1]
    for k in steps:
        u = uniforms(seed, GIBBS, update, chain.row, n_hidden + n_visible, k * (n_hidden + n_visible))
        field, h = chain.hidden[k], chain.h[k]
        yield "hidden", {"v": v, "field": field, "p": sigmoid(field), "u": u[:n_hidden], "h": h}
        field, v = chain.visible[k], chain.v[k]
        yield "visible", {"h": h, "field": field, "p": sigmoid(field), "u": u[n_hidden:], "v": v}


class Way:
    """Phases of the row `row` of a mini-batch, under the parameters before the update."""

    def __init__(self, row: int) -> None:
        self.row = row
        self.phases: list[Phase] = []

    def note(self, kind: str, **arrays: Any) -> None:
        """One phase more; arrays are copied."""
        self.phases.append(Phase(kind, 0, {name: np.array(each) for name, each in arrays.items()}))

    def blank_chain(self, W: Floats, steps: int) -> Chain:
        """Room for the row's chain under weights W (n_visible, n_hidden)."""
        n_visible, n_hidden = W.shape
        return blank_chain(self.row, n_visible, n_hidden, steps)

    def walked(self, chain: Chain, seed: int, update: int) -> None:
        """The half steps of a chain that began at the v of the phase before."""
        for kind, arrays in half_steps(chain, range(len(chain.h)), self.phases[-1].arrays["v"], seed, update):
            self.note(kind, **arrays)

    def inferred(self, kind: str, W: Floats, b: Floats, c: Floats, residuals: Floats) -> None:
        """The beliefs before the first iteration of an inference and after each, under weights W and the row's biases.

        In a model that is not too large, with the log-odds `field_v` and `field_h` of the beliefs, and the messages
        to_v_W and to_h_W (n_visible, n_hidden) that these and the biases add up to: of many iterations the messages
        of the first and of the last.

        kind : of inference; residuals : (iterations,) the largest change of a belief in each
        """
        count, fits = len(residuals), 4 * ENDS * W.size <= MOST_MESSAGES
        for t, each in enumerate(rounds(W, b, c, kind, count, messages=fits)):
            terms: dict[str, Any] = {}
            if fits:
                terms["field_v"] = b + (0.0 if each.to_v is None else each.to_v.sum(axis=1))
                terms["field_h"] = c + (0.0 if each.to_h is None else each.to_h.sum(axis=0))
            if t <= ENDS or t > count - ENDS:
                told = {"to_v_W": each.to_v, "to_h_W": each.to_h}
                terms |= {name: some.astype(np.float32) for name, some in told.items() if some is not None}
            self.note("iteration" if t else "begin", v=each.v, h=each.h, residuals=residuals[:t], **terms)
