"""A folder of files shared by several threads and processes: files are replaced completely, and locked by name."""

import math
import os
import shutil
import time
from collections.abc import Collection
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from boltzcore.home import lock_file, make_folder, replace_file, sweep

ROOM = 0.95  # share of the largest size down to which files are removed
_DELETED = ".deleted-"  # prefix of the name of a file or a folder during its removal


class FileStore:
    """Files in a folder and its subfolders, named relative to it. Any number of threads and processes may use it.

    Partial files of killed processes are removed when they are old; interrupted deletions are completed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = make_folder(folder)
        self.sweep()
        for gone in folder.glob(f"{_DELETED}*"):
            _remove(gone)

    def sweep(self) -> None:
        """Remove partial files of killed processes."""
        sweep(self.folder, "**/.*.*")

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Return a lock of a name against all other threads and processes."""
        return lock_file(self.folder / f".lock-{Path(name).name[0]}")

    def names(self, pattern: str) -> list[str]:
        """Return the names that match a pattern, without hidden files."""
        found = (each for each in sorted(self.folder.glob(pattern)) if not each.name.startswith("."))
        return [each.relative_to(self.folder).as_posix() for each in found]

    def read(self, name: str, most: int = -1, *, used: bool = False) -> bytes:
        """Return the content of a file, up to `most` bytes. Raises OSError.

        used : True if `make_room` should count it as used now
        """
        if used:
            with suppress(OSError):
                os.utime(self.folder / name)
        with (self.folder / name).open("rb") as stream:
            return stream.read(most)

    def write(self, name: str, content: bytes) -> None:
        """Write or replace a file, completely or not at all. Raises OSError."""
        make_folder((self.folder / name).parent)
        with replace_file(self.folder / name) as stream:
            stream.write(content)

    def delete(self, name: str) -> None:
        """Remove a file, or a folder with its content; ignored if there is none. Raises OSError."""
        place = self.folder / name
        gone = self.folder / f"{_DELETED}{time.time_ns()}-{place.name}"
        with suppress(FileNotFoundError):
            place.rename(gone)  # from here on it cannot come back, even after a crash
            _remove(gone)

    def make_room(
        self, pattern: str, *, files: float = math.inf, bytes: float = math.inf, but: Collection[str] = ()
    ) -> int:
        """Remove the least recently used files, except those in `but`, while there are more than `files` or they take
        more than `bytes`; return the bytes of the others.
        """
        found = []
        for name in self.names(pattern):
            with suppress(OSError):  # another process has removed it
                status = (self.folder / name).stat()
                found.append((status.st_mtime, status.st_size, name))
        size, count = sum(size for _, size, _ in found), len(found)
        bytes *= ROOM if size > bytes else 1
        for _, taken, name in sorted(found):
            if (size > bytes or count > files) and name not in but:
                with suppress(OSError):
                    self.delete(name)
                size, count = size - taken, count - 1
        return size


def _remove(place: Path) -> None:
    with suppress(OSError):
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink()
