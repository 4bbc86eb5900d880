"""The history of a run: frames of earlier updates, each as bytes, in one file beside its checkpoints.

The file is `MAGIC`, how often the history was thinned, and then frame after frame: its update, its length and its
checksum, and its bytes. A frame is written when it is added, so that the history outlives a crash.
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

from boltzcore.home import replacing

MAGIC = b"boltzmann lab, looks 1\n"
LARGEST = 20_000_000  # bytes of the file
LARGEST_FRAME = 2_000_000
MOST = 400  # frames, and so many places of a slider
EVERY = 0.25  # seconds between two frames of a history that was never thinned
_THINNED, _HEAD = struct.Struct("<I"), struct.Struct("<QII")
_BEGIN = len(MAGIC) + _THINNED.size
_MOST_THINNED = 20


@dataclass(frozen=True)
class _Entry:
    """The place of a frame in the file: its bytes begin at `at`."""

    count: int
    at: int
    length: int
    checksum: int

    @property
    def end(self) -> int:
        return self.at + self.length


class FrameHistory:
    """Frames of one run, each of another update, the earliest first. Any thread may call.

    Once it is full every second frame is removed, and from then on frames are added half as often: they stay spread
    evenly over the training, and the first one stays. The file is read when it is first needed. Of a damaged one the
    frames before the damage are used, and the next frame overwrites the others.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()
        self._entries: list[_Entry] | None = None  # None until the file was read
        self._thinned, self._damage = 0, ""
        self._counts: tuple[int, ...] | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """The updates that there are frames of, rising. Does not wait for a writer once the file was read."""
        if (counts := self._counts) is None:
            with self._lock:
                counts = self._counts = tuple(each.count for each in self._known())
        return counts

    @property
    def damage(self) -> str:
        """Empty, or a sentence on what of the file could not be read."""
        _ = self.counts  # it is known once the file was read
        return self._damage

    @property
    def every(self) -> float:
        """Seconds that shall lie between two frames."""
        with self._lock:
            self._known()
            return EVERY * 2.0**self._thinned

    def frame(self, count: int) -> bytes | None:
        """The frame of this update; None where there is none, or where it is not what was written."""
        with self._lock:
            found = next((each for each in self._known() if each.count == count), None)
            return None if found is None else self._bytes(found)

    def add(self, count: int, frame: bytes) -> None:
        """Add the frame of this update. Frames of this and of later updates are removed: the training was set back, or
        the update is shown otherwise. Nothing is kept of a run that is not on disk, and no frame that is too large.
        Raises OSError where it cannot be written.
        """
        if not self._file.parent.is_dir() or len(frame) > LARGEST_FRAME:
            return
        with self._lock:
            entries = [each for each in self._known() if each.count < count]
            at = (entries[-1].end if entries else _BEGIN) + _HEAD.size
            new = _Entry(count, at, len(frame), zlib.crc32(frame))
            try:
                if entries:
                    with open(self._file, "r+b") as stream:
                        stream.seek(entries[-1].end)
                        _put(stream, new, frame)
                        stream.truncate()
                else:  # whatever lies there, no file perhaps
                    with replacing(self._file) as stream:
                        stream.write(MAGIC + _THINNED.pack(self._thinned))
                        _put(stream, new, frame)
                self._entries = [*entries, new]
                if new.end > LARGEST or len(self._entries) > MOST:
                    self._thin()
                self._counts = tuple(each.count for each in self._entries)
            except OSError:
                if entries:  # what was begun to be written is no damage
                    with suppress(OSError):
                        os.truncate(self._file, entries[-1].end)
                self._entries = self._counts = None  # the file is read again as far as it was written
                raise

    # -- under the lock ---------------------------------------------------------------------------------

    def _known(self) -> list[_Entry]:
        if self._entries is None:
            self._entries, self._thinned, self._damage = _read(self._file)
        return self._entries

    def _bytes(self, entry: _Entry) -> bytes | None:
        try:
            with open(self._file, "rb") as stream:
                stream.seek(entry.at)
                found = stream.read(entry.length)
        except OSError:
            return None
        return found if zlib.crc32(found) == entry.checksum else None

    def _thin(self) -> None:
        """Remove every second frame, and each that cannot be read."""
        thinned, kept, at = self._thinned + 1, list[_Entry](), _BEGIN
        with replacing(self._file) as stream:
            stream.write(MAGIC + _THINNED.pack(thinned))
            for entry in self._known()[::2]:
                if (found := self._bytes(entry)) is not None:
                    at += _HEAD.size
                    kept.append(_Entry(entry.count, at, entry.length, entry.checksum))
                    _put(stream, kept[-1], found)
                    at += entry.length
        self._entries, self._thinned = kept, thinned


def _put(stream: BinaryIO, entry: _Entry, found: bytes) -> None:
    stream.write(_HEAD.pack(entry.count, entry.length, entry.checksum) + found)


def _read(file: Path) -> tuple[list[_Entry], int, str]:
    """(the entries of a file as far as they are whole, how often they were thinned, "" or what is damaged)."""
    lost = f"{file.name} is damaged, so that earlier moments of this training cannot be shown; new ones are kept."
    try:
        kind = file.lstat()
        if not stat.S_ISREG(kind.st_mode) or kind.st_size > LARGEST + LARGEST_FRAME + _BEGIN:
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
    entries, at = list[_Entry](), _BEGIN
    while at < len(content):
        if len(content) - at < _HEAD.size:
            break
        count, length, checksum = _HEAD.unpack_from(content, at)
        entry = _Entry(count, at + _HEAD.size, length, checksum)
        risen = not entries or count > entries[-1].count
        if not risen or entry.end > len(content) or zlib.crc32(content[entry.at : entry.end]) != checksum:
            break
        entries.append(entry)
        at = entry.end
    if at == len(content):
        return entries, thinned, ""
    if not entries:
        return [], thinned, lost
    lost_after = f"{file.name} is damaged: the moments of this training after update {entries[-1].count:,} are lost."
    return entries, thinned, lost_after
