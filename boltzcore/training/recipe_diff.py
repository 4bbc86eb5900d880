"""The differences between two recipes: as short text for links that carry several recipes, and in words."""

from collections.abc import Collection, Mapping
from urllib.parse import quote, unquote

from boltzcore.parameters import Parameters
from boltzcore.quoting import cut
from boltzcore.registry import gibbs_steps
from boltzcore.training.recipe import Recipe, is_parameter

_SAFE = ":,/ "  # of what texts are made, these mean nothing here


def to_diff(recipe: Recipe, base: Mapping[str, str]) -> str:
    """Write what differs between a recipe and the parameters of another one's link (`Recipe.to_query`).

    The differences are joined by semicolons: `key=text` for a parameter of this recipe, and `key` alone for one that
    only the other recipe has. `apply_diff` reads them back.
    """
    own = recipe.to_query()
    changed = [f"{key}={quote(text, safe=_SAFE)}" for key, text in own.items() if base.get(key) != text]
    return ";".join([*changed, *(key for key in base if key not in own and is_parameter(key, own))])


def confounders(recipe: Recipe, other: Recipe) -> tuple[str, ...]:
    """Name the fields, other than learner, rate, seed and length, in which two recipes on the same data differ.

    With any of these a comparison of their curves is not one of the learners alone.
    """
    found = [] if recipe.before == other.before else ["the training before"]
    found += _labels(recipe.model, other.model)
    ours, theirs = recipe.learner, other.learner
    rates = {"rate", *recipe.live_fields()[:1], *other.live_fields()[:1]}
    steps = gibbs_steps(ours), gibbs_steps(theirs)
    if None not in steps and steps[0] != steps[1]:
        found.append("Gibbs steps an update")
    of_steps = {"K", "d", "K_prime"}  # compared above, by the Gibbs steps that they make together
    found += _labels(ours, theirs, but=rates | of_steps)
    for part in recipe.entry.parts:
        if getattr(recipe, part) != getattr(other, part):
            found += _labels(getattr(recipe, part), getattr(other, part))
    if recipe.changes != other.changes:
        found.append("what was changed while it trained")
    return tuple(dict.fromkeys(found))


def _labels(one: Parameters, other: Parameters, but: Collection[str] = ()) -> list[str]:
    """The labels of the fields that both have, with other values."""
    theirs = other.values()
    return [
        type(one).named(field).label.lower()
        for field, value in one.values().items()
        if field not in but and theirs.get(field, value) != value
    ]


def apply_diff(text: str, base: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a recipe's link from those of another link and the text that `to_diff` wrote.

    The values are not checked. Raises ValueError where the text was cut off.
    """
    query = dict(base)
    for piece in filter(None, text.split(";")):
        key, equals, value = piece.partition("=")
        if query.pop(key, None) is None and not equals:
            raise ValueError(f"{cut(key)} has no value: the link is cut off.")
        if equals:
            query[key] = unquote(value)
    return {key: value for key, value in query.items() if is_parameter(key, query) or key not in base}
