"""A page as one HTML file, which its browser makes of what it was sent: no one gets more by it than is in sight."""

from pages.web.scripts import component

_save = component("lab_save", "parts/saving.js", "lab-save")


def save_page(name: str, settings: tuple[tuple[str, str], ...] = ()) -> None:
    """A button that saves the page that is drawn, with the film or the training as it stands, as `name`.html, and
    at its end a table of settings, each a name and its text.
    """
    _save(key=f"save {name}", data={"file": f"{name}.html", "settings": settings})
