"""A page as one HTML file, which the browser makes of the data it has: it contains no more than the visitor can see."""

from pages.web.scripts import component

_save = component("lab_save", "parts/saving.js", "lab-save")


def save_page(name: str, settings: tuple[tuple[str, str], ...] = ()) -> None:
    """Draw a button that saves the present page, with the film or the training as it is, as `name`.html, with a table
    of settings, each a name and its text, at its end.
    """
    _save(key=f"save {name}", data={"file": f"{name}.html", "settings": settings})
