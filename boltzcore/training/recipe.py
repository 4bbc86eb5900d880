"""Recipe: everything a training depends on, frozen, comparable, convertible to and from JSON and URL."""

import dataclasses
import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset
from boltzcore.data.own import InMemory
from boltzcore.data.source import Source
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.learners import Learner
from boltzcore.measures import MEASURES, measures_of
from boltzcore.models.base import Setup
from boltzcore.parameters import Parameters, gather, name_owner, read_number, refuse, texts_of, whole
from boltzcore.quoting import Refusal, cut, quoted
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS, ModelEntry, entry, info_of, learners_of
from boltzcore.ticks import Tick, idle
from boltzcore.training.schedule import Schedule, Timetable

Change = tuple[int, str, Any]
NAMED = ("model", "data", "learner")  # parts that a recipe refers to by name; the others have fixed names
KINDS = (Setup, Source, Learner, Schedule, Annealing, Corruption)  # types of the parts of a recipe
STAGES = 4  # largest number of stages: a recipe and those before it
LAST_CHANGE = 2**53  # largest update of a change, beyond any training
GAP = "free_energy_gap"  # figure by which a schedule may stop
MOST_RECORDS = 100_000  # in all stages: the limit for a trace file, the memory and a chart


NOISE, STANDARD = Corruption(), Schedule()


