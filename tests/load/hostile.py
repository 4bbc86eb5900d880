"""One visitor who asks for all there is at once, and what it does to another who watches and looks inside."""

import asyncio
import json
import math
import time
from collections import Counter
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from tests.load import meter
from tests.load.sessions import SMALL, Owner
from tests.load.wire import Refused, events, get

STREAMS, CHOICES, QUESTIONS = 200, 100, 100  # at once
PAUSE = 0.5  # seconds between two questions of the other one, and before the hostile one tries again
WARMING = 10.0
MIB = 2**20


async def _watch(host: str, run: str, number: int, answers: Counter[str]) -> None:
    query = urlencode({f"choose.z{number}": "1", "choose.axis": ("updates", "seconds", "work", "epochs")[number % 4]})
    path = f"/live/{run}/stream" + (f"?{query}" if number < CHOICES else "")
    while True:
        with suppress(OSError, TimeoutError, EOFError):
            try:
                async for _ in events(host, path):
                    answers["events of his streams"] += 1
            except Refused:
                answers["his streams refused"] += 1
        await asyncio.sleep(PAUSE)


async def _question(host: str, run: str, number: int, answers: Counter[str]) -> None:
    while True:
        with suppress(OSError, TimeoutError, EOFError):
            status, _ = await get(host, f"/steps/trace?{urlencode({'of': f'run/{run}', 'row': number})}")
            answers[f"his questions answered with {status}"] += 1
        await asyncio.sleep(PAUSE)


async def _other(host: str, me: Owner, rests: str, seconds: float) -> dict[str, Any]:
    """Frames a second, and how long small questions take, of one who watches a training and looks into another."""
    me.viewer.begin()
    took, until, number = [], time.monotonic() + seconds, 0
    while time.monotonic() < until:
        began, number = time.monotonic(), number + 1
        query = urlencode({"of": f"run/{rests}", "row": number % 8})
        status, _ = await get(host, f"/steps/trace?{query}", cookie=me.page.cookie)
        if status != 200:
            raise Refused(f"a question is answered with {status}")
        took.append(time.monotonic() - began)
        await asyncio.sleep(PAUSE)
    seen = me.viewer.end()
    took.sort()
    return {
        "frames a second": seen.frames / max(seen.playing, 1e-9),
        "look inside, p50, ms": 1000 * took[len(took) // 2],
        "look inside, p95, ms": 1000 * took[math.ceil(0.95 * len(took)) - 1],
    }


async def _measured(host: str, process: int | None, seconds: float) -> dict[str, Any]:
    me = Owner(host, SMALL | {"schedule.seed": "5"})
    still, his = (Owner(host, SMALL | {"schedule.seed": seed}) for seed in ("6", "7"))
    for each in (me, still, his):
        await each.open()
        await each.settle()
    for each in (still, his):  # they come to rest, so that their next update can be looked into
        await each.once(0)
        each.viewer.close()
    await asyncio.sleep(WARMING)
    figures: dict[str, Any] = {}
    answers: Counter[str] = Counter()
    figures |= {f"alone: {name}": each for name, each in (await _other(host, me, still.run, seconds)).items()}
    figures["alone: memory, MiB"] = meter.memory(process) / MIB if process else math.nan
    tasks = [asyncio.create_task(_watch(host, me.run, i, answers)) for i in range(STREAMS)]
    tasks += [asyncio.create_task(_question(host, his.run, i, answers)) for i in range(QUESTIONS)]
    await asyncio.sleep(WARMING)
    figures |= {f"hostile: {name}": each for name, each in (await _other(host, me, still.run, seconds)).items()}
    figures["hostile: memory, MiB"] = meter.memory(process) / MIB if process else math.nan
    for task in tasks:
        task.cancel()
    for each in (me, still, his):
        await each.leave()
    return figures | dict(sorted(answers.items()))


def hostile(host: str, process: int | None, seconds: float) -> dict[str, Any]:
    """The figures of one round: of the other visitor alone, and beside the hostile one."""
    return asyncio.run(_measured(host, process, seconds))


def as_table(figures: dict[str, Any]) -> str:
    """A line for each figure."""
    rounded = {name: round(each, 1) if isinstance(each, float) else each for name, each in figures.items()}
    return json.dumps(rounded, indent=1)
