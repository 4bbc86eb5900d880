"""The more suitable model for a table, log-linear or Potts, by rows that neither is trained on."""

from typing import NamedTuple

import numpy as np

from boltzcore.data.source import Source
from boltzcore.models.log_linear import cardinalities_of, too_many
from boltzcore.quoting import Refusal
from boltzcore.registry import learners_of
from boltzcore.ticks import Tick, idle
from boltzcore.training.recipe import Recipe
from boltzcore.training.starts import start_for

MOST_STATES = 2**22  # largest number of states of a table, which is summed over many times
CLEAR = 2.0  # standard errors that a difference must exceed


class SuggestedModel(NamedTuple):
    """Comparison of the models for a table, each trained from its start.

    model : name of the model with the higher mean
    rows : number of validation rows
    means : {model: its mean log-likelihood, nats}; None if the table has too many states for a log-linear model
    difference, error : mean of the paired differences, better model minus the other, and its standard error, nats
    """

    model: str
    rows: int
    means: dict[str, float] | None = None
    difference: float = 0.0
    error: float = 0.0


def recipes_for_tables(source: Source) -> dict[str, Recipe]:
    """Return {model: its start on a table}, with its first learner."""
    return {name: start_for(name, source, next(iter(learners_of(name)))) for name in ("log-linear", "potts")}


def suggest_model(source: Source, tick: Tick = idle) -> SuggestedModel | None:
    """Return the more suitable model for a table; None if all columns are binary or validation has fewer than two rows.

    Raises Refusal if there are too many states for a quick comparison.
    """
    dataset = source.load(tick)
    train, held_out, sizes = dataset.train, dataset.validation, cardinalities_of(dataset.train)
    if max(sizes) <= 2 or held_out is None or len(held_out) < 2:
        return None
    if too_many(sizes):
        return SuggestedModel("potts", len(held_out))
    if (states := np.prod(sizes)) > MOST_STATES:
        raise Refusal(f"data must have at most {MOST_STATES:,} states for a quick comparison, not {states:,}.", "data")
    found = {}
    for name, recipe in recipes_for_tables(source).items():
        state = recipe.learner.start(recipe.model.initial(train, seed=0), train, seed=0)
        while not state.done and state.count < recipe.schedule.length:
            state = recipe.learner.advance(state, train, tick=tick)
        found[name] = state.model.log_likelihood(held_out.v, tick=tick)
    better, other = sorted(found, key=lambda name: -found[name].mean())
    apart = found[better] - found[other]
    mean, error = float(apart.mean()), float(apart.std(ddof=1) / len(apart) ** 0.5)
    means = {name: float(values.mean()) for name, values in found.items()}
    return SuggestedModel(better, len(apart), means, mean, error)
