"""The names of models, learners and data sets: one entry here, and forms, URLs, command line and tests know it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from boltzcore import data, learners, models
from boltzcore.parameters import Parameters
from boltzcore.runs.observe import observe_crbm, observe_rbm


@dataclass(frozen=True)
class ModelEntry:
    """A model: its parameters' class, the size and start that a form asks for, what is measured and shown of it.

    observe(state, previous, *, rows, inference, seed, tick) gives arrays that a page draws beside the parameters;
    rows, the measured ones of the data, may be None.
    part : the part of a recipe that this model alone needs: how its likelihood is estimated, or what corrupts its
        inputs
    """

    title: str
    kind: type
    setup: type[Parameters]
    measures: tuple[str, ...]
    observe: Callable[..., Mapping[str, NDArray]]
    part: str


MODELS: dict[str, ModelEntry] = {
    "rbm": ModelEntry(
        "Restricted Boltzmann machine",
        models.RBM,
        models.RBMSetup,
        ("log_likelihood", "free_energy_gap", "reconstruction_error", "hidden_activity"),
        observe_rbm,
        "annealing",
    ),
    "crbm": ModelEntry("Conditional RBM", models.CRBM, models.CRBMSetup, ("pixel_errors",), observe_crbm, "corruption"),
}

LEARNERS: dict[str, type[learners.Learner]] = {
    learner.__name__: learner
    for learner in (
        learners.CD,
        learners.PCD,
        learners.CenteredGradient,
        learners.SDCP,
        learners.CSDCP,
        learners.SSD,
        learners.ScikitLearn,
        learners.BeliefPropagationMLE,
        learners.MeanFieldMLE,
        learners.ConditionalCD,
        learners.CDPercLoss,
        learners.ConditionalLR,
        learners.LSSVM,
        learners.MSSVM,
    )
}

DATASETS: dict[str, Any] = data.DATASETS


def entry(table: Mapping[str, Any], what: str, name: str) -> Any:
    """The entry called `name`; ValueError listing the names there are."""
    if name not in table:
        raise ValueError(f"{what} must be one of {', '.join(table)}, not {name!r}.")
    return table[name]


def learners_of(model: str) -> dict[str, Any]:
    """The learners that fit a model, by name."""
    entry(MODELS, "model", model)
    return {name: learner for name, learner in LEARNERS.items() if model in learner.models}
