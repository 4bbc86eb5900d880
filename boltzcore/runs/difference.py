"""A recipe told by what differs from another one: short enough for a link that carries several."""

from collections.abc import Collection, Mapping
from urllib.parse import quote, unquote

from boltzcore.parameters import Parameters
from boltzcore.quoting import cut
from boltzcore.runs.recipe import BEFORE, NAMED, Recipe, owners_of

_SAFE = ":,/ "  # of what texts are made, these mean nothing here


def differing(recipe: Recipe, base: Mapping[str, str]) -> str:
    """What a recipe has otherwise than the parameters of another one's link (`Recipe.to_query`): each parameter as
    `key=text`, and as `key` alone where only the other one has it, with semicolons between.
    """
    own = recipe.to_query()
    told = [f"{key}={quote(text, safe=_SAFE)}" for key, text in own.items() if base.get(key) != text]
    return ";".join([*told, *(key for key in base if key not in own and _is_of(key, own))])


def beyond_learner_and_rate(recipe: Recipe, other: Recipe) -> tuple[str, ...]:
    """What two recipes on the same data have otherwise besides the learner, its rate, the seed and the length, in
    words: with any of these a comparison of their curves is not one of learners alone.
    """
    found = [] if recipe.before == other.before else ["the training before"]
    found += _labels(recipe.model, other.model)
    ours, theirs = recipe.learner, other.learner
    rates = {"rate", *recipe.live_fields()[:1], *other.live_fields()[:1]}
    steps = ours.transitions, theirs.transitions
    if None not in steps and steps[0] != steps[1]:
        found.append("Gibbs steps an update")
    budget_fields = {"K", "d", "K_prime"}  # told by the steps in all
    found += _labels(ours, theirs, but=rates | budget_fields)
    for section in recipe.entry.sections:
        if getattr(recipe, section) != getattr(other, section):
            found += _labels(getattr(recipe, section), getattr(other, section))
    if recipe.changes != other.changes:
        found.append("what was changed while it trained")
    return tuple(dict.fromkeys(found))


def _labels(one: Parameters, other: Parameters, but: Collection[str] = ()) -> list[str]:
    """The labels of the fields that both have, with other values."""
    beside = other.values()
    return [
        type(one).named(field).label.lower()
        for field, value in one.values().items()
        if field not in but and beside.get(field, value) != value
    ]


def differed(text: str, base: Mapping[str, str]) -> dict[str, str]:
    """The parameters of a recipe's link, of which `differing` told what differs from these; what they say is not
    checked. ValueError where the text was cut off.
    """
    query = dict(base)
    for piece in filter(None, text.split(";")):
        key, told, value = piece.partition("=")
        if query.pop(key, None) is None and not told:
            raise ValueError(f"{cut(key)} has no value: the link is cut off.")
        if told:
            query[key] = unquote(value)
    return {key: value for key, value in query.items() if _is_of(key, query) or key not in base}


def _is_of(key: str, query: Mapping[str, str]) -> bool:
    """Whether a parameter is of the recipe that this link names, and not of another learner, say."""
    names = {what: query.get(what, "") for what in NAMED}
    return "." not in key or key.startswith(BEFORE) or key.partition(".")[0] in owners_of(names)
