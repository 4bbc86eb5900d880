"""What may be chosen of the frames of each run: only that makes a broadcast of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from boltzcore.runs.engine import Run
from pages.live.broadcast import Broadcast


@dataclass(frozen=True)
class _Offer:
    """The values of a choice, and the one that is drawn where nobody chooses; None where that was not seen yet."""

    values: frozenset[str]
    default: str | None


class Offers:
    """The choices that the newest frames of each run have offered."""

    def __init__(self) -> None:
        self._of = WeakKeyDictionary[Run, dict[str, _Offer]]()

    def take(self, broadcast: Broadcast) -> None:
        """Note what the newest frame of a broadcast offers."""
        there = self._of.setdefault(broadcast.run, {})
        for each in broadcast.choices:
            before = there.get(each.name)
            known = before.default if before else None
            default = known if each.name in broadcast.chosen else each.value
            there[each.name] = _Offer(frozenset(each.options), default)

    def known(self, run: Run) -> bool:
        """Whether a frame of the run was made yet."""
        return run in self._of

    def of(self, run: Run, chosen: Mapping[str, str]) -> dict[str, str]:
        """What of the chosen values the run offers, but for those that are drawn anyhow."""
        there = self._of.get(run, {})
        return {
            name: value
            for name, value in chosen.items()
            if name in there and value in there[name].values and value != there[name].default
        }
