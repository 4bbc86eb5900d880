"""Recipes that continue a training with a model of another kind."""

from boltzcore.models import Model
from boltzcore.parameters import Refusal
from boltzcore.registry import MODELS, learners_of
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule


def continuations(recipe: Recipe, model: Model) -> dict[str, Recipe]:
    """Return {title of a model: a recipe of two stages}: the training of this recipe, then one of its model converted
    to another kind.
    """
    found = {}
    for name, entry in MODELS.items():
        other = model.as_kind(entry.kind)
        if other is None or isinstance(model, entry.kind):
            continue
        learner = next(iter(learners_of(name).values()))
        length, unit = learner.length
        try:
            found[entry.title] = Recipe(
                model=entry.setup.from_model(other),
                data=recipe.data,
                learner=learner(),
                schedule=Schedule(length=length, unit=unit, seed=recipe.schedule.seed),
                before=recipe,
            )
        except Refusal:  # it has as many stages as there may be
            continue
    return found
