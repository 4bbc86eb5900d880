"""The frames of one training, beside pinned ones."""

from collections.abc import Mapping, Sequence

from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.plotting.drawing import AXES
from boltzcore.training.loop import progress_record
from pages.stream.broadcast import Broadcast, Drawn
from pages.stream.run_frame import around, frame_of, waits


class RunBroadcast(Broadcast):
    """Frames of a training, beside pinned ones."""

    def __init__(
        self, run: Run, pinned: Sequence[Run] = (), chosen: Mapping[str, str] | None = None, right: str = "columns"
    ) -> None:
        super().__init__(run, chosen, right)
        self.run, self._pinned = run, tuple(pinned)

    def _now(self) -> tuple[Snapshot, ...]:
        return tuple(run.snapshot for run in (self.run, *self._pinned))

    def _draw(self) -> Drawn:
        snapshot, recipe = self.run.snapshot, self.run.recipe
        beside = [(each.snapshot, each.recipe) for each in self._pinned]
        frame = frame_of(recipe, snapshot, beside, self.chosen)
        fields = {
            "run": self.run.id,
            "status": snapshot.status,
            "count": snapshot.state.count if snapshot.state else 0,
            "records": len(snapshot.records),
            "around": around(recipe, snapshot),
            "at": _at(snapshot),
            "waits": waits(snapshot, frame.awaited),
        }
        return Drawn((snapshot, *(each for each, _ in beside)), frame, fields)


def _at(snapshot: Snapshot) -> dict[str, float] | None:
    """Return the place of a snapshot on each axis of the curves; None before there is a model."""
    if snapshot.state is None or snapshot.prepared is None:
        return None
    stands = progress_record(snapshot.prepared, snapshot.state)
    return {axis: where(stands) for axis, where in AXES.items()}
