"""Worked examples of a model, and of a learner."""

from boltzcore.registry import MODELS
from pages.figures import naming
from pages.inside.worked_examples import STEPS

MODEL_TITLES = {name: model.title for name, model in MODELS.items()}


def of_model(model: str) -> dict[str, str]:
    """Return {name: learner and question} of the examples of a model."""
    there = {name: step for name, step in STEPS.items() if step.recipe.model.name == model}
    return {name: f"{naming.short(step.learner)}: {step.title}" for name, step in there.items()}


def of_learner(name: str) -> str:
    """Return the name of a learner's first example; "" if it has none."""
    return next((key for key, step in STEPS.items() if type(step.learner).__name__ == name), "")
