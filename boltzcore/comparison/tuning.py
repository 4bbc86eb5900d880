"""An equal tuning of contenders: each tries the same grid of settings before the trials, on seeds of their own."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

from boltzcore.parameters import Parameter, Refusal, whole
from boltzcore.quoting import cut, quoted
from boltzcore.training.recipe import Recipe

MOST_VALUES, MOST_TRIALS, MOST_TRAININGS = 10, 10, 100


@dataclass(frozen=True)
class Tuning:
    """The grid of settings that each contender tries.

    Parameters
    ----------
    grid : {field: values as text}, two to `MOST_VALUES` values each; a field is of the learner, or of the model if the
        learner has none of this name. Every combination is tried; stored as a tuple of (field, values)
    trials : trainings of each setting; the one with the best median merit is taken, of equal ones the first

    Raises Refusal with the field that cannot be taken.

    >>> list(Tuning({"rate": (0.01, 0.1), "K": (1, 10)}).settings)
    ['rate=0.01, K=1', 'rate=0.01, K=10', 'rate=0.1, K=1', 'rate=0.1, K=10']
    """

    grid: Any = (("rate", ("0.01", "0.03", "0.1", "0.3")),)
    trials: int = 2

    def __post_init__(self) -> None:
        grid = self.grid.items() if isinstance(self.grid, Mapping) else self.grid
        try:
            pairs = [(str(field), values if isinstance(values, str) else tuple(values)) for field, values in grid]
        except (TypeError, ValueError):
            raise Refusal(
                f"tuning must be {{field: values}} with several values each, not {quoted(self.grid)}.", "tuning"
            ) from None
        object.__setattr__(self, "grid", tuple((field, _texts(field, values)) for field, values in pairs))
        whole("tuning", self.trials, 1, MOST_TRIALS)
        names = [field for field, _ in self.grid]
        if not names or len(set(names)) < len(names):
            raise Refusal(f"tuning must name one or more different fields, not {quoted(', '.join(names))}.", "tuning")
        if self.count > MOST_TRAININGS:
            raise Refusal(
                f"tuning must have at most {MOST_TRAININGS} trainings of each contender, not {self.count:,}.", "tuning"
            )

    @property
    def count(self) -> int:
        """The number of trainings of each contender."""
        return math.prod(len(values) for _, values in self.grid) * self.trials

    @cached_property
    def settings(self) -> dict[str, dict[str, str]]:
        """{setting in words: {field: value}} of all combinations, the last field varying fastest."""
        names = [field for field, _ in self.grid]
        every = (dict(zip(names, each, strict=True)) for each in product(*(values for _, values in self.grid)))
        return {", ".join(f"{field}={value}" for field, value in each.items()): each for each in every}

    def applied(self, recipe: Recipe, setting: str) -> Recipe:
        """Return a recipe with one of `settings`. Raises Refusal if it lacks a field, or does not take its value."""
        for field, value in self.settings[setting].items():
            part, declared = declaration(recipe, field)
            recipe = replace(recipe, **{part: getattr(recipe, part).changed(**{field: declared.parse(value)})})
        return recipe

    def edges(self, recipe: Recipe, setting: str) -> dict[str, str]:
        """Return {field: "smallest" or "largest"} of the values of a setting that are at an edge of their grid, beyond
        which the field of the recipe allows others.
        """
        found = {}
        for field, value in self.settings[setting].items():
            declared = declaration(recipe, field)[1]
            if declared.kind in (int, float):
                tried = [declared.parse(text) for text in dict(self.grid)[field]]
                for edge, end, bound in (
                    ("smallest", min(tried), declared.low),
                    ("largest", max(tried), declared.high),
                ):
                    if declared.parse(value) == end != bound:
                        found[field] = edge
        return found

    def __str__(self) -> str:
        """Return the tuning as a link has it; `from_text` reads it."""
        return f"{';'.join(f'{field}:' + ','.join(values) for field, values in self.grid)}:{self.trials}"

    @classmethod
    def from_text(cls, text: str) -> "Tuning":
        """Return the tuning that `str` wrote. Raises Refusal for another text."""
        grid, _, trials = text.rpartition(":")
        pairs = [each.partition(":") for each in grid.split(";")]
        if not (trials.isascii() and trials.isdigit() and len(trials) < 3 and all(colon for _, colon, _ in pairs)):
            raise Refusal(f"tuning must be like rate:0.01,0.1;K:1,10:2, not {quoted(text)}.", "tuning")
        return cls(tuple((field, values.split(",")) for field, _, values in pairs), int(trials))


def declaration(recipe: Recipe, field: str) -> tuple[str, Parameter]:
    """Return "learner" or "model", which has the field, and its declaration. Raises Refusal if neither has it."""
    for part in ("learner", "model"):
        if found := [each for each in type(getattr(recipe, part)).parameters() if each.name == field]:
            return part, found[0]
    kind = type(recipe.learner).__name__
    raise Refusal(f"tuning must name a field that every contender has; {kind} has no {quoted(field)}.", "tuning")


def _texts(field: str, values: Any) -> tuple[str, ...]:
    if isinstance(values, str) or not all(isinstance(each, str | int | float) for each in values):
        raise Refusal(f"tuning must have a list of values of {quoted(field)}, not {quoted(values)}.", "tuning")
    texts = tuple(str(each).strip() for each in values)
    if not 2 <= len(set(texts)) == len(texts) <= MOST_VALUES:
        raise Refusal(f"{cut(field)} must have 2 to {MOST_VALUES} different values to try, not {len(texts)}.", "tuning")
    return texts
