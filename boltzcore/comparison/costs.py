"""Cost of a training on the axes at which contenders are compared."""

from collections.abc import Iterable, Mapping
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
    one = Schedule(seed=recipe.schedule.seed, length=1, unit="updates")
    alone = replace(recipe, before=None, measures=(), changes=(), schedule=one)
    if axis == "epochs":
        return Fraction(1, PreparedData.from_recipe(alone).updates_per_epoch)
    if axis == "updates":
        return Fraction(1)
    *_, last = train(alone)
    return Fraction(last.state.operations)


def cost_of(stages: Iterable[Recipe], axis: str) -> Fraction:
    """Return the cost of stages by their schedules, estimated from the first update of each."""
    lengths = ((each, each.timetable(PreparedData.from_recipe(each).updates_per_epoch).length) for each in stages)
    return sum((updates * cost_of_update(each, axis) for each, updates in lengths), Fraction(0))
