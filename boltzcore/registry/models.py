"""Models by name, with the facts that the rest of the project needs."""

from dataclasses import dataclass
from typing import Literal

from boltzcore import data, models, observations, warm
from boltzcore.measures import likelihood, restoration
from boltzcore.models import base
from boltzcore.quoting import Refusal
from boltzcore.warm import Piece


@dataclass(frozen=True)
class ModelEntry:
    """A model: all that the rest of the project knows of it.

    kind, setup : its parameters' class; the size and start that a form asks for
    measures : names of its default measures in a recipe
    merit : the figures that say how good it is, best first: the first that is measured judges a training, early
        stopping and the best state included; validation rows before training rows. An error counts negative
    observe : what a page draws besides its parameters (`observations`); nothing by default
    parts : names of the optional parts of a recipe (`OPTIONAL_PARTS`) that it needs
    work : what a State's work counts, an axis of every curve
    warm : compile what its trainings need, by tiny work, what most newcomers meet first in front; empty if there is
        nothing to compile
    about : what it does, in a sentence for the form
    rows : what it is made for, "images" or "tables"; it can be tried on the others, too
    """

    title: str
    kind: type[base.Model]
    setup: type[base.Setup]
    measures: tuple[str, ...] = ()
    merit: tuple[str, ...] = ()
    observe: observations.Observe = lambda *_of_training: {}
    parts: tuple[str, ...] = ()
    work: str = "Work"
    warm: tuple[Piece, ...] = ()
    about: str = ""
    rows: Literal["images", "tables"] = "images"


MODELS: dict[str, ModelEntry] = {
    "rbm": ModelEntry(
        title="Restricted Boltzmann machine",
        kind=models.RBM,
        setup=models.RBMSetup,
        measures=("log_likelihood", "free_energy_gap", "reconstruction_error", "hidden_activity"),
        merit=likelihood.MERIT,
        observe=observations.observe_rbm,
        parts=("annealing",),
        work="Gibbs transitions of one chain with its copies",
        warm=(warm.large_learning, warm.large_measures, warm.small, warm.exchanges),
        about="models images and generates new ones.",
    ),
    "crbm": ModelEntry(
        title="Conditional RBM",
        kind=models.CRBM,
        setup=models.CRBMSetup,
        measures=("pixel_errors",),
        merit=restoration.MERIT,
        observe=observations.observe_crbm,
        parts=("corruption",),
        work="Gibbs transitions, or iterations of inference",
        warm=(warm.conditional,),
        about="restores damaged images.",
    ),
    "infinite-rbm": ModelEntry(
        title="Infinite RBM",
        kind=models.InfiniteRBM,
        setup=models.InfiniteRBMSetup,
        measures=("log_likelihood", "free_energy_gap"),
        merit=likelihood.MERIT,
        observe=observations.observe_rbm,
        parts=("annealing",),
        work="Gibbs transitions of one chain",
        warm=(warm.infinite,),
        about="grows its hidden layer automatically, one unit at a time.",
    ),
    "fvbm": ModelEntry(
        title="Fully visible machine (FVBM)",
        kind=models.FVBM,
        setup=models.FVBMSetup,
        measures=("log_pseudo_likelihood", "log_likelihood"),
        merit=likelihood.PSEUDO_MERIT,
        work="Sweeps, or gradients of L-BFGS",
        warm=(warm.fully_visible,),
        about="finds which columns of a table depend on each other, with standard errors.",
        rows="tables",
    ),
    "log-linear": ModelEntry(
        title="Log-linear model, any order",
        kind=models.LogLinear,
        setup=models.LogLinearSetup,
        measures=("kl_to_data", "kl_to_truth", "log_likelihood"),
        merit=likelihood.MERIT,
        work="Steps, or gradients",
        warm=(warm.log_linear,),
        about="finds which groups of columns depend on each other, and computes any conditional probability exactly.",
        rows="tables",
    ),
    "potts": ModelEntry(
        title="Potts model",
        kind=models.Potts,
        setup=models.PottsSetup,
        measures=("log_pseudo_likelihood", "log_likelihood"),
        merit=(*likelihood.MERIT, *likelihood.PSEUDO_MERIT),
        work="Sweeps, or gradients of L-BFGS",
        warm=(warm.potts,),
        about="finds which columns of categories depend on each other, with any number of columns.",
        rows="tables",
    ),
}


def suited(dataset: data.Dataset) -> str:
    """Return the model for such rows: the first that accepts them, trying those made for such images or tables first;
    if there is none, the last one made for them, which accepts the most and reports the excess.
    """
    rows = "tables" if dataset.shape is None else "images"
    made = [name for name, model in MODELS.items() if model.rows == rows]
    others = [name for name in MODELS if name not in made]
    return next((name for name in (*made, *others) if takes(MODELS[name].setup(), dataset)), made[-1])


def takes(setup: base.Setup, dataset: data.Dataset) -> bool:
    """Return True if a model of this kind can have such rows."""
    try:
        setup.check(dataset.train)
    except Refusal:
        return False
    return True


def name_of(model: base.Model) -> str:
    """Return the name of a model's kind. Raises Refusal if it is not registered."""
    for name, known in MODELS.items():
        if known.kind is type(model):
            return name
    raise Refusal(f"model must be of a registered kind, not {type(model).__name__}.")
