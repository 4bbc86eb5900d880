"""Gain of a trained model over a baseline, which shows if a training has learnt."""

from collections.abc import Mapping
from dataclasses import dataclass

from boltzcore.measures.merit import judging, sign, title_of
from boltzcore.quoting import number
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe

MARGIN = 0.02  # gain, relative to a likelihood's baseline, at which a model has visibly learnt
FEWER_ERRORS = 0.1  # the same for an error's baseline


@dataclass(frozen=True)
class Gain:
    """A model compared with its baseline.

    figure : name of the figure of merit of the model
    value, baseline : that figure for the model, and for one that has learnt nothing (`PreparedData.baseline`)
    """

    figure: str
    value: float
    baseline: float

    @property
    def margin(self) -> float:
        """Gain of the model over the baseline; negative if it is worse."""
        return sign(self.figure) * (self.value - self.baseline)

    @property
    def has_learnt(self) -> bool:
        """True if the margin shows that the model has learnt."""
        return self.margin >= (MARGIN if sign(self.figure) > 0 else FEWER_ERRORS) * abs(self.baseline)

    @property
    def sentence(self) -> str:
        """A sentence with both figures if the model has not learnt, otherwise ""."""
        if self.has_learnt:
            return ""
        if sign(self.figure) > 0:
            form, unit, baseline = ".4g", " nats", "the base rate (independent columns)"
        else:
            form, unit, baseline = ".1%", "", "without a restoration"
        figure, value, base = title_of(self.figure), number(self.value, form), number(self.baseline, form)
        than = "no" if self.margin <= 0 or value == base else "hardly"
        return f"The {figure} is {value}{unit}, {than} better than {baseline}: {base}."


def gain(recipe: Recipe, prepared: PreparedData, values: Mapping[str, float]) -> Gain | None:
    """Return the gain shown by the figures of a record; None if none of them judges the model.

    recipe, prepared : of the training, or of its stage
    """
    figure = judging(values, recipe.entry.merit)
    return None if figure is None else Gain(figure, values[figure], prepared.baseline(figure))
