"""`python -m tests.lesson_walks`: every lesson from its first step to its last in Chromium, by keyboard alone and by
touch at 390 x 844.
"""

import time

from playwright.sync_api import sync_playwright

from pages.lessons.catalogue import LESSONS
from tests.browser.lessons import Finger, Keyboard, take_lesson
from tests.chromium import find
from tests.load.served import served

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
DESK = {"viewport": {"width": 1280, "height": 800}}


def main() -> None:
    """Print how long each took."""
    with served() as (host, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for name in LESSONS:
            for way, settings, hand in (("keyboard", DESK, Keyboard), ("touch", PHONE, Finger)):
                page, began = browser.new_context(**settings).new_page(), time.monotonic()
                page.set_default_timeout(60_000)
                take_lesson(page, hand(page), f"http://{host}", name)
                print(f"{name:20} {way:10} {time.monotonic() - began:5.1f} s", flush=True)
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
