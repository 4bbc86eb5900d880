"""The gain of a trained model over a baseline, which shows if a training has learnt."""

from collections.abc import Mapping
from dataclasses import dataclass

from boltzcore.measures.merit import in_words, judging, sign
from boltzcore.quoting import number
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

MARGIN = 0.02  # of a likelihood's baseline: a model that is as much better has learnt visibly
FEWER_ERRORS = 0.1  # of an error's baseline


@dataclass(frozen=True)
class Gain:
    """A model against its baseline.

    figure : the name of the figure that judges the model
    value, baseline : that figure of the model, and if nothing was learnt (`PreparedData.baseline`)
    """

    figure: str
    value: float
    baseline: float

    @property
    def margin(self) -> float:
        """The gain of the model over the baseline; negative if it is worse."""
        return sign(self.figure) * (self.value - self.baseline)

    @property
    def has_learnt(self) -> bool:
        """True if the margin is that of a model that has learnt visibly."""
        return self.margin >= (MARGIN if sign(self.figure) > 0 else FEWER_ERRORS) * abs(self.baseline)

    @property
    def sentence(self) -> str:
        """A sentence with both figures if the model has not learnt, else ""."""
        if self.has_learnt:
            return ""
        if sign(self.figure) > 0:
            form, unit, baseline = ".4g", " nats", "the base rate (independent columns)"
        else:
            form, unit, baseline = ".1%", "", "without a restoration"
        figure, value, base = in_words(self.figure), number(self.value, form), number(self.baseline, form)
        than = "no" if self.margin <= 0 or value == base else "hardly"
        return f"The {figure} is {value}{unit}, {than} better than {baseline}: {base}."


def gain(recipe: Recipe, prepared: PreparedData, values: Mapping[str, float]) -> Gain | None:
    """Return the gain that the figures of a record show; None if none of them judges the model.

    recipe, prepared : of the training, or of its stage
    """
    figure = judging(values, recipe.entry.merit)
    return None if figure is None else Gain(figure, values[figure], prepared.baseline(figure))
