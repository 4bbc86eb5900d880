"""`python -m tests.tools.race_seconds`: measure how long a race on Compare takes in a browser, from Play to its first
curves and to its sentence; with `--rests`, how soon a race of large trainings pauses.
"""

import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import click
from playwright.sync_api import Browser, Page, sync_playwright

from boltzcore import Comparison, Recipe
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.runs.comparison_presets import COMPARISON_PRESETS
from boltzcore.runs.schedule import Schedule
from tests.tools.chromium import launched
from tests.tools.kills import predict, press
from tests.tools.served import served

MS = 1000.0
# Notes when Play was pressed, when a chart first had curves and how often it was drawn, and when the sentence came.
NOTES = """() => {
  const notes = window.notes = { drawn: 0 };
  const note = (name) => { notes[name] ??= performance.now(); };
  const pressed = ({ target }) => { if (target.closest('.st-key-transport')) note('pressed'); };
  document.addEventListener('click', pressed, true);
  let count;
  const look = () => {
    const plot = document.querySelector('.stage .lab-plot'), figures = document.querySelector('.lab-figures');
    if (plot?.querySelector('.scatterlayer .trace')) {
      note('curves');
      if (figures.dataset.count !== count) { count = figures.dataset.count; notes.drawn += 1; }
    }
    if (notes.pressed && figures?.dataset.status === 'finished') note('over');
    if (document.querySelector('.st-key-found [data-testid="stAlert"]')) note('sentence');
    if (!notes.sentence) requestAnimationFrame(look);
  };
  look();
}"""
# When the transport was pressed, and when each status was first seen.
STATUSES = """() => {
  const seen = window.seen = {}, line = document.querySelector('.lab-figures');
  const pressed = ({ target }) => { if (target.closest('.st-key-transport')) seen.pressed = performance.now(); };
  document.addEventListener('click', pressed, true);
  new MutationObserver(() => { seen[line.dataset.status] ??= performance.now(); }).observe(line,
    { attributes: true, attributeFilter: ['data-status'] });
}"""
LARGE = Comparison(
    Recipe(RBMSetup(hidden=200), "mnist-small", CD(0.05, 100), Schedule(length=200, every=10)),
    {"CD-1": {}, "CD-10": {"CD.K": 10}, "PCD": {"learner": "PCD", "PCD.rate": 0.05, "PCD.batch_size": 100}},
    trials=8,
)
SETTLED = 2_000  # ms of training before it is to rest
FIGURES = ("first curves", "race over", "sentence", "frames a second")


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def race(browser: Browser, host: str, preset: str) -> dict[str, float]:
    """{what: seconds from Play to it, and how many frames a second were drawn} of a race that nothing is stored of."""
    with _page(browser) as page:
        page.goto(f"http://{host}/compare?preset={preset}")
        predict(page)
        page.wait_for_function("() => window.Plotly")
        page.evaluate(NOTES)
        press(page, "Play")
        page.wait_for_function("() => notes.sentence")
        notes = page.evaluate("notes")
    seconds = [(notes[each] - notes["pressed"]) / MS for each in ("curves", "over", "sentence")]
    return dict(zip(FIGURES, [*seconds, notes["drawn"] / (seconds[1] - seconds[0])], strict=True))


def rests(browser: Browser, host: str, times: int) -> dict[str, list[float]]:
    """{what: milliseconds from each press until the page shows it} of three contenders on images, eight trials each,
    and how long another page took to open meanwhile.
    """
    found: dict[str, list[float]] = {"paused": [], "another page": [], "running": [], "stopped": []}
    with _page(browser) as page, _page(browser) as other:
        page.goto(f"http://{host}/compare?{urlencode(LARGE.to_query())}")
        predict(page)
        press(page, "Play")
        page.locator(".lab-figures[data-status='running']").wait_for()
        page.evaluate(STATUSES)

        def taken(name: str, status: str) -> None:
            page.evaluate("for (const key in seen) delete seen[key]")
            press(page, name)
            page.wait_for_function("status => seen[status]", arg=status)
            found[status].append(page.evaluate("status => seen[status] - seen.pressed", status))

        for _ in range(times):
            page.wait_for_timeout(SETTLED)
            begun = time.perf_counter()
            other.goto(f"http://{host}/library")
            other.get_by_role("heading", level=1).wait_for()
            found["another page"].append(MS * (time.perf_counter() - begun))
            taken("Pause", "paused")
            taken("Play", "running")
            page.wait_for_timeout(SETTLED)
            taken("Cancel", "stopped")
            taken("Play", "running")
    return found


@click.command()
@click.option(
    "--preset", default="shifting-bar", show_default=True, type=click.Choice(list(COMPARISON_PRESETS)), help="The race."
)
@click.option("--times", default=5, type=click.IntRange(1, 100), show_default=True, help="Each in an app of its own.")
@click.option("--rests", "resting", is_flag=True, help="Instead: how soon large trainings rest, in milliseconds.")
def main(preset: str, times: int, resting: bool) -> None:
    """From Play to the first curves and to the sentence, in seconds, and the frames drawn in between."""
    found = []
    with sync_playwright() as playwright:
        browser = launched(playwright)
        if resting:
            with served() as (host, _):
                for what, each in rests(browser, host, times).items():
                    click.echo(f"{what:<16} median {statistics.median(each):.0f}, {min(each):.0f} to {max(each):.0f}")
            return
        for number in range(times):
            with served() as (host, _):
                found.append(race(browser, host, preset))
            click.echo(f"race {number + 1}: {', '.join(f'{what} {each:.1f}' for what, each in found[-1].items())}")
        browser.close()
    for what in FIGURES:
        values = [each[what] for each in found]
        click.echo(f"{what:<16} median {statistics.median(values):.1f}, {min(values):.1f} to {max(values):.1f}")


if __name__ == "__main__":
    main(prog_name="python -m tests.tools.race_seconds")
