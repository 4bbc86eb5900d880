"""Compiles the kernels while the app runs, so that no page waits for a compiler."""

import gc
import logging
import subprocess
import sys
import threading
import time

from boltzcore.quoting import span
from boltzcore.threads import CORES
from boltzcore.training.presets import PRESETS
from boltzcore.training.recipe import Recipe
from boltzcore.warmup import KERNELS, TITLES, count_before, count_compiled, find_missing, needed, warm_up

PACE = 3  # kernels after which the pace of the machine is known
PROCESSES = min(2, CORES)  # that compile

logger = logging.getLogger(__name__)


def progress_text(done: int, first: int, seconds: float, compiled: int) -> str:
    """Return the progress of compilation in words: `done` kernels of about all, `first` of which the page needs, in
    `seconds` so far; the time left is estimated from the `compiled` ones.
    """
    if not compiled:
        return f"Compiling kernels: {seconds:.0f} s so far."
    needs = f"; this page needs the first {first}" if first < KERNELS else ""
    left = f", about {span((first - done) * seconds / compiled)} left" if compiled >= PACE and first > done else ""
    far = f"{min(done, KERNELS)} of about {KERNELS}, {seconds:.0f} s so far"
    return f"Compiling kernels, once on this machine: {far}{needs}{left}."


class Warmup:
    """Processes fill the cache of compiled code, starting with what a new visitor needs; then this process loads it
    piece by piece.

    Compiling in this process instead would stall every page for seconds.
    """

    def __init__(self) -> None:
        self._compiled, self._loaded = ({title: threading.Event() for title in TITLES} for _ in range(2))
        self._nothing = threading.Event()  # event of trainings that need no kernels
        self._nothing.set()
        self._began, self._there = time.monotonic(), count_compiled()
        if cold := find_missing():
            logger.info("Compiling kernels; runs wait for theirs: %s.", ", ".join(cold))
        for title in TITLES:
            if title not in cold:
                self._compiled[title].set()
        self._compilers = [self._compile(cold[first::PROCESSES]) for first in range(min(PROCESSES, len(cold)))]
        threading.Thread(target=self._load, name="warm-up", daemon=True).start()

    def _compile(self, titles: tuple[str, ...]) -> subprocess.Popen:
        command = [sys.executable, "-m", "boltzcore", "warmup", *titles]
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        threading.Thread(target=self._follow, args=(process, titles), name="compiling", daemon=True).start()
        return process

    def _follow(self, process: subprocess.Popen, titles: tuple[str, ...]) -> None:
        for title in titles:
            process.stderr.readline()  # one line for each compiled piece; or the process has ended
            self._compiled[title].set()
        process.communicate()

    def _load(self) -> None:
        try:
            next(iter(PRESETS.values())).recipe.data.load()  # the data of the first page
            here = warm_up()
            for title in TITLES:
                self._compiled[title].wait()
                next(here)
                self._loaded[title].set()
            logger.info("All kernels are loaded, %.1f s after the start.", time.monotonic() - self._began)
            # Compiled code lives for good: later collections need not search it.
            gc.collect()
            gc.freeze()
        finally:
            for loaded in self._loaded.values():
                loaded.set()

    def ready(self, recipe: Recipe) -> threading.Event:
        """Return an event that is set once a training of this recipe can start without compiling."""
        return self._loaded.get(needed(recipe) or "", self._nothing)

    def sentence(self, piece: str) -> str:
        """Return the progress of a piece of the kernels, one of `warmup.TITLES`, in words; "" once it is ready."""
        if self._loaded[piece].is_set():
            return ""
        now = count_compiled()
        return progress_text(now, count_before(piece), time.monotonic() - self._began, now - self._there)

    def stop(self) -> None:
        """End the compiling processes with the app."""
        for process in self._compilers:
            process.terminate()
        for process in self._compilers:
            process.wait()
