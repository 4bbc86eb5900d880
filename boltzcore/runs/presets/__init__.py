"""Trainings worth watching first, each with what to look for: a file for each kind."""

from dataclasses import replace
from functools import cache

from boltzcore.data.examples import Dataset
from boltzcore.data.source import Source
from boltzcore.registry import learners_of, suited, takes
from boltzcore.runs.presets import images, insertion, large, tables
from boltzcore.runs.presets.preset import GROUPS, Preset
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.starts import start_for

__all__ = ["GROUPS", "PRESETS", "Preset", "first_on", "preset_of", "unseeded"]

PRESETS: dict[str, Preset] = {**images.PRESETS, **tables.PRESETS, **insertion.PRESETS, **large.PRESETS}


def preset_of(recipe: Recipe) -> str | None:
    """Return the name of the preset that a recipe is, whatever its seed and live changes; None if it is none."""
    return _names().get(unseeded(recipe))


@cache
def _names() -> dict[Recipe, str]:
    return {unseeded(preset.recipe): name for name, preset in reversed(PRESETS.items())}


def unseeded(recipe: Recipe) -> Recipe:
    """A recipe with the seed 0 and no change under way."""
    return replace(recipe, changes=(), schedule=recipe.schedule.changed(seed=0))


def first_on(source: Source, dataset: Dataset) -> Recipe:
    """What to try first on a data set: the settings of a preset that learns from such data, by the model that is made
    for such rows or by any that takes them; else a start with that model and its first learner.
    """
    model = suited(dataset)
    fit = [
        recipe
        for recipe in (preset.recipe for preset in PRESETS.values())
        if recipe.data.name == source.name and takes(recipe.model, dataset)
    ]
    if not fit:
        return start_for(model, source, next(iter(learners_of(model))))

    def off(recipe: Recipe) -> tuple[bool, ...]:
        return recipe.model.name != model, recipe.needs("annealing", dataset.train.n_visible)

    return replace(min(fit, key=off), data=source, changes=(), before=None)
