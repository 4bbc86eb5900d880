"""A comparison: several trainings on the same data, each in so many trials with common random numbers."""

import dataclasses
import json
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote, unquote

from boltzcore.comparison.costs import AXES, cost_of_update
from boltzcore.comparison.tuning import Tuning
from boltzcore.measures import MEASURES
from boltzcore.parameters import Refusal, read_number
from boltzcore.quoting import listed, quoted
from boltzcore.registry import gibbs_steps
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import MOST_RECORDS, NAMED, Recipe, owners_of
from boltzcore.training.recipe_diff import apply_diff, to_diff

MOST_CONTENDERS = 6  # that one tells apart by their colours
MOST_TRIALS = 100
MOST_BUDGET = 2**53
MOST_SEED = 2**53 - 2 * MOST_TRIALS
LONGEST_NAME = 60  # characters
LARGEST = 2**16  # characters of a comparison as JSON
LONGEST, LONGEST_BETWEEN = 10_000_000, 1_000_000  # updates of a schedule, and between two of its records
SCALARS = ("trials", "seed", "axis", "target", "budget", "figure", "reference")
CONTENDER = "contender."  # what the parameters of contenders begin with in a link
SEED = "schedule.seed"


@dataclass(frozen=True)
class Comparison:
    """Several trainings on the same data, each in so many trials.

    base : the recipe from which the contenders differ; it is none itself, and its seed says nothing
    contenders : {name: a recipe, or what it has otherwise than the base as parameters of a link, with None for one that
        only the base has}, from two to `MOST_CONTENDERS`; a tuple of (name, recipe) once it is made
    trials : trainings of each contender; trial i of all has the seed `seed` + i: the same start where the models allow
        it, the same order of mini-batches, the same noise
    axis : the cost at which contenders are compared, one of `AXES`
    target : a value of the figure that judges the models, whose cost is of interest; None for none
    budget : what each training may cost on the axis: it ends at the first update at which it has cost as much, and the
        lengths of the contenders' last stages say nothing. None for what the base's schedule costs, estimated by its
        first update
    figure : the record's figure that judges the models, such as "kl_to_truth"; "" for the model's own figures of merit
    reference : the contender that the others are compared with, chosen before the trials: what is claimed is claimed of
        these differences together, and no winner is named. "" for claims of all pairs of contenders
    tuning : the settings that each contender tries before the trials, on seeds of their own, judged as above, by the
        validation rows where there are any; None for none
    A contender's figures are measured about as many times as the base's schedule would have those of the base.
    Raises Refusal where contenders do not share model, data and measures, or have no common cost.

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
    tuning: Tuning | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", _seeded(self.base, 0))
        object.__setattr__(self, "contenders", tuple(self._read()))
        _whole("trials", self.trials, 1, MOST_TRIALS)
        _whole("seed", self.seed, 0, MOST_SEED)
        if self.axis not in tuple(AXES):  # whatever a file holds, hashable or not
            raise Refusal(f"axis must be one of {', '.join(AXES)}, not {quoted(self.axis)}.", "axis")
        if self.target is not None and not _is_finite(self.target):
            raise Refusal(f"target must be a number or None, not {quoted(self.target)}.", "target")
        if self.budget is not None:
            _whole("budget", self.budget, 1, MOST_BUDGET)
        elif self.axis == "seconds":
            raise Refusal("budget must be a number of seconds where they are the axis, not None.", "budget")
        self._check_shared()
        self._check_axis()
        self._check_figure()
        if self.reference != "":
            self.contender(self.reference or "")
        if self.tuning is not None:
            if not isinstance(self.tuning, Tuning):
                raise Refusal(f"tuning must be a Tuning or None, not {quoted(self.tuning)}.", "tuning")
            for _, recipe in self.contenders:
                for value in self.tuning.values:
                    self.tuning.applied(recipe, value)

    def _read(self) -> Iterable[tuple[str, Recipe]]:
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
            recipe = differs if isinstance(differs, Recipe) else _differing(self.base, name, differs)
            yield name, _seeded(recipe, 0)

    def _check_shared(self) -> None:
        for name, recipe in self.contenders:
            for what, ours, theirs in (
                ("model", recipe.model.name, self.base.model.name),
                ("data", recipe.data, self.base.data),
                ("measures", recipe.measures, self.base.measures),
                ("annealing", recipe.annealing, self.base.annealing),
            ):
                if ours != theirs:
                    raise Refusal(
                        f"{what} of {quoted(name)} must be that of the base: contenders are judged by the same figures "
                        "on the same rows.",
                        "contenders",
                    )

    def _check_axis(self) -> None:
        learners = [recipe.learner for _, recipe in self.contenders]
        if self.axis == "work" and len({*map(type, learners)}) > 1 and None in map(gibbs_steps, learners):
            raise Refusal(
                "axis must be operations, updates, epochs or seconds, not 'work': there the contenders count different "
                "things.",
                "axis",
            )

    def _check_figure(self) -> None:
        known = [figure for name in self.base.measures or () for figure in MEASURES[name].units]
        if self.figure not in ("", *known):
            raise Refusal(
                f"figure must be one of what is measured ({listed(known, '')}), not {quoted(self.figure)}.", "figure"
            )

    @property
    def merit(self) -> tuple[str, ...]:
        """The figures that judge the models, best first: the first that is measured does. No tuning is judged by test
        rows where those for validation are measured, too.
        """
        if self.tuning is not None and self.figure.startswith("test_"):
            return self.figure.replace("test_", "validation_", 1), self.figure
        return (self.figure,) if self.figure else self.base.entry.merit

    @property
    def names(self) -> tuple[str, ...]:
        """The contenders' names, in order."""
        return tuple(name for name, _ in self.contenders)

    def contender(self, name: str | None) -> str:
        """A contender's name; the reference's, else the first one's, for None. Raises Refusal for another name."""
        if name is None:
            return self.reference or self.names[0]
        if name not in self.names:
            raise Refusal(f"reference must be one of {listed(self.names, '')}, not {quoted(name)}.", "reference")
        return name

    @property
    def private(self) -> bool:
        """Whether the data are somebody's own."""
        return any(recipe.private for recipe in self.recipes)

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """The base and the contenders' own."""
        return self.base, *(recipe for _, recipe in self.contenders)

    @property
    def varies_data(self) -> bool:
        """Whether trials differ in their data, too: where a contender has no randomness of its own, but its data have
        a seed.
        """
        return self._data_seeded and any(not recipe.learner.random for _, recipe in self.contenders)

    @property
    def fixed(self) -> set[str]:
        """The contenders without any randomness, whose trials are all the same training."""
        return {name for name, recipe in self.contenders if not (recipe.learner.random or self.varies_data)}

    @property
    def _data_seeded(self) -> bool:
        return any(each.name == "seed" for each in type(self.base.data).parameters())

    @cached_property
    def cost(self) -> int:
        """What each training may cost on the axis."""
        if self.budget is not None:
            return self.budget
        updates = self.base.timetable(PreparedData.from_recipe(self.base).updates_per_epoch).length
        each = cost_of_update(self.base, self.axis)
        return max(1, math.ceil(updates * each))

    def trial(self, name: str, index: int) -> Recipe:
        """The recipe of a contender's trial, from 0 on. A contender without any randomness has the same in each.

        Raises what `PreparedData.from_recipe` does: how often it is measured depends on what its updates cost.
        """
        return self._trial(dict(self.contenders)[name], self.seed + index)

    def tuning_trial(self, name: str, index: int) -> Recipe:
        """The recipe of a training of the tuning, from 0 on: all trials of the first value, then those of the next."""
        assert self.tuning is not None
        value, trial = divmod(index, self.tuning.trials)
        recipe = self.tuning.applied(dict(self.contenders)[name], self.tuning.values[value])
        return self._trial(recipe, self.seed + MOST_TRIALS + trial)

    def tuned(self, taken: Mapping[str, str]) -> "Comparison":
        """This comparison without its tuning, each contender with the value that it took."""
        assert self.tuning is not None
        contenders = {name: self.tuning.applied(recipe, taken[name]) for name, recipe in self.contenders}
        return self.changed(contenders=contenders, tuning=None)

    def _trial(self, recipe: Recipe, seed: int) -> Recipe:
        recipe = self._limited(recipe)
        if recipe.learner.random or self.varies_data:
            recipe = _seeded(recipe, seed)
        if self.varies_data:
            data = recipe.data.changed(seed=seed)
            stages = [dataclasses.replace(stage, data=data, before=None) for stage in recipe.stages]
            recipe = stages[0]
            for stage in stages[1:]:
                recipe = dataclasses.replace(stage, before=recipe)
        return recipe

    def _limited(self, recipe: Recipe) -> Recipe:
        """The recipe with a schedule that ends at the budget."""
        schedule, records = self.base.schedule, max(1, self.base.schedule.length // self.base.schedule.every)
        if self.axis in ("updates", "epochs"):
            length = min(self.cost, LONGEST)
            fields: dict[str, Any] = {"length": length, "unit": self.axis, "every": max(1, length // records)}
        else:
            updates = self.cost / max(float(cost_of_update(recipe, self.axis)), 1e-9) if self.axis != "seconds" else 0
            every = min(max(1, int(updates / records)), LONGEST_BETWEEN)
            if self.axis == "seconds":
                every = recipe.timetable(PreparedData.from_recipe(recipe).updates_per_epoch).every
            length = min(LONGEST, every * (MOST_RECORDS // 2))
            fields = {"length": length, "unit": "updates", "every": every, "limit": self.cost, "limit_unit": self.axis}
        return dataclasses.replace(recipe, schedule=schedule.changed(between=0, **fields))

    def changed(self, **fields: Any) -> "Comparison":
        """This comparison with other values of its fields."""
        return dataclasses.replace(self, **{"contenders": dict(self.contenders), **fields})

    # -- files and links ------------------------------------------------------------------------

    def to_json(self) -> str:
        """As JSON, for people to read and write; `from_json` gives an equal comparison."""
        base = self.base.to_query()
        plain = {
            "base": base,
            "contenders": {name: _differences(recipe, base) for name, recipe in self.contenders},
            **{name: getattr(self, name) for name in SCALARS},
            "tuning": None if self.tuning is None else dataclasses.asdict(self.tuning),
        }
        return json.dumps(plain, indent=2)

    @classmethod
    def from_json(cls, text: str) -> "Comparison":
        """The comparison that `to_json` wrote; ValueError where it is not one."""
        foreign = ValueError(
            "This is not a comparison of Boltzmann Lab (JSON with base, contenders, trials, seed, axis, target, ...)."
        )
        if len(text) > LARGEST:
            raise foreign
        try:
            plain = json.loads(text)
            base = {str(key): _text(value) for key, value in plain.pop("base").items()}
            contenders = {
                name: {str(key): None if value is None else _text(value) for key, value in differs.items()}
                for name, differs in plain.pop("contenders").items()
            }
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise foreign from None
        known = {each.name for each in dataclasses.fields(cls)}
        if unknown := [key for key in plain if key not in known]:
            raise ValueError(f"A comparison has no {quoted(unknown[0])}; it has {', '.join(sorted(known))}.")
        _check_keys(base, base, "the base")
        if isinstance(tuning := plain.get("tuning"), dict):
            try:
                plain["tuning"] = Tuning(**tuning)
            except TypeError:
                raise foreign from None
        return cls(Recipe.from_query(base), contenders, **plain)

    def to_query(self) -> dict[str, str]:
        """As URL parameters: those of the base, and one for each contender. `from_query` gives an equal comparison."""
        base = self.base.to_query()
        defaults = {each.name: each.default for each in dataclasses.fields(self)}
        return {
            **base,
            **{
                f"{CONTENDER}{number}": f"{quote(name, safe=' ')};{to_diff(recipe, base)}"
                for number, (name, recipe) in enumerate(self.contenders, start=1)
            },
            **{
                name: repr(value) if name == "target" else str(value)
                for name in SCALARS
                if (value := getattr(self, name)) != defaults[name]
            },
            **({} if self.tuning is None else {"tuning": self.tuning.to_text()}),
        }

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Comparison":
        """The comparison that a link describes. Raises Refusal naming what cannot be taken."""
        base = Recipe.from_query(query)
        texts = base.to_query()
        keys = sorted(filter(_is_contender, query), key=lambda key: int(key.removeprefix(CONTENDER)))
        contenders = []
        for key in keys[: MOST_CONTENDERS + 1]:
            name, _, differs = query[key].partition(";")
            contenders.append((unquote(name), Recipe.from_query(apply_diff(differs, texts))))
        fields: dict[str, Any] = {
            name: _read(kind, name, query[name])
            for name, kind in (("trials", int), ("seed", int), ("target", float), ("budget", int))
            if name in query
        }
        fields |= {name: query[name] for name in ("axis", "figure", "reference") if name in query}
        if "tuning" in query:
            fields["tuning"] = Tuning.from_text(query["tuning"])
        return cls(base, contenders, **fields)


def _differences(recipe: Recipe, base: Mapping[str, str]) -> dict[str, str | None]:
    """{parameter: its text, or None for one that only the base has} of what a recipe has otherwise than the base."""
    pieces = [piece.partition("=") for piece in filter(None, to_diff(recipe, base).split(";"))]
    return {key: unquote(text) if equals else None for key, equals, text in pieces}


def _is_contender(key: str) -> bool:
    number = key.removeprefix(CONTENDER)
    return key.startswith(CONTENDER) and number.isascii() and number.isdigit() and len(number) < 3


def _differing(base: Recipe, name: str, differs: Mapping[str, Any]) -> Recipe:
    """The base with other parameters, as a link has them; None takes one away."""
    if SEED in differs:
        raise Refusal(f"contenders must leave {SEED} to the comparison; {quoted(name)} does not.", "contenders")
    query = base.to_query()
    for key, value in differs.items():
        query.pop(key, None)
        if value is not None:
            query[key] = _text(value)
    _check_keys(differs, query, quoted(name))
    return Recipe.from_query(query)


def _check_keys(keys: Iterable[str], query: Mapping[str, str], whose: str) -> None:
    """Refuse what `Recipe.from_query` would pass over."""
    names = {what: query.get(what, default) for what, default in zip(NAMED, ("rbm", "digits", "CD"), strict=True)}
    owners = owners_of(names)
    for key in keys:
        owner, dot, _ = key.removeprefix("before.").rpartition(".")
        if key.startswith("before.") or key in (*NAMED, "measures", "changes"):
            continue
        if not dot or owner not in owners:
            raise Refusal(
                f"contenders must name parameters of {', '.join(owners)}; {whose} has {quoted(key)}.", "contenders"
            )


def _seeded(recipe: Recipe, seed: int) -> Recipe:
    """The same recipe, and those before it, with this seed."""
    before = _seeded(recipe.before, seed) if recipe.before else None
    return dataclasses.replace(recipe, schedule=recipe.schedule.changed(seed=seed), before=before)


def _text(value: Any) -> str:
    """A parameter as a link has it."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"{quoted(value)} is no parameter.")
    return value if isinstance(value, str) else repr(value)


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Refusal(f"{name} must be a whole number from {low} to {high:,}, not {quoted(value)}.", name)


def _read(kind: type, name: str, text: str) -> Any:
    try:
        return read_number(kind, text)
    except ValueError:
        raise Refusal(f"{name} must be a number, not {quoted(text)}.", name) from None
