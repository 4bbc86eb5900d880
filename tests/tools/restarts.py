"""`python -m tests.tools.restarts -- COMMAND`: start a server by any command, a container's say, and measure how soon
the first point of a training is drawn; end it by SIGTERM, start it again, and check that nothing is lost.
"""

import json
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

import click
from playwright.sync_api import Page, sync_playwright

from tests.browser.journeys import LONG, button, count, figures, moves, run_of
from tests.tools.chromium import launched

PATIENCE = 300.0  # seconds that anything may take
DRAWN = ".lab-plot[data-version]"


def health(address: str) -> dict | None:
    """What the server says of itself; None where it does not answer."""
    with suppress(OSError), urllib.request.urlopen(f"{address}/health", timeout=5) as answer:
        return json.load(answer)


@contextmanager
def started(command: tuple[str, ...], address: str) -> Iterator[dict[str, float]]:
    """Seconds from the start to the first answer; SIGTERM when the block ends, and the seconds to the end are added."""
    began, took = time.monotonic(), {}
    process = subprocess.Popen(command)
    try:
        while health(address) is None:
            if process.poll() is not None or time.monotonic() > began + PATIENCE:
                raise click.ClickException("the server does not answer")
            time.sleep(0.05)
        took["began"], took["first answer"] = began, time.monotonic() - began
        yield took
    finally:
        ends = time.monotonic()
        process.send_signal(signal.SIGTERM)
        status = process.wait(PATIENCE)
        took["end"] = time.monotonic() - ends
        click.echo(f"Ended with status {status} after {took['end']:.1f} s.")


def prepared(address: str, since: float) -> float:
    """Seconds from a moment until all kernels are loaded."""
    while (told := health(address)) is None or told["preparing"]:
        time.sleep(0.1)
    return time.monotonic() - since


def first_point(page: Page, address: str, began: float) -> float:
    """Seconds from a moment until the first point of a training is drawn, whose address is opened now."""
    page.goto(f"{address}/train?{urlencode(LONG)}&play=1")
    figures(page, "running").wait_for()
    page.locator(DRAWN).first.wait_for()
    moves(page)
    return time.monotonic() - began


@click.command()
@click.argument("command", nargs=-1, required=True)
@click.option("--address", default="http://localhost:8501", show_default=True, help="Where the server will be.")
def main(command: tuple[str, ...], address: str) -> None:
    """Start COMMAND twice, with a training that goes on between."""
    address = address.rstrip("/")
    with sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(ignore_https_errors=True)
        page.set_default_timeout(1000 * PATIENCE)
        with started(command, address) as took:
            click.echo(f"First answer after {took['first answer']:.1f} s.")
            click.echo(f"First live point after {first_point(page, address, took['began']):.1f} s.")
            click.echo(f"All kernels after {prepared(address, took['began']):.1f} s at most.")
            page.wait_for_timeout(5_000)
            run, before = run_of(page), count(page)
        with started(command, address) as took:
            click.echo(f"First answer after {took['first answer']:.1f} s.")
            figures(page, "paused").wait_for()
            after = count(page)
            click.echo(f"The training {run} was at update {before:,} before, and is at {after:,} after.")
            button(page, "Play").click()
            moves(page)
            click.echo(f"It goes on: {count(page):,}.")
        browser.close()
    if after < before:
        raise click.ClickException("updates were lost")


if __name__ == "__main__":
    main()
