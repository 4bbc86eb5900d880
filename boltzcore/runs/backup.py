"""A copy of the data folder while the app runs: one file, in which each training is as it once was on disk.

A checkpoint is several files, each replaced whole, in an order by which none is of an earlier update than the next
(`files.write_files`). They are read in the opposite order, so that this is so in the copy, too, whatever is written
meanwhile.
"""

import io
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

from boltzcore.home import PRIVATE_FILE, PRIVATE_FOLDER, replacing
from boltzcore.runs import summary
from boltzcore.runs.files import BEST, FRAME_HISTORY, STATE, TRACE

KERNELS = "kernels"  # are compiled anew, for other processors differently
ORDER = (STATE, BEST, TRACE, FRAME_HISTORY, summary.FILE)
PATIENCE, AGAIN = 5.0, 0.05  # seconds that the rest of a first checkpoint is waited for, and between two looks


def copy_home(home: Path, file: Path) -> int:
    """Write what is in the data folder to a .tar.gz file; how many files it holds. Raises OSError, also where that file
    is there already.

    Whoever unpacks it into an empty folder has a data folder again.
    """
    file.touch(PRIVATE_FILE, exist_ok=False)
    try:
        with replacing(file) as stream, tarfile.open(fileobj=stream, mode="w:gz") as archive:
            return sum(_add(archive, home, each) for each in _files(home))
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _add(archive: tarfile.TarFile, home: Path, file: Path) -> bool:
    """Put a file into a copy, after the folders that it is in; whether it is a file that is still there."""
    entry = tarfile.TarInfo(file.relative_to(home).as_posix())
    is_folder = file.is_dir()
    try:
        content, entry.mtime = b"" if is_folder else file.read_bytes(), file.stat().st_mtime
    except FileNotFoundError:
        return False
    entry.type, entry.mode = (tarfile.DIRTYPE, PRIVATE_FOLDER) if is_folder else (tarfile.REGTYPE, PRIVATE_FILE)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))
    return not is_folder


def _files(place: Path) -> Iterator[Path]:
    """All files and folders below a folder in the order in which they are to be read, without what is half written."""
    if (place / summary.FILE).exists():
        _wait_for_its_state(place)
    try:
        there = [each for each in place.iterdir() if not each.name.startswith(".")]
    except FileNotFoundError:  # of a training that was deleted meanwhile
        return
    for each in sorted(there, key=lambda each: (ORDER.index(each.name) if each.name in ORDER else -1, each.name)):
        if each.is_dir() and each.name != KERNELS:
            yield each
            yield from _files(each)
        elif each.is_file():
            yield each


def _wait_for_its_state(place: Path) -> None:
    """Return once the first checkpoint of a training is whole, if one is being written."""
    until = time.monotonic() + PATIENCE
    while not (place / STATE).exists() and time.monotonic() < until:
        found = summary.read_summary(place)
        if found is None or not (found.count or (place / TRACE).exists() or (place / BEST).exists()):
            return
        time.sleep(AGAIN)
