"""Tuning of contenders: each tries the settings of one grid that it has before the trials, on separate seeds."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from boltzcore.parameters import Parameter, whole
from boltzcore.quoting import Refusal, cut, quoted
from boltzcore.training.recipe import Recipe

MOST_VALUES, MOST_TRIALS, MOST_TRAININGS = 10, 10, 100
PARTS = ("learner", "model")


@dataclass(frozen=True)
class Tuning:
    """The grid of settings of which each contender tries those that it has.

    Parameters
    ----------
    grid : {field: values as text}, two to `MOST_VALUES` values each; a field is of the learner, or of the model if the
        learner has none of this name. A contender tries every combination of the fields that it has, instead of its
        own values of them; one without any is not tuned. Stored as a tuple of (field, values)
    trials : trainings of each setting; the one with the best median merit is taken, of equal ones the first

    Raises Refusal with the invalid field.

    >>> from boltzcore import Recipe
    >>> tuning = Tuning({"rate": (0.01, 0.1), "K": (1, 10), "d": (2, 4)})
    >>> list(tuning.settings(Recipe("rbm", "bars-and-stripes", "CD")))
    ['rate=0.01, K=1', 'rate=0.01, K=10', 'rate=0.1, K=1', 'rate=0.1, K=10']
    >>> list(tuning.settings(Recipe("rbm", "bars-and-stripes", "SDCP")))
    ['rate=0.01, d=2', 'rate=0.01, d=4', 'rate=0.1, d=2', 'rate=0.1, d=4']
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

    def check(self, recipes: Sequence[Recipe]) -> None:
        """Raise Refusal if a field is of none of the recipes, or one of them does not take its values."""
        known = {field for recipe in recipes for field in declarations(recipe)}
        for field, _ in self.grid:
            if field not in known:
                raise Refusal(f"tuning must name fields that a contender has; none has {quoted(field)}.", "tuning")
        for recipe in recipes:
            if (count := math.prod(map(len, self._own(recipe).values())) * self.trials) > MOST_TRAININGS:
                raise Refusal(
                    f"tuning must have at most {MOST_TRAININGS} trainings of each contender, not {count:,}.", "tuning"
                )
            for values in self.settings(recipe).values():
                apply_values(recipe, values)

    def settings(self, recipe: Recipe) -> dict[str, dict[str, str]]:
        """Return {setting in words: {field: value}} of all combinations of the fields that a recipe has, the last
        varying fastest; {} if it has none.
        """
        own = self._own(recipe)
        every = (dict(zip(own, each, strict=True)) for each in product(*own.values()) if own)
        return {", ".join(f"{field}={value}" for field, value in each.items()): each for each in every}

    def _own(self, recipe: Recipe) -> dict[str, tuple[str, ...]]:
        known = declarations(recipe)
        return {field: values for field, values in self.grid if field in known}

    def edges(self, recipe: Recipe, setting: str) -> dict[str, str]:
        """Return {field: "smallest" or "largest"} for the values of a setting at an edge of their grid, if the recipe's
        field allows others beyond it.
        """
        found = {}
        for field, value in self.settings(recipe)[setting].items():
            declared = declarations(recipe)[field][1]
            if declared.kind in (int, float):
                tried = [declared.parse(text) for text in dict(self.grid)[field]]
                ends = {min(tried): ("smallest", declared.low), max(tried): ("largest", declared.high)}
                edge, bound = ends.get(now := declared.parse(value), ("", now))
                if now != bound:
                    found[field] = edge
        return found

    def __str__(self) -> str:
        """Return the tuning as text for a link, to be read by `from_text`."""
        return f"{';'.join(f'{field}:' + ','.join(values) for field, values in self.grid)}:{self.trials}"

    @classmethod
    def from_text(cls, text: str) -> "Tuning":
        """Return the tuning written by `str`. Raises Refusal for another text."""
        grid, _, trials = text.rpartition(":")
        pairs = [each.partition(":") for each in grid.split(";")]
        if not (trials.isascii() and trials.isdigit() and len(trials) < 3 and all(colon for _, colon, _ in pairs)):
            raise Refusal(f"tuning must be like rate:0.01,0.1;K:1,10:2, not {quoted(text)}.", "tuning")
        return cls(tuple((field, values.split(",")) for field, _, values in pairs), int(trials))


def declarations(recipe: Recipe) -> dict[str, tuple[str, Parameter]]:
    """Return {field: ("learner" or "model", which has it, and its declaration)} of the fields that can be tuned, those
    of the learner first: all but free texts.
    """
    owners = ((part, type(getattr(recipe, part)).parameters()) for part in PARTS)
    learner, model = ({each.name: (part, each) for each in fields if not each.pattern} for part, fields in owners)
    return learner | model | learner


def apply_values(recipe: Recipe, values: Mapping[str, str]) -> Recipe:
    """Return a recipe with these values of its fields. Raises Refusal if it does not take one."""
    for field, value in values.items():
        part, declared = declarations(recipe)[field]
        recipe = replace(recipe, **{part: getattr(recipe, part).changed(**{field: declared.parse(value)})})
    return recipe


def _texts(field: str, values: Any) -> tuple[str, ...]:
    if isinstance(values, str) or not all(isinstance(each, str | int | float) for each in values):
        raise Refusal(f"tuning must have a list of values of {quoted(field)}, not {quoted(values)}.", "tuning")
    texts = tuple(str(each).strip() for each in values)
    if not 2 <= len(set(texts)) == len(texts) <= MOST_VALUES:
        raise Refusal(f"{cut(field)} must have 2 to {MOST_VALUES} different values to try, not {len(texts)}.", "tuning")
    return texts