@dataclass(frozen=True)
class Recipe:
    """Model, data, learner, schedule, measures, live changes, and parts that only some models need.

    model : name or setup (`RBMSetup(hidden=500)`)
    data : name or data set with its options (`Digits()`), or rows: an array, a DataFrame, Examples or a Dataset
    learner : name or instance (`CD(rate=.1)`)
    measures : names from `boltzcore.measures.MEASURES` available for the model; None for the model's default
    changes : ((count, field, value), ...): at update `count` the learner's live `field` becomes `value`; kept in order
        of count
    annealing : settings of estimated likelihoods
    corruption : corruption of the inputs of a conditional model, for data without inputs of their own
    before : a recipe on the same data with whose best model this one starts; its updates are counted
    All stages together take at most `MOST_RECORDS` records.
    Raises Refusal with the field, the value and what is allowed, TypeError if a part is neither a name nor such an
    object.

    >>> from boltzcore import Recipe
    >>> from boltzcore.learners import CD
    >>> recipe = Recipe("rbm", "digits", CD(K=3))
    >>> recipe.to_query()
    {'model': 'rbm', 'data': 'digits', 'learner': 'CD', 'CD.K': '3'}
    >>> Recipe.from_query(recipe.to_query()) == recipe
    True
    """

    model: Any = "rbm"
    data: Any = "digits"
    learner: Any = "CD"
    schedule: Schedule = STANDARD
    measures: tuple[str, ...] | None = None
    changes: tuple[Change, ...] = ()
    annealing: Annealing = USUAL
    corruption: Corruption = NOISE
    before: "Recipe | None" = None

    def __post_init__(self) -> None:
        put = object.__setattr__.__get__(self)
        if isinstance(self.model, str):
            put("model", entry(MODELS, "model", self.model).setup())
        if isinstance(self.data, str):
            put("data", entry(DATASETS, "data", self.data)())
        elif not isinstance(self.data, Source):
            put("data", InMemory.from_rows(self.data))
        if isinstance(self.learner, str):
            put("learner", entry(LEARNERS, "learner", self.learner).learner())
        for what, kind in zip((*NAMED, "schedule", "annealing", "corruption"), KINDS, strict=True):
            if not isinstance(given := getattr(self, what), kind):
                raise TypeError(
                    f"{what} must be a {kind.__name__}{' or a name' * (what in NAMED)}, not {quoted(given)}."
                )
        fitting = learners_of(self.model.name)
        if type(self.learner).__name__ not in fitting:
            raise Refusal(
                f"learner must be one of {', '.join(fitting)} for the model {self.model.name}, "
                f"not {type(self.learner).__name__}.",
                "learner",
            )
        if self.measures is None:
            put("measures", self.entry.measures)
        for what in ("measures", "changes"):
            if isinstance(given := getattr(self, what), str) or not isinstance(given, Iterable):
                raise Refusal(f"{what} must be a tuple, not {quoted(given)}.", what)
        put("measures", tuple(self.measures))  # type: ignore[arg-type]
        self._check_measures()
        put("changes", tuple(sorted((self._checked(change) for change in self.changes), key=lambda change: change[0])))
        self._check_before()
        self._check_records()

    def _check_measures(self) -> None:
        possible = measures_of(self.entry.kind)
        for measure in self.measures or ():
            if not isinstance(measure, str) or measure not in possible:
                raise Refusal(
                    f"measures must be one of {', '.join(possible) or 'none'} for the model {self.model.name}, "
                    f"not {quoted(measure)}.",
                    "measures",
                )
        measured = (figure for name in self.measures or () for figure in MEASURES[name].units)
        given = {*info_of(self.learner).units, *measured}
        if self.schedule.patience and given.isdisjoint(self.entry.merit):
            raise Refusal(
                f"patience must be 0 if no measure of the model's quality is taken, not {self.schedule.patience}.",
                "schedule.patience",
            )
        if self.schedule.gap_limit and GAP not in given:
            raise Refusal(
                f"gap_limit must be 0 if the free-energy gap is not measured, not {self.schedule.gap_limit:g}.",
                "schedule.gap_limit",
            )

    def _check_before(self) -> None:
        if self.before is None:
            return
        if not isinstance(self.before, Recipe):
            raise TypeError(f"before must be a recipe, not {quoted(self.before)}.")
        if self.before.data != self.data:
            raise Refusal("before must be a recipe on the same data.", "before")
        if not self.model.follows(self.before.model.kind):
            raise Refusal(
                f"before must be a recipe whose model can continue as {self.model.name}, not {self.before.model.name}.",
                "before",
            )
        if len(self.stages) > STAGES:
            raise Refusal(f"before must make at most {STAGES} stages of a training, not {len(self.stages)}.", "before")

    def _check_records(self) -> None:
        if (records := sum(stage.schedule.most_records for stage in self.stages)) > MOST_RECORDS:
            raise Refusal(
                f"every must be so large that a run takes at most {MOST_RECORDS:,} records"
                f"{', earlier stages included' if self.before else ''}; {self.schedule.every:,} for a length of "
                f"{self.schedule.length:,} gives {records:,}.",
                "schedule.every",
            )

    def _checked(self, change: Change) -> Change:
        if not isinstance(change, tuple | list) or len(change) != 3:
            raise Refusal(f"changes must be triples (update, field, value), not {quoted(change)}.", "changes")
        count, field, value = change
        declared = type(self.learner).named(field)
        if not declared.live:
            raise Refusal(
                f"{field} cannot change during training; {type(self.learner).__name__} lets you change "
                f"{', '.join(self.live_fields()) or 'nothing'}.",
                "changes",
            )
        return whole("changes", count, 0, LAST_CHANGE), field, declared.check(value)

    @property
    def entry(self) -> ModelEntry:
        """Registry entry of the model."""
        return MODELS[self.model.name]

    @property
    def stages(self) -> "tuple[Recipe, ...]":
        """Recipes of all stages in order, this one last."""
        return (*(self.before.stages if self.before else ()), self)

    @property
    def random(self) -> bool:
        """True if the learner of a stage has randomness of its own."""
        return any(stage.learner.random for stage in self.stages)

    @property
    def private(self) -> bool:
        """True if the data are a private table."""
        return self.data.private

    @property
    def is_stored(self) -> bool:
        """True if its trials may be stored, because every learner declares the version of its numbers."""
        return all(LEARNERS.is_stored(stage.learner) for stage in self.stages)

    @property
    def redacted(self) -> "Recipe":
        """The recipe without the settings of a private table, for viewers other than its owner."""
        return self.on(type(self.data)()) if self.private else self

    def on(self, data: Source) -> "Recipe":
        """Return this recipe, and its earlier stages, on other data."""
        return dataclasses.replace(self, data=data, before=self.before.on(data) if self.before else None)

    @property
    def longest(self) -> int:
        """Largest possible length of the schedule, for the given other fields of the recipe."""
        left = MOST_RECORDS - sum(stage.schedule.most_records for stage in self.stages[:-1])
        times, most = self.schedule.timetable(), int(Schedule.named("length").high or 0)
        return bisect_right(range(1, most + 1), left, key=lambda n: dataclasses.replace(times, length=n).left(-1))

    def with_stage(self, index: int, stage: "Recipe") -> "Recipe":
        """Return this recipe with a stage replaced."""
        if index == len(self.stages) - 1 or self.before is None:
            return stage
        return dataclasses.replace(self, before=self.before.with_stage(index, stage))

    def live_fields(self) -> tuple[str, ...]:
        """Return the learner's fields that may change during training."""
        return tuple(p.name for p in type(self.learner).parameters() if p.live)

    def changed(self, at: int, **fields: Any) -> "Recipe":
        """Return this recipe with live fields changed from update `at` on."""
        return dataclasses.replace(self, changes=(*self.changes, *((at, name, fields[name]) for name in fields)))

    def learner_at(self, count: int) -> Learner:
        """Return the learner for the update after `count`."""
        learner = self.learner
        for at, field, value in self.changes:
            if at <= count:
                learner = learner.changed(**{field: value})
        return learner

    def dataset(self, tick: Tick = idle) -> Dataset:
        """Return the data, for a conditional model with inputs; raises Refusal if no corrupted copies can be made."""
        loaded = self.data.load(tick)
        without = "corruption" in self.entry.parts and loaded.train.x is None and loaded.train.corruption is None
        return loaded.corrupted(self.corruption) if without else loaded

    def needs(self, part: str, n_visible: int) -> bool:
        """Return True if an optional part is used in a stage of this recipe, for rows of this width."""
        mine = part in self.entry.parts and self.model.needs(part, n_visible, self._hidden)
        return mine or bool(self.before and self.before.needs(part, n_visible))

    def may_need(self, part: str) -> bool:
        """Return True if an optional part is used for its data, or if they are not available to tell."""
        there = self.data.load_at_hand()
        return there is None or self.needs(part, there.train.n_visible)

    @property
    def _hidden(self) -> float:
        """Largest number of hidden units of its models; a stage starts with those of the previous one."""
        first = self.before._hidden if self.before else self.model.hidden
        new_units = info_of(self.learner).max_new_units
        return first + (new_units(self.learner, self.schedule.length) if new_units else 0.0)

    def inference(self, count: int, epoch: float) -> Inference | None:
        """Return the inference for the model after `count` updates, at this epoch; None if the learner has none."""
        inference = info_of(self.learner).inference
        return inference(self.learner_at(count), epoch) if inference else None

    def timetable(self, updates_per_epoch: int) -> Timetable:
        """Return the updates, counted from its start, after which this stage is measured."""
        return self.schedule.timetable(updates_per_epoch if self.schedule.unit == "epochs" else 1)

    # -- files and links ------------------------------------------------------------------------

    def to_query(self) -> dict[str, str]:
        """Return the URL parameters: the three names, and `name.field` for every field that differs from its default;
        those of the previous stage with the prefix `before.`. `from_query` returns an equal recipe.
        """
        return self._texts(full=False)

    def _texts(self, *, full: bool) -> dict[str, str]:
        if isinstance(self.data, InMemory):
            raise Refusal(
                "data must be a data set with a name, or a kept table (`upload`), to be written down.", "data"
            )
        query = {"model": self.model.name, "data": self.data.name, "learner": type(self.learner).__name__}
        for name, what in owners_of(query).items():
            part = getattr(self, what)
            texts = part.texts()
            if full:
                texts = {field: type(part).named(field).write(value) for field, value in part.values().items()}
            query |= {f"{name}.{field}": text for field, text in texts.items()}
        if full or self.measures != self.entry.measures:
            query["measures"] = ",".join(self.measures or ())
        if self.changes:
            query["changes"] = ";".join(
                f"{at}:{field}:{type(self.learner).named(field).write(value)}" for at, field, value in self.changes
            )
        if self.before is not None:
            query |= {f"{BEFORE}{key}": text for key, text in self.before._texts(full=full).items()}
        return query

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Recipe":
        """Return the recipe described by a link; unrelated parameters are ignored.

        The field of a Refusal is named like "CD.rate", and it lists everything that is invalid.
        """
        names = {what: query.get(what, default) for what, default in zip(NAMED, ("rbm", "digits", "CD"), strict=True)}
        kinds, made, refusals = _kinds(names), dict[str, Any](), list[Refusal]()
        for owner, what in owners_of(names).items():
            with gather(refusals), name_owner(owner):
                made[what] = kinds[what].from_text(texts_of(query, owner))
        refuse(refusals)
        measures = tuple(filter(None, query["measures"].split(","))) if "measures" in query else None
        earlier = {key.removeprefix(BEFORE): text for key, text in query.items() if key.startswith(BEFORE)}
        if any(key.startswith(BEFORE * STAGES) for key in query):
            raise Refusal(f"before must make at most {STAGES} stages of a training.", "before")
        return cls(
            **made,
            measures=measures,
            changes=_changes(made["learner"], query.get("changes", "")),
            before=cls.from_query(earlier) if earlier else None,
        )

    def to_json(self) -> str:
        """Return the parameters of its link and all defaults as JSON; `from_json` returns an equal recipe."""
        return json.dumps(self._texts(full=True))

    @classmethod
    def from_json(cls, text: str) -> "Recipe":
        """Return the recipe written by `to_json`; raise Refusal if the text is none."""
        return cls.from_query(read_parameters(text, NO_RECIPE))


