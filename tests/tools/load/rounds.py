"""One round of the test, and the figures of it."""

import asyncio
import math
import resource
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.tools.load import meter
from tests.tools.load.sessions import Act, Report, Session, session
from tests.tools.load.viewer import Seen
from tests.tools.load.wire import Unexpected

SPREAD = 0.1  # seconds between two who arrive
STILL = 2.0  # seconds for which the count of a run that moves may stand still
WARMING = 3.0  # seconds of the visit that comes before all others
WATCHED = ("watch", "race")  # scenarios in which most watch what a few have

Figures = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What is to be tested.

    scenario : own, watch or race
    sessions : visitors, beside the owners of `runs` that are watched
    seconds : in which they act; after : seconds between their leaving and the last look at the memory
    """

    scenario: str
    sessions: int
    runs: int
    seconds: float
    after: float


class Visitors:
    """Those who are there, each with a page."""

    def __init__(self, host: str) -> None:
        self._host, self._there = host, list[Session]()

    async def open(self, wanted: list[tuple[str, str]]) -> list[str]:
        """Open sessions (kind, about), one after another; the runs that they see."""
        new = [session(self._host, kind, about) for kind, about in wanted]
        self._there += new

        async def arrive(after: float, each: Session) -> None:
            await asyncio.sleep(after)
            await each.open()

        await asyncio.gather(*(arrive(number * SPREAD, each) for number, each in enumerate(new)))
        await asyncio.gather(*(each.settle() for each in new))
        return [each.run for each in new]

    async def act(self, begin: float, until: float) -> list[Report]:
        """What came of all acts."""
        return await asyncio.gather(*(each.act(begin, until) for each in self._there))

    async def leave(self) -> None:
        await asyncio.gather(*(each.leave() for each in self._there))
        self._there.clear()


async def figures_of(plan: Plan, host: str, process: int | None, number: int) -> Figures:
    """One round. process : of the server, None where it is not to be measured."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    visitors = Visitors(host)
    await _visit(visitors, number)
    figures: Figures = {"memory before, MiB": meter.memory(process)}
    await _open(plan, visitors, number)
    begin = time.monotonic() + 1.0
    until = begin + plan.seconds
    acting = asyncio.create_task(visitors.act(begin, until))
    await asyncio.sleep(begin - time.monotonic())
    used, busy, ours, since = meter.cpu(process), meter.busy(), time.process_time(), time.monotonic()
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    used, busy, past = meter.cpu(process) - used, meter.busy() - busy, time.monotonic() - since
    ours = time.process_time() - ours
    figures |= {"memory during, MiB": meter.memory(process), "server, % of a core": 100 * used / past}
    figures["visitors of this test, % of a core"] = 100 * ours / past
    figures["all else on the machine, % of a core"] = 100 * (busy - used - ours) / past
    reports = await acting
    await visitors.leave()
    await asyncio.sleep(plan.after)
    figures["memory after, MiB"] = meter.memory(process)
    figures["a page opens after that, ms"] = 1000 * await _visit(visitors, number)
    return _acted(plan, reports) | figures


async def _visit(visitors: Visitors, number: int) -> float:
    """A visitor of a training comes, pauses it, and goes. Seconds until something was seen."""
    await visitors.open([("guest", str(10_000 * number - 1))])
    begin = time.monotonic()
    [report] = await visitors.act(begin, begin + WARMING)
    await visitors.leave()
    if report.opened is None or report.errors:
        raise Unexpected(f"a single visitor meets errors: {dict(report.errors)}")
    return report.opened


async def _open(plan: Plan, visitors: Visitors, number: int) -> None:
    if plan.scenario not in WATCHED:
        await visitors.open([("owner", str(10_000 * number + each)) for each in range(plan.sessions)])
        return
    owner, watcher = (("owner", "watcher"), ("race owner", "race watcher"))[plan.scenario == "race"]
    runs = await visitors.open([(owner, str(10_000 * number + each)) for each in range(plan.runs)])
    if not all(runs):
        raise Unexpected("a training that is to be watched did not begin")
    await visitors.open([(watcher, runs[each % len(runs)]) for each in range(plan.sessions)])


# -- what came of the acts ------------------------------------------------------------------------------


def _acted(plan: Plan, reports: list[Report]) -> Figures:
    opened = [report for report in reports if report.opened is not None]
    watching = [(report, report.seen) for report in opened if report.seen is not None]
    acts = [act for report in reports for act in report.acts]
    clicks = [act for act in acts if act.wanted]
    figures: Figures = {"opened": len(opened), "of": len(reports), "clicks": len(clicks)}
    figures |= _spread("page opens", (report.opened for report in opened))
    errors = sum((report.errors for report in reports), Counter())
    figures |= _spread("click to effect", (act.effect - act.sent for act in clicks if act.effect))
    figures |= _spread("click to end of script", (act.script - act.sent for act in clicks if act.script))
    if plan.scenario in WATCHED:
        choices = [act for act in acts if not act.wanted]
        figures["choices"] = len(choices)
        figures |= _spread("choice to frame", (act.effect - act.sent for act in choices if act.effect))
        elsewhere = list(_elsewhere(clicks, watching))
        figures |= _spread("click to effect elsewhere", (late for late in elsewhere if late is not None))
        if unseen := elsewhere.count(None):
            errors["a click was not seen by one who watches"] += unseen
    figures |= {"errors": errors.total(), "what went wrong": dict(errors.most_common())}
    if not clicks or not watching or not sum(seen.frames for _, seen in watching):
        raise Unexpected(f"nothing was clicked, or no frame came: {dict(errors)}")
    figures |= _frames(watching)
    scripts = sum(report.scripts for report in reports)
    return figures | {"runs of scripts a click": scripts / len(clicks)}


def _frames(watching: list[tuple[Report, Seen]]) -> Figures:
    rates = [seen.frames / seen.playing for _, seen in watching if seen.playing > STILL]
    owners = [seen for report, seen in watching if report.kind == "owner"]
    return {
        "frames a second, median viewer": median(rates),
        "frames a second, worst viewer": min(rates),
        "runs that move all the time": sum(seen.still <= STILL for seen in owners),
        "of runs": len(owners),
        "longest standstill, s": max(seen.still for seen in owners),
        "runs that were queued": sum(seen.queued > 0 for seen in owners),
    }


def _elsewhere(clicks: list[Act], watching: list[tuple[Report, Seen]]) -> Iterable[float | None]:
    """Seconds after which each click was seen by each of those who watch; None where it never was."""
    for act in clicks:
        for report, seen in watching:
            if report.kind == "watcher" and report.run == act.run:
                later = (at - act.sent for at, status in seen.statuses if at > act.sent and status in act.wanted)
                yield min(later, default=None)


def _spread(name: str, seconds: Iterable[float]) -> Figures:
    """Median, 95th percentile and worst, in ms."""
    found = sorted(1000 * each for each in seconds)
    at = {"p50": math.ceil(0.5 * len(found)), "p95": math.ceil(0.95 * len(found)), "worst": len(found)}
    return {f"{name}, {which}, ms": found[place - 1] if found else math.nan for which, place in at.items()}
