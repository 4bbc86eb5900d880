"""A recipe told by what differs from another one: short enough for a link that carries several."""

from collections.abc import Mapping
from urllib.parse import quote, unquote

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
