"""Record of a Gibbs chain that a kernel fills."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Chain(NamedTuple):
    """A Gibbs chain, half step by half step: what each layer's units were drawn from, and what was drawn.

    row : of the chains
    hidden, visible : (steps, n_hidden) and (steps, n_visible) float32 fields, the log-odds of being on
    h, v : of the same shapes, uint8
    """

    row: int
    hidden: NDArray[np.float32]
    h: NDArray[np.uint8]
    visible: NDArray[np.float32]
    v: NDArray[np.uint8]


def blank_chain(row: int, n_visible: int, n_hidden: int, steps: int) -> Chain:
    """Room for a chain."""
    hidden, visible = (np.zeros((steps, n), np.float32) for n in (n_hidden, n_visible))
    return Chain(row, hidden, hidden.astype(np.uint8), visible, visible.astype(np.uint8))
