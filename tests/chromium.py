"""The Chromium that the browser tests drive; `python tests/chromium.py` prints its path, or fails where there is
none.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright


def find() -> str | None:
    """The path of a system browser, else of the one that Playwright has installed, else None; one that has no windows
    to draw is much the quicker.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


if __name__ == "__main__":
    sys.exit(print(path) if (path := find()) else 1)