def read_parameters(text: str, refusal: str, others: Collection[str] = ()) -> dict[str, str]:
    """Return the parameters of a link, of a recipe and `others`, from a JSON text.

    Raises Refusal with `refusal` if it has no recipe, and for a parameter that is not a text or not known.
    """
    try:
        query = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        raise Refusal(refusal) from None
    if not isinstance(query, dict) or not set(NAMED) <= query.keys():
        raise Refusal(refusal)
    for key, value in query.items():
        if not isinstance(value, str):
            raise Refusal(f"{cut(key)} must be text in a recipe, not {quoted(value)}.", cut(key))
    if unknown := next((key for key in query if key not in others and not is_parameter(key, query)), None):
        raise Refusal(f"{cut(unknown)} is not a parameter of this recipe.", cut(unknown))
    return query


NO_RECIPE = "This is not a recipe of Boltzmann Lab (JSON with model, data, learner and their fields, such as CD.rate)."
BEFORE = "before."  # prefix of the previous stage's parameters in a link


def owners_of(names: Mapping[str, str]) -> dict[str, str]:
    """Return {owner of fields in a link: its part of a recipe}, by the names of model, data and learner."""
    return {**{names[what]: what for what in NAMED}, "schedule": "schedule", **{what: what for what in OPTIONAL_PARTS}}


