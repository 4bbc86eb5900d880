"""Scrolling of new parts of a page into view."""

from pages.web.scripts import component

_coming = component("lab_into_view", "lessons/into_view.js", "lab-into-view")


def into_view(part: str, now: str) -> None:
    """Scroll to the part of the page with this key, once for each other text `now`; never if it is empty."""
    _coming(key=f"into view {part}", data={"part": part, "now": now})
