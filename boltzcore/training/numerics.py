"""Versions of all computations of numbers: stored numbers are used again only if these are the same."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version

from boltzcore.data.corruption import Corruption
from boltzcore.data.source import Source
from boltzcore.inference import Annealing, Inference
from boltzcore.learners import Learner
from boltzcore.measures import MEASURES
from boltzcore.measures.measure import Measure
from boltzcore.models.base import Model
from boltzcore.registry import LEARNERS
from boltzcore.training import loop as training
from boltzcore.training.recipe import Recipe

Computation = type[Learner | Model | Source | Annealing | Inference | Corruption] | Measure

# Read once, at import: `version` sometimes finds no package when several threads call it at the same time.
LIBRARIES = {name: version(name) for name in ("scipy", "scikit-learn")}
USED: dict[str, Computation] = {"annealing": Annealing, "inference": Inference}  # named in a measure's `uses`


def versions_of(recipes: Iterable[Recipe], others: Iterable[Computation] = ()) -> dict[str, int | str]:
    """Return the versions of all computations behind the numbers of trainings.

    Parameters
    ----------
    recipes : recipes of the trainings
    others : further learners, measures and inference methods in use

    Returns
    -------
    {name of a computation: its `numerics`; name of a library that one of them uses: its version}
    """
    recipes = tuple(recipes)
    involved = {*others, *(part for recipe in recipes for part in _parts_of(recipe))}
    involved |= {USED[name] for each in involved if isinstance(each, Measure) for name in each.uses}
    found: dict[str, int | str] = {"training": training.NUMERICS}
    if any(recipe.schedule.between for recipe in recipes):
        found["intermediate"] = training.INTERMEDIATE
    for each in sorted(involved, key=lambda each: each.__name__):
        name = f"{each.__module__}.{each.__name__}" if each.__name__ in LEARNERS.added else each.__name__
        found[name] = each.numerics
        found |= {library: LIBRARIES[library] for library in getattr(each, "libraries", ())}
    return found


def _parts_of(recipe: Recipe) -> Iterator[Computation]:
    for stage in recipe.stages:
        yield from (type(stage.learner), stage.entry.kind, type(stage.data))
        yield from (MEASURES[name] for name in stage.measures or ())
        if "corruption" in stage.entry.parts:
            yield Corruption
