"""Gibbs sampling: layer by layer for an RBM, unit by unit or column by column for a model without hidden units."""

from collections.abc import Iterator
from functools import singledispatch

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.kernels import dense, potts, rows, spins
from boltzcore.kernels import random as streams
from boltzcore.kernels.random import Stream
from boltzcore.kernels.rows import RBMArrays
from boltzcore.models import FVBM, RBM, Potts
from boltzcore.models.base import Model
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick, idle

BLOCK = 256
MOST = 2**63 - 1  # largest number of steps, and largest seed
WEIGHTS_A_CALL = 600_000_000  # weights times rows in one compiled call: some milliseconds
COUPLINGS_A_CALL = 50_000_000  # the same for FVBM and Potts models, whose fields are float64


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
    """Return rows v after `steps` transitions of Gibbs sampling. Row i uses the random stream (seed, purpose, step, i).

    For an RBM a transition is hidden units given v, then v given them: (n, n_visible) of 0/1, uint8. For an FVBM it is
    a sweep, each unit in turn given all others: (n, d) spins, int8, for spins or codes v. For a Potts model it is a
    sweep of its columns: (n, d) codes, uint8 if no column has more than 256 values.
    Raises Refusal for other models, rows with other values, and invalid steps or seeds.

    >>> import numpy as np
    >>> from boltzcore.inference import gibbs
    >>> from boltzcore.models import RBM
    >>> rbm = RBM(np.zeros((4, 2)), np.array([9, 9, -9, -9]), np.zeros(2))
    >>> gibbs(rbm, np.zeros((2, 4)), 5, seed=0).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    given = {"steps": steps, "seed": seed, "step": step, "purpose": purpose}
    steps, seed, step, purpose = (whole(name, value, 0, MOST) for name, value in given.items())
    return run_chains(model, v, steps, Stream(np.uint64(seed), purpose, step, 0), tick)


@singledispatch
def run_chains(model: Model, v: ArrayLike, steps: int, stream: Stream, tick: Tick) -> NDArray:
    """Return rows v after `steps` transitions of `gibbs`."""
    raise Refusal(f"model must be an RBM, an InfiniteRBM, an FVBM or a Potts, not a {type(model).__name__}.", "model")


@run_chains.register
def _by_layer(rbm: RBM, v: ArrayLike, steps: int, stream: Stream, tick: Tick) -> NDArray[np.uint8]:
    v = rbm.check_states(v)
    for _ in _walk(rbm, v, steps, WEIGHTS_A_CALL, stream, tick):
        pass
    return v


@run_chains.register
def _by_unit(model: FVBM, v: ArrayLike, steps: int, stream: Stream, tick: Tick) -> NDArray[np.int8]:
    x = model.check_rows(v).astype(np.int8)
    for block, k, few in _pieces(len(x), steps, COUPLINGS_A_CALL // model.M.size, tick):
        spins.gibbs(model.M, model.b, x[block], stream._replace(first_row=block.start), k, few)
    return x


@run_chains.register
def _by_column(model: Potts, v: ArrayLike, steps: int, stream: Stream, tick: Tick) -> NDArray[np.unsignedinteger]:
    x = model.check_rows(v).astype(np.min_scalar_type(int(model.levels.max()) - 1), order="C")
    for block, k, few in _pieces(len(x), steps, COUPLINGS_A_CALL // (model.n_visible * model.n_values), tick):
        potts.gibbs(model.J, model.h, model.first, x[block], stream._replace(first_row=block.start), k, few)
    return x


def gibbs_path(rbm: RBM, v: ArrayLike, steps: int, *, seed: int, step: int = 0, tick: Tick = idle) -> NDArray[np.uint8]:
    """Return rows v after each of `steps` transitions: (n, steps, n_visible) uint8, the last as returned by `gibbs`."""
    v = rbm.check_states(v)
    path = np.empty((len(v), steps, rbm.n_visible), np.uint8)
    for block, k in _walk(rbm, v, steps, 0, Stream(np.uint64(seed), streams.SAMPLE, step, 0), tick):
        path[block, k - 1] = v[block]
    return path


def _walk(
    rbm: RBM, v: NDArray[np.uint8], steps: int, weights_a_call: int, stream: Stream, tick: Tick
) -> Iterator[tuple[slice, int]]:
    """Move v in place, block by block, yielding (block, steps done) after each compiled call."""
    machine = RBMArrays(dense.whole(rbm.W), dense.whole(rbm.W.T), rbm.b, rbm.c)
    fields = rows.blank(min(BLOCK, len(v)), rbm.n_hidden)
    for block, k, few in _pieces(len(v), steps, weights_a_call // rbm.W.size, tick):
        part = v[block]
        if k == 0:
            rows.hidden_fields(machine.W, rbm.c, part, fields[: len(part)])
        rows.gibbs(machine, part, fields[: len(part)], stream._replace(first_row=block.start), k, few, None)
        yield block, k + few


def _pieces(n: int, steps: int, rows_a_call: int, tick: Tick) -> Iterator[tuple[slice, int, int]]:
    """Yield (block of rows, steps done, steps to do) for compiled calls of about `rows_a_call` rows times steps."""
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        piece = max(1, rows_a_call // size)
        for k in range(0, steps, piece):
            tick((first + size * k / steps) / n)
            yield slice(first, first + size), k, min(piece, steps - k)
