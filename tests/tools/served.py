"""The app as a process of its own, for tests and tools that meet it from outside."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from boltzcore.home import home
from tests.tools.load.wire import Place

REPOSITORY = Path(__file__).resolve().parents[2]
ADDRESS = "LAB_ADDRESS"  # variable with the address of an app that runs already, for example behind a proxy
WARM = 300.0  # seconds to start and to compile all kernels


@contextmanager
def app(
    folder: Path, *options: str, module: str = "streamlit", port: int = 0
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Start the app with this data folder; yield its host, port and base path, and its process, once it answers.

    At the end it gets SIGTERM, unless it was killed, and its output is in `server.log` in the folder.

    module : run in place of Streamlit's command line
    """
    if not (folder / "kernels").exists():
        (folder / "kernels").symlink_to(home() / "kernels")
    port = port or free_port()
    base = options[options.index("--server.baseUrlPath") + 1] if "--server.baseUrlPath" in options else ""
    host = f"localhost:{port}/{base}".rstrip("/")
    command = [sys.executable, "-m", module, "run", "app.py", "--server.headless", "true", "--server.port", str(port)]
    environment = os.environ | {"BOLTZCORE_HOME": str(folder)}
    with (folder / "server.log").open("a") as log:
        process = subprocess.Popen(
            [*command, *options], cwd=REPOSITORY, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            if not answers(f"http://{host}/_stcore/health", [process]):
                raise RuntimeError(f"the app did not start:\n{(folder / 'server.log').read_text()}")
            yield host, process
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """(host and port, process id) of an app with an empty data folder, once it has compiled all its kernels.

    Raises RuntimeError if it logs a traceback.
    """
    with tempfile.TemporaryDirectory(prefix="served-") as folder:
        with app(Path(folder)) as (host, process):
            _wait_for_kernels(host)
            yield host, process.pid
        if "Traceback" in (log := (Path(folder) / "server.log").read_text()):
            raise RuntimeError(f"the server logged errors:\n{log[-4_000:]}")


def host_of(address: str) -> str:
    """Host and port of an address, or all of it behind a proxy, once the server there has compiled all its kernels."""
    place = Place.at(address)
    host = f"{place.origin}{place.base}" if place.secure or place.base else place.host
    _wait_for_kernels(host)
    return host


def free_port() -> int:
    """Return a port that no process listens on."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return free.getsockname()[1]


def answers(address: str, processes: Sequence[subprocess.Popen], patience: float = WARM) -> bool:
    """Wait until an address answers; False after `patience` seconds or if one of the processes ends."""
    until = time.monotonic() + patience
    while time.monotonic() < until and all(process.poll() is None for process in processes):
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return True
        time.sleep(0.05)
    return False


def _wait_for_kernels(host: str) -> None:
    until, place = time.monotonic() + WARM, Place.at(host)
    while time.monotonic() < until:
        with urllib.request.urlopen(f"{place.url}/health", timeout=5, context=place.trust) as answer:
            if not json.load(answer)["preparing"]:
                return
        time.sleep(0.2)
    raise RuntimeError("the kernels were not compiled in time")
