"""The base of learners of maximum pseudo-likelihood: the distinct rows, their weights, and their States.

Every learner here maximises the one strictly concave objective P_n (Nguyen and Wood 2016, eq. 2.1) over the distinct
rows of the data, each weighted by how often it occurs: the digits are those of the sums over all rows but for rounding.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.spins import distinct_spins
from boltzcore.kernels import sweeps
from boltzcore.learners.base import Learner, State, carried
from boltzcore.learners.lbfgs import LBFGSState
from boltzcore.measures.separation import separation
from boltzcore.models import FVBM
from boltzcore.names import Names
from boltzcore.parameters import Refusal
from boltzcore.ticks import Tick, idle

MOST_NUMBERS = 2**26  # columns times distinct rows: 512 MB of odds, and as much of rows


@dataclass(frozen=True)
class CachedRows:
    """The distinct rows of data, as kernels take them, and how many there are."""

    data: Any
    table: sweeps.Table
    rows: int

    @classmethod
    def from_data(cls, data: Examples | NDArray) -> "CachedRows":
        """Refusal where they are not rows of two values, or too many."""
        x, weight = distinct_spins(data)
        if x.size > MOST_NUMBERS:
            raise Refusal(
                f"data must have at most {MOST_NUMBERS:,} numbers in distinct rows for this learner, not "
                f"{len(x):,} rows of {x.shape[1]:,}.",
                "data",
            )
        return cls(data, sweeps.table(x, weight), len(x))


@dataclass(frozen=True, eq=False)
class SweepState(LBFGSState):
    """A State that keeps the rows at hand."""

    given: CachedRows | None = carried()


@dataclass(frozen=True)
class PseudoLikelihoodLearner(Learner):
    """The base of the learners of this family."""

    state_type: ClassVar[type[State]] = SweepState

    def start(self, model: FVBM, data: Examples | NDArray, *, seed: int) -> SweepState:
        """The State before the first update. Raises Refusal where model and data do not fit."""
        return SweepState(model, 0, 0, seed, given=data_of(model, data))


def warn_of_separation(data: Examples | NDArray, *, names: Names | None = None, tick: Tick = idle) -> str:
    """Return why P_n has no maximiser on these rows; "" if it has one."""
    return separation(data, tick).sentence(names)


def data_at_hand(state: SweepState, data: Examples | NDArray) -> CachedRows:
    """The rows that a State has at hand, where they are these."""
    return state.given if state.given and state.given.data is data else data_of(state.model, data)


def data_of(model: FVBM, data: Examples | NDArray) -> CachedRows:
    given = CachedRows.from_data(data)
    if model.n_visible != len(given.table.x):
        raise ValueError(
            f"The model has {model.n_visible} visible units, but the rows of the data have {len(given.table.x)}."
        )
    return given
