"""Which phases of a dissection are told one by one, and which fly past together."""

from collections.abc import Sequence
from dataclasses import dataclass

from boltzcore.learners.dissection import Dissection

LOOKS = 24  # at most, at phases that fly past
WORTH_A_LOOK = (0.25, 0.5, 0.8, 0.95, 0.99)  # shares of a descent


@dataclass(frozen=True)
class Shown:
    """A phase that is told; or several that fly past.

    index : of the phase, or of the last of those that fly past
    folded : indices of those, () for a phase that is told
    seen : indices of those of them that are worth a look on the way; all of them, where none are named
    led : whether these lead to the phase that is told
    """

    index: int
    folded: Sequence[int] = ()
    seen: Sequence[int] = ()
    led: bool = False

    @property
    def looks(self) -> list[int]:
        """Indices of the phases at which those that fly past are looked at, evenly spread."""
        seen = self.seen or self.folded
        few = min(LOOKS, len(seen))
        return [seen[round(k * (len(seen) - 1) / max(1, few - 1))] for k in range(few)]


def paced(dissection: Dissection, kind: str, values: Sequence[float]) -> list[Shown]:
    """The phases of a kind that go along a descent or an ascent: those at which it has come so far that it is worth a
    look are told, from the first to the last, and on the way to each the others fly past.

    values : of what is made small or large, in each of them
    """
    places = [i for i, phase in enumerate(dissection.phases) if phase.kind == kind]
    whole = values[-1] - values[0] or 1.0
    far = [(each - values[0]) / whole for each in values]
    stops = {next((k for k, share in enumerate(far) if share >= part), 0) for part in WORTH_A_LOOK}
    shown, before = [], -1
    for stop in sorted({0, *stops, len(places) - 1}):
        way = places[before + 1 : stop + 1]
        shown.append(Shown(way[-1], way if len(way) > 1 else (), led=True))
        before = stop
    return shown


def fold(dissection: Dissection, kinds: Sequence[str], most: int, ends: int) -> list[Shown]:
    """All phases; of more than `most` of these kinds in a row all but the first and the last `ends` fly past."""
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
