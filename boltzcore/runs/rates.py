"""A training raced against itself at other rates."""

import dataclasses
from typing import Any

from boltzcore.runs.comparison import Comparison
from boltzcore.runs.recipe import Recipe

TIMES = (1 / 3, 1, 3)


def of_rates(recipe: Recipe) -> Comparison | None:
    """A training beside itself at a third and at three times its rate; None where its learner has no rate, or no other
    one is allowed.
    """
    kind, rate = type(recipe.learner), recipe.learner.values().get("rate")
    if rate is None:
        return None
    field = kind.named("rate")
    found: dict[str, Any] = {}
    for value in (float(f"{times * rate:.3g}") for times in TIMES):
        if (field.low is None or value >= field.low) and (field.high is None or value <= field.high):
            found[f"rate {value:g}"] = dataclasses.replace(recipe, learner=recipe.learner.changed(rate=value))
    return Comparison(recipe, found) if len(found) > 1 else None
