"""Names of trainings that are shown together: each by its differences from the others."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from boltzcore.learners import Learner
from boltzcore.plotting.palette import DASHES
from boltzcore.quoting import number
from boltzcore.registry import LEARNERS, MODELS, info_of
from boltzcore.training.loop import Record
from boltzcore.training.recipe import Change, Recipe
from boltzcore.training.recipe_diff import confounders

UNLIKE = " \N{DAGGER}"  # after the name of a training that differs in more than learner and rate


@dataclass(frozen=True)
class Curve:
    """Look of a training's curve: the hue of its family, the dash of the variant, a short name."""

    records: Sequence[Record]
    family: str
    dash: str
    name: str


def dash(learner: Any) -> str:
    """Return the dash of a learner: solid for the first in the registry of its family that fits the same models."""
    own = info_of(learner)
    alike = (each for each in LEARNERS.values() if each.family == own.family and set(each.models) & set(own.models))
    return DASHES[[each.learner for each in alike].index(type(learner)) % len(DASHES)]


def name(learner: Any, changes: Sequence[Change] = (), omitted: Collection[str] = ()) -> str:
    """Return a learner in short: the brackets of its title, with the K of "CD-K" or d and K' as numbers, its main
    field, and the changes of its fields by `changes`; without the values of omitted fields.
    """
    values, text, main = learner.values(), short(learner, omitted), _main(learner)
    named = {*([] if main in omitted else [main]), *(each for _, each, _ in changes)}
    moved = [field for field in values if field in named]
    successive = {field: [values[field], *(new for _, each, new in changes if each == field)] for field in moved}
    return ", ".join(
        [text, *(f"{_symbol(learner, field)} {value_sequence(each)}" for field, each in successive.items())]
    )


def short(learner: Any, omitted: Collection[str] = ()) -> str:
    """Return the shortest name of a learner: the brackets of its title, with its cost as a number unless omitted."""
    return _short(learner, omitted)[0]


def options(learner: Any, changes: Sequence[Change] = ()) -> list[str]:
    """Return the minor fields of a learner that differ from their defaults; those in `changes` are in its `name`."""
    shown = {field for _, field, _ in changes} | {each.name for each in learner.parameters() if not each.minor}
    own = {field: value for field, value in learner.values().items() if field in learner.texts() and field not in shown}
    return [f"{_symbol(learner, field)} {plain(value)}" for field, value in own.items()]


def stages(recipe: Recipe) -> str:
    """Return the stages of a training in a sentence; "" for a recipe of one stage."""
    if recipe.before is None:
        return ""
    parts = []
    for stage in recipe.before.stages:
        learner, schedule, main = stage.learner, stage.schedule, _main(stage.learner)
        field = [f"{type(learner).named(main).label.lower()} {plain(learner.values()[main])}"] if main else []
        what = ", ".join([*field, f"{schedule.length:,} {schedule.unit}"])
        parts.append(f"{re.sub(r' [(][^()]+[)]$', '', info_of(learner).title)} ({what})")
    return f"First: {'; then '.join(parts)}; then {short(recipe.learner)} from its best model."


def name_curves(
    pinned: Sequence[tuple[Recipe, Sequence[Record]]], current: tuple[Recipe, Sequence[Record]]
) -> tuple[Curve, ...]:
    """Return the curves of trainings on the same data, the current one last: their names contain their differences, and
    those of one family differ in dash. One that differs in more than learner and rate is marked.
    """
    *texts, own = names([recipe for recipe, _ in pinned], current[0])
    curves: list[Curve] = []
    for (recipe, records), text in zip(pinned, texts, strict=True):
        family = info_of(recipe.learner).family
        used = [each.dash for each in curves if each.family == family]
        free = (each for each in (dash(recipe.learner), *DASHES) if each not in used)
        mark = UNLIKE if confounders(recipe, current[0]) else ""
        curves.append(Curve(records, family, next(free, DASHES[-1]), f"{text}{mark}"))
    learner = current[0].learner  # pinned curves of its family have another colour
    return *curves, Curve(current[1], info_of(learner).family, dash(learner), own)


