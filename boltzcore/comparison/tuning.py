"""An equal tuning of contenders: each tries the same settings before the trials, on seeds of their own."""

from dataclasses import dataclass, replace
from typing import Any

from boltzcore.parameters import Refusal, whole
from boltzcore.quoting import quoted
from boltzcore.training.recipe import Recipe

MOST_VALUES, MOST_TRIALS = 10, 10


@dataclass(frozen=True)
class Tuning:
    """The settings that each contender tries.

    field : of the learner, or of the model if the learner has none of this name
    values : as text, from two to `MOST_VALUES`
    trials : trainings of each value; the value with the best median merit is taken, of equal ones the first

    Raises Refusal with the field that cannot be taken.
    """

    field: str = "rate"
    values: tuple[str, ...] = ("0.01", "0.03", "0.1", "0.3")
    trials: int = 2

    def __post_init__(self) -> None:
        values: Any = self.values
        if isinstance(values, str) or not all(isinstance(each, str | int | float) for each in values):
            raise Refusal(f"tuning must have a list of values, not {quoted(values)}.", "tuning")
        object.__setattr__(self, "values", tuple(str(each).strip() for each in values))
        if not 2 <= len(set(self.values)) == len(self.values) <= MOST_VALUES:
            raise Refusal(f"tuning must try 2 to {MOST_VALUES} different values, not {len(self.values)}.", "tuning")
        whole("tuning", self.trials, 1, MOST_TRIALS)

    @property
    def count(self) -> int:
        """The number of trainings of each contender."""
        return len(self.values) * self.trials

    def applied(self, recipe: Recipe, value: str) -> Recipe:
        """Return a recipe with a value of the field. Raises Refusal if it has no such field, or not this value."""
        for part in ("learner", "model"):
            setting = getattr(recipe, part)
            if any(each.name == self.field for each in type(setting).parameters()):
                parsed = type(setting).named(self.field).parse(value)
                return replace(recipe, **{part: setting.changed(**{self.field: parsed})})
        raise Refusal(
            f"tuning must name a field that every contender has; {type(recipe.learner).__name__} has no "
            f"{quoted(self.field)}.",
            "tuning",
        )

    def __str__(self) -> str:
        """Return the tuning as a link has it; `from_text` reads it."""
        return f"{self.field}:{','.join(self.values)}:{self.trials}"

    @classmethod
    def from_text(cls, text: str) -> "Tuning":
        """Return the tuning that `str` wrote. Raises Refusal for another text."""
        field, _, rest = text.partition(":")
        values, _, trials = rest.rpartition(":")
        if not (trials.isascii() and trials.isdigit() and len(trials) < 3):
            raise Refusal(f"tuning must be like rate:0.01,0.1:2, not {quoted(text)}.", "tuning")
        return cls(field, tuple(values.split(",")), int(trials))
