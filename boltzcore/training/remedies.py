"""Remedies of a diagnosis as live changes of a training, or as a recipe to start again with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boltzcore.data.table import names_of, text_of
from boltzcore.measures.diagnosis import Remedy
from boltzcore.parameters import Parameters
from boltzcore.quoting import Refusal, listed
from boltzcore.registry import LEARNERS, learners_of
from boltzcore.training.recipe import Recipe

LEARNER, LEAVE_OUT = "learner", "leave_out"
PARTS = ("model", "data", LEARNER, "annealing")
SHARED = ("rate", "batch_size")  # fields that are copied to another learner


def live_changes(recipe: Recipe, remedy: Remedy, count: int) -> dict[str, Any]:
    """Return {live field: its new value} after `count` updates; {} if the remedy has none, or was already applied."""
    fields = {key.removeprefix(f"{LEARNER}."): value for key, value in remedy.fields.items()}
    if not remedy.live or not fields.keys() <= set(recipe.live_fields()):
        return {}
    now = recipe.learner_at(count).values()
    return {field: value for field, value in fields.items() if now[field] != value}


def apply_remedy(recipe: Recipe, remedy: Remedy, count: int) -> Recipe | None:
    """Return the recipe of a new training with the remedy and the live changes up to update `count`; None if it has no
    such fields, would not change, or has earlier stages.
    """
    now = replace(recipe, learner=recipe.learner_at(count), changes=())
    parts: dict[str, Any] = {name: getattr(now, name) for name in PARTS}
    try:
        for key, value in remedy.fields.items():
            part, _, field = key.partition(".")
            parts[part] = _change(parts[part], field, value) if field else _switch_learner(now, value)
        made = replace(now, **parts)
    except Refusal:  # refused: the recipe has no such field, or the value does not fit its other fields
        return None
    return made if remedy.fields and made != now and recipe.before is None else None


def describe(recipe: Recipe, fields: Mapping[str, Any]) -> str:
    """Return the fields of a remedy by their labels on pages, with their values."""
    texts = []
    for key, value in fields.items():
        part, _, field = key.partition(".")
        if not field:
            texts.append(LEARNERS[value].title)
        elif field == LEAVE_OUT:
            texts.append(f"without {listed(value, '')}")
        else:
            declared = type(getattr(recipe, part)).named(field)
            label = declared.label[0].lower() + declared.label[1:]
            texts.append(f"{label} {declared.write(value)}")
    return ", ".join(texts)


def _change(part: Parameters, field: str, value: Any) -> Parameters:
    if field == LEAVE_OUT:
        part.named(field)
        value = text_of((*names_of(part.values()[field]), *value))
    return part.changed(**{field: value})


def _switch_learner(recipe: Recipe, name: str) -> Parameters:
    """Return another learner with this one's rate and batch size; raise Refusal if it does not fit the model."""
    kind = learners_of(recipe.model.name).get(name, LEARNERS[name]).learner
    own, there = recipe.learner.values(), {declared.name for declared in kind.parameters()}
    return kind(**{field: own[field] for field in SHARED if field in own and field in there})
