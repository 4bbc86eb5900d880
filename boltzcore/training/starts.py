"""Suggested settings of a training, by the size of the data."""

from dataclasses import replace

from boltzcore.data.source import Source
from boltzcore.parameters import check_arguments
from boltzcore.registry import DATASETS, LEARNERS, MODELS, entry
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

UNREAD = 50_000, 784  # (rows, columns) assumed for data that are not available locally


@check_arguments
def start_for(model: str, data: Source | str, learner: str) -> Recipe:
    """Return a recipe with which such a model soon visibly learns from such data, if it can.

    Model and learner get settings by the number of rows and columns (`Setup.first`, `LearnerInfo.suggested`); other
    fields have their defaults. Raises Refusal if model and learner do not fit, or a name is unknown.

    >>> from boltzcore import start_for
    >>> start_for("rbm", "bars-and-stripes", "CD").schedule.unit
    'updates'
    """
    source: Source = entry(DATASETS, "data", data)() if isinstance(data, str) else data
    there = source.load_at_hand()
    rows, columns = UNREAD if there is None else (len(there.train), there.train.n_visible)
    info = entry(LEARNERS, "learner", learner)
    first = info.suggestion(rows, columns)
    between = first.every if first.every > 1 else 0  # much changes before the first regular record
    schedule = Schedule(length=first.length, unit="updates", every=first.every, between=between)
    setup = entry(MODELS, "model", model).setup.first(rows, columns)
    return Recipe(model=setup, data=source, learner=info.learner(**first.fields), schedule=schedule)


def other_start(recipe: Recipe) -> Recipe | None:
    """Return the suggested start for the model, data and learner of a recipe; None if the recipe is that start."""
    start = start_for(recipe.model.name, recipe.data, type(recipe.learner).__name__)
    schedule = start.schedule.changed(seed=recipe.schedule.seed)
    start = replace(start, schedule=schedule, corruption=recipe.corruption)
    return None if start == replace(recipe, changes=(), before=None) else start
