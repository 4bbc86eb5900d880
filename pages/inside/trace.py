"""An update taken apart, in the form that a browser gets."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boltzcore.data import Dataset
from boltzcore.learners.base import Learner
from boltzcore.reference.equations import FAMILIES as EQUATIONS
from boltzcore.reference.trace import UpdateTrace
from pages.figures import naming, packing
from pages.inside.families import view_of


@dataclass(frozen=True, eq=False)
class Trace:
    """One update taken apart, with its context.

    learner, dataset : the learner and its data
    count : updates before it
    mark : unique to its State and learner
    """

    dissection: UpdateTrace
    learner: Learner
    dataset: Dataset
    count: int
    mark: str = ""

    @cached_property
    def bytes(self) -> int:
        """Size of the arrays that it holds."""
        return packing.size((*(each.arrays for each in self.dissection.phases), *self._parameters()))

    def head(self, *, large: bool = False) -> dict[str, Any]:
        """Return the update, ready for JSON; with the large matrices if `large`."""
        dissection, dataset, view = self.dissection, self.dataset, view_of(self.dissection.family)
        phases, every = [], dissection.phases
        for shown in view.phases(dissection):
            phase, words = every[shown.index], view.sentence(dissection, self.learner, shown.index)
            if shown.folded:
                words = f"{len(shown.folded)} phases, fast-forwarded. The last one: {words[:1].lower()}{words[1:]}"
            phases.append(
                {
                    "kind": phase.kind,
                    "at": phase.at,
                    "words": words,
                    "equation": EQUATIONS[dissection.family][phase.kind],
                    "arrays": packing.pack_all(self._arrays(shown.index), large=large),
                    "folded": len(shown.folded),
                    "keyframes": [
                        {"kind": every[k].kind, "arrays": packing.pack_all(every[k].arrays, large=large)}
                        for k in shown.keyframes
                    ],
                    **view.words(dissection, dataset, shown.index),
                }
            )
        return {
            "family": dissection.family,
            "drawing": "arrays" if view.panels else dissection.family,
            "panels": view.panels,
            "learner": naming.short(self.learner),
            "values": self.learner.values(),
            "count": self.count,
            "row": dissection.row,
            "rows": dissection.rows,
            "mark": self.mark,
            "shape": dataset.shape,
            "names": None if dataset.names is None else dataset.names.columns,
            "phases": phases,
            "models": [packing.pack_all(each, large=large) for each in self._parameters()],
        }

    def unit(self, axis: str, index: int) -> dict[str, Any]:
        """Return one unit's values of the large matrices: v visible, h hidden, x of the input.

        Raises IndexError if there is no such unit.
        """
        dissection = self.dissection
        shown = [dissection.phases[each.index].arrays for each in view_of(dissection.family).phases(dissection)]
        return {
            "phases": [packing.pack_unit(each, axis, index) for each in shown],
            "models": [packing.pack_unit(each, axis, index) for each in self._parameters()],
        }

    def _arrays(self, index: int) -> packing.Arrays:
        """Return the arrays of a phase, with those that the view of its family adds."""
        dissection = self.dissection
        return {**dissection.phases[index].arrays, **view_of(dissection.family).arrays(dissection, self.dataset, index)}

    def _parameters(self) -> list[packing.Arrays]:
        return [packing.parameters(model) for model in self.dissection.models]
