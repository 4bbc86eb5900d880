"""The trace of one update: its phases in the order in which they happen, each with the numbers it computes with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from boltzcore.learners.walkthrough.equations import FAMILIES


@dataclass(frozen=True, eq=False)
class Phase:
    """A phase of an update.

    kind : one of those that its family lists in `FAMILIES`
    at : index into `UpdateTrace.models` of the parameters that hold during the phase
    arrays : {name: numbers} that the kernels computed with, or drew
    """

    kind: str
    at: int
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class UpdateTrace:
    """One update of a learner, which leaves the State that it begins at as it is.

    family : a key of `FAMILIES`
    phases : in the order in which they happen
    models : before the update, and after each step of the parameters in it; the last is that of `after`
    after : the State that `advance` makes of the same update
    row : number of the recorded row of the mini-batch, and chain
    rows : how many rows can be recorded; 1 where the update treats all rows alike
    """

    family: str
    phases: tuple[Phase, ...]
    models: tuple[Any, ...]
    after: Any = None
    row: int = 0
    rows: int = 1

    def __post_init__(self) -> None:
        known = FAMILIES[self.family]
        for phase in self.phases:
            if phase.kind not in known:
                raise ValueError(f"kind must be one of {', '.join(known)}, not {phase.kind!r}.")
