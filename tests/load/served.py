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
from collections.abc import Iterator
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
    with tempfile.TemporaryDirectory(prefix="load-") as folder, socket.socket() as free:
        if warm:
            (Path(folder) / "kernels").symlink_to(home() / "kernels")
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
        free.close()
        command = [sys.executable, "-m", "streamlit", "run", "app.py"]
        log = Path(folder) / "server.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [*command, "--server.headless", "true", "--server.port", str(port)],
                cwd=code,
                env=os.environ | {"BOLTZCORE_HOME": folder},
                stdout=out,
                stderr=subprocess.STDOUT,
            )
            try:
                (_wait_for if warm else _answers)(f"localhost:{port}", process)
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


def _answers(host: str, process: subprocess.Popen) -> None:
    """Waits for the first answer."""
    until = time.monotonic() + WARM
    while time.monotonic() < until and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://{host}/_stcore/health", timeout=5):
            return
        time.sleep(0.05)
    raise RuntimeError("the app does not answer")


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
