"""Where files live: the user's data folder, or BOLTZCORE_HOME; and those that come with the project."""

import os
import tempfile
from functools import cache
from pathlib import Path

import platformdirs

ASSETS = Path(__file__).resolve().parents[1] / "assets"


@cache
def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def home() -> Path:
    """The folder that keeps runs, checkpoints, downloads and compiled kernels.

    BOLTZCORE_HOME where it is set, else the platform's user data folder; where that cannot be
    written (a read-only machine), a folder of this user's below the temporary one.
    """
    named = os.environ.get("BOLTZCORE_HOME")
    wanted = Path(named).expanduser() if named else Path(platformdirs.user_data_dir("boltzcore", False))
    if _writable(wanted):
        return wanted
    spare = Path(tempfile.gettempdir()) / f"boltzcore-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    spare.mkdir(mode=0o700, exist_ok=True)
    if (
        hasattr(os, "getuid") and spare.stat().st_uid != os.getuid()
    ):  # somebody else's: compiled code must not come from there
        return _own_spare()
    return spare


@cache
def _own_spare() -> Path:
    return Path(tempfile.mkdtemp(prefix="boltzcore-"))


def folder(*parts: str) -> Path:
    """A folder below `home()`, made where it is absent."""
    path = home().joinpath(*parts)
    path.mkdir(parents=True, exist_ok=True)
    return path


def asset(name: str) -> Path:
    """A file that comes with the project; FileNotFoundError saying so where the library was installed alone."""
    file = ASSETS / name
    if not file.is_file():
        raise FileNotFoundError(
            f"{name} comes with the whole project, in its folder assets; the library installed alone does not hold it."
        )
    return file
