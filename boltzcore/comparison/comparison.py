"""Comparison of several trainings on the same data, each repeated in trials with common random numbers."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote

from boltzcore.comparison.costs import AXES, cost_of, cost_of_update
from boltzcore.comparison.tuning import Tuning, apply_values
from boltzcore.data.digits import Digits
from boltzcore.data.own import InMemory
from boltzcore.measures import MEASURES
from boltzcore.parameters import read_number, whole
from boltzcore.quoting import Refusal, listed, quoted
from boltzcore.training.recipe import MOST_RECORDS, Recipe, read_parameters
from boltzcore.training.recipe_diff import apply_diff, to_diff
from boltzcore.training.schedule import Schedule

MOST_CONTENDERS = 6  # number of distinguishable colours
MOST_TRIALS = 100
MOST_BUDGET, MOST_TARGET = 2**53, 1e300
MOST_SEED = 2**53 - 2 * MOST_TRIALS
LONGEST_NAME = 60  # characters
LARGEST = 2**16  # largest number of characters of a comparison as JSON
LONGEST, LONGEST_BETWEEN = 10_000_000, 1_000_000  # largest numbers of updates in all, and between two records
NUMBERS = {"trials": int, "seed": int, "target": float, "budget": int}
RULES = (*NUMBERS, "axis", "figure", "reference", "tuning")
NO_COMPARISON = "This is not a comparison of Boltzmann Lab (JSON with the parameters of its link)."
CONTENDER = "contender."  # prefix of a contender's parameter in a link
_NUMBERED = tuple(f"{CONTENDER}{number}" for number in range(1, 100))
SEED = "schedule.seed"
_SAFE = ":,/ "  # characters without a special meaning in a contender's parameter


@dataclass(frozen=True)
class Comparison:
    """Several trainings on the same data, each repeated in trials.

    Parameters
    ----------
    base : the recipe from which the contenders differ; it is not a contender itself, and its seed is not used
    contenders : {name: recipe, or its differences from the base as parameters of a link, with None for those only in
        the base}, from two to `MOST_CONTENDERS`; stored as a tuple of (name, recipe)
    trials : trainings of each contender; trial i of all has the seed `seed` + i: the same start if the models allow
        it, the same order of mini-batches, the same noise
    axis : the cost at which contenders are compared, one of `AXES`
    target : a value of the figure that judges the models; the cost to reach it is reported
    budget : cost of each training on the axis, earlier stages included: it ends at the first update that reaches it,
        and the lengths of the contenders' last stages and the base's early stopping are ignored. None for the cost of
        the base's schedules, estimated from the first update of each stage
    figure : the record's figure that judges the models, such as "kl_to_truth"; "" for the model's own figures of merit
    reference : the contender that the others are compared with, chosen before the trials: claims are about these
        differences, and no winner is named. "" for claims about all pairs of contenders
    tuning : the grid of settings, of which each contender tries those that it has before the trials, on separate seeds,
        judged as above, by the validation rows if there are any; by test rows for a figure of those alone

    The figures of a contender are measured about as often as the base's schedule would measure those of the base.

    Raises
    ------
    Refusal
        If contenders do not share model, data and measures.

    >>> from boltzcore import Comparison, Recipe
    >>> base = Recipe("rbm", "bars-and-stripes", "CD")
    >>> third = Comparison(base, {"CD-1": {}, "CD-9": {"CD.K": 9}}).trial("CD-9", 2)
    >>> third.learner.K, third.schedule.seed
    (9, 2)
    """

    base: Recipe
    contenders: Any
    trials: int = 8
    seed: int = 0
    axis: str = "operations"
    target: float | None = None
    budget: int | None = None
    figure: str = ""
    reference: str = ""
    tuning: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", _with_seed(self.base, 0))
        object.__setattr__(self, "contenders", tuple(self._read()))
        whole("trials", self.trials, 1, MOST_TRIALS)
        whole("seed", self.seed, 0, MOST_SEED)
        if self.axis not in tuple(AXES):  # a file may hold values that are not hashable
            raise Refusal(f"axis must be one of {', '.join(AXES)}, not {quoted(self.axis)}.", "axis")
        is_number = isinstance(self.target, int | float) and not isinstance(self.target, bool)
        if self.target is not None and not (is_number and -MOST_TARGET < self.target < MOST_TARGET):
            raise Refusal(f"target must be a number or None, not {quoted(self.target)}.", "target")
        if self.budget is not None:
            whole("budget", self.budget, 1, MOST_BUDGET)
        known = [figure for name in self.base.measures or () for figure in MEASURES[name].units]
        if self.figure not in ("", *known):
            raise Refusal(
                f"figure must be one of the measured figures ({listed(known, '')}), not {quoted(self.figure)}.",
                "figure",
            )
        if self.reference != "":
            self.contender(self.reference or "")
        if not isinstance(self.tuning, Tuning | None):
            raise Refusal(f"tuning must be a Tuning or None, not {quoted(self.tuning)}.", "tuning")
        if self.tuning is not None:
            self.tuning.check([recipe for _, recipe in self.contenders])

    def _read(self) -> Iterator[tuple[str, Recipe]]:
        given = list(self.contenders.items() if isinstance(self.contenders, Mapping) else self.contenders)
        if not 2 <= len(given) <= MOST_CONTENDERS:
            raise Refusal(f"contenders must be 2 to {MOST_CONTENDERS}, not {len(given)}.", "contenders")
        names = [name for name, _ in given]
        for name in names:
            if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
                raise Refusal(
                    f"contenders must have names of 1 to {LONGEST_NAME} printable characters, not {quoted(name)}.",
                    "contenders",
                )
        if len(set(names)) < len(names):
            raise Refusal(f"contenders must have different names, not {listed(names, '')}.", "contenders")
        for name, differs in given:
            if not isinstance(differs, Recipe):
                if not isinstance(differs, Mapping):
                    raise Refusal(f"contenders must be recipes or differences, not {quoted(differs)}.", "contenders")
                if SEED in differs:
                    raise Refusal(f"contenders must not set {SEED}; the comparison sets it.", "contenders")
                differs = self._apply(differs)
            recipe = _with_seed(differs, 0)
            shared = (getattr(recipe, what) == getattr(self.base, what) for what in ("data", "measures", "annealing"))
            if recipe.model.name != self.base.model.name or not all(shared):
                raise Refusal(
                    "contenders must have the base's model, data, measures and annealing, so that all are evaluated "
                    f"on the same rows; {quoted(name)} does not.",
                    "contenders",
                )
            yield name, recipe

    def _apply(self, differences: Mapping[str, str | None]) -> Recipe:
        """Return the base with these differences; rows in memory, which have no link, are always its own."""
        if not isinstance(data := self.base.data, InMemory):
            return Recipe.from_query(apply_diff(differences, self.base.to_query()))
        if "data" in differences:
            raise Refusal("contenders must have the base's data.", "contenders")
        return Recipe.from_query(apply_diff(differences, self.base.on(Digits()).to_query())).on(data)

    @property
    def merit(self) -> tuple[str, ...]:
        """Figures that judge the models, best first: the first measured one is used. A tuning is not judged by test
        rows if validation rows are also measured.
        """
        if self.tuning is not None and self.figure.startswith("test_"):
            return self.figure.replace("test_", "validation_", 1), self.figure
        return (self.figure,) if self.figure else self.base.entry.merit

    @property
    def names(self) -> tuple[str, ...]:
        """The contenders' names, in order."""
        return tuple(name for name, _ in self.contenders)

    def contender(self, name: str | None) -> str:
        """Return a contender's name; for None that of the reference, else the first. Raises Refusal for others."""
        if name is None:
            return self.reference or self.names[0]
        if name not in self.names:
            raise Refusal(f"reference must be one of {listed(self.names, '')}, not {quoted(name)}.", "reference")
        return name

    @property
    def private(self) -> bool:
        """True if a recipe uses a private table."""
        return any(recipe.private for recipe in self.recipes)

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """The base and the contenders' own."""
        return self.base, *(recipe for _, recipe in self.contenders)

    @cached_property
    def varies_data(self) -> bool:
        """True if trials also differ in their data: if a contender has no randomness of its own, but its data have a
        seed.
        """
        seeded = any(each.name == "seed" for each in type(self.base.data).parameters())
        return seeded and any(not recipe.random for _, recipe in self.contenders)

    @property
    def fixed(self) -> set[str]:
        """Contenders without any randomness, all of whose trials are the same training."""
        return {name for name, recipe in self.contenders if not (recipe.random or self.varies_data)}

    @cached_property
    def cost(self) -> int:
        """Cost of each training on the axis."""
        if self.budget is not None:
            return self.budget
        return max(1, math.ceil(cost_of(self.base.stages, self.axis)))

    @cached_property
    def settings(self) -> dict[str, dict[str, dict[str, str]]]:
        """{contender: the settings that it tries before the trials, as of `Tuning.settings`}; {} without a tuning."""
        return {name: self.tuning.settings(recipe) for name, recipe in self.contenders} if self.tuning else {}

    @property
    def kinds(self) -> list[Recipe]:
        """Recipes without seeds: one for each setting that a tuning tries, or for each contender."""
        tried = self.settings or {name: {"": {}} for name in self.names}
        return [apply_values(recipe, values) for name, recipe in self.contenders for values in tried[name].values()]

    @property
    def tuning_runs(self) -> dict[str, int]:
        """{contender: the number of its trainings before the trials}."""
        return {name: len(each) * self.tuning.trials for name, each in self.settings.items()}

    @property
    def tuning_share(self) -> float:
        """The share of all trainings that is before the trials."""
        return (runs := sum(self.tuning_runs.values())) / (runs + self.trials * len(self.contenders))

    def trial(self, name: str, index: int) -> Recipe:
        """Return the recipe of a contender's trial, from 0 on. A contender without any randomness has the same in each.

        Raises exceptions of `PreparedData.from_recipe`: the intervals of its records depend on the cost of updates.
        """
        return self._trial(dict(self.contenders)[name], self.seed + index)

    def tuning_trial(self, name: str, index: int) -> Recipe:
        """Return the recipe of a training of the tuning, from 0 on: all of the first setting, then of the next."""
        setting, trial = divmod(index, self.tuning.trials)
        recipe = apply_values(dict(self.contenders)[name], list(self.settings[name].values())[setting])
        return self._trial(recipe, self.seed + MOST_TRIALS + trial)

    def tuned(self, taken: Mapping[str, str]) -> "Comparison":
        """Return this comparison without its tuning, each contender with its selected setting, if it has one."""
        values = {name: self.settings[name][setting] for name, setting in taken.items()}
        contenders = {name: apply_values(recipe, values.get(name, {})) for name, recipe in self.contenders}
        return self.changed(contenders=contenders, tuning=None)

    def _trial(self, recipe: Recipe, seed: int) -> Recipe:
        recipe = self._limit(recipe)
        if recipe.random or self.varies_data:
            recipe = _with_seed(recipe, seed, data=self.varies_data)
        return recipe

    def _limit(self, recipe: Recipe) -> Recipe:
        """Return the recipe with a schedule that ends at the budget, without early stopping."""
        schedule, records = self.base.schedule, max(1, self.base.schedule.length // self.base.schedule.every)
        if (left := math.ceil(self.cost - cost_of(recipe.stages[:-1], self.axis))) < 1:
            raise Refusal(f"budget must exceed the cost of earlier stages, {self.cost - left:,}.", "budget")
        if self.axis in ("updates", "epochs"):
            updates, length = float(left), min(left, LONGEST)
            limited: dict[str, Any] = {"length": length, "unit": self.axis, "every": max(1, length // records)}
        else:
            updates = left / max(float(cost_of_update(recipe, self.axis)), 1e-9)
            every = min(max(1, int(updates / records)), LONGEST_BETWEEN)
            limited = {"length": min(LONGEST, every * (MOST_RECORDS // 2)), "unit": "updates", "every": every}
            limited |= {"limit": self.cost, "limit_unit": self.axis}
        if updates > limited["length"]:
            most = f"{limited['length']:,} {limited['unit']}"
            raise Refusal(f"budget must end every training within {most}, not {updates:,.0f}.", "budget")
        ends = {name: Schedule.named(name).default for name in ("patience", "gap_limit", "limit")} | limited
        return replace(recipe, schedule=schedule.changed(between=0, **ends))

    def changed(self, **values: Any) -> "Comparison":
        """Return this comparison with other values of its fields."""
        return replace(self, **{"contenders": dict(self.contenders), **values})

    # -- files and links ------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the parameters of its link as JSON; `from_json` returns an equal comparison."""
        return json.dumps(self.to_query(), indent=2)

    @classmethod
    def from_json(cls, text: str) -> "Comparison":
        """Return the comparison written by `to_json`. Raises Refusal for another text."""
        text = text if len(text) <= LARGEST else ""
        return cls.from_query(read_parameters(text, NO_COMPARISON, (*RULES, *_NUMBERED)))

    def to_query(self) -> dict[str, str]:
        """Return the parameters of a link: those of the base, and one for each contender, "name;key=text;key" with its
        differences. `from_query` returns an equal comparison.
        """
        base = self.base.to_query()
        query = dict(base)
        for key, (name, recipe) in zip(_NUMBERED, self.contenders, strict=False):
            differences = to_diff(recipe, base).items()
            pieces = [field if text is None else f"{field}={quote(text, safe=_SAFE)}" for field, text in differences]
            query[key] = f"{quote(name, safe=' ')};{';'.join(pieces)}"
        defaults = {each.name: each.default for each in fields(self)}
        return query | {name: str(getattr(self, name)) for name in RULES if getattr(self, name) != defaults[name]}

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Comparison":
        """Return the comparison described by a link. Raises Refusal with the invalid parameter."""
        contenders = []
        for text in (query[key] for key in _NUMBERED if key in query):
            name, *pieces = text.split(";")
            pairs = (piece.partition("=") for piece in pieces if piece)
            contenders.append(
                (unquote(name), {key: unquote(value) if equals else None for key, equals, value in pairs})
            )
        rules = {name: _read(name, query[name]) for name in RULES if name in query}
        return cls(Recipe.from_query(query), contenders, **rules)


def _with_seed(recipe: Recipe, seed: int, *, data: bool = False) -> Recipe:
    """Return the recipe and its earlier stages with this seed; with `data`, also the data drawn with it."""
    before = _with_seed(recipe.before, seed, data=data) if recipe.before else None
    source = recipe.data.changed(seed=seed) if data else recipe.data
    return replace(recipe, data=source, schedule=recipe.schedule.changed(seed=seed), before=before)


def _read(name: str, text: str) -> Any:
    if name not in NUMBERS:
        return Tuning.from_text(text) if name == "tuning" else text
    try:
        return read_number(NUMBERS[name], text)
    except ValueError:
        raise Refusal(f"{name} must be a number, not {quoted(text)}.", name) from None
