"""The frames of one training, beside pinned ones, and what a history keeps of them."""

from collections.abc import Mapping, Sequence

from boltzcore.figures.drawing import AXES
from boltzcore.figures.frame import Figures
from boltzcore.runs.engine import Run
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.training import progress_record
from pages.frames.encoder import FrameEncoder
from pages.live.broadcast import Broadcast, Drawn
from pages.live.history_frame import packed
from pages.live.run_frame import around, figures_back, frame_of, waits

LAST = 8  # updates of earlier frames that a frame lists: who has the others need not ask for them


class RunBroadcast(Broadcast):
    """Frames of a training, beside pinned ones."""

    def __init__(
        self, run: Run, pinned: Sequence[Run] = (), chosen: Mapping[str, str] | None = None, right: str = "columns"
    ) -> None:
        super().__init__(run, chosen, right)
        self.run, self._pinned = run, tuple(pinned)
        self.plain = not self._pinned and not self.chosen and right == kept_right(run)

    def _now(self) -> tuple[Snapshot, ...]:
        return tuple(run.snapshot for run in (self.run, *self._pinned))

    def _draw(self) -> Drawn:
        snapshot, recipe = self.run.snapshot, self.run.recipe
        beside = [(each.snapshot, each.recipe) for each in self._pinned]
        kept = self.run.frame_history.counts if self.right == "rows" else ()
        frame = frame_of(recipe, snapshot, beside, self.chosen)
        fields = {
            "run": self.run.id,
            "status": snapshot.status,
            "count": snapshot.state.count if snapshot.state else 0,
            "records": len(snapshot.records),
            "around": around(recipe, snapshot),
            "history": {"count": len(kept), "last": kept[-LAST:], "damage": self.run.frame_history.damage},
            "waits": waits(snapshot, frame.awaited),
        }
        return Drawn((snapshot, *(each for each, _ in beside)), frame, fields)

    def history_frame(self) -> tuple[int, bytes] | None:
        """(update, packed frame) of the newest frame; None where there is nothing to look back at."""
        shown = self.shown
        assert shown is None or isinstance(shown, Snapshot)
        return _history_frame(shown, self.encoder, self.figures)

    def first_history_frame(self) -> tuple[int, bytes] | None:
        """The same of the run's start, which may never have been a frame."""
        if (start := self.run.start) is None:
            return None
        encoder, frame = FrameEncoder(self.right), frame_of(self.run.recipe, start)
        encoder.take("", frame, {})
        return _history_frame(start, encoder, frame.figures)


def kept_right(run: Run) -> str:
    """Return how much of a run its history keeps on disk: of a private table no rows, which may be deleted."""
    return "samples" if run.recipe.private else "rows"


def _history_frame(snapshot: Snapshot | None, encoder: FrameEncoder, figures: Figures) -> tuple[int, bytes] | None:
    if snapshot is None or snapshot.state is None or snapshot.prepared is None:
        return None
    stands = progress_record(snapshot.prepared, snapshot.state)
    fields = {"count": stands.count, "at": {axis: where(stands) for axis, where in AXES.items()}}
    return stands.count, packed(encoder.history_frame(figures_back(figures), fields))
