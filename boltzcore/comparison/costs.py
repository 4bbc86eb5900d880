"""Cost of a training on the axes at which contenders are compared."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

AXES: Mapping[str, str] = {
    "operations": "multiplications and additions of the algorithms as published",
    "updates": "updates",
    "epochs": "passes over the training rows",
}
FIELDS = {"operations": "operations", "updates": "count", "epochs": "epoch"}  # fields of records


@lru_cache(maxsize=64)
def cost_of_update(recipe: Recipe, axis: str) -> Fraction:
    """Return the exact cost of the first update of a recipe's last stage, without earlier stages: an epoch's updates
    cost one epoch.
    """
    alone = replace(recipe, before=None, measures=(), changes=())
    if axis == "epochs":
        return Fraction(1, PreparedData.from_recipe(alone).updates_per_epoch)
    if axis == "updates":
        return Fraction(1)
    one = Schedule(seed=recipe.schedule.seed, length=1, unit="updates")
    *_, last = train(replace(alone, schedule=one))
    return Fraction(last.state.operations)
