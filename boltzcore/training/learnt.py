"""Whether a training has learnt: how much better its model is than what is known without one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from boltzcore.measures.merit import in_words, judging, merit, sign
from boltzcore.quoting import number
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.starts import start_for

MARGIN = 0.02  # of a likelihood's baseline: a model that is as much better has learnt visibly
FEWER_ERRORS = 0.1  # of an error's baseline
OTHER_RATE = 3.0  # how many times as large or small a step is tried next


@dataclass(frozen=True)
class Gain:
    """A model beside its baseline.

    figure : the name of what judges the model
    value, baseline : that figure of the model, and where nothing was learnt (`PreparedData.baseline`)
    """

    figure: str
    value: float
    baseline: float

    @property
    def lower(self) -> bool:
        """Whether the figure is an error, the lower the better."""
        return sign(self.figure) < 0

    @property
    def margin(self) -> float:
        """The gain of the model over the baseline; negative where it is worse."""
        return sign(self.figure) * (self.value - self.baseline)

    @property
    def wanted(self) -> float:
        """The margin of a model that has learnt visibly."""
        return (FEWER_ERRORS if self.lower else MARGIN) * abs(self.baseline)

    @property
    def learnt(self) -> bool:
        return self.margin >= self.wanted

    @property
    def sentence(self) -> str:
        """That a model has not learnt, with the two figures; "" where it has."""
        if self.learnt:
            return ""
        form = ".1%" if self.lower else ".4g"
        value, baseline = number(self.value, form), number(self.baseline, form)
        known = "leaving the images as they are gives" if self.lower else "the base rate, each column on its own, gives"
        unit = "" if self.lower else " nats"
        return f"It has not learnt: the {in_words(self.figure)} is {value}{unit}, and {known} {baseline}."


def gain(recipe: Recipe, prepared: PreparedData, values: Mapping[str, float]) -> Gain | None:
    """What the figures of a record say of a model; None where none of them judges it.

    recipe, prepared : of the training, or of its stage
    """
    figure = judging(values, recipe.entry.merit)
    return None if figure is None else Gain(figure, values[figure], prepared.baseline(figure))


def offers(recipe: Recipe, records: Sequence[Record]) -> dict[str, Recipe]:
    """{what to try: a recipe} after a training that has not learnt: what suits data of this size, and another rate,
    smaller where the model has become worse than it was.
    """
    found = {}
    seed = recipe.schedule.seed
    start = start_for(recipe.model.name, recipe.data, type(recipe.learner).__name__)
    start = replace(start, schedule=start.schedule.changed(seed=seed), corruption=recipe.corruption)
    if start != replace(recipe, changes=(), before=None):
        found["Start with what suits these data"] = start
    learner = recipe.learner_at(records[-1].count)
    if "rate" in recipe.live_fields():
        first, last = (merit(record.values, recipe.entry.merit) for record in (records[0], records[-1]))
        worse = first is not None and last is not None and last < first
        factor = 1 / OTHER_RATE if worse else OTHER_RATE
        declared, before = type(learner).named("rate"), learner.values()["rate"]
        rate = float(f"{min(max(before * factor, declared.low), declared.high):.2g}")
        if rate != before:
            other = replace(recipe, learner=recipe.learner.changed(rate=rate), changes=())
            found[f"Start with {declared.label.lower()} {rate:g}"] = other
    return found
