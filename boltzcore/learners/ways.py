"""One row's way through an update: what its learner notes of it, phase by phase."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.kernels.elementwise import sigmoid
from boltzcore.kernels.random import GIBBS, uniforms
from boltzcore.kernels.told import Chain, blank_chain
from boltzcore.learners.dissection import Phase

Floats = NDArray[np.float32]


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

    def inferred(self, iterations: int, settled: Callable[[int], Mapping[str, Floats]]) -> None:
        """The beliefs before the first iteration and after each; settled(t) gives those of the row alone after t."""
        for t in range(iterations + 1):
            self.note("iteration" if t else "begin", **settled(t))
