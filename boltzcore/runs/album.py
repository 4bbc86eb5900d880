"""The album of a run: looks back at it, each as bytes, in one file beside its checkpoints.

The file is `MAGIC`, how often the album was thinned, and then look after look: the update it is of, its length and its
checksum, and its bytes. A look is written when it is taken, so that looks outlive a crash, too.
"""

import os
import stat
import struct
import threading
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from boltzcore.runs.checkpoint import replacing

MAGIC = b"boltzmann lab, looks 1\n"
LARGEST = 20_000_000  # bytes of an album
LARGEST_LOOK = 2_000_000
MOST = 400  # looks, and so many places of a slider
EVERY = 0.25  # seconds between two looks of an album that was never thinned
_THINNED, _HEAD = struct.Struct("<I"), struct.Struct("<QII")
_BEGIN = len(MAGIC) + _THINNED.size
_MOST_THINNED = 20


@dataclass(frozen=True)
class _Look:
    """Where a look lies in the file: its bytes begin at `at`."""

    count: int
    at: int
    length: int
    checksum: int

    @property
    def end(self) -> int:
        return self.at + self.length


class Album:
    """Looks at one run, each of another update, the earliest first. Any thread may call.

    Once it is full every second look goes, and from then on looks are taken half as often: they stay spread evenly over
    what was seen, and the first one stays. The file is read when it is first needed. Of a damaged one the looks before
    the damage are used, and the others are written over by the next look.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()
        self._looks: list[_Look] | None = None  # None until the file was read
        self._thinned, self._damage = 0, ""
        self._counts: tuple[int, ...] | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """The updates that there are looks of, rising. Waits for nobody who writes, once the file was read."""
        if (counts := self._counts) is None:
            with self._lock:
                counts = self._counts = tuple(look.count for look in self._known())
        return counts

    @property
    def damage(self) -> str:
        """Empty, or a sentence on what of it could not be read."""
        _ = self.counts  # it is known once the file was read
        return self._damage

    @property
    def every(self) -> float:
        """Seconds that shall lie between two looks."""
        with self._lock:
            self._known()
            return EVERY * 2.0**self._thinned

    def look(self, count: int) -> bytes | None:
        """The look at this update; None where there is none, or it is not what was written."""
        with self._lock:
            found = next((each for each in self._known() if each.count == count), None)
            return None if found is None else self._bytes(found)

    def add(self, count: int, look: bytes) -> None:
        """Keep a look at this update. Those of this and of later updates go: the training was set back, or another look
        was had. Nothing is kept of a run that is not on disk. Raises OSError where it cannot be written.
        """
        if not self._file.parent.is_dir() or len(look) > LARGEST_LOOK:
            return
        with self._lock:
            looks = [each for each in self._known() if each.count < count]
            at = (looks[-1].end if looks else _BEGIN) + _HEAD.size
            new = _Look(count, at, len(look), zlib.crc32(look))
            try:
                if looks:
                    with open(self._file, "r+b") as stream:
                        stream.seek(looks[-1].end)
                        _put(stream, new, look)
                        stream.truncate()
                else:  # whatever lies there, no file perhaps
                    with replacing(self._file) as stream:
                        stream.write(MAGIC + _THINNED.pack(self._thinned))
                        _put(stream, new, look)
                self._looks = [*looks, new]
                if new.end > LARGEST or len(self._looks) > MOST:
                    self._thin()
                self._counts = tuple(each.count for each in self._looks)
            except OSError:
                if looks:  # what was begun to be written is no damage
                    with suppress(OSError):
                        os.truncate(self._file, looks[-1].end)
                self._looks = self._counts = None  # as far as it was written, the file tells
                raise

    # -- under the lock ---------------------------------------------------------------------------------

    def _known(self) -> list[_Look]:
        if self._looks is None:
            self._looks, self._thinned, self._damage = _read(self._file)
        return self._looks

    def _bytes(self, look: _Look) -> bytes | None:
        try:
            with open(self._file, "rb") as stream:
                stream.seek(look.at)
                found = stream.read(look.length)
        except OSError:
            return None
        return found if zlib.crc32(found) == look.checksum else None

    def _thin(self) -> None:
        """Let every second look go, all of those that cannot be read, and the last for none."""
        thinned, kept, at = self._thinned + 1, list[_Look](), _BEGIN
        with replacing(self._file) as stream:
            stream.write(MAGIC + _THINNED.pack(thinned))
            for look in self._known()[::2]:
                if (found := self._bytes(look)) is not None:
                    at += _HEAD.size
                    kept.append(_Look(look.count, at, look.length, look.checksum))
                    _put(stream, kept[-1], found)
                    at += look.length
        self._looks, self._thinned = kept, thinned


def _put(stream: BinaryIO, look: _Look, found: bytes) -> None:
    stream.write(_HEAD.pack(look.count, look.length, look.checksum) + found)


def _read(file: Path) -> tuple[list[_Look], int, str]:
    """(the looks in a file as far as they are whole, how often they were thinned, "" or what is damaged)."""
    lost = f"{file.name} is damaged, so that the past looks of this training cannot be shown; new ones are kept."
    try:
        kind = file.lstat()
        if not stat.S_ISREG(kind.st_mode) or kind.st_size > LARGEST + LARGEST_LOOK + _BEGIN:
            return [], 0, lost
        content = file.read_bytes()
    except FileNotFoundError:
        return [], 0, ""
    except OSError:
        return [], 0, lost
    if not content.startswith(MAGIC) or len(content) < _BEGIN:
        return [], 0, lost
    (thinned,) = _THINNED.unpack_from(content, len(MAGIC))
    if thinned > _MOST_THINNED:
        return [], 0, lost
    looks, at = list[_Look](), _BEGIN
    while at < len(content):
        if len(content) - at < _HEAD.size:
            break
        count, length, checksum = _HEAD.unpack_from(content, at)
        look = _Look(count, at + _HEAD.size, length, checksum)
        risen = not looks or count > looks[-1].count
        if not risen or look.end > len(content) or zlib.crc32(content[look.at : look.end]) != checksum:
            break
        looks.append(look)
        at = look.end
    if at == len(content):
        return looks, thinned, ""
    if not looks:
        return [], thinned, lost
    later = f"{file.name} is damaged: the looks at this training after update {looks[-1].count:,} are lost."
    return looks, thinned, later
