"""One round of the test, and the figures of it."""

import math
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from tests.tools.load import meter
from tests.tools.load.crowd import Crowd
from tests.tools.load.sessions import Act, Report
from tests.tools.load.viewer import Seen
from tests.tools.load.wire import Unexpected

EACH = 25  # visitors in a process
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


def figures_of(plan: Plan, host: str, process: int | None, number: int) -> Figures:
    """One round. process : of the server, None where it is not to be measured."""
    crowds = [Crowd(host) for _ in range(math.ceil(plan.sessions / EACH))]
    try:
        _visit(crowds[0], number)
        figures: Figures = {"memory before, MiB": meter.memory(process)}
        _open(plan, crowds, number)
        begin = time.monotonic() + 1.0
        until = begin + plan.seconds
        for crowd in crowds:
            crowd.ask("act", begin, until)
        time.sleep(begin - time.monotonic())
        used, busy, since = meter.cpu(process), meter.busy(), time.monotonic()
        time.sleep(max(0.0, until - time.monotonic()))
        used, busy, past = meter.cpu(process) - used, meter.busy() - busy, time.monotonic() - since
        during = meter.memory(process)
        answers = [crowd.answer() for crowd in crowds]
        reports = [report for answer, _ in answers for report in answer]
        visitors = sum(own for _, own in answers)
        figures |= {"memory during, MiB": during, "server, % of a core": 100 * used / past}
        figures["visitors of this test, % of a core"] = 100 * visitors / past
        figures["all else on the machine, % of a core"] = 100 * (busy - used - visitors) / past
        for crowd in crowds:
            crowd.ask("leave")
            crowd.answer()
        time.sleep(plan.after)
        figures["memory after, MiB"] = meter.memory(process)
        figures["a page opens after that, ms"] = 1000 * _visit(crowds[0], number)
    finally:
        for crowd in crowds:
            crowd.end()
    return _acted(plan, reports) | figures


def _visit(crowd: Crowd, number: int) -> float:
    """A visitor of a training comes, pauses it, and goes. Seconds until something was seen."""
    crowd.ask("open", [("guest", str(10_000 * number - 1))], time.monotonic())
    crowd.answer()
    begin = time.monotonic()
    crowd.ask("act", begin, begin + WARMING)
    [report], _ = crowd.answer()
    crowd.ask("leave")
    crowd.answer()
    if report.opened is None or report.errors:
        raise Unexpected(f"a single visitor meets errors: {dict(report.errors)}")
    return report.opened


def _open(plan: Plan, crowds: list[Crowd], number: int) -> None:
    runs = []
    if plan.scenario in WATCHED:
        owner = ("owner", "race owner")[plan.scenario == "race"]
        crowds[0].ask("open", [(owner, str(10_000 * number + each)) for each in range(plan.runs)], time.monotonic())
        runs = crowds[0].answer()
        if not all(runs):
            raise Unexpected("a training that is to be watched did not begin")
    wanted = []
    for each in range(plan.sessions):
        if plan.scenario in WATCHED:
            wanted.append((("watcher", "race watcher")[plan.scenario == "race"], runs[each % len(runs)]))
        else:
            wanted.append(("owner", str(10_000 * number + each)))
    begin = time.monotonic()
    for at, crowd in enumerate(crowds):
        crowd.ask("open", wanted[at :: len(crowds)], begin)
    for crowd in crowds:
        crowd.answer()


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
