"""Actions and sights of the Train page, in a browser."""

from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, TimeoutError

LONG = {
    "model": "rbm",
    "data": "digits",
    "learner": "CD",
    "rbm.hidden": "8",
    "schedule.length": "100000",
    "schedule.every": "2",
}
SHORT = {
    "model": "rbm",
    "data": "bars-and-stripes",
    "learner": "CD",
    "CD.batch_size": "0",
    "rbm.hidden": "3",
    "schedule.length": "2000",
    "schedule.every": "500",
}


def figures(page: Page, status: str = ""):
    return page.locator(f".lab-figures[data-status='{status}']" if status else ".lab-figures")


def count(page: Page) -> int:
    return int(figures(page).get_attribute("data-count") or 0)


def moves(page: Page) -> None:
    """Waits until the training is further than now, and its curve drawn anew."""
    plot = page.locator(".lab-plot[data-version]").first
    before, drawn = count(page), int(plot.get_attribute("data-version"))
    page.wait_for_function("before => +document.querySelector('.lab-figures')?.dataset.count > before", arg=before)
    page.wait_for_function("drawn => +document.querySelector('.lab-plot')?.dataset.version > drawn", arg=drawn)


def button(page: Page, name: str):
    """The button of a label: none of the navigation, which has More, too, and none that is left of an earlier run of
    the script, beside which a page that is drawn anew has the new one.
    """
    drawn = page.locator(":not([data-testid=stTopNavSection], [data-stale=true] *)")
    return page.get_by_role("button", name=name, exact=True).and_(drawn)


def change(page: Page) -> None:
    """Opens all settings."""
    button(page, "All settings").click()
    button(page, "Hide settings").wait_for()


def type_into(field: Locator, text: str, shown: Locator) -> None:
    """Types until it shows: a page that runs again just then may draw the field anew, before Enter takes what was
    typed.
    """
    for _ in range(4):
        field.fill(text)
        field.press("Enter")
        with suppress(TimeoutError):
            return shown.wait_for(timeout=10_000)
    pytest.fail(f"{text!r} was typed, and its answer never shown")


def run_of(page: Page) -> str:
    page.wait_for_url("**run=*")
    return parse_qs(urlsplit(page.url).query)["run"][0]


def open_library(page: Page) -> None:
    """By keyboard."""
    page.get_by_test_id("stTopNavSection").press("Enter")
    page.keyboard.press("ArrowDown")  # from the first, Papers
    page.keyboard.press("Enter")
    page.get_by_role("heading", level=1, name="Library").wait_for()


def end(page: Page) -> None:
    button(page, "More").click()
    button(page, "End run").click()
    figures(page, "stopped").wait_for()
