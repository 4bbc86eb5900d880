"""The recorder that an update reports its phases to, and the one that records nothing."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from boltzcore.learners.walkthrough.search_path import SearchPath, Vector
from boltzcore.learners.walkthrough.trace import Phase

Arrays = Mapping[str, Any]


class Recorder:
    """Records the phases of one update as they happen.

    Learners report to a recorder wherever a phase ends, and compute nothing for it themselves: what takes time to
    compute is given as a function with its arguments, which is called only where something is recorded.

    row : number of the row of the mini-batch, and of the chain, whose numbers are recorded
    models : before the update, and after each step of the parameters that was recorded
    phases : in the order in which they happened
    paths : of the searches so far
    """

    recording = True

    def __init__(self, row: int = 0, *models: Any) -> None:
        self.row = row
        self.models: list[Any] = [*models]
        self.phases: list[Phase] = []
        self.paths: list[SearchPath] = []

    def record(self, kind: str, make: Callable[..., Arrays] = dict, /, *arguments: Any, **arrays: Any) -> None:
        """Record a phase under the latest model.

        kind : of the phase, a key of its family in `equations.FAMILIES`
        make : makes the arrays by name, of the arguments that follow; without one the keyword arguments are the arrays
        """
        self._add(kind, make(*arguments, **arrays))

    def record_each(self, make: Callable[..., Iterable[tuple[str, Arrays]]], /, *arguments: Any) -> None:
        """Record several phases, each (kind, arrays) that `make` gives of the arguments."""
        for kind, arrays in make(*arguments):
            self._add(kind, arrays)

    def set_model(self, model: Any) -> None:
        """The parameters have moved: the phases from here on are of this model."""
        self.models.append(model)

    def restart(self) -> None:
        """Forget the phases so far, of an update that is computed anew by other means."""
        self.phases = []

    def path(
        self,
        most: int,
        start: Vector,
        objective: Callable[[Vector], tuple[float, Vector]],
        into: Callable[[Vector], Vector] = np.copy,
    ) -> SearchPath | None:
        """The path of a search, as scipy's callback; None, which scipy takes for no callback, without recording."""
        self.paths.append(SearchPath(most, start, objective(start)[0], into))
        return self.paths[-1]

    def _add(self, kind: str, arrays: Arrays) -> None:
        own = {name: np.array(array) for name, array in arrays.items()}  # copies: learners work in place
        self.phases.append(Phase(kind, max(0, len(self.models) - 1), own))


class NullRecorder(Recorder):
    """Records nothing."""

    recording = False

    def record(self, kind: str, make: Callable[..., Arrays] = dict, /, *arguments: Any, **arrays: Any) -> None:
        pass

    def record_each(self, make: Callable[..., Iterable[tuple[str, Arrays]]], /, *arguments: Any) -> None:
        pass

    def set_model(self, model: Any) -> None:
        pass

    def path(
        self,
        most: int,
        start: Vector,
        objective: Callable[[Vector], tuple[float, Vector]],
        into: Callable[[Vector], Vector] = np.copy,
    ) -> SearchPath | None:
        return None


NOT_RECORDING = NullRecorder()
