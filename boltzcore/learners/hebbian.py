"""Hopfield network: a fully visible machine that stores patterns by Hebb's rule (Hopfield 1982).

The couplings are the sum of the outer products of the patterns x in {-1, +1}, divided by the number d of units; with
this scale a single pattern is lost at temperature 1:

    m_jk = 1/d sum_n x_nj x_nk,  m_jj = 0,  b = 0

At temperature 0 (`boltzcore.inference.recall`) the network falls into a minimum of its energy. With at most .138 d
random patterns this is a stored pattern but for a few bits (Amit, Gutfreund and Sompolinsky 1985: 1.6 % wrong bits
there, as d tends to infinity). Measured (`python -m tests.tools.capacity`, 100 networks each): with at most 1 % wrong
bits, 256 units store 33 patterns (.129 per unit) and 64 units store 9 (.141 per unit).
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.learners.base import CachedState, Learner, State
from boltzcore.models import FVBM
from boltzcore.models.base import check_width
from boltzcore.models.fvbm import spins
from boltzcore.ticks import Tick, idle


@dataclass(frozen=True, eq=False)
class PatternRows:
    """Distinct rows of data in the order in which they first occur.

    x : (n, d) of -1.0 and +1.0
    weight : (n,) number of copies of each row, or the sum of their weights
    """

    data: Any
    x: NDArray[np.float64]
    weight: NDArray[np.float64]

    @classmethod
    def from_data(cls, model: FVBM, data: Examples | NDArray, tick: Tick = idle) -> "PatternRows":
        """Return the distinct rows. Raises Refusal if they do not have two values or do not fit the model."""
        x, weight = distinct_spins(data)
        check_width(model, x.shape[1])
        first: dict[bytes, int] = {}
        for row in spins(data.v if isinstance(data, Examples) else data):
            first.setdefault(row.tobytes(), len(first))
        order = np.argsort([first[row.tobytes()] for row in x])
        return cls(data, x[order].astype(np.float64), weight[order])


@dataclass(frozen=True)
class Hebbian(Learner):
    """Storage of one pattern per update: m_jk <- m_jk + x_j x_k / d. A repeated pattern counts once for each
    occurrence.

    The network starts empty, with all parameters 0, whichever model the training begins with.

    >>> import numpy as np
    >>> from boltzcore.learners import Hebbian
    >>> from boltzcore.models import FVBM
    >>> rows, start = np.array([[1, 1, -1, -1]]), FVBM(np.zeros((4, 4)), np.zeros(4))
    >>> Hebbian().advance(Hebbian().start(start, rows, seed=0), rows).model.M[0].tolist()
    [0.0, 0.25, -0.25, -0.25]
    """

    state_type: ClassVar[type[State]] = CachedState
    random: ClassVar[bool] = False
    numerics: ClassVar[int] = 2
    begins_empty: ClassVar[bool] = True

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> CachedState:
        """Return the State of the empty network. Raises Refusal if model and data do not fit."""
        given, d = PatternRows.from_data(model, data), model.n_visible
        return CachedState(FVBM(np.zeros((d, d)), np.zeros(d)), 0, 0, seed, given=given)

    def _advance(self, state: CachedState, data: Examples | NDArray, updates: int, tick: Tick) -> CachedState:
        given, d = state.given_for(data, PatternRows.from_data, tick), state.model.n_visible
        M, first = state.model.M.copy(), state.stage_count
        last = min(first + updates, len(given.x))
        for n in range(first, last):
            tick((n - first) / updates)
            M += np.outer(given.weight[n] / d * given.x[n], given.x[n])
            np.fill_diagonal(M, 0.0)
        return dataclasses.replace(
            state,
            model=FVBM(M, state.model.b),
            count=state.count + last - first,
            operations=state.operations + (last - first) * d * (d - 1),  # a product and a sum per coupling
            done=last == len(given.x),
            given=given,
        )
