"""What may be chosen of the frames of what is watched: only that makes a broadcast of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from pages.live.broadcast import Broadcast, Subject


@dataclass(frozen=True)
class _Offer:
    """The values of a choice, and the one that is drawn where nobody chooses; None where that was not seen yet."""

    values: frozenset[str]
    default: str | None


class Offers:
    """The choices that the newest frames of each subject have offered."""

    def __init__(self) -> None:
        self._of = WeakKeyDictionary[Subject, dict[str, _Offer]]()

    def take(self, broadcast: Broadcast) -> None:
        """Note what the newest frame of a broadcast offers."""
        there = self._of.setdefault(broadcast.subject, {})
        for each in broadcast.choices:
            before = there.get(each.name)
            known = before.default if before else None
            default = known if each.name in broadcast.chosen else each.value
            there[each.name] = _Offer(frozenset(each.options), default)

    def known(self, subject: Subject) -> bool:
        """Whether a frame of the subject was made yet."""
        return subject in self._of

    def of(self, subject: Subject, chosen: Mapping[str, str]) -> dict[str, str]:
        """What of the chosen values the subject offers, but for those that are drawn anyhow."""
        there = self._of.get(subject, {})
        return {
            name: value
            for name, value in chosen.items()
            if name in there and value in there[name].values and value != there[name].default
        }
