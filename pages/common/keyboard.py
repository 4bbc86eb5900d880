"""Keyboard access to pages: a first stop that skips to the main part, and focus that survives the removal of the button
that had it.
"""

from collections.abc import Sequence

from pages.web.scripts import component

# Streamlit's own first stop, a link to the main part of the page, follows this one.
_keyboard = component("lab_keyboard", "common/keyboard.js", "lab-keyboard")


def serve(skip: str, to: Sequence[str], *, keeps: Sequence[str] = ()) -> None:
    """Draw the page's own first Tab stop, and keep the focus of its buttons.

    skip : label of the first stop
    to : keys of parts of the page: the stop leads to the first control of the first part that exists
    keeps : keys of the parts where focus is kept when its button is disabled or removed; a part without buttons
        leaves it to the first that has some
    """
    _keyboard(key="keyboard", data={"skip": skip, "to": list(to), "keeps": list(keeps)})
