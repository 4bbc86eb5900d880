"""Gibbs sampling: layer by layer for an RBM, unit by unit or column by column for a model without hidden units."""

from collections.abc import Iterator
from functools import partial, singledispatch

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.kernels import potts, rows, spins
from boltzcore.kernels import random as streams
from boltzcore.kernels.random import Stream
from boltzcore.kernels.rows import RBMArrays
from boltzcore.models import FVBM, RBM, Potts
from boltzcore.models.base import Model
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal
from boltzcore.threads import share
from boltzcore.ticks import Tick, idle, portion

Bits = NDArray[np.uint8]
Floats = NDArray[np.float32]
BLOCK = 256  # rows
MOST = 2**63 - 1  # largest number of steps, and largest seed
ADDITIONS_A_CALL = 60_000_000  # sums and products in one compiled call, a drawn unit counting as 16: some milliseconds
SPARED = 20  # factor by which tables of partial sums reduce the additions of a product
COUPLINGS_A_CALL = 50_000_000  # couplings times rows in one compiled call for an FVBM or a Potts model


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
    v, machine = rbm.check_states(v), machine_of(rbm)
    rows.transpose(machine.W, rbm.n_hidden, machine.WT)
    fields = rows.blank(min(BLOCK, len(v)), rbm.n_hidden)
    for first in range(0, len(v), BLOCK):
        part = v[first : first + BLOCK]
        fill_fields(machine, part, fields)
        mine = portion(tick, first / len(v), len(part) / len(v))
        run_gibbs(machine, part, fields, stream._replace(first_row=first), 0, steps, mine)
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


def machine_of(model: RBM) -> RBMArrays:
    """Return a copy of a model's parameters in the form that the kernels of large rows take, with WT not set."""
    W, WT = rows.blank(model.n_visible, model.n_hidden), rows.blank(model.n_hidden, model.n_visible)
    W[:, : model.n_hidden] = model.W
    return RBMArrays(W, WT, model.b.copy(), model.c.copy())


def fill_fields(machine: RBMArrays, v: Bits, fields: Floats, tick: Tick = idle) -> None:
    """Fill the hidden fields (rows, width of W) of rows v (rows, n_visible)."""

    def work(at: int, low: int, high: int) -> None:
        part = slice(at + low, at + high)
        rows.hidden_fields(machine.W, machine.c, v[part], fields[part])

    for at in range(0, len(v), BLOCK):
        tick(at / len(v))
        share(partial(work, at), min(BLOCK, len(v) - at))


def run_gibbs(
    machine: RBMArrays,
    chains: Bits,
    fields: Floats,
    stream: Stream,
    first: int,
    steps: int,
    tick: Tick = idle,
    rungs: tuple[Floats, Floats] | None = None,
) -> None:
    """Run chains (chains, n_visible) for Gibbs steps in place, from step `first` of an update.

    machine : with WT set
    fields : (chains, width of W) hidden fields of the chains, updated in place
    stream : chain i draws from row first_row + i
    rungs : (chains,) inverse temperature of each chain, and (n_visible,) log-odds of the units at inverse temperature
        0, as in `kernels.tempered`
    """
    units = machine.b.size + machine.c.size
    additions = machine.b.size * machine.c.size // SPARED + 16 * units + 1000

    def work(first: int, steps: int, at: int, low: int, high: int) -> None:
        part, mine = slice(at + low, at + high), stream._replace(first_row=stream.first_row + at + low)
        own_rungs = None if rungs is None else (rungs[0][part], rungs[1])
        rows.gibbs(machine, chains[part], fields[part], mine, first, steps, own_rungs)

    for block, k, few in _pieces(len(chains), steps, ADDITIONS_A_CALL // additions, tick):
        share(partial(work, first + k, few, block.start), block.stop - block.start)


def _pieces(n: int, steps: int, rows_a_call: int, tick: Tick) -> Iterator[tuple[slice, int, int]]:
    """Yield (block of rows, steps done, steps to do) for compiled calls of about `rows_a_call` rows times steps."""
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        piece = max(1, rows_a_call // size)
        for k in range(0, steps, piece):
            tick((first + size * k / steps) / n)
            yield slice(first, first + size), k, min(piece, steps - k)
