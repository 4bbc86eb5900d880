"""The data folder, BOLTZCORE_HOME, and how it is written and locked; and the files that come with the project."""

import itertools
import logging
import math
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

import platformdirs

try:
    import fcntl
except ImportError:  # a system without locks of files, such as Windows
    fcntl = None  # type: ignore[assignment]

_LIBRARY = Path(__file__).resolve().parent
APPS = (_LIBRARY.parent, _LIBRARY / "app")  # where the app may be: beside the library, or in it as a wheel has it
ASSETS = next((each for place in APPS if (each := place / "assets").is_dir()), APPS[0] / "assets")

ABANDONED = 3_600.0  # seconds: what is written takes less
SERVER = ".server"  # the file of the data folder that the server holds, with what it is and where
FORMAT = ".format-2"  # a file that says which files a data folder has; raised when older ones cannot be read
VERSIONED = ("runs", "races", "trials", "uploads")  # folders whose files are of that format
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600

logger = logging.getLogger(__name__)


def home() -> Path:
    """The folder that keeps runs, checkpoints, downloads and compiled kernels.

    BOLTZCORE_HOME where it is set, else the platform's user data folder; where that cannot be
    written (a read-only machine), a folder of this user's below the temporary one, and a warning is logged once.
    """
    wanted = _wanted()
    if not _trouble(wanted):
        return wanted
    _warn(home_problem())
    return _spare()


def home_problem() -> str:
    """A sentence where `home()` is not the folder that is wanted; else empty."""
    wanted = _wanted()
    if not (trouble := _trouble(wanted)):
        return ""
    whose = "that BOLTZCORE_HOME names" if os.environ.get("BOLTZCORE_HOME") else "of your data"
    return (
        f"The folder {whose}, {wanted}, cannot be written ({trouble}), so runs, downloads and compiled kernels are "
        f"stored in {_spare()}, which the system may empty: make the folder writable, or set BOLTZCORE_HOME to another."
    )


def older_home() -> str:
    """Return a sentence if the folder that was asked for has data of another version and is not used; else empty."""
    named = _named()
    return "" if _wanted() == named else f"{named} has data of another version and is left as it is."


def _wanted() -> Path:
    return _of_this_format(_named())


def _named() -> Path:
    named = os.environ.get("BOLTZCORE_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_data_dir("boltzcore", False))


def _of_this_format(named: Path) -> Path:
    """Return a folder if its data are of this format or it has none; else the first such of `NAME-2`, `NAME-3`, ..."""
    place, numbers = named, itertools.count(2)
    while any(os.path.isdir(place / kind) for kind in VERSIONED) and not os.path.exists(place / FORMAT):
        place = named.with_name(f"{named.name}-{next(numbers)}")
    return place


@cache
def _trouble(folder: Path) -> str:
    """Return the reason for which a folder cannot be written; empty if it can."""
    try:
        with tempfile.TemporaryFile(dir=make_folder(folder)):
            if not (folder / FORMAT).exists():
                (folder / FORMAT).touch()
                (folder / FORMAT).chmod(PRIVATE_FILE)
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__


@cache
def _warn(sentence: str) -> None:
    logger.warning("%s", sentence)


def _spare() -> Path:
    """A folder of this user's below the temporary one."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    spare = make_folder(Path(tempfile.gettempdir()) / f"boltzcore-{user}")
    if hasattr(os, "getuid") and spare.stat().st_uid != os.getuid():
        return _own_spare()  # that is somebody else's: compiled code must not come from there
    return spare


@cache
def _own_spare() -> Path:
    return Path(tempfile.mkdtemp(prefix="boltzcore-"))


def folder(*parts: str) -> Path:
    """A folder below `home()`, made where it is absent."""
    return make_folder(home().joinpath(*parts))


def make_folder(place: Path) -> Path:
    """Make a folder where it is absent, and those above it, for this user alone whatever the umask."""
    if not place.is_dir():
        make_folder(place.parent)
        place.mkdir(exist_ok=True)
        place.chmod(PRIVATE_FOLDER)
    return place


@contextmanager
def replacing(file: Path, *, private: bool = True) -> Iterator[BinaryIO]:
    """A binary stream whose content becomes `file` when the block ends well.

    A process that reads `file`, also after a crash, finds the old content or the new one, whole.

    private : for this user alone whatever the umask; else a file keeps its mode, and a new one has the usual one
    """
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        os.chmod(name, PRIVATE_FILE if private else _usual_mode(file))
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(name, file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _usual_mode(file: Path) -> int:
    """The permissions of a file, or those of a new one."""
    if file.exists():
        return file.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold a file, made where it is absent, against all other threads and processes until the block ends."""
    with os.fdopen(_opened(file)) as held:  # which releases it when it is closed
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def hold_as_server(where: str = "") -> str:
    """Hold the data folder for the one server that uses it, until this process ends, however it ends.

    where : the address that is served; without one the folder is left as it is
    Returns "", or a sentence that names the other server that holds it.
    """
    if not hasattr(os, "register_at_fork"):  # as fcntl
        return ""
    handle = _opened(folder() / SERVER)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        found = os.read(handle, 1000).decode("utf-8", "replace") or "unknown"
        os.close(handle)
        return f"Another server ({found}) uses this data folder: stop it, or set BOLTZCORE_HOME to another folder."
    if not where:
        os.close(handle)
        return ""
    os.register_at_fork(after_in_child=lambda: os.close(handle))  # a child does not hold it when this process is gone
    os.truncate(handle, 0)
    os.write(handle, f"process {os.getpid()} at {where}".encode())
    return ""


def _opened(file: Path) -> int:
    handle = os.open(file, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    os.chmod(file, PRIVATE_FILE)
    return handle


def now() -> float:
    """Seconds since 1970 by which files grow old. They never run ahead of the time for which processes have used the
    data folder: nothing is forgotten because the clock has jumped.
    """
    clock = home() / ".clock"
    known, began = _known(clock)
    found = min(time.time(), known + time.monotonic() - began)
    with suppress(OSError):
        clock.touch(0o600)
        os.utime(clock, (found, found))
    return found


@cache
def _known(clock: Path) -> tuple[float, float]:
    """(the time that a data folder had come to when this process asked first, that moment of a clock without jumps)."""
    seen = [clock] if clock.is_file() else [*clock.parent.glob("*"), *clock.parent.glob("*/*")]
    return min(time.time(), max((each.lstat().st_mtime for each in seen), default=math.inf)), time.monotonic()


def sweep(place: Path, pattern: str) -> None:
    """Remove what a process that was killed has left behind: files and folders below `place` with a temporary name, so
    old that no other process is still at them.
    """
    for left in place.glob(pattern):
        with suppress(OSError):  # somebody else's, or gone by now
            if left.lstat().st_mtime < now() - ABANDONED:
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink(missing_ok=True)


def asset(name: str) -> Path:
    """A file that comes with the project; FileNotFoundError saying so where it is not there."""
    if (ASSETS / name).is_file():
        return ASSETS / name
    raise FileNotFoundError(f"{name} is part of the project, in its folder assets, but is missing.")
