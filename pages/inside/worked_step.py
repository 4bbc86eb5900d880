"""One update of a training to take apart: the State before it is recomputed from the recipe."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from boltzcore.data.examples import Dataset
from boltzcore.learners.base import Learner, State
from boltzcore.quoting import Refusal
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

KEPT = 32  # States in memory, of small models


@dataclass(frozen=True)
class WorkedStep:
    """An update of a training to take apart.

    title, look_for : the question that it answers, and what to watch
    recipe : of the training; update : number of its updates before this one
    row : of the mini-batch, as `reference.trace` takes it
    choose : the first choice, {"pick", "index"} as the family's drawing numbers it; None for the usual one
    """

    title: str
    look_for: str
    recipe: Recipe
    update: int
    row: int = 0
    choose: Mapping[str, Any] | None = None

    @property
    def learner(self) -> Learner:
        """The learner of this update, with the present values of its fields."""
        return self.recipe.learner_at(self.update)


def state_of(step: WorkedStep) -> tuple[Learner, State, Dataset]:
    """Return (learner, State before the update, data), the same at each call. Raises Refusal if the training ends
    before that update.
    """
    state, dataset = _state_at(step.recipe, step.update)
    return step.learner, state, dataset


@lru_cache(maxsize=KEPT)
def _state_at(recipe: Recipe, update: int) -> tuple[State, Dataset]:
    prepared, updates = PreparedData.from_recipe(recipe), max(1, update)
    schedule = recipe.schedule.changed(
        length=updates, unit="updates", every=updates, between=0, patience=0, gap_limit=0.0, limit=0
    )
    for step in train(replace(recipe, measures=(), schedule=schedule), prepared=prepared):
        if step.state.count == update:
            return step.state.copy(), prepared.dataset  # a copy carries no caches that two threads would share
    raise Refusal(f"This training ends after {step.state.count} updates, before update {update}.")