def declarations(names: Mapping[str, str]) -> dict[str, type[Parameters]]:
    """Return {owner of fields in a link: their declarations} of a recipe, without optional parts of other models."""
    kinds, needed = _kinds(names), MODELS[names["model"]].parts
    return {
        owner: kinds[what] for owner, what in owners_of(names).items() if what not in OPTIONAL_PARTS or what in needed
    }


def _kinds(names: Mapping[str, str]) -> dict[str, type[Parameters]]:
    """Return {part of a recipe: its declarations}; raise Refusal naming what is not registered."""
    return {
        "model": entry(MODELS, "model", names["model"]).setup,
        "data": entry(DATASETS, "data", names["data"]),
        "learner": entry(LEARNERS, "learner", names["learner"]).learner,
        "schedule": Schedule,
        **{what: part.kind for what, part in OPTIONAL_PARTS.items()},
    }


def is_parameter(key: str, query: Mapping[str, str]) -> bool:
    """Return True if a parameter belongs to the recipe of this link, and not, for example, to another learner."""
    if key.startswith(BEFORE):
        return True
    names = {what: query.get(what, "") for what in NAMED}
    owner, dot, _ = key.partition(".")
    return owner in owners_of(names) if dot else key in (*NAMED, "measures", "changes")


def _changes(learner: Learner, text: str) -> tuple[Change, ...]:
    found = []
    for item in filter(None, text.split(";")):
        try:
            at, field, value = item.split(":")
            count = read_number(int, at)
        except ValueError:
            raise Refusal(
                f"changes must be written as update:field:value, such as 500:rate:0.1, not {quoted(item)}.", "changes"
            ) from None
        found.append((count, field, type(learner).named(field).parse(value)))
    return tuple(found)
