"""`python -m tests.tools.footprint`: the memory that the app's process holds after each page was visited, one after the
other, and after a training and a race.
"""

import time

import click
from playwright.sync_api import Page, sync_playwright

from tests.browser.journeys import button, figures
from tests.browser.test_shell import PAGES
from tests.tools.chromium import launched
from tests.tools.load import meter
from tests.tools.load.rounds import MIB
from tests.tools.served import served

FLOOR = 690  # MB: what Streamlit's Community Cloud gives at least
SECONDS = 20.0  # of a training and of a race


def settled(page: Page) -> None:
    page.get_by_role("heading", level=1).first.wait_for()
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


@click.command()
def main() -> None:
    """Visit every page, and print what is held after each."""
    with served() as (host, process), sync_playwright() as playwright:
        browser = launched(playwright)
        page, most = browser.new_page(), 0.0
        page.set_default_timeout(120_000)

        def tell(what: str) -> None:
            nonlocal most
            held = meter.memory(process, "Rss") / MIB
            most = max(most, held)
            click.echo(f"{what:24} {held:6.0f} MiB")

        tell("before")
        for path, title in PAGES.items():
            page.goto(f"http://{host}/{path}")
            settled(page)
            time.sleep(2.0)
            tell(title)
        page.goto(f"http://{host}/train?preset=handwriting&play=1")
        figures(page, "running").wait_for()
        time.sleep(SECONDS)
        tell("a training of 28 x 28")
        button(page, "Pause").click()
        page.goto(f"http://{host}/compare?preset=digits")
        settled(page)
        button(page, "Play").click()
        time.sleep(SECONDS)
        tell("a race")
        browser.close()
    click.echo(f"At most {most:.0f} MiB ({most * MIB / 1e6:.0f} MB); the floor is {FLOOR} MB.")
    if most * MIB > FLOOR * 1e6:
        raise click.ClickException("that is more than the floor")


if __name__ == "__main__":
    main()
