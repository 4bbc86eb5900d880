"""Views of single models: a module of the model's name in the registry; a model without one gets `generic`.

Each view is a module with
preview(recipe, prepared)      the data that are learnt from
frame(inputs)                the `Frame` of a moment: plain values, nothing of Streamlit's
compared(records, recipe, prepared)   figures of one of several trainings that are drawn together
goodness(recipe, reached, judge)    a merit, which is the figure `judge`, in words
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@cache
def view_of(model: str) -> ModuleType:
    """Return the view of a model, by its name."""
    name = model.replace("-", "_")
    own = f"{__name__}.{name}"
    return import_module(own if name.isidentifier() and find_spec(own) else f"{__name__}.generic")
