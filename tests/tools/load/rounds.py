"""One round of the test, and the figures of it."""

import asyncio
import math
import resource
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.tools.load import meter
from tests.tools.load.sessions import Session
from tests.tools.load.wire import Unexpected

SPREAD = 0.1  # seconds between two arrivals
STILL = 2.0  # seconds for which the count of a run that moves may stand still
WATCHED = {"watch": ("owner", "watcher"), "race": ("race owner", "race watcher")}  # in which most watch what a few have

Figures = dict[str, Any]


async def figures_of(
    host: str, process: int | None, number: int, scenario: str, sessions: int, runs: int, seconds: float, after: float
) -> Figures:
    """One round. process : of the server, None where it is not to be measured."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    await _visit(host, number)
    figures: Figures = {"memory before, MiB": meter.memory(process)}
    owner, watcher = WATCHED.get(scenario, ("owner", ""))
    seeds = [str(10_000 * number + each) for each in range(runs if watcher else sessions)]
    there = await _opened(host, [(owner, seed) for seed in seeds])
    if watcher:
        if not all(each.run for each in there):
            raise Unexpected("a training that is to be watched did not begin")
        there += await _opened(host, [(watcher, there[each % runs].run) for each in range(sessions)])
    begin = time.monotonic() + 1.0
    acting = asyncio.gather(*(each.act(begin, begin + seconds) for each in there))
    await asyncio.sleep(begin - time.monotonic())
    used, since = meter.cpu(process), time.monotonic()
    await asyncio.sleep(max(0.0, begin + seconds - time.monotonic()))
    used, past = meter.cpu(process) - used, time.monotonic() - since
    figures |= {"memory during, MiB": meter.memory(process), "server, % of a core": 100 * used / past}
    await acting
    await asyncio.gather(*(each.leave() for each in there))
    await asyncio.sleep(after)
    figures["memory after, MiB"] = meter.memory(process)
    return _acted(there) | figures


async def _opened(host: str, wanted: list[tuple[str, str]]) -> list[Session]:
    """Open sessions (kind, about), one after another."""
    new = [Session(host, kind, about) for kind, about in wanted]
    await asyncio.gather(*(each.open(number * SPREAD) for number, each in enumerate(new)))
    return new


async def _visit(host: str, number: int) -> None:
    """A visitor of a training comes, pauses it, and goes."""
    [guest] = await _opened(host, [("guest", str(10_000 * number - 1))])
    begin = time.monotonic()
    await guest.act(begin, begin + 3.0)  # seconds of the visit that comes before all others
    await guest.leave()
    if guest.opened is None or guest.errors:
        raise Unexpected(f"a single visitor meets errors: {dict(guest.errors)}")


# -- what came of the acts ------------------------------------------------------------------------------


def _acted(there: list[Session]) -> Figures:
    opened = [each for each in there if each.opened is not None]
    clicks = [(each, act) for each in there for act in each.acts if act.wanted]
    choices = [act for each in there for act in each.acts if not act.wanted]
    errors = sum((each.errors for each in there), Counter())
    figures: Figures = {"opened": len(opened), "of": len(there), "clicks": len(clicks)}
    figures |= _spread("page opens", (each.opened for each in opened))
    figures |= _spread("click to effect", (act.effect - act.sent for _, act in clicks if act.effect))
    if watchers := [each for each in opened if not each.owns]:
        elsewhere = [
            min((at for at, status in each.viewer.statuses if at > act.sent and status in act.wanted), default=math.inf)
            - act.sent
            for owner, act in clicks
            for each in watchers
            if each.run == owner.run
        ]
        figures["choices"] = len(choices)
        figures |= _spread("choice to frame", (act.effect - act.sent for act in choices if act.effect))
        figures |= _spread("click to effect elsewhere", (late for late in elsewhere if late < math.inf))
        if unseen := elsewhere.count(math.inf):
            errors["a click was not seen by one who watches"] += unseen
    figures |= {"errors": errors.total(), "what went wrong": dict(errors.most_common())}
    if not clicks or not sum(each.viewer.frames for each in opened):
        raise Unexpected(f"nothing was clicked, or no frame came: {dict(errors)}")
    owners = [each.viewer for each in opened if each.owns]
    rates = [each.viewer.frames / each.viewer.playing for each in opened if each.viewer.playing > STILL]
    return figures | {
        "frames a second, worst viewer": min(rates),
        "runs that move all the time": sum(each.still <= STILL for each in owners),
        "of runs": len(owners),
        "longest standstill, s": max(each.still for each in owners),
        "runs that were queued": sum(each.queued > 0 for each in owners),
    }


def _spread(name: str, seconds: Iterable[float]) -> Figures:
    """Median, 95th percentile and worst, in ms."""
    found = sorted(1000 * each for each in seconds)
    at = {"p50": math.ceil(0.5 * len(found)), "p95": math.ceil(0.95 * len(found)), "worst": len(found)}
    return {f"{name}, {which}, ms": found[place - 1] if found else math.nan for which, place in at.items()}
