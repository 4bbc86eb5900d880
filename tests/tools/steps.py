"""`python -m tests.tools.steps`: measure what taking a step apart costs: phases, bytes and milliseconds of each example
of the page Inside one step and of some large models; with --frames also how smoothly each plays on a phone's screen in
a browser whose processor is throttled four times.
"""

import gzip
import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

import click
from playwright.sync_api import Page, sync_playwright

from boltzcore.learners import CSDCP, PCD, SDCP, BeliefPropagationMLE
from boltzcore.models import CRBMSetup, RBMSetup
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.worked_step import WorkedStep, state_of
from pages.inside.trace import Trace
from pages.parts import examples
from tests.tools.chromium import launched
from tests.tools.served import served

TIMES = 5  # of which the median is told
SECONDS = 4.0  # of playing
THROTTLED = 4
PHONE = {"width": 390, "height": 844}
FRAMES = """async (seconds) => {
  const frames = [], until = performance.now() + 1000 * seconds;
  let last = await new Promise(requestAnimationFrame);
  while (last < until) { const now = await new Promise(requestAnimationFrame); frames.push(now - last); last = now; }
  return frames;
}"""


def large() -> Iterator[tuple[str, WorkedStep]]:
    """Steps of models of 784 pixels."""
    schedule = Schedule(length=2, unit="updates")
    for learner in (PCD(), SDCP(), CSDCP()):
        recipe = Recipe(RBMSetup(hidden=200), "mnist-small", learner, schedule)
        yield f"784 x 200, {type(learner).__name__}", WorkedStep("", "", recipe, 2, "contrastive")
    recipe = Recipe(CRBMSetup(hidden=100), "mnist-small", BeliefPropagationMLE(), schedule)
    yield f"784 x 100, {BeliefPropagationMLE.__name__}", WorkedStep("", "", recipe, 2, "conditional")


def measured(step: WorkedStep) -> tuple[str, int, int, float, float, float]:
    """(family, phases, phases that are shown, kB of numbers, kB that travel, milliseconds) of a step."""
    learner, state, dataset = state_of(step)
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        found = learner.trace_update(state.copy(), dataset.train, row=step.row)
        took.append(1000 * (time.perf_counter() - began))
    trace = Trace(found, learner, dataset, state.count)
    head = trace.head()
    sent = len(gzip.compress(json.dumps(head, separators=(",", ":")).encode(), 1))
    held = sum(each.nbytes for phase in found.phases for each in phase.arrays.values())
    return found.family, len(found.phases), len(head["phases"]), held / 1e3, sent / 1e3, statistics.median(took)


def frames(page: Page, address: str) -> list[float]:
    """Milliseconds of each frame while an example plays."""
    page.goto(address)
    page.locator(".lab-inside[data-slots]").wait_for()
    page.wait_for_timeout(1000)
    page.locator(".lab-inside .stages").scroll_into_view_if_needed()
    browser: Any = page.context.new_cdp_session(page)
    browser.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    page.locator(".lab-inside .play").click()
    found = page.evaluate(FRAMES, SECONDS)
    browser.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return found


@click.command()
@click.option("--frames", "plays", is_flag=True, help="Play each example in a browser, too.")
def main(plays: bool) -> None:
    """Print the table."""
    there = {name: each for name, each in examples.by_group().items() if isinstance(each, WorkedStep)}
    click.echo(f"{'step':<40} {'family':<12} phases shown  numbers kB  sent kB     ms")
    for name, step in [*there.items(), *large()]:
        family, phases, shown, held, sent, ms = measured(step)
        click.echo(f"{name:<40} {family:<12} {phases:>6} {shown:>5} {held:>11.1f} {sent:>8.1f} {ms:>6.1f}")
    if not plays:
        return
    click.echo(f"\n{'played':<40} frames a second   median ms   95 %   worst")
    with served() as (host, _), sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_context(viewport=PHONE, device_scale_factor=2).new_page()
        for name in examples.by_group():
            took = sorted(frames(page, f"http://{host}/step?example={name}"))
            rate, many = 1000 * len(took) / sum(took), len(took)
            click.echo(
                f"{name:<40} {rate:>15.1f} {took[many // 2]:>11.1f} {took[int(0.95 * many)]:>6.1f} {took[-1]:>7.1f}"
            )
        browser.close()


if __name__ == "__main__":
    main(prog_name="python -m tests.tools.steps")
