"""The folders of files: the user's data folder, or BOLTZCORE_HOME; and those that come with the project."""

import logging
import os
import shutil
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import platformdirs

_LIBRARY = Path(__file__).resolve().parent
APPS = (_LIBRARY.parent, _LIBRARY / "app")  # where the app may be: beside the library, or in it as a wheel has it
ASSETS = next((each for place in APPS if (each := place / "assets").is_dir()), APPS[0] / "assets")

ABANDONED = 3_600.0  # seconds: what is written takes less

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
        f"The folder {whose}, {wanted}, cannot be written ({trouble}), so trainings, downloads and compiled kernels "
        f"are kept in {_spare()}, which the system may empty: make it writable, or name another in BOLTZCORE_HOME."
    )


def _wanted() -> Path:
    named = os.environ.get("BOLTZCORE_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_data_dir("boltzcore", False))


@cache
def _trouble(folder: Path) -> str:
    """Why a folder cannot be written; empty where it can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or type(error).__name__


@cache
def _warn(sentence: str) -> None:
    logger.warning("%s", sentence)


def _spare() -> Path:
    """A folder of this user's below the temporary one."""
    spare = Path(tempfile.gettempdir()) / f"boltzcore-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    spare.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and spare.stat().st_uid != os.getuid():
        return _own_spare()  # that is somebody else's: compiled code must not come from there
    return spare


@cache
def _own_spare() -> Path:
    return Path(tempfile.mkdtemp(prefix="boltzcore-"))


def folder(*parts: str) -> Path:
    """A folder below `home()`, made where it is absent."""
    path = home().joinpath(*parts)
    path.mkdir(parents=True, exist_ok=True)
    return path


def sweep(place: Path, pattern: str) -> None:
    """Remove what a process that was killed has left behind: files and folders below `place` with a temporary name, so
    old that no other process is still at them.
    """
    for left in place.glob(pattern):
        with suppress(OSError):  # somebody else's, or gone by now
            if left.lstat().st_mtime < time.time() - ABANDONED:
                shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink(missing_ok=True)


def asset(name: str) -> Path:
    """A file that comes with the project; FileNotFoundError saying so where it is not there."""
    if (ASSETS / name).is_file():
        return ASSETS / name
    raise FileNotFoundError(f"{name} comes with the project, in its folder assets, and is not there.")
