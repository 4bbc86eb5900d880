"""Data folder, BOLTZCORE_HOME, with writing and locking of its files; and the files that come with the project."""

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

from boltzcore.quoting import Refusal

try:
    import fcntl
except ImportError:  # a system without file locks, such as Windows
    fcntl = None  # type: ignore[assignment]

_LIBRARY = Path(__file__).resolve().parent
APPS = (_LIBRARY.parent, _LIBRARY / "app")  # possible places of the app: next to the library, or inside it in a wheel
ASSETS = next((each for place in APPS if (each := place / "assets").is_dir()), APPS[0] / "assets")

ABANDONED = 3_600.0  # seconds after which a temporary file is abandoned: writing takes less
SERVER = ".server"  # file in the data folder that is locked by the server, with its address
FORMAT = ".format-2"  # file that marks the format of a data folder; raised when older files cannot be read
VERSIONED = ("runs", "races", "trials", "uploads")  # folders with files of that format
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600

logger = logging.getLogger(__name__)


def home() -> Path:
    """Return the folder for runs, checkpoints, downloads and compiled kernels.

    It is BOLTZCORE_HOME if set, else the platform's user data folder; if that is not writable (a read-only machine), a
    folder of this user in the temporary one, with a warning logged once.
    """
    wanted = _usual_folder()
    if not _find_problem(wanted):
        return wanted
    _warn(home_problem())
    return _temp()


def home_problem() -> str:
    """Return a sentence if `home()` is not the requested folder; else ""."""
    wanted = _usual_folder()
    if not (trouble := _find_problem(wanted)):
        return ""
    whose = "that BOLTZCORE_HOME names" if os.environ.get("BOLTZCORE_HOME") else "of your data"
    return (
        f"The folder {whose}, {wanted}, cannot be written ({trouble}), so runs, downloads and compiled kernels are "
        f"stored in {_temp()}, which the system may empty: make the folder writable, or set BOLTZCORE_HOME to another."
    )


def older_home() -> str:
    """Return a sentence if the requested folder has data of another version and is not used; else ""."""
    named = _named_folder()
    return "" if _usual_folder() == named else f"{named} has data of another version and is left as it is."


def _usual_folder() -> Path:
    """Return the named folder if its data have this format or it has none; else the first such of `NAME-2`, ..."""
    place, numbers = (named := _named_folder()), itertools.count(2)
    while any(os.path.isdir(place / kind) for kind in VERSIONED) and not os.path.exists(place / FORMAT):
        place = named.with_name(f"{named.name}-{next(numbers)}")
    return place


def _named_folder() -> Path:
    named = os.environ.get("BOLTZCORE_HOME")
    return Path(os.path.expanduser(named)) if named else Path(platformdirs.user_data_dir("boltzcore", False))


@cache
def _find_problem(folder: Path) -> str:
    """Return the reason why a folder is not writable; "" if it is."""
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


def _temp() -> Path:
    """Return a folder of this user in the temporary one."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    spare = make_folder(Path(tempfile.gettempdir()) / f"boltzcore-{user}")
    if hasattr(os, "getuid") and spare.stat().st_uid != os.getuid():
        return _fresh_temp()  # it belongs to another user, so compiled code must not come from there
    return spare


@cache
def _fresh_temp() -> Path:
    return Path(tempfile.mkdtemp(prefix="boltzcore-"))


def folder(*parts: str) -> Path:
    """Return a folder in `home()`, created if missing."""
    return make_folder(home().joinpath(*parts))


def make_folder(place: Path) -> Path:
    """Create a folder and its parents if missing, for this user only whatever the umask."""
    if not place.is_dir():
        make_folder(place.parent)
        place.mkdir(exist_ok=True)
        place.chmod(PRIVATE_FOLDER)
    return place


@contextmanager
def replace_file(file: Path, *, private: bool = True) -> Iterator[BinaryIO]:
    """Yield a binary stream whose content becomes `file` if the block succeeds.

    A process that reads `file`, even after a crash, finds either the old content or the complete new one.

    private : True for this user only whatever the umask; else a file keeps its mode, and a new one has the usual one
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
    """Return the permissions of a file, or those of a new one."""
    if file.exists():
        return file.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def lock_file(file: Path) -> Iterator[None]:
    """Lock a file, created if missing, against all other threads and processes until the block ends."""
    with os.fdopen(_open_private(file)) as held:  # closing it releases the lock
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def hold_as_server(where: str = "") -> str:
    """Lock the data folder for the one server that uses it, until this process ends in any way.

    where : the address that is served; if empty the folder is not changed
    Returns "", or a sentence that names the other server with the lock.
    """
    if not hasattr(os, "register_at_fork"):  # like fcntl
        return ""
    handle = _open_private(folder() / SERVER)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        found = os.read(handle, 1000).decode("utf-8", "replace") or "unknown"
        os.close(handle)
        return f"Another server ({found}) uses this data folder: stop it, or set BOLTZCORE_HOME to another folder."
    if not where:
        os.close(handle)
        return ""
    os.register_at_fork(after_in_child=lambda: os.close(handle))  # a child must not keep it after this process
    os.truncate(handle, 0)
    os.write(handle, f"process {os.getpid()} at {where}".encode())
    return ""


def _open_private(file: Path) -> int:
    handle = os.open(file, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    os.chmod(file, PRIVATE_FILE)
    return handle


def now() -> float:
    """Return seconds since 1970 for the age of files. It never runs ahead of the time for which processes have used the
    data folder, so that nothing is deleted because the clock has jumped.
    """
    clock = home() / ".clock"
    known, began = _clock_start(clock)
    found = min(time.time(), known + time.monotonic() - began)
    with suppress(OSError):
        clock.touch(0o600)
        os.utime(clock, (found, found))
    return found


@cache
def _clock_start(clock: Path) -> tuple[float, float]:
    """Return (the latest time of a data folder at this process's first use, that moment on a monotonic clock)."""
    seen = [clock] if clock.is_file() else [*clock.parent.glob("*"), *clock.parent.glob("*/*")]
    return min(time.time(), max((each.lstat().st_mtime for each in seen), default=math.inf)), time.monotonic()


def sweep(place: Path, pattern: str) -> None:
    """Remove the remains of killed processes: files and folders below `place` with a temporary name, too old to be in
    use by another process.
    """
    for left in place.glob(pattern):
        with suppress(OSError):  # it belongs to another user, or was removed meanwhile
            if left.lstat().st_mtime < now() - ABANDONED:
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink(missing_ok=True)


def asset(name: str) -> Path:
    """Return a file that comes with the project; raise Refusal if it is missing."""
    if (ASSETS / name).is_file():
        return ASSETS / name
    raise Refusal(f"{name} is part of the project, in its folder assets, but is missing.")
