"""`python -m tests.lesson_walks [lesson ...]`: every lesson, or these alone, from its first step to its last in
Chromium, by keyboard alone at 1280 x 800 and by touch at 390 x 844.
"""

import sys
import time

from playwright.sync_api import sync_playwright

from pages.lessons.catalogue import LESSONS
from tests.browser.lessons import Finger, Keyboard, take_lesson
from tests.chromium import launched
from tests.load.served import served

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
DESK = {"viewport": {"width": 1280, "height": 800}}


def main() -> None:
    """Print how many steps each has and how long it took."""
    with served() as (host, _), sync_playwright() as playwright:
        browser = launched(playwright)
        for name in sys.argv[1:] or LESSONS:
            for way, settings, hand in (("keyboard", DESK, Keyboard), ("touch", PHONE, Finger)):
                page, began = browser.new_context(**settings).new_page(), time.monotonic()
                page.set_default_timeout(60_000)
                take_lesson(page, hand(page), f"http://{host}", name)
                steps, took = len(LESSONS[name].steps), time.monotonic() - began
                print(f"{name:20} {way:10} {steps} steps {took:5.1f} s", flush=True)
                page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
