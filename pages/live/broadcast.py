"""The frames of one run as one kind of viewer sees them: made once for all who watch."""

import gzip
import secrets
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from boltzcore.figures.drawing import AXES
from boltzcore.figures.frame import Choice, Figures
from boltzcore.runs.engine import Run
from boltzcore.runs.snapshot import Snapshot
from boltzcore.runs.training import progress_record
from pages.frames.encoder import FrameEncoder
from pages.live.history_frame import packed
from pages.live.run_frame import around, figures_back, frame_of, waits
from pages.web.encoding import json_text

LAST = 8  # updates of earlier frames that a frame lists: who has the others need not ask for them
_LEVEL = 1  # 6 takes three times as long for a tenth less
# A stream is one gzip body without an end. Each event is compressed on its own and ends on a whole byte, so that all
# who watch get the same bytes.
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def event(name: str, data: str) -> bytes:
    """A server-sent event, compressed, as a part of a stream that begins with `HEAD`."""
    packed = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packed.compress(f"event: {name}\ndata: {data}\n\n".encode()) + packed.flush(zlib.Z_SYNC_FLUSH)


@dataclass(frozen=True)
class Made:
    """What making a frame took, in seconds of its thread, and whether it shows another status than the one before."""

    seconds: float
    urgent: bool


class Broadcast:
    """Frames of a run, beside pinned ones, as somebody chose to see them.

    rows : whether who watches may see the rows of data that are somebody's own, and look back

    One thread at a time calls `make`, `since` and `body`; the others may be called from any.
    """

    def __init__(
        self, run: Run, pinned: Sequence[Run] = (), chosen: Mapping[str, str] | None = None, *, rows: bool = False
    ) -> None:
        self.run, self._pinned, self._chosen = run, tuple(pinned), chosen or {}
        self._rows = rows or not run.recipe.private
        self._encoder = FrameEncoder()
        self._born = secrets.token_hex(4)  # versions from before a restart of the server are none of this broadcast
        self._ready: tuple[str, dict[str, bytes]] = ("", {})  # the newest frame, as events for who has which version
        self._bodies: dict[str, bytes] = {}  # the same as bodies of single answers
        self._shown: tuple[Snapshot, ...] = ()  # what it was made of, the run's own first
        self._awaited: tuple[Future[Any], ...] = ()  # what it was made without
        self._makings, self._figures = 0, Figures()

    @property
    def stale(self) -> bool:
        """Whether the newest frame is not one of now."""
        if not self._shown or any(each.done() for each in self._awaited):
            return True
        return any(shown is not run.snapshot for shown, run in zip(self._shown, (self.run, *self._pinned), strict=True))

    @property
    def made(self) -> str:
        """The version of the newest frame, "" before the first."""
        return self._ready[0]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What the newest frame offers to choose."""
        return self._encoder.choices

    @property
    def chosen(self) -> Mapping[str, str]:
        """{name: value} of what was chosen."""
        return self._chosen

    @property
    def plain(self) -> bool:
        """Whether it shows what anybody sees who has chosen nothing: this is what a history is made of."""
        return not self._pinned and not self._chosen and self._rows != self.run.recipe.private

    @property
    def shown(self) -> Snapshot | None:
        """What the newest frame shows; None before the first."""
        return self._shown[0] if self._shown else None

    @property
    def urgent(self) -> bool:
        """Whether the newest frame shows another status than the run has: somebody has clicked, and waits."""
        return not self._shown or self._shown[0].status != self.run.snapshot.status

    def at_hand(self, have: str) -> tuple[str, bytes | None]:
        """(version of the newest frame, its event for who has this version where that is made already)."""
        version, events = self._ready
        return version, events.get(have)

    def make(self) -> Made:
        """Make the newest frame, and its event for who has the one before."""
        began, before, urgent = time.thread_time(), self.made, self.urgent
        snapshot, recipe = self.run.snapshot, self.run.recipe
        beside = [(each.snapshot, each.recipe) for each in self._pinned]
        shown = (snapshot, *(each for each, _ in beside))
        kept = self.run.frame_history.counts if self._rows else ()
        self._makings += 1  # what was awaited makes another frame of the same snapshots
        version = "-".join([self._born, *(str(each.version) for each in shown), str(self._makings)])
        fields = {
            "run": self.run.id,
            "status": snapshot.status,
            "count": snapshot.state.count if snapshot.state else 0,
            "records": len(snapshot.records),
            "around": around(recipe, snapshot),
            "history": {"count": len(kept), "last": kept[-LAST:], "damage": self.run.frame_history.damage},
        }
        frame = frame_of(recipe, snapshot, beside, self._chosen, rows=self._rows)
        fields["waits"] = waits(snapshot, frame.awaited)
        self._encoder.take(version, frame, fields)
        self._figures = frame.figures
        self._shown, self._awaited = shown, frame.awaited
        self._ready, self._bodies = (version, {before: event("frame", self._encoder.since(before))}), {}
        return Made(time.thread_time() - began, urgent)

    def history_frame(self) -> tuple[int, bytes] | None:
        """(update, packed frame) of the newest frame; None where there is nothing to look back at."""
        return _history_frame(self.shown, self._encoder, self._figures)

    def first_history_frame(self) -> tuple[int, bytes] | None:
        """The same of the run's start, which may never have been a frame."""
        if (start := self.run.start) is None:
            return None
        encoder, frame = FrameEncoder(), frame_of(self.run.recipe, start, rows=self._rows)
        encoder.take("", frame, {})
        return _history_frame(start, encoder, frame.figures)

    def since(self, have: str) -> tuple[str, bytes]:
        """(version of the newest frame, its event for who has this version)."""
        version, events = self._ready
        known = have if self._encoder.knows(have) else ""
        if known not in events:
            events[known] = event("frame", self._encoder.since(known))
        return version, events[known]

    def body(self, have: str) -> bytes:
        """The newest frame for who has this version, as gzipped JSON."""
        known = have if self._encoder.knows(have) else ""
        if known not in self._bodies:
            self._bodies[known] = gzip.compress(self._encoder.since(known).encode(), _LEVEL)
        return self._bodies[known]


def _history_frame(snapshot: Snapshot | None, encoder: FrameEncoder, figures: Figures) -> tuple[int, bytes] | None:
    if snapshot is None or snapshot.state is None or snapshot.prepared is None:
        return None
    stands = progress_record(snapshot.prepared, snapshot.state)
    fields = {"count": stands.count, "at": {axis: where(stands) for axis, where in AXES.items()}}
    return stands.count, packed(encoder.history_frame(figures_back(figures), fields))


def notice(name: str, sentence: str) -> bytes:
    """An event that says a sentence: "gone" why no frame comes any more, "failed" why none comes now."""
    return event(name, json_text(sentence))
