"""Comparisons that differ in one contender: each function returns another comparison, or raises Refusal."""

import dataclasses
import re
from collections.abc import Iterable
from itertools import product
from typing import Any

from boltzcore.comparison.comparison import LONGEST_NAME, MOST_CONTENDERS, Comparison
from boltzcore.comparison.presets import COMPARISON_PRESETS
from boltzcore.comparison.tuning import PARTS, Tuning, apply_values, declarations
from boltzcore.data.source import Source
from boltzcore.parameters import Parameter
from boltzcore.quoting import Refusal, cut, quoted
from boltzcore.registry import LEARNERS, entry
from boltzcore.training.recipe import Recipe
from boltzcore.training.starts import start_for
from pages.figures import naming


def add(comparison: Comparison, like: str | None = None) -> Comparison:
    """Return a comparison with one more contender: a copy of the last, or of this one."""
    contenders = dict(comparison.contenders)
    if len(contenders) >= MOST_CONTENDERS:
        raise Refusal(f"contenders must be at most {MOST_CONTENDERS}: remove one first.", "contenders")
    name = like or comparison.names[-1]
    recipe = contenders[name]
    if _is_usual(comparison, name):
        return _assign_names(comparison, [*_rows(comparison), (name, recipe, True)])
    return comparison.changed(contenders=contenders | {_free_name(comparison.names, name): recipe})


def remove(comparison: Comparison, name: str) -> Comparison:
    """Return a comparison without a contender; and without a reference if it was that."""
    left = {each: recipe for each, recipe in comparison.contenders if each != name}
    reference = comparison.reference if comparison.reference in left else ""
    return comparison.changed(contenders=left, reference=reference, tuning=_tuning_of(comparison, left))


def with_learner(comparison: Comparison, name: str, learner: str) -> Comparison:
    """Return a comparison with another learner for a contender, which takes over the fields that both have."""
    recipe = dict(comparison.contenders)[name]
    kind = entry(LEARNERS, "learner", learner).learner
    shared = {field.name for field in kind.parameters()}
    values = {field: value for field, value in recipe.learner.values().items() if field in shared}
    return _with(comparison, name, dataclasses.replace(recipe, learner=kind(**values)))


def with_field(comparison: Comparison, name: str, owner: str, field: str, text: str) -> Comparison:
    """Return a comparison with another value of a field of a contender's learner or model."""
    recipe = dict(comparison.contenders)[name]
    part = recipe.learner if owner == "learner" else recipe.model
    value = type(part).named(field).parse(text)
    return _with(comparison, name, dataclasses.replace(recipe, **{owner: part.changed(**{field: value})}))


def tunable_fields(comparison: Comparison) -> dict[str, tuple[Parameter, list[str]]]:
    """Return {name: (its declaration, the contenders that have it)} of the fields that can be tuned: those of learners
    first, minor ones last.
    """
    found: dict[str, tuple[Parameter, list[str]]] = {}
    for part, (name, recipe) in product(PARTS, comparison.contenders):
        for field, (owner, declared) in declarations(recipe).items():
            if owner == part:
                found.setdefault(field, (declared, []))[1].append(name)
    return dict(sorted(found.items(), key=lambda each: each[1][0].minor))


def with_tuned_fields(comparison: Comparison, fields: Iterable[str]) -> Comparison:
    """Return a comparison that tunes these fields before the trials, or nothing without fields."""
    known, now = tunable_fields(comparison), comparison.tuning or Tuning()
    grid = {field: dict(now.grid).get(field) or _usual_values(known[field][0]) for field in fields}
    return _assign_names(comparison.changed(tuning=Tuning(grid, now.trials) if grid else None), _rows(comparison))


def with_tuned_values(field: str, comparison: Comparison, values: str) -> Comparison:
    """Return a comparison with other values, separated by commas, of a field, if it is tuned still."""
    if field not in (grid := grid_of(comparison)):
        return comparison
    return comparison.changed(tuning=dataclasses.replace(comparison.tuning, grid=grid | {field: values.split(",")}))


def _usual_values(declared: Parameter) -> tuple[str, ...]:
    """Return values around a field's default: a third and three times of it, or all of few."""
    if declared.choices or declared.kind is bool:
        return declared.choices or ("false", "true")
    middle = declared.default or 0.03
    near = (declared.default, middle / 3, middle, 3 * middle)
    low, high = (
        bound if bound is not None else default for bound, default in ((declared.low, -1e9), (declared.high, 1e9))
    )
    kept = sorted({declared.kind(float(f"{min(max(value, low), high):.4g}")) for value in near})
    return tuple(map(declared.write, kept))


def rename(comparison: Comparison, name: str, new: str) -> Comparison:
    """Return a comparison with another name for a contender."""
    new = new.strip()
    if new != name and new in comparison.names:
        raise Refusal(f"contenders must have different names; {quoted(new)} is taken.", "contenders")
    return _replace(comparison, {new if each == name else each: recipe for each, recipe in comparison.contenders})


