"""The frames of a race as one kind of viewer sees them."""

from collections.abc import Mapping

from boltzcore.jobs.race import Race, RaceSnapshot
from pages.race.frame import frame_of_race, waits_of
from pages.stream.broadcast import Broadcast, Drawn


def around(snapshot: RaceSnapshot) -> str:
    """What the page draws around the frames; where it becomes another, its script has to run."""
    return f"{snapshot.status} {snapshot.result is not None} {snapshot.reason}"


class RaceBroadcast(Broadcast):
    """Frames of a race.

    hidden : for who has not predicted the winner yet
    against : the contender that the others are compared with; None for the first
    """

    def __init__(
        self, race: Race, chosen: Mapping[str, str] | None = None, *, hidden: bool = False, against: str | None = None
    ) -> None:
        super().__init__(race, chosen, "rows")  # of a private table the whole race is its owner's
        self._race, self._hidden, self._against = race, hidden, against

    def _now(self) -> tuple[RaceSnapshot, ...]:
        return (self._race.snapshot,)

    def _draw(self) -> Drawn:
        snapshot = self._race.snapshot
        frame = frame_of_race(snapshot, hidden=self._hidden, against=self._against)
        fields = {
            "run": self._race.id,
            "status": snapshot.status,
            "count": round(1000 * snapshot.share),
            "records": 0,
            "around": around(snapshot),
            "history": None,
            "waits": waits_of(snapshot, self._race.comparison),
        }
        return Drawn((snapshot,), frame, fields)
