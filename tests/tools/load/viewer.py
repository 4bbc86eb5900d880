"""A viewer of the frames of a run, as the page's own script does, and counts them."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from tests.tools.load.page import Page
from tests.tools.load.wire import PATIENCE, Refused, Unexpected, events

MOVING = ("queued", "starting", "running")  # statuses of a run that is to play
_HEAD = ("version", "run", "status", "count", "around")
_AFTER = b',"figures":'  # what a viewer of a load test does not read begins here


class Viewer:
    """Watches until it is closed.

    came : called with the head of each frame; route : "live" of a run, "race" of a race
    playing : seconds in which the run was to move, and in which `frames` came
    still : the longest time, in seconds, in which it was to move and its count did not
    queued : seconds in which it waited in a queue
    statuses : (when, status) of each change
    """

    def __init__(self, page: Page, run: str, came: Callable[[dict[str, Any]], None], route: str) -> None:
        self._page, self._run, self._came, self._route = page, run, came, route
        self._choices: dict[str, str] = {}
        self._have, self._head, self._at = "", {}, 0.0
        self._moved = 0.0  # when the count last changed, or the run began to play
        self._waiting: list[tuple[Callable[[dict[str, Any]], bool], asyncio.Future[float]]] = []
        self.begin()
        self._task = asyncio.create_task(self._watch())

    @property
    def status(self) -> str:
        """That of the newest frame; "" before the first."""
        return self._head.get("status", "")

    def begin(self) -> None:
        """Count anew from now on."""
        self._at = self._moved = time.monotonic()
        self.playing = self.still = self.queued = 0.0
        self.frames, self.statuses = 0, list[tuple[float, str]]()

    def count(self) -> None:
        """Count the time since the last frame for what that one showed."""
        now = time.monotonic()
        if self.status in MOVING:
            self.playing += now - self._at
            self.still = max(self.still, now - self._moved)
        if self.status == "queued":
            self.queued += now - self._at
        self._at = now

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> float:
        """Return the time at which the next wanted frame came."""
        done: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((wanted, done))
        return await asyncio.wait_for(done, PATIENCE)

    async def choose(self, name: str, value: str) -> float:
        """Ask to see it in another way, as the page does: by another stream. When its first frame came."""
        self._choices[name] = value
        self._task.cancel()
        self._have = ""
        self._task = asyncio.create_task(self._watch())
        return await self.until(lambda head: True)

    def close(self) -> None:
        """Watch no longer."""
        self._task.cancel()

    async def _watch(self) -> None:
        wait, troubles = 0.3, self._page.troubles
        while True:
            query = {"have": self._have} | {f"choose.{name}": value for name, value in self._choices.items()}
            try:
                path = f"/{self._route}/{self._run}/stream?{urlencode(query)}"
                async for name, data in events(self._page.host, path, cookie=self._page.cookie):
                    wait = 0.3
                    if name == "frame":
                        self._take(data)
                    elif name == "gone":
                        troubles.add("the run is gone")
                        return
                    elif name != "still":
                        raise Unexpected(f"a stream of frames has an event {name!r}")
                troubles.add("a stream of frames ended")
            except Refused as error:
                troubles.add(str(error))
            except (OSError, TimeoutError, EOFError) as error:
                troubles.add(f"a stream of frames broke: {type(error).__name__}")
            except Exception as error:
                troubles.spoil(error)
                for _, done in self._waiting:
                    if not done.done():
                        done.set_exception(error)
                return
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))
            wait = min(8.0, 2 * wait)

    def _take(self, data: bytes) -> None:
        head, found, _ = data.partition(_AFTER)
        try:
            message = json.loads(head + b"}") if found else {}
        except ValueError:
            message = {}
        if not all(key in message for key in _HEAD) or message["run"] != self._run:
            raise Unexpected(f"a frame begins with {data[:120]!r}")
        self.count()
        now, before = self._at, self._head
        self.frames += before.get("status") in MOVING
        if message["status"] != before.get("status"):
            self.statuses.append((now, message["status"]))
        if message["count"] != before.get("count") or before.get("status") not in MOVING:
            self._moved = now
        self._head, self._have = message, message["version"]
        for wanted, done in self._waiting:
            if not done.done() and wanted(message):
                done.set_result(now)
        self._waiting = [each for each in self._waiting if not each[1].done()]
        self._came(message)