def names(pinned: Sequence[Recipe], current: Recipe | None = None, omitted: tuple[str, ...] = ()) -> list[str]:
    """Return the names of trainings, the pinned ones first: each with its values of the fields that it shares with
    another and has otherwise, but for omitted ones. If several have one name, it says which of them is pinned.
    """
    recipes = [*pinned, *([current] if current else [])]
    texts = [_distinct_name(each, tuple(other for other in recipes if other is not each), omitted) for each in recipes]
    shown = []
    for place, text in enumerate(texts):
        alike = [i for i, other in enumerate(texts) if other == text]
        if len(alike) > 1 and place < len(pinned):
            known = [i for i in alike if i < len(pinned)]
            text += f" (pinned {known.index(place) + 1})" if len(known) > 1 else " (pinned)"
        shown.append(text)
    return shown


def incomparable(pinned: Recipe, current: Recipe) -> str:
    """Return the reason against drawing a pinned training with another one, in a clause; "" if there is none."""
    one, other = MODELS[pinned.model.name], MODELS[current.model.name]
    if one is not other:
        return f"different model: {one.title}"
    if pinned.data != current.data:
        return "different data"
    if "corruption" in one.parts and pinned.corruption.title != current.corruption.title:
        return f"different damage: {pinned.corruption.title}"
    return ""


def value_sequence(values: Sequence[Any]) -> str:
    """Return the values that a field takes one after the other, in short."""
    shown = [plain(value) for value, before in zip(values, [None, *values], strict=False) if value != before]
    return " \N{RIGHTWARDS ARROW} ".join(shown if len(shown) <= 3 else [shown[0], "\N{HORIZONTAL ELLIPSIS}", shown[-1]])


@lru_cache(maxsize=256)  # called for each frame
def _distinct_name(recipe: Recipe, others: tuple[Recipe, ...], omitted: tuple[str, ...]) -> str:
    """Return the name of a training, with the values in which it differs from the others."""
    moved = recipe.changes if any(other.changes != recipe.changes for other in others) else ()
    # a longer training does not count as different
    elsewhere = (_main(recipe.learner), *_short(recipe.learner)[1], "length", "unit", "every", "between", "patience")
    facts = [_facts(other) for other in others]
    own = [
        text
        for key, (value, text) in _facts(recipe).items()
        if key.rpartition(".")[2] not in elsewhere and any(other.get(key, (value, ""))[0] != value for other in facts)
    ]
    return ", ".join([name(recipe.learner, moved, omitted), *own])


def _facts(recipe: Recipe) -> dict[str, tuple[Any, str]]:
    """Return {property in which trainings may differ: (its value, its text in a name)}."""
    before = recipe.before
    found: dict[str, tuple[Any, str]] = {
        "before": (before, f"after {short(before.learner)}" if before else "from its start")
    }
    if "corruption" in recipe.entry.parts:
        found["noise"] = recipe.corruption.redrawn, f"noise {recipe.corruption.redrawn}"
    for part in ("learner", "model", "schedule"):
        owner = getattr(recipe, part)
        for field, value in owner.values().items():
            shown = "all" if (field, value) == ("batch_size", 0) else plain(value)
            found[f"{part}.{field}"] = value, f"{_symbol(owner, field)} {shown}"
    return found | {"data": (recipe.data.title, recipe.data.title)}


def _short(learner: Any, omitted: Collection[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Return (a learner's short name: the brackets of its title, with its cost as a number; the fields in it)."""
    values, title = learner.values(), info_of(learner).title
    found = re.search(r"\(([^()]+)\)$", title)
    text = found.group(1) if found else title
    if "K" in {*values}.difference(omitted) and text.endswith("-K"):
        return f"{text[:-1]}{values['K']}", ("K",)
    if {"d", "K_prime"} <= {*values}.difference(omitted):
        return f"{text} {values['d']}\N{MULTIPLICATION SIGN}{values['K_prime']}", ("d", "K_prime")
    return text, ()


def _main(learner: Any) -> str:
    """Return the field in the name of a learner: if it has a rate, the first field that can be changed live, which is
    that rate or matters more; "" if it has none.
    """
    live = [declared.name for declared in type(learner).parameters() if declared.live]
    return live[0] if live and "rate" in learner.values() else ""


def _symbol(part: Any, field: str) -> str:
    """Return the short name of a field: the symbol of a learner's, the label of a model's or schedule's."""
    declared = type(part).named(field)
    return declared.symbol if declared.symbol and isinstance(part, Learner) else declared.label.lower()


def plain(value: Any) -> str:
    """Return a value of a field for a sentence."""
    return number(value, ".12g") if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
