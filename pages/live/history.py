"""The history of runs that are watched: frames that are drawn anyhow are kept, of which and how often."""

import asyncio
import logging
import time
from weakref import WeakKeyDictionary

from boltzcore.quoting import explained
from boltzcore.runs.engine import Run
from boltzcore.runs.summary import MOVING
from boltzcore.runs.training_thread import SELDOM
from pages.live.run_broadcast import RunBroadcast
from pages.web.worker import Worker

CROWD = 0.1  # seconds that each run adds to the time between two frames of it: at most ten are kept in a second
AGAIN = 10.0  # seconds after which it is tried again where a frame could not be kept

logger = logging.getLogger(__name__)


class History:
    """Has frames kept of runs that somebody watches. Lives on the event loop."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._due = WeakKeyDictionary[Run, float]()
        self._taking: set[asyncio.Task[None]] = set()
        self._busy: set[str] = set()
        self._failed: set[str] = set()  # the last frame of these could not be kept, which was said
        self._again: dict[str, tuple[RunBroadcast, int]] = {}  # came to rest while a frame was being kept

    def due(self, run: Run, *, seldom: bool) -> bool:
        """Whether the next frame of a run is to be kept: one of each rest, and those that are far enough apart."""
        due = self._due.get(run, 0.0) + (SELDOM if seldom else 0.0)
        return run.snapshot.status not in MOVING or time.monotonic() >= due

    def take(self, broadcast: RunBroadcast, runs: int) -> None:
        """Keep the newest frame of a broadcast, where it is time.

        runs : that are watched
        """
        run, shown = broadcast.run, broadcast.shown
        rests = shown is not None and shown.status not in MOVING
        if not (rests or time.monotonic() >= self._due.get(run, 0.0)):
            return
        if run.id in self._busy:
            self._again[run.id] = broadcast, runs
            return
        self._busy.add(run.id)
        task = asyncio.create_task(self._take(broadcast, runs))
        self._taking.add(task)  # the loop itself would forget it
        task.add_done_callback(self._taking.discard)

    async def _take(self, broadcast: RunBroadcast, runs: int) -> None:
        run = broadcast.run
        try:
            first = () if run.frame_history.counts else (broadcast.first_history_frame,)
            for make in (*first, broadcast.history_frame):
                if (taken := await self._worker.do(make, urgent=False)) is not None:
                    await asyncio.to_thread(run.frame_history.add, *taken)
                    self._failed.discard(run.id)
                    self._due[run] = time.monotonic() + max(run.frame_history.every, CROWD * runs)
        except Exception as error:  # it is one of many
            if run.id not in self._failed:
                explained(error, f"A frame of run {run.id} could not be kept")
            self._failed.add(run.id)
            self._due[run] = time.monotonic() + AGAIN
        finally:
            self._busy.discard(run.id)
            if again := self._again.pop(run.id, None):
                self.take(*again)
