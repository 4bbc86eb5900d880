"""`python -m tests.race_seconds`: how long a race on Compare takes in a browser, from Play to its first curves and to
its sentence. On a quiet machine, or the figures tell of the machine.
"""

import os
import statistics
from collections.abc import Iterator
from contextlib import contextmanager

import click
from playwright.sync_api import Browser, Page, sync_playwright

from boltzcore.runs.comparison_presets import COMPARISON_PRESETS
from tests.chromium import find
from tests.load.served import served
from tests.race_kills import predict, press

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
        page.wait_for_function("window.Plotly")
        page.evaluate(NOTES)
        press(page, "Play")
        page.wait_for_function("notes.sentence")
        notes = page.evaluate("notes")
    seconds = [(notes[each] - notes["pressed"]) / MS for each in ("curves", "over", "sentence")]
    return dict(zip(FIGURES, [*seconds, notes["drawn"] / (seconds[1] - seconds[0])], strict=True))


@click.command()
@click.option(
    "--preset", default="shifting-bar", show_default=True, type=click.Choice(list(COMPARISON_PRESETS)), help="The race."
)
@click.option("--times", default=5, type=click.IntRange(1, 100), show_default=True, help="Each in an app of its own.")
def main(preset: str, times: int) -> None:
    """From Play to the first curves and to the sentence, in seconds, and the frames drawn in between."""
    root = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=root)
        for number in range(times):
            with served() as (host, _):
                found.append(race(browser, host, preset))
            click.echo(f"race {number + 1}: {', '.join(f'{what} {each:.1f}' for what, each in found[-1].items())}")
        browser.close()
    for what in FIGURES:
        values = [each[what] for each in found]
        click.echo(f"{what:<16} median {statistics.median(values):.1f}, {min(values):.1f} to {max(values):.1f}")


if __name__ == "__main__":
    main(prog_name="python -m tests.race_seconds")
