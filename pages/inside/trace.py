"""An update that was taken apart, as a browser gets it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from boltzcore.data import Dataset
from boltzcore.figures import packing, reading
from boltzcore.learners.base import Learner
from boltzcore.learners.dissection import FAMILIES as EQUATIONS
from boltzcore.learners.dissection import Dissection, Phase
from pages.inside.families import ARRAYS, FAMILIES, WORDS


@dataclass(frozen=True, eq=False)
class Trace:
    """One update with what surrounds it.

    learner, dataset : what learns, and from what
    count : updates before it
    mark : of the State and the learner that it is of, and of no others
    """

    dissection: Dissection
    learner: Learner
    dataset: Dataset
    count: int
    mark: str = ""

    @cached_property
    def bytes(self) -> int:
        """How many it holds."""
        return packing.size((*(each.arrays for each in self.dissection.phases), *self._parameters()))

    def head(self) -> dict[str, Any]:
        """All but the large matrices, ready for JSON."""
        told, dataset, family = self.dissection, self.dataset, FAMILIES[self.dissection.family]
        phases = []
        for shown in family.told(told):
            phase, words = told.phases[shown.index], family.sentence(told, self.learner, shown.index)
            if shown.folded and not shown.led:
                words = f"{len(shown.folded)} phases fly past. The last of them: {words[:1].lower()}{words[1:]}"
            phases.append(
                {
                    "kind": phase.kind,
                    "at": phase.at,
                    "words": words,
                    "equation": EQUATIONS[told.family][phase.kind],
                    "arrays": packing.whole(self._arrays(shown.index)),
                    "folded": len(shown.folded),
                    "looks": [_look(told.phases[k]) for k in shown.looks],
                    **(WORDS[told.family](told, dataset, shown.index) if told.family in WORDS else {}),
                }
            )
        return {
            "family": told.family,
            "learner": reading.short(self.learner),
            "values": self.learner.values(),
            "count": self.count,
            "row": told.row,
            "rows": told.rows,
            "mark": self.mark,
            "shape": dataset.shape,
            "names": None if dataset.names is None else dataset.names.columns,
            "phases": phases,
            "models": [packing.whole(each) for each in self._parameters()],
        }

    def unit(self, axis: str, index: int) -> dict[str, Any]:
        """Of the large matrices what belongs to one unit: v visible, h hidden, x of the input. All of a phase: p.

        Raises IndexError where there is no such unit, or phase.
        """
        told = self.dissection
        if axis == "p":
            if not 0 <= index < len(told.phases):
                raise IndexError(index)
            return {"phases": [packing.whole(self._arrays(index))], "models": []}
        shown = [told.phases[each.index].arrays for each in FAMILIES[told.family].told(told)]
        return {
            "phases": [packing.of_unit(each, axis, index) for each in shown],
            "models": [packing.of_unit(each, axis, index) for each in self._parameters()],
        }

    def _arrays(self, index: int) -> packing.Arrays:
        """Those of a phase, and what its family tells besides."""
        told = self.dissection
        further = ARRAYS[told.family](told, self.dataset, index) if told.family in ARRAYS else {}
        return {**told.phases[index].arrays, **further}

    def _parameters(self) -> list[packing.Arrays]:
        return [packing.parameters(model) for model in self.dissection.models]


def _look(phase: Phase) -> dict[str, Any]:
    return {"kind": phase.kind, "arrays": packing.whole(phase.arrays)}
