"""Gibbs sampling: of an RBM a layer at a time, of a machine without hidden units a unit at a time."""

from collections.abc import Iterator
from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.kernels import dense, rows, spins
from boltzcore.kernels import random as streams
from boltzcore.kernels.machine import Machine
from boltzcore.models import FVBM, RBM, Model
from boltzcore.parameters import Refusal, whole
from boltzcore.ticks import Tick, idle

BLOCK = 256
MOST = 2**63 - 1  # steps, and the largest seed
WEIGHTS_A_CALL = 600_000_000  # times rows, in one compiled call: some milliseconds
COUPLINGS_A_CALL = 50_000_000  # the same of an FVBM, whose fields are float64


@singledispatch
def gibbs(
    model: Model,
    v: ArrayLike,
    steps: int,
    *,
    seed: int,
    step: int = 0,
    purpose: int = streams.SAMPLE,
    tick: Tick = idle,
) -> NDArray:
    """Rows v after `steps` transitions of Gibbs sampling. Row i uses the random stream (seed, purpose, step, i).

    Of an RBM a transition is hidden units given v, then v given them: (n, n_visible) of 0/1, uint8. Of an FVBM it is a
    sweep, each unit in turn given all others: (n, d) spins, int8, whether v were spins or codes.
    Raises Refusal for other models, and for rows, steps or a seed that are none.

    >>> import numpy as np
    >>> from boltzcore.inference import gibbs
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.zeros((4, 2)), np.array([9, 9, -9, -9]), np.zeros(2))
    >>> gibbs(rbm, np.zeros((2, 4)), 5, seed=0).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    raise Refusal(f"model must be an RBM, an InfiniteRBM or an FVBM, not a {type(model).__name__}.", "model")


@gibbs.register
def _layers(
    rbm: RBM, v: ArrayLike, steps: int, *, seed: int, step: int = 0, purpose: int = streams.SAMPLE, tick: Tick = idle
) -> NDArray[np.uint8]:
    steps, seed = whole("steps", steps, 0, MOST), whole("seed", seed, 0, MOST)
    v = np.array(rbm.check_rows(v), np.uint8)
    for _ in _walk(rbm, v, steps, WEIGHTS_A_CALL, (seed, purpose, step), tick):
        pass
    return v


@gibbs.register
def _in_turn(
    model: FVBM, v: ArrayLike, steps: int, *, seed: int, step: int = 0, purpose: int = streams.SAMPLE, tick: Tick = idle
) -> NDArray[np.int8]:
    steps, seed = whole("steps", steps, 0, MOST), whole("seed", seed, 0, MOST)
    x = model.check_rows(v).astype(np.int8)
    for first in range(0, len(x), BLOCK):
        part = x[first : first + BLOCK]
        piece = max(1, COUPLINGS_A_CALL // (len(part) * model.M.size))
        for k in range(0, steps, piece):
            tick((first + len(part) * k / steps) / len(x))
            stream = streams.Stream(np.uint64(seed), purpose, step, first)
            spins.gibbs(model.M, model.b, part, stream, k, min(piece, steps - k))
    return x


def gibbs_path(
    rbm: RBM, v: ArrayLike, steps: int, *, seed: int, step: int = 0, purpose: int = streams.SAMPLE, tick: Tick = idle
) -> NDArray[np.uint8]:
    """The rows v after each of `steps` transitions: (n, steps, n_visible) uint8, the last as `gibbs` gives it."""
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
    machine = Machine(dense.whole(rbm.W), dense.whole(rbm.W.T), rbm.b, rbm.c)
    for first in range(0, len(v), BLOCK):
        part = v[first : first + BLOCK]
        fields = rows.blank(len(part), rbm.n_hidden)
        rows.hidden_fields(machine.W, rbm.c, part, fields)
        piece = max(1, weights_a_call // (len(part) * rbm.W.size))
        for k in range(0, steps, piece):
            tick((first + len(part) * k / steps) / len(v))
            done = min(piece, steps - k)
            rows.gibbs(machine, part, fields, streams.Stream(np.uint64(seed), purpose, step, first), k, done)
            yield first, first + len(part), k + done