def with_data(comparison: Comparison, data: Source) -> Comparison:
    """Return a comparison on another data set: sizes and lengths equal to the base's, and mini-batches, become those
    that a start on these data takes; the budget, the target, and a figure that needs an unknown truth are dropped.
    """
    old = comparison.base
    base = start_for(old.model.name, data, type(old.learner).__name__)
    base = dataclasses.replace(old.on(data), model=base.model, learner=base.learner, schedule=base.schedule)
    contenders: dict[str, Any] = {}
    for each, recipe in comparison.contenders:
        kind = type(recipe.learner)
        own = {field.name for field in kind.parameters()} & {"batch_size"}
        start = start_for(old.model.name, data, kind.__name__).learner.values()
        contenders[each] = dataclasses.replace(
            recipe.on(data),
            model=base.model if recipe.model == old.model else recipe.model,
            learner=recipe.learner.changed(**{field: start[field] for field in own}),
            schedule=base.schedule,
        )
    loaded, figure = data.load_at_hand(), comparison.figure
    if figure == "kl_to_truth" and (loaded is None or loaded.truth is None):
        figure = ""
    return comparison.changed(base=base, contenders=contenders, budget=None, target=None, figure=figure)


def _with(comparison: Comparison, name: str, recipe: Recipe) -> Comparison:
    """Return a comparison with another recipe for a contender; a name from a preset is dropped with its learner."""
    rows, place = _rows(comparison), comparison.names.index(name)
    _, old, usual = rows[place]
    rows[place] = name, recipe, usual or (recipe.learner != old.learner and _is_preset(name, old))
    return _assign_names(comparison, rows)


def _replace(comparison: Comparison, contenders: dict[str, Any]) -> Comparison:
    """Return a comparison with these contenders in the places of the old ones, the reference among them."""
    reference = dict(zip(comparison.names, contenders, strict=False)).get(comparison.reference, "")
    return comparison.changed(contenders=contenders, reference=reference, tuning=_tuning_of(comparison, contenders))


def _tuning_of(comparison: Comparison, contenders: dict[str, Recipe]) -> Tuning | None:
    """Return the tuning of the fields that one of these contenders has; None if there are none."""
    known = {field for recipe in contenders.values() for field in declarations(recipe)}
    grid = {field: values for field, values in grid_of(comparison).items() if field in known}
    return dataclasses.replace(comparison.tuning, grid=grid) if grid else None


def _rows(comparison: Comparison) -> list[tuple[str, Recipe, bool]]:
    """Return (name, recipe, whether the name is the usual one) of each contender."""
    return [(name, recipe, _is_usual(comparison, name)) for name, recipe in comparison.contenders]


def _is_usual(comparison: Comparison, name: str) -> bool:
    """True if a contender has its learner's name, alone or followed by what differs or by a number."""
    short = naming.short(dict(comparison.contenders)[name].learner, grid_of(comparison))
    return re.fullmatch(rf"{re.escape(short)}(, .+| \(\d+\))?", name) is not None


def _is_preset(name: str, recipe: Recipe) -> bool:
    """Return True if a preset has a contender of this name and learner."""
    every = (pair for preset in COMPARISON_PRESETS.values() for pair in preset.comparison.contenders)
    return any(name == each and type(given.learner) is type(recipe.learner) for each, given in every)


def grid_of(comparison: Comparison) -> dict[str, tuple[str, ...]]:
    """Return {field: values} of the tuning; {} without one."""
    return dict(comparison.tuning.grid) if comparison.tuning else {}


def _assign_names(comparison: Comparison, contenders: Iterable[tuple[str, Recipe, bool]]) -> Comparison:
    """Return a comparison whose contenders have distinct names: the usual ones by their learner, with further
    differences if others have the same, and with a number if they differ only in tuned fields.
    """
    given, tuning, omitted = list(contenders), comparison.tuning, tuple(grid_of(comparison))
    first = {recipe: next(iter(tuning.settings(recipe).values()), {}) if tuning else {} for _, recipe, _ in given}
    alike = {recipe: apply_values(recipe, values) for recipe, values in first.items()}
    usual = list(dict.fromkeys(alike[recipe] for _, recipe, by_learner in given if by_learner))
    shorts = [naming.short(recipe.learner, omitted) for recipe in usual]
    full = [cut(text, LONGEST_NAME - 5) for text in naming.names(usual, omitted=omitted)]
    names = {
        recipe: short if shorts.count(short) == 1 else text
        for recipe, short, text in zip(usual, shorts, full, strict=True)
    }
    taken = tuple(name for name, _, by_learner in given if not by_learner)
    found: dict[str, Any] = {}
    for name, recipe, by_learner in given:
        found[_free_name((*taken, *found), names[alike[recipe]]) if by_learner else name] = recipe
    return _replace(comparison, found)


def _free_name(taken: tuple[str, ...], name: str) -> str:
    """Return a name that no contender has yet: with a number if it is taken."""
    numbered = (f"{name} ({number})" for number in range(2, 100))
    return next(each for each in (name, *numbered) if each not in taken)
