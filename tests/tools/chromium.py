"""The Chromium that the browser tests drive; `python tests/tools/chromium.py` prints its path, or fails where there is
none.
"""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of a system browser, else of the one that Playwright has installed, else None."""
    if path := _of_the_system():
        return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def launched(playwright: Playwright, *arguments: str) -> Browser:
    """That browser, started with these arguments; for root it has no sandbox."""
    root = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    path = _of_the_system() or playwright.chromium.executable_path
    return playwright.chromium.launch(executable_path=path, args=[*root, *arguments])


def _of_the_system() -> str | None:
    """The path of a system browser; one that has no windows to draw is much the quicker, and comes first."""
    return next(filter(None, map(shutil.which, NAMES)), None)


if __name__ == "__main__":
    sys.exit(print(path) if (path := find()) else 1)
