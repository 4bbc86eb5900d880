"""Differences between two recipes: as parameters of a link, and in words."""

from collections.abc import Collection, Mapping
from typing import Any

from boltzcore.parameters import Parameters
from boltzcore.quoting import Refusal, quoted
from boltzcore.registry import gibbs_steps
from boltzcore.training.recipe import Recipe, is_parameter


def to_diff(recipe: Recipe, base: Mapping[str, str]) -> dict[str, str | None]:
    """Return {parameter: its text, or None if only the base has it} for the differences between a recipe and the
    parameters of another recipe's link (`Recipe.to_query`). `apply_diff` restores the recipe's own.
    """
    own = recipe.to_query()
    changed: dict[str, str | None] = {key: text for key, text in own.items() if base.get(key) != text}
    return changed | {key: None for key in base if key not in own and is_parameter(key, own)}


def apply_diff(differs: Mapping[str, Any], base: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a recipe's link from those of another link and the differences, texts or numbers.

    Raises Refusal with a parameter that the recipe does not have, or whose value is missing or has another type.
    """
    query = dict(base)
    for key, value in differs.items():
        if query.pop(key, None) is None and value is None:
            raise Refusal(f"{quoted(key)} has no value.", key)
        if isinstance(value, bool) or not isinstance(value, str | int | float | None):
            raise Refusal(f"{quoted(key)} must be a text or a number, not {quoted(value)}.", key)
        if value is not None:
            query[key] = value if isinstance(value, str) else repr(value)
    if unknown := next((key for key in differs if not is_parameter(key, query)), None):
        raise Refusal(f"{quoted(unknown)} is not a parameter of this recipe.", unknown)
    return {key: text for key, text in query.items() if is_parameter(key, query)}


def confounders(recipe: Recipe, other: Recipe) -> tuple[str, ...]:
    """Return the fields, other than learner, rate, seed and length, in which two recipes on the same data differ.

    If there are any, a comparison of their curves is not one of the learners alone.
    """
    found = [] if recipe.before == other.before else ["the previous stage"]
    found += _labels(recipe.model, other.model)
    ours, theirs = recipe.learner, other.learner
    rates = {"rate", *recipe.live_fields()[:1], *other.live_fields()[:1]}
    steps = gibbs_steps(ours), gibbs_steps(theirs)
    if None not in steps and steps[0] != steps[1]:
        found.append("Gibbs steps per update")
    of_steps = {"K", "d", "K_prime"}  # compared above, by the total number of Gibbs steps
    found += _labels(ours, theirs, but=rates | of_steps)
    for part in recipe.entry.parts:
        if getattr(recipe, part) != getattr(other, part):
            found += _labels(getattr(recipe, part), getattr(other, part))
    if recipe.changes != other.changes:
        found.append("live changes")
    return tuple(dict.fromkeys(found))


def _labels(one: Parameters, other: Parameters, but: Collection[str] = ()) -> list[str]:
    """Return the labels of the fields that both have, with different values."""
    theirs = other.values()
    return [
        type(one).named(field).label.lower()
        for field, value in one.values().items()
        if field not in but and theirs.get(field, value) != value
    ]
