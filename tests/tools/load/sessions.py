"""What visitors do: hold a training of their own, or watch another visitor's."""

import asyncio
import itertools
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from boltzcore.comparison.presets import COMPARISON_PRESETS
from tests.tools.load.page import Page
from tests.tools.load.viewer import MOVING, Seen, Viewer
from tests.tools.load.wire import PATIENCE, Refused, Troubles, Unexpected

EVERY, JITTER = 10.0, 0.2  # seconds between two acts of one visitor, and how far one is from that, as a share
REST = 2.0  # seconds before the end in which nobody begins to act
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


@dataclass(frozen=True)
class Act:
    """Something that a visitor did.

    wanted : the statuses that show its effect to all who watch `run`; none where only this visitor sees it
    sent, effect, script : when it was done, when its effect was seen, when the script had run; None where it did not
    """

    run: str
    wanted: tuple[str, ...]
    sent: float
    effect: float | None = None
    script: float | None = None


@dataclass
class Report:
    """What one visitor did and saw, for the process that asks."""

    kind: str
    opened: float | None
    run: str = ""
    acts: list[Act] = field(default_factory=list)
    seen: Seen | None = None
    scripts: int = 0
    errors: Counter[str] = field(default_factory=Counter)


class Session:
    """A visitor with one page, who opens it, acts for a while, and leaves."""

    kind, name = "", ""

    def __init__(self, host: str, query: dict[str, str]) -> None:
        self.troubles, self.run = Troubles(), ""
        self.page = Page(host, self.name, urlencode(query), self.troubles)
        self.viewer: Viewer | None = None
        self._opened: float | None = None
        self._acts: list[Act] = []

    async def open(self) -> None:
        """Open the page, and look until there is something to see."""
        began = time.monotonic()
        try:
            await self.page.open()
            await self.look()
            self._opened = time.monotonic() - began
        except LOST as error:
            self.troubles.add(f"a page did not open: {type(error).__name__} {error}".strip())
        self.troubles.check()

    async def look(self) -> None:
        """What the page does once it is drawn."""

    async def settle(self) -> None:
        """Return once nothing on the page goes on by itself that will end."""
        until = time.monotonic() + 6 * PATIENCE
        while not self.page.quiet and time.monotonic() < until:
            await asyncio.sleep(0.1)

    async def act(self, begin: float, until: float) -> Report:
        """Act again and again between two moments, and tell what came of it."""
        await asyncio.sleep(begin - time.monotonic())
        self._acts, scripts, errors = [], self.page.runs, Counter(self.troubles.told)
        if self.viewer:
            self.viewer.begin()
        if self._opened is not None:
            await self._go_on(begin, until)
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        self.troubles.check()
        report = Report(self.kind, self._opened, self.run, self._acts)
        report.seen = self.viewer.end() if self.viewer else None
        report.scripts = self.page.runs - scripts
        report.errors = self.troubles.told - errors if self._opened is not None else Counter(self.troubles.told)
        return report

    async def _go_on(self, begin: float, until: float) -> None:
        due = begin + random.uniform(0.0, EVERY)
        for number in itertools.count():
            if due > until - REST:
                return
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            try:
                await self.once(number)
            except LOST as error:
                self.troubles.add(f"an act had no effect: {type(error).__name__} {error}".strip())
            due = max(time.monotonic(), due + EVERY * random.uniform(1 - JITTER, 1 + JITTER))

    async def once(self, number: int) -> None:
        """One act, and waiting for its effect."""

    async def leave(self) -> None:
        """Close the page."""
        if self.viewer:
            self.viewer.close()
        await self.page.close()


class Watcher(Session):
    """Watches the training of somebody else, and now and then looks at it along another axis."""

    kind, name, route = "watcher", "train", "live"

    def __init__(self, host: str, query: dict[str, str]) -> None:
        super().__init__(host, query)
        self._data: dict[str, Any] = {}
        self._told = ""

    async def look(self) -> None:
        self._set(json.loads(self.page.component(f"lab_{self.route}").element.json))
        self.page.drawn = self._set
        self.run = self._data["run"]
        self.viewer = Viewer(self.page.host, self.run, self._came, self.troubles, self.page.cookie, self.route)
        await self.viewer.until(lambda head: True)
        if self._data["mine"] != (self.kind == "owner"):
            raise Unexpected(f"to the {self.kind} of a run the page says that mine is {self._data['mine']}")

    async def once(self, number: int) -> None:
        axis, sent = AXES[number % len(AXES)], time.monotonic()
        self._acts.append(Act(self.run, (), sent))
        self._acts[-1] = Act(self.run, (), sent, await self.viewer.choose("axis", axis))

    def _set(self, data: dict[str, Any]) -> None:
        if not {"run", "mine", "around"} <= data.keys():
            raise Unexpected(f"the live frames are given {sorted(data)}")
        self._data = data
        if data["around"] == self._told:
            self._told = ""

    def _came(self, head: dict[str, Any]) -> None:
        """As the page's own script: once what it draws around the frames has to change, the script has to run."""
        around = head["around"]
        if self._data["mine"] and around not in (self._data["around"], self._told):
            self._told = around
            self._moved = asyncio.create_task(self.page.trigger(f"lab_{self.route}", "moved", head["version"]))


class Owner(Watcher):
    """Has a training, which plays from the start; pauses it and lets it go on in turns."""

    kind = "owner"

    async def once(self, number: int) -> None:
        plays = self.viewer.status in MOVING
        label, wanted = ("Pause", ("paused",)) if plays else ("Play", MOVING)
        if not plays and self.viewer.status != "paused":
            raise Refused(f"the training has come to {self.viewer.status!r}")
        until = time.monotonic() + PATIENCE
        while not self.page.has(label):
            if time.monotonic() > until:
                raise Refused(f"the button {label} does not come")
            await asyncio.sleep(0.05)
        seen = asyncio.ensure_future(self.viewer.until(lambda head: head["status"] in wanted))
        sent, script = await self.page.click(label)
        self._acts.append(Act(self.run, wanted, sent))
        self._acts[-1] = Act(self.run, wanted, sent, await seen, await asyncio.wait_for(script, PATIENCE))


class RaceWatcher(Watcher):
    """Watches the race of somebody else."""

    name, route = "compare", "race"


class RaceOwner(Owner):
    """Has a race, pauses it and lets it go on in turns."""

    name, route = "compare", "race"

    async def look(self) -> None:
        await self.page.click("Play")
        until = time.monotonic() + PATIENCE
        while not self.page.shows("lab_race"):
            if time.monotonic() > until:
                raise Refused("the race does not come")
            await asyncio.sleep(0.05)
        await super().look()


class Guest(Owner):
    """Comes before all others, so that what is loaded once is there; leaves nothing at work."""

    async def _go_on(self, begin: float, until: float) -> None:
        await self.once(0)


def session(host: str, kind: str, about: str) -> Session:
    """A visitor of a kind; about : the seed of a training or a race of one's own, or what a watcher watches."""
    if kind in ("owner", "guest"):
        return (Owner if kind == "owner" else Guest)(host, SMALL | {"schedule.seed": about})
    if kind == "watcher":
        return Watcher(host, {"run": about})
    if kind == "race owner":
        preset = COMPARISON_PRESETS["shifting-bar"].comparison
        return RaceOwner(host, preset.changed(seed=int(about), budget=LONG).to_query())
    if kind == "race watcher":
        return RaceWatcher(host, {"race": about})
    raise Unexpected(f"there is no visitor of the kind {kind!r}")
