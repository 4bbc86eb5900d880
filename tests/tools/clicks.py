"""`python -m tests.tools.clicks`: measure the time from a click on Train to its effect in a browser, and from the first
click on Start to the first picture.
"""

import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from playwright.sync_api import Browser, Page, sync_playwright

from boltzcore.runs.presets import PRESETS
from tests.browser.journeys import button, figures
from tests.tools.chromium import launched
from tests.tools.served import host_of, served

PAUSE = 400  # ms between two clicks
FEW = 5  # updates that take five seconds at the slowest
MS = 1000.0
# Notes when something was pressed, when the figures came to another count or status, and when a picture changed.
NOTES = """() => {
  const list = document.querySelector('.lab-figures'), notes = window.notes = { pressed: 0, told: [], pictures: [] };
  const pressed = () => { notes.pressed = performance.now(); };
  for (const kind of ['click', 'input', 'keydown']) document.addEventListener(kind, pressed, true);
  new MutationObserver(() => notes.told.push([+list.dataset.count, list.dataset.status, performance.now()]))
    .observe(list, { attributes: true, attributeFilter: ['data-count', 'data-status'] });
  new MutationObserver(() => notes.pictures.push(performance.now()))
    .observe(document.querySelector('.stage'), { subtree: true, childList: true, attributeFilter: ['src'] });
}"""
CLEAR = "() => { notes.told.length = notes.pictures.length = 0; }"
TOLD = "([least, status]) => notes.told.find(([count, now]) => count >= least && (!status || now === status))"
DRAWN = "() => notes.pictures[0]"


def _after(page: Page, press: Callable[[], None], found: str, wanted: object = None) -> float:
    """Milliseconds from what is pressed to what is found in the notes."""
    page.evaluate(CLEAR)
    press()
    page.wait_for_function(found, arg=wanted)
    at = page.evaluate(found, wanted)
    took = (at[-1] if isinstance(at, list) else at) - page.evaluate("notes.pressed")
    page.wait_for_timeout(PAUSE)
    return took


def _count(page: Page) -> int:
    return int(figures(page).get_attribute("data-count"))


def effects(page: Page, times: int) -> dict[str, list[float]]:
    """{what is pressed: milliseconds until it shows} of a training that has not begun yet."""
    button(page, "Step").click()
    page.locator(".lab-figures[data-count='1']").wait_for()
    page.wait_for_timeout(5 * PAUSE)
    page.evaluate(NOTES)
    found: dict[str, list[float]] = {}

    def again(name: str, press: Callable[[], None], told: str, wanted: object = None) -> None:
        found.setdefault(name, []).append(_after(page, press, told, wanted))

    back, speed = (page.get_by_role("slider", name=name) for name in ("Look back", "Speed"))
    for _ in range(times):
        again("Step", button(page, "Step").click, TOLD, [_count(page) + 1, ""])
    for _ in range(min(times, _count(page) - 1)):
        again("Look back", lambda: back.press("ArrowLeft"), DRAWN)
    speed.press("Home")
    page.wait_for_timeout(5 * PAUSE)
    for _ in range(times):
        again("Play", button(page, "Play").click, TOLD, [0, "running"])
        again("Pause", button(page, "Pause").click, TOLD, [0, "paused"])
    button(page, "Play").click()
    for _ in range(max(times // 4, 1)):
        speed.press("Home")
        page.wait_for_timeout(5 * PAUSE)
        again("Speed", lambda: speed.press("End"), TOLD, [_count(page) + FEW, ""])
    return found


@contextmanager
def _page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


FIRSTS = {  # what comes after the first click on Start, and how a page knows it
    "first picture of any kind": "() => [...document.querySelectorAll('.stage img, .lab-live img, .lab-film img')]"
    ".some((image) => image.complete && image.naturalWidth)",
    "first picture of what it has learnt": "() => +document.querySelector('.lab-figures')?.dataset.count > 0"
    " && document.querySelector('.stage .beside img')?.complete",
    "second point of the live curve": "() => +document.querySelector('.lab-figures')?.dataset.records > 1",
}


def firsts(browser: Browser, host: str) -> dict[str, float]:
    """{what: seconds from the first click on Start to it}."""
    with _page(browser) as page:
        page.goto(f"http://{host}/")
        start = page.get_by_test_id("stBaseButton-primary").first
        start.wait_for()
        start.evaluate("node => node.addEventListener('click', () => { window.began = performance.now(); })")
        start.click()
        seconds = {}
        for what, there in FIRSTS.items():
            page.wait_for_function(there)
            seconds[what] = page.evaluate("performance.now() - began") / MS
        host_of(f"http://{host}")
        return seconds | {"all kernels ready": page.evaluate("performance.now() - began") / MS}


@click.command()
@click.option("--preset", "presets", multiple=True, type=click.Choice(list(PRESETS)), help="Trainings to click on.")
@click.option("--times", default=20, type=click.IntRange(1, 1000), show_default=True, help="Clicks of each kind.")
def main(presets: tuple[str, ...], times: int) -> None:
    """From a click on Train to its effect, in milliseconds; from the first click on Start to the first pictures."""
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for warm in (False, True):
            with served(warm=warm) as (host, _):
                took = firsts(browser, host)
            click.echo(f"From the first click, {'all' if warm else 'nothing'} compiled:")
            for what, seconds in took.items():
                click.echo(f"  {what:<40}{seconds:>6.1f} s")
        with served() as (host, _):
            for preset in presets or [next(iter(PRESETS))]:
                click.echo(f"\n{preset:<12}{'median':>8}{'worst':>8}  ms")
                with _page(browser) as page:
                    page.goto(f"http://{host}/train?preset={preset}")
                    for name, took in effects(page, times).items():
                        click.echo(f"{name:<12}{statistics.median(took):>8.0f}{max(took):>8.0f}")
                    button(page, "Pause").click()
        browser.close()


if __name__ == "__main__":
    main(prog_name="python -m tests.tools.clicks")
