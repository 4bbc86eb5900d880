"""Sessions of visitors: they hold a training or a race of their own, or watch another visitor's."""

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from boltzcore.comparison.presets import COMPARISON_PRESETS
from tests.tools.load.page import Page
from tests.tools.load.viewer import MOVING, Viewer
from tests.tools.load.wire import PATIENCE, Refused, Troubles, Unexpected

EVERY, JITTER = 10.0, 0.2  # seconds between two acts of one visitor, and how far one is from that, as a share
REST = 2.0  # seconds before the end in which no visitor begins to act
AXES = ("updates", "seconds", "work", "epochs")
SMALL = {
    "model": "rbm",
    "data": "digits",
    "learner": "PCD",
    "rbm.hidden": "8",
    "PCD.rate": "0.02",
    "schedule.length": "1000000",
    "schedule.every": "20",
    "play": "1",
}
LONG = 10**10  # operations of each training of a race: more than a round takes
LOST = (OSError, TimeoutError)


@dataclass
class Act:
    """Something that a visitor did.

    wanted : the statuses that show its effect to all who watch the run; none where only this visitor sees it
    sent, effect : when it was done, and when its effect was seen; None where it never was
    """

    wanted: tuple[str, ...]
    sent: float
    effect: float | None = None


class Session:
    """A visitor with one page, who opens it, acts for a while, and leaves.

    kind : "owner" of a training, which plays from the start and is paused and let go on in turns; "guest", who does so
        once, so that what is loaded once is there; "watcher", who now and then looks at it along another axis; "race
        owner" and "race watcher"
    about : the seed of a training or a race of one's own, or what a watcher watches
    acts, errors : of `act`; opened : seconds until there was something to see, None where that did not come
    """

    def __init__(self, host: str, kind: str, about: str) -> None:
        self.kind, self.owns, races = kind, kind in ("owner", "guest", "race owner"), kind.startswith("race")
        self._route = "race" if races else "live"
        self.page = Page(host, "compare" if races else "train", urlencode(_query(kind, about)), Troubles())
        self.run, self.viewer, self.opened = "", None, None
        self.acts, self.errors = list[Act](), Counter[str]()
        self._last_around = ""

    async def open(self, after: float) -> None:
        """Open the page, look until there is something to see, and until nothing goes on by itself that will end."""
        await asyncio.sleep(after)
        began = time.monotonic()
        try:
            await self.page.open()
            await self._look()
            self.opened = time.monotonic() - began
        except LOST as error:
            self.page.troubles.add(f"a page did not open: {type(error).__name__} {error}".strip())
        self.page.troubles.check()
        await _wait(lambda: self.page.quiet, 6 * PATIENCE)

    async def _look(self) -> None:
        name = f"lab_{self._route}"
        if self.kind == "race owner":
            await self.page.click("Play")
            if not await _wait(lambda: self.page.component(name)):
                raise Refused("the race does not come")
        if (component := self.page.component(name)) is None:
            raise Unexpected(f"the page has no component {name!r}")
        self._set(json.loads(component.element.json))
        self.page.drawn = self._set
        self.run = self._data["run"]
        self.viewer = Viewer(self.page, self.run, self._came, self._route)
        await self.viewer.until(lambda head: True)
        if self._data["mine"] != self.owns:
            raise Unexpected(f"to the {self.kind} of a run the page says that mine is {self._data['mine']}")

    async def act(self, begin: float, until: float) -> None:
        """Act again and again between two moments."""
        await asyncio.sleep(begin - time.monotonic())
        troubles = self.page.troubles
        before = Counter(troubles.counts)
        if self.opened is not None:
            self.viewer.begin()
            await self._go_on(begin, until)
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        troubles.check()
        self.errors = troubles.counts - before if self.opened is not None else troubles.counts
        if self.opened is not None:
            self.viewer.count()

    async def _go_on(self, begin: float, until: float) -> None:
        due = begin + (self.kind != "guest") * random.uniform(0.0, EVERY)
        for number in itertools.count():
            if due > until - REST or (number and self.kind == "guest"):
                return
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            try:
                await (self._press() if self.owns else self._choose(AXES[number % len(AXES)]))
            except LOST as error:
                self.page.troubles.add(f"an act had no effect: {type(error).__name__} {error}".strip())
            due = max(time.monotonic(), due + EVERY * random.uniform(1 - JITTER, 1 + JITTER))

    async def _choose(self, axis: str) -> None:
        self.acts.append(act := Act((), time.monotonic()))
        act.effect = await self.viewer.choose("axis", axis)

    async def _press(self) -> None:
        plays = self.viewer.status in MOVING
        label, wanted = ("Pause", ("paused",)) if plays else ("Play", MOVING)
        if not plays and self.viewer.status != "paused":
            raise Refused(f"the training has come to {self.viewer.status!r}")
        if not await _wait(lambda: self.page.has(label)):
            raise Refused(f"the button {label} does not come")
        seen = asyncio.ensure_future(self.viewer.until(lambda head: head["status"] in wanted))
        self.acts.append(act := Act(wanted, time.monotonic()))
        await self.page.click(label)
        act.effect = await seen

    async def leave(self) -> None:
        """Close the page."""
        if self.viewer:
            self.viewer.close()
        await self.page.close()

    def _set(self, data: dict[str, Any]) -> None:
        if not {"run", "mine", "around"} <= data.keys():
            raise Unexpected(f"the live frames are given {sorted(data)}")
        self._data = data
        if data["around"] == self._last_around:
            self._last_around = ""

    def _came(self, head: dict[str, Any]) -> None:
        """As the page's own script: once what it draws around the frames has to change, the script has to run."""
        around = head["around"]
        if self._data["mine"] and around not in (self._data["around"], self._last_around):
            self._last_around = around
            self._moved = asyncio.create_task(self.page.trigger(f"lab_{self._route}", "moved", head["version"]))


def _query(kind: str, about: str) -> dict[str, str]:
    if kind in ("owner", "guest"):
        return SMALL | {"schedule.seed": about}
    if kind == "race owner":
        return COMPARISON_PRESETS["shifting-bar"].comparison.changed(seed=int(about), budget=LONG).to_query()
    return {"race" if kind == "race watcher" else "run": about}


async def _wait(holds: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Wait until something holds; False where it does not within some seconds."""
    until = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < until:
        await asyncio.sleep(0.05)
    return bool(found)
