"""Names of models, learners and data sets: an entry here makes each known to forms, URLs, command line and tests."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from boltzcore import data
from boltzcore.data.corruption import Corruption
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import Learner
from boltzcore.measures import MEASURES
from boltzcore.parameters import Parameters
from boltzcore.quoting import Refusal, number, quoted
from boltzcore.registry.crbm import CRBM_LEARNERS
from boltzcore.registry.info import LearnerInfo, Suggestion
from boltzcore.registry.learners import LearnerTable, info_from
from boltzcore.registry.models import MODELS, ModelEntry, name_of, suited, takes
from boltzcore.registry.rbm import INFINITE_RBM_LEARNERS, RBM_LEARNERS
from boltzcore.registry.tables import TABLE_LEARNERS

__all__ = [
    "DATASETS",
    "LEARNERS",
    "MODELS",
    "OPTIONAL_PARTS",
    "LearnerInfo",
    "ModelEntry",
    "OptionalPart",
    "Suggestion",
    "divergence_advice",
    "divergence_fix",
    "entry",
    "gibbs_steps",
    "info_of",
    "learners_of",
    "name_of",
    "register",
    "suited",
    "takes",
    "unit_of",
]

DATASETS: dict[str, Any] = data.DATASETS
LEARNERS = LearnerTable((*RBM_LEARNERS, *CRBM_LEARNERS, *TABLE_LEARNERS, *INFINITE_RBM_LEARNERS))


@dataclass(frozen=True)
class OptionalPart:
    """A part of a recipe that only some models need, by the name of its field."""

    title: str
    kind: type[Parameters]


OPTIONAL_PARTS: dict[str, OptionalPart] = {
    "annealing": OptionalPart("Estimate (AIS)", Annealing),
    "corruption": OptionalPart("Corruption", Corruption),
}

T = TypeVar("T")


def entry(table: Mapping[str, T], what: str, name: str) -> T:
    """Return the entry called `name`; raise Refusal of the field `what`, listing the known names."""
    if not isinstance(name, str) or name not in table:
        raise Refusal(f"{what} must be one of {', '.join(table)}, not {quoted(name)}.", what)
    return table[name]


def learners_of(model: str) -> dict[str, LearnerInfo]:
    """Return the learners that fit a model, by name."""
    entry(MODELS, "model", model)
    return {name: info for name, info in LEARNERS.items() if model in info.models}


def register(learner: type[Learner], **fields: Any) -> type[Learner]:
    """Register a learner by the name of its class for recipes, comparisons, estimators and, in its process, the app.

    Its trials are stored only if the class declares `numerics`. A package registers one by an entry point of the group
    `boltzcore.learners`, which names the class or a `LearnerInfo`.

    Parameters
    ----------
    learner : a dataclass derived from `boltzcore.learners.Learner`; registering it again replaces it
    fields : fields of its `LearnerInfo`: title, source, about, family, models ("rbm" by default) and others

    Returns
    -------
    The learner, so that this can be used as a decorator.

    Raises
    ------
    Refusal
        If it is not a learner, or a learner of the project has its name.

    >>> from dataclasses import dataclass
    >>> from boltzcore import Recipe, register
    >>> from boltzcore.learners import CD
    >>> from boltzcore.registry import LEARNERS
    >>> @register
    ... @dataclass(frozen=True)
    ... class Hasty(CD):
    ...     rate: float = 1.0
    >>> Recipe("rbm", "digits", "Hasty").learner.rate
    1.0
    >>> del LEARNERS["Hasty"]
    """
    LEARNERS.add(info_from(learner, **fields))
    return learner


def info_of(learner: Learner) -> LearnerInfo:
    """Return the entry of a learner, with field values inserted in its sentences. Raises KeyError without an entry."""
    info, fields = LEARNERS[type(learner).__name__], _fields_of(learner)
    texts = {name: getattr(info, name).format_map(fields) for name in ("cost", "operations", "stop_reason")}
    return dataclasses.replace(info, **texts)


def _fields_of(learner: Learner) -> dict[str, Any]:
    """Return the values of the fields that the sentences of a learner's entry may name."""
    values = vars(learner) | {"gibbs_steps": gibbs_steps(learner)}
    return {name: number(each, "g") if isinstance(each, float) else each for name, each in values.items()}


def divergence_advice(learner: Learner) -> str:
    """Return what may help after a divergence, as the object of "Try"."""
    advice = (each(learner) if callable(each) else each for each in LEARNERS[type(learner).__name__].advice)
    return " or ".join(each.format_map(_fields_of(learner)) for each in advice if each) or "other settings"


def divergence_fix(learner: Learner) -> tuple[str, float] | None:
    """Return a live field and its value with which to continue after a divergence; None if there is none."""
    fix = info_of(learner).divergence_fix
    return fix(learner) if fix else None


def gibbs_steps(learner: Learner) -> int | None:
    """Return the Gibbs steps of each chain in an update; None if the learner has no such chains."""
    names = LEARNERS[type(learner).__name__].gibbs_steps
    return None if names is None else math.prod(getattr(learner, name) for name in names)


def unit_of(figure: str) -> str:
    """Return the unit of a figure of a measure or of a learner's own; "" if it has none."""
    known = (*(measure.units for measure in MEASURES.values()), *(info.units for info in LEARNERS.values()))
    return next((units[figure] for units in known if figure in units), "")
