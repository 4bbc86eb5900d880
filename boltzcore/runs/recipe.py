"""A recipe: everything a training depends on, frozen, comparable, to and from JSON and URL."""

import dataclasses
import json
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset
from boltzcore.inference import Inference
from boltzcore.inference.annealing import USUAL, Annealing
from boltzcore.learners import Learner
from boltzcore.measures import measures_of
from boltzcore.parameters import Parameters, parameter
from boltzcore.registry import DATASETS, LEARNERS, MODELS, entry, learners_of
from boltzcore.ticks import Tick, idle

Change = tuple[int, str, Any]


@dataclass(frozen=True)
class Schedule(Parameters):
    """How long a training runs and how often it is measured, in epochs or in updates."""

    seed: int = parameter(0, low=0, high=2**53, help="Every random number of the training follows from it.")
    length: int = parameter(50, low=1, high=10_000_000, scale="log", help="Epochs (or updates) in the whole training.")
    unit: str = parameter("epochs", choices=("epochs", "updates"), help="What length and every count.")
    every: int = parameter(
        1,
        low=1,
        high=1_000_000,
        scale="log",
        help="A record is taken each time this many have passed.",
        label="Measure every",
    )
    patience: int = parameter(
        0,
        low=0,
        high=10_000,
        help="Stop early once so many measurements in a row have brought no new best: the likelihood of training rows, "
        "or, of a conditional model, "
        "the validation error. 0 never stops early.",
    )


OWN: dict[str, type[Parameters]] = {
    "schedule": Schedule,
    "annealing": Annealing,
    "corruption": Corruption,
}  # parts that every recipe has, under these names in files and links


NOISE = Corruption()


