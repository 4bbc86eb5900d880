"""The frames of what is watched as one kind of viewer sees them: made once for all who watch."""

import gzip
import secrets
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from pages.figures.frame import Frame
from pages.stream.encoder import FrameEncoder
from pages.web.encoding import json_text

_LEVEL = 1  # 6 takes three times as long for a tenth less
# A stream is one gzip body without an end. Each event is compressed on its own and ends on a whole byte, so that all
# who watch get the same bytes.
HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def event(name: str, data: str) -> bytes:
    """A server-sent event, compressed, as a part of a stream that begins with `HEAD`."""
    packed = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packed.compress(f"event: {name}\ndata: {data}\n\n".encode()) + packed.flush(zlib.Z_SYNC_FLUSH)


class Snapshot(Protocol):
    """What a subject was at one moment: never changed, only replaced."""

    @property
    def status(self) -> str: ...
    @property
    def version(self) -> int: ...


class Subject(Protocol):
    """What may be watched: a training, or a race."""

    id: str

    @property
    def snapshot(self) -> Snapshot: ...
    @property
    def deleted(self) -> bool: ...

    def touch(self) -> None:
        """Somebody watches."""
        ...


@dataclass(frozen=True)
class Drawn:
    """A frame of a subject.

    snapshots : what it was made of, the subject's own first
    fields : its further fields, as JSON holds them
    """

    snapshots: tuple[Snapshot, ...]
    frame: Frame
    fields: Mapping[str, Any]


class Broadcast(ABC):
    """Frames of a subject as somebody chose to see them.

    right : how much they who see it may see

    One thread at a time calls `make`, `since` and `body`; the others may be called from any.
    """

    def __init__(self, subject: Subject, chosen: Mapping[str, str] | None = None, right: str = "columns") -> None:
        self.subject, self.chosen, self.right = subject, chosen or {}, right
        self.encoder = FrameEncoder(right)
        self._born = secrets.token_hex(4)  # versions from before a restart of the server are none of this broadcast
        self._ready: tuple[str, dict[str, bytes]] = ("", {})  # the newest frame, as events for who has which version
        self._bodies: dict[str, bytes] = {}  # the same as bodies of single answers
        self._shown: tuple[Snapshot, ...] = ()  # what it was made of, the subject's own first
        self._awaited: tuple[Future[Any], ...] = ()  # what it was made without
        self._makings = 0

    @abstractmethod
    def _draw(self) -> Drawn:
        """The frame of now."""

    @abstractmethod
    def _now(self) -> tuple[Snapshot, ...]:
        """What a frame of now would be made of."""

    @property
    def stale(self) -> bool:
        """Whether the newest frame is not one of now."""
        if not self._shown or any(each.done() for each in self._awaited):
            return True
        return any(shown is not now for shown, now in zip(self._shown, self._now(), strict=True))

    @property
    def made(self) -> str:
        """The version of the newest frame, "" before the first."""
        return self._ready[0]

    @property
    def urgent(self) -> bool:
        """Whether the newest frame shows another status than the subject has: somebody has clicked, and waits."""
        return not self._shown or self._shown[0].status != self.subject.snapshot.status

    def at_hand(self, have: str) -> tuple[str, bytes | None]:
        """(version of the newest frame, its event for who has this version where that is made already)."""
        version, events = self._ready
        return version, events.get(have)

    def make(self) -> bool:
        """Make the newest frame, and its event for viewers with the frame before. Return whether it was urgent."""
        before, urgent = self.made, self.urgent
        drawn = self._draw()
        self._makings += 1  # what was awaited makes another frame of the same snapshots
        version = "-".join([self._born, *(str(each.version) for each in drawn.snapshots), str(self._makings)])
        self.encoder.take(version, drawn.frame, drawn.fields)
        self._shown, self._awaited = drawn.snapshots, drawn.frame.awaited
        self._ready, self._bodies = (version, {before: event("frame", self.encoder.since(before))}), {}
        return urgent

    def since(self, have: str) -> tuple[str, bytes]:
        """(version of the newest frame, its event for who has this version)."""
        version, events = self._ready
        known = have if self.encoder.knows(have) else ""
        if known not in events:
            events[known] = event("frame", self.encoder.since(known))
        return version, events[known]

    def body(self, have: str) -> bytes:
        """The newest frame for who has this version, as gzipped JSON."""
        known = have if self.encoder.knows(have) else ""
        if known not in self._bodies:
            self._bodies[known] = gzip.compress(self.encoder.since(known).encode(), _LEVEL)
        return self._bodies[known]


def notice(name: str, sentence: str) -> bytes:
    """An event that says a sentence: "gone" why no frame comes any more, "failed" why none comes now."""
    return event(name, json_text(sentence))
