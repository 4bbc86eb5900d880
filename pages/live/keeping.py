"""Looks back: who takes them, of what is drawn anyhow, and how often."""

import asyncio
import logging
import time
from weakref import WeakKeyDictionary

from boltzcore.runs.engine import SELDOM, Run
from pages.live.channel import Channel
from pages.live.maker import Maker
from pages.live.scene import MOVING

CROWD = 0.1  # seconds that a look adds to the time between two of each run: at most ten are taken in a second
AGAIN = 10.0  # seconds after which it is tried again where a look could not be kept

logger = logging.getLogger(__name__)


class Keeper:
    """Has looks taken of runs that somebody watches. Lives on the event loop."""

    def __init__(self, maker: Maker) -> None:
        self._maker = maker
        self._due = WeakKeyDictionary[Run, float]()
        self._taking: set[asyncio.Task[None]] = set()
        self._busy: set[str] = set()
        self._failed: set[str] = set()  # the last look at these could not be kept, which was said
        self._again: dict[str, tuple[Channel, int]] = {}  # came to rest while a look was being taken

    def due(self, run: Run, *, seldom: bool) -> bool:
        """Whether the next frame of a run is to be kept: one of each rest, and those that are far enough apart."""
        due = self._due.get(run, 0.0) + (SELDOM if seldom else 0.0)
        return run.snapshot.status not in MOVING or time.monotonic() >= due

    def take(self, channel: Channel, runs: int) -> None:
        """Keep the newest frame of a channel, where it is time.

        runs : that are watched
        """
        run, shown = channel.run, channel.shown
        rests = shown is not None and shown.status not in MOVING
        if not (rests or time.monotonic() >= self._due.get(run, 0.0)):
            return
        if run.id in self._busy:
            self._again[run.id] = channel, runs
            return
        self._busy.add(run.id)
        task = asyncio.create_task(self._take(channel, runs))
        self._taking.add(task)  # the loop itself would forget it
        task.add_done_callback(self._taking.discard)

    async def _take(self, channel: Channel, runs: int) -> None:
        run = channel.run
        try:
            looks = (channel.look,) if run.album.counts else (channel.first_look, channel.look)
            for look in looks:
                if (taken := await self._maker.do(look, urgent=False)) is not None:
                    await asyncio.to_thread(run.album.add, *taken)
                    self._failed.discard(run.id)
                    self._due[run] = time.monotonic() + max(run.album.every, CROWD * runs)
        except Exception as error:  # it is one of many
            if run.id not in self._failed:
                ours = not isinstance(error, OSError)
                logger.warning("A look at run %s could not be kept: %s", run.id, error, exc_info=ours)
            self._failed.add(run.id)
            self._due[run] = time.monotonic() + AGAIN
        finally:
            self._busy.discard(run.id)
            if again := self._again.pop(run.id, None):
                self.take(*again)
