"""Compiles the kernels beside the app, so that no page waits for a compiler."""

import gc
import subprocess
import sys
import threading
import time

from boltzcore.figures import reading
from boltzcore.runs.presets import PRESETS
from boltzcore.warmup import WORK, compiled, needed, warm_up

PACE = 3  # kernels after which a machine's own pace tells how long the others take


def told(done: int, of: int, seconds: float, compiled: int) -> str:
    """How far the kernels are: done of about how many, seconds so far, and about how long it goes on at the pace at
    which this machine has compiled so many. While none had to be compiled, they may all be there, and are only loaded.
    """
    if not compiled:
        return f"Preparing the compiled kernels: {seconds:.0f} s so far."
    left = f", about {reading.span((of - done) * seconds / compiled)} left" if compiled >= PACE else ""
    return f"Preparing the compiled kernels, once on this machine: {done} of about {of}, {seconds:.0f} s so far{left}."


class Warmup:
    """A process fills the cache of compiled code, what a newcomer meets first in front; then this process loads it,
    piece after piece.

    Compiling in this process instead would stall every page for seconds.
    """

    def __init__(self) -> None:
        self._loaded = {title: threading.Event() for title, _ in WORK}
        self._nothing = threading.Event()  # what a model waits for that needs no kernels
        self._nothing.set()
        self._began, self._there = time.monotonic(), compiled()
        self._since = self._there  # kernels that were compiled when the piece under way began
        command = [sys.executable, "-m", "boltzcore", "warmup"]
        self._compiler = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        threading.Thread(target=self._follow, name="warm-up", daemon=True).start()

    def _follow(self) -> None:
        try:
            next(iter(PRESETS.values())).recipe.data.load()  # what the first page asks for
            here = warm_up()
            for loaded in self._loaded.values():
                self._compiler.stderr.readline()  # told when the next piece is compiled
                next(here)
                self._since = compiled()
                loaded.set()
            # What numba loaded lives for good, and no later collection need search it.
            gc.collect()
            gc.freeze()
        finally:
            for loaded in self._loaded.values():
                loaded.set()
        self._compiler.communicate()

    def ready(self, model: str) -> threading.Event:
        """Set once a training of this model can start without compiling."""
        return self._loaded.get(needed(model) or "", self._nothing)

    def sentence(self, piece: str) -> str:
        """What is being waited for before this piece of the kernels, a title of `warmup.WORK`, can be used; empty once
        it can.
        """
        titles = [title for title, _ in WORK]
        ahead = WORK[: titles.index(piece) + 1]
        done = [each.kernels for title, each in ahead if self._loaded[title].is_set()]
        if len(done) == len(ahead):
            return ""
        now, of = compiled(), sum(each.kernels for _, each in ahead)
        # The numbers are those of another machine: the last kernel of a piece is not done before all of it is.
        under_way = min(max(0, now - self._since), ahead[len(done)][1].kernels - 1)
        return told(sum(done) + under_way, of, time.monotonic() - self._began, now - self._there)

    def stop(self) -> None:
        """End the compiling process with the app."""
        self._compiler.terminate()
        self._compiler.wait()
