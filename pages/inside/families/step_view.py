"""Texts of a family's steps, and the choice of the phases that are shown one by one or folded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boltzcore.data import Dataset
from boltzcore.reference.trace import UpdateTrace

KEYFRAMES = 24  # at most, of folded phases

DATA = "Data: an example sets the pixels, and each hidden unit adds up its weights to those that are on."
OPTIONS = "The options of the step, such as momentum and weight decay, change the difference before the weights move."


@dataclass(frozen=True)
class Shown:
    """A phase that is shown; or several folded ones, which fly past.

    index : of the phase, or of the last folded one
    folded : indices of those, () for a phase that is shown alone
    seen : indices of the folded phases that may be drawn; all of them if none are named
    """

    index: int
    folded: Sequence[int] = ()
    seen: Sequence[int] = ()

    @property
    def keyframes(self) -> list[int]:
        """Indices of the folded phases that are drawn, evenly spread."""
        seen = self.seen or self.folded
        few = min(KEYFRAMES, len(seen))
        return [seen[round(k * (len(seen) - 1) / max(1, few - 1))] for k in range(few)]


@dataclass(frozen=True)
class StepView:
    """Description of a family's steps, shown next to their numbers.

    phases : the phases of a dissection as they are shown, in order
    sentence : description of the phase with an index
    arrays, words : additions to a phase: arrays that are computed on request, and words; of these
        the general drawing uses `about`, a title, `names` of what its arrays list, and `pairs` of these
    panels : {array, or kind.array: (title, form)} that the general drawing (`arrays.js`) shows, in order; {} for a
        drawing of its own
    """

    phases: Callable[[UpdateTrace], Sequence[Shown]]
    sentence: Callable[[UpdateTrace, Any, int], str]
    arrays: Callable[[UpdateTrace, Dataset, int], Mapping[str, Any]] = lambda *_: {}
    words: Callable[[UpdateTrace, Dataset, int], Mapping[str, Any]] = lambda *_: {}
    panels: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def column_name(dataset: Dataset, i: int) -> str:
    """Return the name of a column, or its place in the picture."""
    if dataset.names is not None:
        return str(dataset.names.columns[i])
    return f"row {i // dataset.shape[1] + 1}, column {i % dataset.shape[1] + 1}" if dataset.shape else f"v{i + 1}"


def fold(dissection: UpdateTrace, kinds: Sequence[str] = (), most: int = 0, ends: int = 0) -> list[Shown]:
    """Return all phases; of more than `most` of these kinds in a row all but the first and last `ends` are folded."""
    shown: list[Shown] = []
    row: list[int] = []
    for i, phase in enumerate([*dissection.phases, None]):
        if phase is not None and phase.kind in kinds:
            row.append(i)
            continue
        if len(row) > most:
            first, middle, last = row[:ends], row[ends:-ends], row[-ends:]
            shown += [*map(Shown, first), Shown(middle[-1], middle), *map(Shown, last)]
        else:
            shown += map(Shown, row)
        row = []
        if phase is not None:
            shown.append(Shown(i))
    return shown
