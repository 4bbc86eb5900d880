"""A Dask cluster of processes on this machine: a scheduler, and workers that a test may start, patch and kill."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import REPOSITORY

STARTS = 60.0  # seconds in which a scheduler, or its workers, are there
ENDS = 30.0  # seconds in which one ends that is asked to


class Processes:
    """A scheduler and its workers.

    place : folder for what they write; `log` there has what they say
    """

    def __init__(self, place: Path) -> None:
        self._place, self._began = place, list[subprocess.Popen]()
        self._file = place / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file)
        )
        end = time.monotonic() + STARTS
        while not (self._file.exists() and self._file.stat().st_size):
            assert time.monotonic() < end, (place / "log").read_text()
            time.sleep(0.05)
        self.address: str = json.loads(self._file.read_text())["address"]

    def worker(self, name: str, before: str = "", environment: Mapping[str, str] | None = None) -> subprocess.Popen:
        """A worker of one thread.

        before : code that it runs first
        environment : variables that it has besides those of this process
        """
        preloaded = self._place / f"{name}.py"
        preloaded.write_text(before)
        return self._start(
            "worker",
            *("--scheduler-file", str(self._file), "--name", name, "--nthreads", "1", "--host", "127.0.0.1"),
            *("--no-nanny", "--local-directory", str(self._place), "--preload", str(preloaded)),
            environment=environment,
        )

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers are there."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=STARTS)

    def end(self) -> None:
        """End all that are still there."""
        for process in reversed(self._began):
            process.terminate()
        for process in self._began:
            try:
                process.wait(ENDS)
            except subprocess.TimeoutExpired:  # a worker may wait for a scheduler that is gone
                process.kill()
                process.wait()

    def _start(self, *arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen:
        variables = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONWARNINGS": "ignore"} | dict(environment or {})
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        with (self._place / "log").open("ab") as log:
            process = subprocess.Popen(command, env=variables, cwd=self._place, stdout=log, stderr=log)
        self._began.append(process)
        return process


@contextmanager
def processes(place: Path) -> Iterator[Processes]:
    """A scheduler without workers; it ends with the block, as do the workers that were started in it."""
    made = Processes(place)
    try:
        yield made
    finally:
        made.end()
