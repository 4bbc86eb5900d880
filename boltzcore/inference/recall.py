"""Recall: descent in energy from a damaged pattern (Hopfield 1982)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boltzcore.arrays import as_numbers
from boltzcore.kernels import random as streams
from boltzcore.models import FVBM, RBM
from boltzcore.parameters import check_arguments, whole
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class Recall:
    """Path of a recall.

    path : (steps + 1, d) int8, from the start: spins of an FVBM, 0 and 1 of an RBM
    energy : (steps + 1,) -x'Mx/2 - b'x of each state; for an RBM E(v, h) with the most probable h
    settled : True if the last sweep changed nothing
    """

    path: NDArray[np.int8]
    energy: NDArray[np.float64]
    settled: bool


@check_arguments
def recall(model: FVBM | RBM, start: ArrayLike, *, sweeps: int = 100, seed: int = 0, tick: Tick = idle) -> Recall:
    """Update the units of a machine one by one, from a start (d,) of -1 and +1, or of 0 and 1.

    Each unit takes the sign of its field, as at temperature 0, in a new random order for each sweep, until nothing
    changes or for this number of sweeps. A step of the path changes one unit, or in an RBM sets a layer to its most
    probable state given the other, and the energy never rises. Raises Refusal naming the argument, its value and what
    is allowed.

    >>> import numpy as np
    >>> from boltzcore.inference import recall
    >>> from boltzcore.learners import Hebbian
    >>> from boltzcore.models import FVBM
    >>> stored, hebbian = np.array([[1, 1, 1, -1, -1, -1]]), Hebbian()
    >>> empty = hebbian.start(FVBM(np.zeros((6, 6)), np.zeros(6)), stored, seed=0)
    >>> recall(hebbian.advance(empty, stored).model, [-1, 1, 1, -1, -1, -1]).path[-1].tolist()
    [1, 1, 1, -1, -1, -1]
    """
    sweeps = whole("sweeps", sweeps, 1, 10_000)
    row = as_numbers("start", start, (None,), "a row of units")[None]
    if isinstance(model, RBM):
        path, settled = _alternate(model, model.check_states(row, "start").astype(np.float64), sweeps, tick)
        energy = -path @ model.b - np.maximum(model.hidden_field(path), 0).sum(axis=1)
    else:
        path, settled = _descend(model, model.check_rows(row), sweeps, seed, tick)
        spins = path.astype(np.float64)
        energy = -0.5 * (spins * (model.field(spins) + model.b)).sum(axis=1)
    return Recall(path, energy, settled)


def _alternate(rbm: RBM, v: NDArray[np.float64], sweeps: int, tick: Tick) -> tuple[NDArray[np.int8], bool]:
    """Return the states from v (1, d) on, with layers set to their most probable states, and True if it converged."""
    path = [v]
    for sweep in range(sweeps):
        tick(sweep / sweeps)
        field = rbm.visible_field(rbm.hidden_field(path[-1]) > 0)
        after = np.where(field == 0, path[-1], field > 0)
        if np.array_equal(after, path[-1]):
            return np.concatenate(path).astype(np.int8), True
        path.append(after)
    return np.concatenate(path).astype(np.int8), False


def _descend(model: FVBM, x: NDArray[np.float64], sweeps: int, seed: int, tick: Tick) -> tuple[NDArray[np.int8], bool]:
    """Return the states from x (1, d) on, one for each changed unit, and True if the last sweep changed none."""
    row, path = x[0], [x[0].astype(np.int8)]
    for sweep in range(sweeps):
        tick(sweep / sweeps)
        order = streams.generator(seed, streams.SAMPLE, sweep).permutation(len(row))
        field, k = model.field(x)[0], 0
        while len(left := np.flatnonzero(row[order[k:]] * field[order[k:]] < 0)):  # earlier units keep their value
            k += left[0] + 1
            j = order[k - 1]
            row[j] = -row[j]
            field += 2 * row[j] * model.M[j]
            path.append(row.astype(np.int8))
        if k == 0:
            return np.array(path), True
    return np.array(path), False
