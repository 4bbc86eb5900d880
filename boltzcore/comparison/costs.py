"""What a training costs, on the axes at which contenders are compared."""

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from boltzcore.training.loop import Record, train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

AXES: Mapping[str, str] = {
    "operations": "multiplications and additions, as the algorithms are written down",
    "work": "the model's own unit of work, such as Gibbs transitions of one chain",
    "updates": "updates",
    "epochs": "passes over the training rows",
    "seconds": "processor seconds in updates",
}


def cost_at(axis: str, record: Record) -> float:
    """Return where a record lies on a cost axis."""
    cost: float = getattr(record, {"updates": "count", "epochs": "epoch"}.get(axis, axis))
    return cost


@lru_cache(maxsize=64)
def cost_of_update(recipe: Recipe, axis: str) -> Fraction:
    """What the first update of a recipe's last stage costs, as if no stage were before it: exactly, for an epoch's
    updates cost one epoch.
    """
    alone = dataclasses.replace(recipe, before=None, measures=(), changes=())
    if axis == "epochs":
        return Fraction(1, PreparedData.from_recipe(alone).updates_per_epoch)
    if axis == "updates":
        return Fraction(1)
    one = Schedule(seed=recipe.schedule.seed, length=1, unit="updates")
    *_, last = train(dataclasses.replace(alone, schedule=one))
    return Fraction(last.state.work if axis == "work" else last.state.operations)
