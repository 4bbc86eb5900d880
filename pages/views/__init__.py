"""What one model alone shows, by the model's name in the registry.

Each view is a module with
WORK                                                what the work of its learners is, a choice of axis
preview(recipe)                                     what will be seen, before the first training
figures(snapshot, recipe, dataset)                  [(name, value, what it is)] of a training
compared(records, recipe, dataset)                  the same of one of two trainings that are drawn together
curve(shown, beside, snapshot, recipe, dataset, along)  what tells how good the model is, drawn large
show(snapshot, recipe, dataset, along, page)        all else: `page` of its weights, curves as `along` says (axis,
budget, updates_per_epoch) units(snapshot)                                     how many tiles of weights there are to
turn the pages of
"""

from pages.views import crbm, rbm

VIEWS = {"rbm": rbm, "crbm": crbm}
