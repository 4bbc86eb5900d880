"""Compiles the kernels beside the app, so that no page waits for a compiler."""

import gc
import subprocess
import sys
import threading
import time

from boltzcore.runs.recipe import Recipe
from boltzcore.warmup import warm_up


class Warmup:
    """A process fills the cache of compiled code, what a newcomer meets first in front; then this process loads it.

    `ready` is set once the first training can start without compiling. Compiling in this process instead would
    stall every page for seconds.
    """

    def __init__(self) -> None:
        self.ready = threading.Event()
        self._began = time.monotonic()
        command = [sys.executable, "-m", "boltzcore", "warmup"]
        self._compiler = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self._follow, name="warm-up", daemon=True).start()

    def _follow(self) -> None:
        try:
            Recipe().data.load()  # what the first page asks for
            self._compiler.stderr.readline()  # told when the first piece is compiled
            next(warm_up())
            # Streamlit collects garbage after each rerun of a fragment; what numba loaded lives for good and need not be searched.
            gc.collect()
            gc.freeze()
        finally:
            self.ready.set()
        self._compiler.communicate()

    def sentence(self) -> str:
        """What is being waited for; empty once ready."""
        if self.ready.is_set():
            return ""
        return f"Preparing the compiled kernels, once on this machine: {time.monotonic() - self._began:.0f} s so far, usually 10 to 20 s."

    def stop(self) -> None:
        """End the compiling process with the app."""
        self._compiler.terminate()
        self._compiler.wait()
