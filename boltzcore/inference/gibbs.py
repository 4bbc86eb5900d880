"""Block Gibbs sampling of an RBM."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.kernels import random as streams
from boltzcore.kernels import rows
from boltzcore.kernels.machine import Machine
from boltzcore.models import RBM
from boltzcore.ticks import Tick, idle

BLOCK = 256
WEIGHTS_A_CALL = 600_000_000  # times rows, in one compiled call: some milliseconds


def gibbs(
    rbm: RBM, v: ArrayLike, steps: int, *, seed: int, step: int = 0, purpose: int = streams.SAMPLE, tick: Tick = idle
) -> NDArray[np.uint8]:
    """Rows v after `steps` transitions of block Gibbs sampling (hidden units given v, then v given them).

    v : (n, n_visible) of 0/1. Returns (n, n_visible) uint8. Row i uses the random stream
    (seed, purpose, step, i).
    """
    v = np.array(rbm.check_rows(v), np.uint8)
    for _ in _walk(rbm, v, steps, WEIGHTS_A_CALL, (seed, purpose, step), tick):
        pass
    return v


def gibbs_path(
    rbm: RBM, v: ArrayLike, steps: int, *, seed: int, step: int = 0, purpose: int = streams.SAMPLE, tick: Tick = idle
) -> NDArray[np.uint8]:
    """Where the rows v are after each of `steps` transitions: (n, steps, n_visible) uint8, the last of them as `gibbs`
    gives it.
    """
    v = np.array(rbm.check_rows(v), np.uint8)
    path = np.empty((len(v), steps, rbm.n_visible), np.uint8)
    for first, last, k in _walk(rbm, v, steps, 0, (seed, purpose, step), tick):
        path[first:last, k - 1] = v[first:last]
    return path


def _walk(
    rbm: RBM, v: NDArray[np.uint8], steps: int, weights_a_call: int, stream: tuple[int, int, int], tick: Tick
) -> Iterator[tuple[int, int, int]]:
    """Move v in place, block by block, yielding (first row, end of the block, steps done) after each compiled call."""
    seed, purpose, step = stream
    W = rows.blank(rbm.n_visible, rbm.n_hidden)
    W[:, : rbm.n_hidden] = rbm.W
    WT = rows.blank(rbm.n_hidden, rbm.n_visible)
    WT[:, : rbm.n_visible] = rbm.W.T
    machine = Machine(W, WT, rbm.b, rbm.c)
    for first in range(0, len(v), BLOCK):
        part = v[first : first + BLOCK]
        fields = rows.blank(len(part), rbm.n_hidden)
        rows.hidden_fields(W, rbm.c, part, fields)
        piece = max(1, weights_a_call // (len(part) * rbm.W.size))
        for k in range(0, steps, piece):
            tick((first + len(part) * k / steps) / len(v))
            done = min(piece, steps - k)
            rows.gibbs(machine, part, fields, streams.Stream(np.uint64(seed), purpose, step, first), k, done)
            yield first, first + len(part), k + done
