"""Comparisons that differ in one contender: each function returns another comparison, or raises Refusal."""

import dataclasses
from typing import Any

from boltzcore.figures import naming
from boltzcore.parameters import Refusal
from boltzcore.quoting import quoted
from boltzcore.registry import LEARNERS, entry
from boltzcore.runs.comparison import MOST_CONTENDERS, Comparison
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.tuning import Tuning


def added(comparison: Comparison, like: str | None = None) -> Comparison:
    """With one contender more: a copy of the last, or of this one."""
    contenders = dict(comparison.contenders)
    if len(contenders) >= MOST_CONTENDERS:
        raise Refusal(f"contenders must be at most {MOST_CONTENDERS}: remove one first.", "contenders")
    name = like or comparison.names[-1]
    contenders[_free(comparison.names, name)] = contenders[name]
    return comparison.changed(contenders=contenders)


def without(comparison: Comparison, name: str) -> Comparison:
    """Without a contender."""
    return comparison.changed(contenders={each: recipe for each, recipe in comparison.contenders if each != name})


def with_learner(comparison: Comparison, name: str, learner: str) -> Comparison:
    """With another learner for a contender: it takes over the fields that both have."""
    recipe = dict(comparison.contenders)[name]
    kind = entry(LEARNERS, "learner", learner)
    shared = {field.name for field in kind.parameters()}
    values = {field: value for field, value in recipe.learner.values().items() if field in shared}
    return _with(comparison, name, dataclasses.replace(recipe, learner=kind(**values)))


def with_field(comparison: Comparison, name: str, owner: str, field: str, text: str) -> Comparison:
    """With another value of a field of a contender's learner or model."""
    recipe = dict(comparison.contenders)[name]
    part = recipe.learner if owner == "learner" else recipe.model
    value = type(part).named(field).parse(text)
    return _with(comparison, name, dataclasses.replace(recipe, **{owner: part.changed(**{field: value})}))


def first(comparison: Comparison, name: str) -> Comparison:
    """With this contender in front: the others are compared with it."""
    contenders = dict(comparison.contenders)
    return comparison.changed(contenders={name: contenders.pop(name), **contenders})


def tuned(comparison: Comparison, *, field: str = "", values: str = "", trials: int = 0) -> Comparison:
    """With a tuning before the trials, changed where something is given."""
    now = comparison.tuning or Tuning()
    texts = tuple(part.strip() for part in values.split(",")) if values else now.values
    return comparison.changed(tuning=Tuning(field or now.field, texts, trials or now.trials))


def renamed(comparison: Comparison, name: str, new: str) -> Comparison:
    """With another name for a contender."""
    new = new.strip()
    if new != name and new in comparison.names:
        raise Refusal(f"contenders must have different names; {quoted(new)} is another one's.", "contenders")
    return comparison.changed(
        contenders={new if each == name else each: recipe for each, recipe in comparison.contenders}
    )


def _with(comparison: Comparison, name: str, recipe: Recipe) -> Comparison:
    """With another recipe for a contender, which goes by its learner's name where it did before."""
    before = dict(comparison.contenders)[name]
    usual = name.startswith(naming.short(before.learner))
    others = tuple(each for each in comparison.names if each != name)
    new = _free(others, naming.short(recipe.learner), naming.name(recipe.learner)) if usual else name
    contenders: dict[str, Any] = {
        new if each == name else each: recipe if each == name else old for each, old in comparison.contenders
    }
    return comparison.changed(contenders=contenders)


def _free(taken: tuple[str, ...], *names: str) -> str:
    """The first of some names that none has yet; the last one with a number where all are taken."""
    numbered = (f"{names[-1]} ({number})" for number in range(2, 100))
    return next(name for name in (*names, *numbered) if name not in taken)
