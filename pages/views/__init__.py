"""What one model alone shows: a module of its name in the registry; a model without one gets `generic`.

Each view is a module with
TILES                               what the tiles are of that pages turn, "" where there are none
PREVIEW                             what will be seen, in Markdown, before the first training
preview(recipe, course)             what is learnt from
figures(snapshot, recipe)           [(name, value, what it is)] of a training
compared(records, recipe, course)   the same of one of two trainings that are drawn together
curve(shown, beside, snapshot, recipe, along)   what tells how good the model is, drawn large
show(snapshot, recipe, along, page) all else, where the data are there: `page` of its tiles, curves as `along` says
units(snapshot)                     how many tiles there are to turn the pages of
goodness(recipe, reached)           a merit, in words
look_into(model, dataset, key)      what a model's file shows
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


def view_of(model: str) -> ModuleType:
    """The view of a model, by its name."""
    own = f"{__name__}.{model.replace('-', '_')}"
    return import_module(own if model.isidentifier() and find_spec(own) else f"{__name__}.generic")
