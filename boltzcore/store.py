"""A folder of files that several threads and processes share: every file is replaced whole, and locked by its name."""

import math
import os
import shutil
import time
from collections.abc import Collection
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from boltzcore.home import locked, make_folder, replacing, sweep

ROOM = 0.95  # share of the most bytes down to which files are removed
_DELETED = ".deleted-"  # prefix of the name of a file or a folder while it is removed


class FileStore:
    """Files in a folder and in folders below it, named relative to it. Any number of threads and processes may use it.

    Files of a writing that was killed are removed when they are old; a deletion that was cut off is brought to its end.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = make_folder(folder)
        self.sweep()
        for gone in folder.glob(f"{_DELETED}*"):
            _remove(gone)

    def sweep(self) -> None:
        """Remove files of a writing that was killed."""
        sweep(self.folder, "**/.*.*")

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Hold the lock of a name against all other threads and processes."""
        return locked(self.folder / f".lock-{Path(name).name[0]}")

    def names(self, pattern: str) -> list[str]:
        """Return the names that match a pattern, without those of hidden files."""
        found = (each for each in sorted(self.folder.glob(pattern)) if not each.name.startswith("."))
        return [each.relative_to(self.folder).as_posix() for each in found]

    def read(self, name: str, most: int = -1, *, used: bool = False) -> bytes:
        """Return the content of a file, as far as so many bytes. Raises OSError.

        used : whether `make_room` is to count it as used now
        """
        if used:
            with suppress(OSError):
                os.utime(self.folder / name)
        with (self.folder / name).open("rb") as stream:
            return stream.read(most)

    def write(self, name: str, content: bytes) -> None:
        """Put a file in the place of another, whole or not at all. Raises OSError."""
        make_folder((self.folder / name).parent)
        with replacing(self.folder / name) as stream:
            stream.write(content)

    def delete(self, name: str) -> None:
        """Remove a file, or a folder with all that is in it; nothing happens if there is none. Raises OSError."""
        place = self.folder / name
        gone = self.folder / f"{_DELETED}{time.time_ns()}-{place.name}"
        with suppress(FileNotFoundError):
            place.rename(gone)  # from here on nothing brings it back, also after a crash
            _remove(gone)

    def make_room(
        self, pattern: str, *, files: float = math.inf, bytes: float = math.inf, but: Collection[str] = ()
    ) -> int:
        """Remove the files that were used least recently, but not those in `but`, while there are more than so many or
        they take more bytes; return the bytes that the others take.
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
