"""Views of the steps of each family of learners. A family has two files of its name: NAME.py describes each phase
(`VIEW`), NAME.js draws it. Its equations are in `boltzcore.reference.equations.FAMILIES`.
"""

from importlib import import_module

from pages.inside.families.step_view import StepView


def view_of(family: str) -> StepView:
    """The view of a family's steps."""
    return import_module(f"{__name__}.{family}").VIEW
