"""Compiles the kernels beside the app, so that no page waits for a compiler."""

import gc
import subprocess
import sys
import threading
import time

from boltzcore.runs.presets import PRESETS
from boltzcore.warmup import WORK, needed, warm_up


class Warmup:
    """A process fills the cache of compiled code, what a newcomer meets first in front; then this process loads it,
    piece after piece.

    Compiling in this process instead would stall every page for seconds.
    """

    def __init__(self) -> None:
        self._loaded = {title: threading.Event() for title, _ in WORK}
        self._nothing = threading.Event()  # what a model waits for that needs no kernels
        self._nothing.set()
        self._began = time.monotonic()
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
        if self._loaded[piece].is_set():
            return ""
        return (
            f"Preparing the compiled kernels, once on this machine: {time.monotonic() - self._began:.0f} s so far, "
            "usually 10 to 30 s."
        )

    def stop(self) -> None:
        """End the compiling process with the app."""
        self._compiler.terminate()
        self._compiler.wait()