@dataclass(frozen=True)
class Recipe:
    """Model and its start, data, learner, schedule, measures, live changes, how a likelihood out of reach is estimated,
    and what corrupts the inputs of a conditional model.

    model : name or size and start (`RBMSetup(hidden=500)`)
    data : name or data set with its options (`Digits()`)
    learner : name or instance (`CD(rate=.1)`)
    measures : names from `boltzcore.measures.MEASURES` that can be taken of the model; None takes the model's own
    changes : ((count, field, value), ...): at update `count` the learner's live `field` becomes `value`; kept in order
        of count
    Raises ValueError with the field, the value and what is allowed, TypeError for a part that is neither a name nor
    such an object.
    """

    model: Any = "rbm"
    data: Any = "digits"
    learner: Any = "CD"
    schedule: Schedule = Schedule()
    measures: tuple[str, ...] | None = None
    changes: tuple[Change, ...] = ()
    annealing: Annealing = USUAL
    corruption: Corruption = NOISE

    def __post_init__(self) -> None:
        put = object.__setattr__.__get__(self)
        if isinstance(self.model, str):
            put("model", entry(MODELS, "model", self.model).setup())
        if isinstance(self.data, str):
            put("data", entry(DATASETS, "data", self.data)())
        if isinstance(self.learner, str):
            put("learner", entry(LEARNERS, "learner", self.learner)())
        for what in ("model", "data", "learner"):
            if not isinstance(part := getattr(self, what), Parameters):
                raise TypeError(
                    f"{what} must be a name or a registered object with its settings, not {reprlib.repr(part)}."
                )
        fitting = learners_of(self.model.name)
        if type(self.learner).__name__ not in fitting:
            raise ValueError(
                f"learner must be one of {', '.join(fitting)} for the model {self.model.name}, not "
                f"{type(self.learner).__name__}."
            )
        if self.measures is None:
            put("measures", MODELS[self.model.name].measures)
        put("measures", tuple(self.measures))  # type: ignore[arg-type]
        possible = measures_of(MODELS[self.model.name].kind)
        for measure in self.measures or ():
            if measure not in possible:
                raise ValueError(
                    f"measures must be one of {', '.join(possible)} for the model {self.model.name}, not {measure!r}."
                )
        put("changes", tuple(sorted((self._checked(change) for change in self.changes), key=lambda change: change[0])))

    def _checked(self, change: Change) -> Change:
        count, field, value = change
        declared = type(self.learner).named(field)
        if not declared.live:
            raise ValueError(
                f"{field} cannot change during a training; {type(self.learner).__name__} lets you change "
                f"{', '.join(self.live_fields())}."
            )
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ValueError(f"changes must name an update from 0 on, not {count!r}.")
        return count, field, declared.check(value)

    def live_fields(self) -> tuple[str, ...]:
        """The learner's fields that may change while it runs."""
        return tuple(p.name for p in type(self.learner).parameters() if p.live)

    def changed(self, at: int, **fields: Any) -> "Recipe":
        """This recipe with live fields changed from update `at` on."""
        return dataclasses.replace(
            self, changes=self.changes + tuple((at, name, value) for name, value in fields.items())
        )

    def learner_at(self, count: int) -> Learner:
        """The learner as it is for the update after `count`."""
        learner = self.learner
        for at, field, value in self.changes:
            if at <= count:
                learner = learner.changed(**{field: value})
        return learner

    def dataset(self, tick: Tick = idle) -> Dataset:
        """The data, for a conditional model with corrupted copies as inputs; ValueError where the corruption does not
        fit them.
        """
        loaded = self.data.load(tick)
        return loaded.corrupted(self.corruption) if MODELS[self.model.name].part == "corruption" else loaded

    def inference(self, count: int, updates_per_epoch: int) -> Inference | None:
        """The inference that goes with the model after `count` updates; None where the learner names none."""
        return self.learner_at(count).inference(count / updates_per_epoch)

    def updates(self, dataset: Dataset) -> tuple[int, int]:
        """(updates in all, updates between records)."""
        one = self.learner.epoch_length(dataset.train) if self.schedule.unit == "epochs" else 1
        return self.schedule.length * one, self.schedule.every * one

    # -- files and links ------------------------------------------------------------------------

    def to_json(self) -> str:
        """As JSON; `from_json` gives an equal recipe."""
        return json.dumps(
            {
                "model": {"name": self.model.name, **self.model.values()},
                "data": {"name": self.data.name, **self.data.values()},
                "learner": {"name": type(self.learner).__name__, **self.learner.values()},
                "schedule": self.schedule.values(),
                "measures": list(self.measures or ()),
                "changes": [list(change) for change in self.changes],
                "annealing": self.annealing.values(),
                "corruption": self.corruption.values(),
            },
            sort_keys=True,
        )

    @classmethod
    def from_json(cls, text: str) -> "Recipe":
        """The recipe that `to_json` wrote; ValueError where it is not one."""
        try:
            told = json.loads(text)
            parts = {what: dict(told[what]) for what in ("model", "data", "learner", "schedule")}
            parts |= {
                what: dict(told.get(what, {})) for what in ("annealing", "corruption")
            }  # recipes of earlier versions have none
            names = {what: str(parts[what].pop("name")) for what in ("model", "data", "learner")}
            changes = tuple((int(c), str(f), v) for c, f, v in told["changes"])
            measures = tuple(str(m) for m in told["measures"])
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
            raise ValueError(
                "This is not a recipe of Boltzmann Lab (JSON with model, data, learner, schedule, measures and "
                "changes)."
            ) from None
        makers = _makers(names)
        made = {what: _made(makers[what], values) for what, values in parts.items()}
        return cls(**made, measures=measures, changes=changes)

    def to_query(self) -> dict[str, str]:
        """As URL parameters: the three names, and `name.field` for every field that is not at its default;
        `from_query` gives an equal recipe.
        """
        query = {"model": self.model.name, "data": self.data.name, "learner": type(self.learner).__name__}
        for name, part in self._named_parts():
            query |= {
                f"{name}.{p.name}": p.write(value)
                for p in type(part).parameters()
                if (value := getattr(part, p.name)) != p.default
            }
        if self.measures != MODELS[self.model.name].measures:
            query["measures"] = ",".join(self.measures or ())
        if self.changes:
            query["changes"] = ";".join(
                f"{at}:{field}:{type(self.learner).named(field).write(value)}" for at, field, value in self.changes
            )
        return query

    def _named_parts(self) -> tuple[tuple[str, Parameters], ...]:
        return (
            (self.model.name, self.model),
            (self.data.name, self.data),
            (type(self.learner).__name__, self.learner),
            *((what, getattr(self, what)) for what in OWN),
        )

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Recipe":
        """The recipe a link describes; parameters of other things are passed over."""
        names = {
            what: query.get(what, default)
            for what, default in (("model", "rbm"), ("data", "digits"), ("learner", "CD"))
        }
        made = {}
        for what, maker in _makers(names).items():
            prefix = names.get(what, what) + "."
            made[what] = maker.from_text(
                {key.removeprefix(prefix): text for key, text in query.items() if key.startswith(prefix)}
            )
        measures = tuple(filter(None, query["measures"].split(","))) if "measures" in query else None
        return cls(**made, measures=measures, changes=_changes(made["learner"], query.get("changes", "")))


def _makers(names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "model": entry(MODELS, "model", names["model"]).setup,
        "data": entry(DATASETS, "data", names["data"]),
        "learner": entry(LEARNERS, "learner", names["learner"]),
        **OWN,
    }


def _made(maker: Any, values: dict[str, Any]) -> Any:
    for name in values:
        maker.named(name)
    return maker(**values)


def _changes(learner: Any, text: str) -> tuple[Change, ...]:
    found = []
    for item in filter(None, text.split(";")):
        try:
            at, field, value = item.split(":")
            count = int(at)
        except ValueError:
            raise ValueError(
                f"changes must be written as update:field:value, such as 500:rate:0.1, not {item!r}."
            ) from None
        found.append((count, field, type(learner).named(field).parse(value)))
    return tuple(found)
