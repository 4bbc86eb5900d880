"""The app to be tested, started as the README starts it, with a data folder of its own."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from boltzcore.home import home
from tests.load.wire import Place

REPOSITORY = Path(__file__).resolve().parents[2]
ADDRESS = "LAB_ADDRESS"  # names the address of an app that runs already, behind a proxy say (tests/proxies.py)
WARM = 300.0  # seconds that it may take to start and to compile its kernels


@contextmanager
def served(*, warm: bool = True, code: Path = REPOSITORY) -> Iterator[tuple[str, int]]:
    """(host and port, id of the process) of an app. Raises RuntimeError where it ends badly.

    warm : wait until its kernels are compiled; else it has none, and is given back as soon as it answers
    code : the folder that it is started in
    """
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        if warm:
            (Path(folder) / "kernels").symlink_to(home() / "kernels")
        command = [sys.executable, "-m", "streamlit", "run", "app.py"]
        port, log = free_port(), Path(folder) / "server.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [*command, "--server.headless", "true", "--server.port", str(port)],
                cwd=code,
                env=os.environ | {"BOLTZCORE_HOME": folder},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            try:
                if warm:
                    _wait_for(f"localhost:{port}", process)
                elif not answers(f"http://localhost:{port}/_stcore/health", [process]):
                    raise RuntimeError("the app does not answer")
                yield f"localhost:{port}", process.pid
            finally:
                process.terminate()
                process.wait(30)
        if "Traceback" in (told := log.read_text()):
            raise RuntimeError(f"the server tells of errors:\n{told[-4_000:]}")


def host_of(address: str) -> str:
    """Host and port of an address, or all of it behind a proxy, once the server there has compiled all its kernels."""
    place = Place.at(address)
    host = f"{place.origin}{place.base}" if place.secure or place.base else place.host
    _wait_for(host)
    return host


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def answers(address: str, processes: Sequence[subprocess.Popen], patience: float = WARM) -> bool:
    """Whether there is an answer at this address before so many seconds are over and while all processes run."""
    until = time.monotonic() + patience
    while time.monotonic() < until and all(process.poll() is None for process in processes):
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return True
        time.sleep(0.05)
    return False


def _wait_for(host: str, process: subprocess.Popen | None = None) -> None:
    until, said, piece, place = time.monotonic() + WARM, "nothing", 1, Place.at(host)
    while time.monotonic() < until and (process is None or process.poll() is None):
        try:
            with urllib.request.urlopen(f"{place.url}/ready/{piece}", timeout=5, context=place.trust) as answer:
                said = json.load(answer)["sentence"]
        except urllib.error.HTTPError as error:
            if error.code == 404 and piece > 1:  # one more than there are
                return
            said = str(error)
        except OSError as error:
            said = str(error)
        if said:
            time.sleep(0.2)
        else:
            piece, said = piece + 1, "nothing"
    raise RuntimeError(f"the app does not get ready; it says: {said}")
