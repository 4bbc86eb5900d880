"""An update that was taken apart, as a browser gets it: small arrays whole, of large ones what is asked for."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data import Dataset
from boltzcore.figures import reading
from boltzcore.learners.base import Learner
from boltzcore.learners.dissection import FAMILIES as EQUATIONS
from boltzcore.learners.dissection import Dissection
from pages.inside.families import FAMILIES

WHOLE = 4_096  # numbers of a matrix that travels whole
PRECISE = 256  # numbers of an array that travels in double precision, where it has it
AXES = {"W": "vh", "vx": "vx", "hx": "hx"}  # the units along the axes of matrices, by the last part of their name

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Trace:
    """One update with what surrounds it.

    learner, dataset : what learns, and from what
    count : updates before it
    """

    dissection: Dissection
    learner: Learner
    dataset: Dataset
    count: int

    @property
    def numbers(self) -> int:
        """How many numbers it holds."""
        told = self.dissection
        held = [*(phase.arrays for phase in told.phases), *map(_parameters, told.models)]
        return sum({id(each): each.size for arrays in held for each in arrays.values()}.values())

    def head(self) -> dict[str, Any]:
        """All but the large matrices, ready for JSON; of those the largest number, so that scales are known."""
        told, dataset, family = self.dissection, self.dataset, FAMILIES[self.dissection.family]
        phases = []
        for shown in family.told(told):
            phase = told.phases[shown.index]
            phases.append(
                {
                    "kind": phase.kind,
                    "at": phase.at,
                    "words": family.sentence(told, self.learner, shown.index),
                    "equation": EQUATIONS[told.family][phase.kind],
                    "arrays": _whole(phase.arrays),
                    "folded": len(shown.folded),
                    "looks": [_whole(told.phases[k].arrays) for k in shown.looks],
                }
            )
        return {
            "family": told.family,
            "learner": reading.short(self.learner),
            "values": self.learner.values(),
            "count": self.count,
            "row": told.row,
            "shape": dataset.shape,
            "names": None if dataset.names is None else list(dataset.names.columns),
            "phases": phases,
            "models": [_whole(_parameters(model)) for model in told.models],
        }

    def unit(self, axis: str, index: int) -> dict[str, Any]:
        """Of the large matrices what belongs to one unit: v visible, h hidden, x of the input.

        Raises IndexError where there is no such unit.
        """
        told = self.dissection
        shown = [told.phases[each.index] for each in FAMILIES[told.family].told(told)]
        return {
            "phases": [_of_unit(phase.arrays, axis, index) for phase in shown],
            "models": [_of_unit(_parameters(model), axis, index) for model in told.models],
        }


def _parameters(model: Any) -> Arrays:
    return {name: getattr(model, name) for name in model.ARRAYS}


def _whole(arrays: Arrays) -> dict[str, Any]:
    return {name: _packed(each) | _scale(name, each) for name, each in arrays.items() if not _large(name, each)} | {
        name: {"shape": each.shape} | _scale(name, each) for name, each in arrays.items() if _large(name, each)
    }


def _of_unit(arrays: Arrays, axis: str, index: int) -> dict[str, Any]:
    """What belongs to a unit of the large ones that have it along an axis."""
    found = {}
    for name, each in arrays.items():
        along = AXES.get(name.split("_")[-1], "")
        if axis in along and _large(name, each):
            if index < 0:
                raise IndexError(index)
            found[name] = _packed(each.take(index, along.index(axis)))
    return found


def _large(name: str, array: NDArray[Any]) -> bool:
    return name.split("_")[-1] in AXES and array.ndim == 2 and array.size > WHOLE


def _scale(name: str, array: NDArray[Any]) -> dict[str, float]:
    return {"most": float(np.abs(np.nan_to_num(array)).max(initial=0.0))} if array.ndim == 2 else {}


def _packed(array: NDArray[Any]) -> dict[str, Any]:
    """{"shape", "type", "bytes"}: little-endian, base64."""
    kind = "u1" if array.dtype.kind in "bu" and array.itemsize == 1 else "i4" if array.dtype.kind in "iub" else "f4"
    if array.dtype == np.float64 and array.size <= PRECISE:
        kind = "f8"
    data = np.ascontiguousarray(array).astype(f"<{kind}").tobytes()
    return {"shape": array.shape, "type": kind, "bytes": base64.b64encode(data).decode()}
