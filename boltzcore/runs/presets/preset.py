"""A training worth watching, with what to look for."""

from dataclasses import dataclass

from boltzcore.runs.recipe import Recipe


@dataclass(frozen=True)
class Preset:
    """A recipe worth watching.

    group : of `GROUPS`, where it is offered
    title, about : the question that it answers, and what one will see, in words that need no explanation
    look_for : what to watch and what to do then, beside the training itself
    pace : updates a second at which it is shown, where it would be over too soon to be watched; None as fast as it can
    """

    group: str
    title: str
    about: str
    look_for: str
    recipe: Recipe
    pace: float | None = None


GROUPS = {  # in the order in which a newcomer meets them
    "begin": "Begin here",
    "dream": "How does a machine learn to dream up images?",
    "restore": "How are damaged images restored?",
    "size": "How large should a model be?",
    "tables": "Which columns of a table go together?",
    "rules": "Can it find rules of three and more?",
}
