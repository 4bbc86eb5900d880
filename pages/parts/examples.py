"""Steps that are worth taking apart: by model, and the one of a learner."""

from collections.abc import Mapping

from boltzcore.figures import naming
from boltzcore.registry import MODELS
from boltzcore.runs.worked_examples import EXAMPLES, SIDES, STEPS, Example, step_named
from boltzcore.runs.worked_step import Pair

PAIRED = "two beside each other"
GROUPS = {**{name: model.title for name, model in MODELS.items()}, PAIRED: "Two learners beside each other"}


def by_group() -> dict[str, Example]:
    """All, by the groups of `GROUPS`."""
    return {name: example for group in GROUPS for name, example in EXAMPLES.items() if group == group_of(example)}


def group_of(example: Example) -> str:
    """The name of its model; pairs are a group of their own."""
    return PAIRED if isinstance(example, Pair) else example.recipe.model.name


def titles(examples: Mapping[str, Example]) -> dict[str, str]:
    """{name: learner and question}."""
    shown = {name: map(step_named, sides(name, example)) for name, example in examples.items()}
    who = {name: " and ".join(naming.short(each.learner) for each in several) for name, several in shown.items()}
    return {name: f"{who[name]}: {example.title}" for name, example in examples.items()}


def sides(name: str, example: Example) -> list[str]:
    """The names of what is taken apart: itself, or both of a pair."""
    return [f"{name}.{side}" for side in SIDES] if isinstance(example, Pair) else [name]


def of_learner(name: str) -> str:
    """The first example of a learner; "" where there is none."""
    return next((key for key in by_group() if key in STEPS and type(STEPS[key].learner).__name__ == name), "")
