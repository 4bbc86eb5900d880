"""Keyboard access to pages: a first stop that skips to the main part, and focus that survives the removal of the button
that had it.
"""

from collections.abc import Sequence

from pages.web.scripts import component

# Streamlit's own first stop, a link to the main part of the page, comes after this one.
_keyboard = component("lab_keyboard", "common/keyboard.js", "lab-keyboard")


def serve(skip: str, to: Sequence[str], *, keeps: Sequence[str] = ()) -> None:
    """The page's own first stop of Tab, and its buttons that keep the focus.

    skip : what the first stop says
    to : keys of parts of the page: it leads to the first control of the first part there is
    keeps : keys of the parts where focus is kept when its button is disabled, or goes; a part that comes to have none
        leaves it to the first that has
    """
    _keyboard(key="keyboard", data={"skip": skip, "to": list(to), "keeps": list(keeps)})
