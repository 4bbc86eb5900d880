"""Equilibrium indicator: whether a learner's chains sample from its model."""

from boltzcore.inference.equilibrium import AT, NOT, UNSURE
from boltzcore.measures.equilibrium import equilibrium_gap, verdict_in
from boltzcore.registry import info_of
from pages.figures import measurements
from pages.figures.frame import Light, ViewInputs

KINDS = {AT.word: "good", NOT.word: "bad", UNSURE.word: "unsure"}
DARK = "not checked yet"
SOON = "Convergence is checked at the next full measurement."
ABOUT = (
    "The gradient is estimated from persistent chains. If they are not at equilibrium with the model, fantasy "
    "particles say little about what it has learnt. Two signs are checked: the equilibrium gap, log Z by annealing "
    "back from the chains minus log Z by annealing towards the model, and the difference between the means of the "
    "hidden units over the chains and over the annealed particles, relative to chance. Green circle: both small. "
    "Orange triangle: one is large. Orange diamond: inconclusive. Chains that move slowly or start at the data may "
    "pass although they have not converged."
)


def light_of(inputs: ViewInputs) -> Light | None:
    """Return the last verdict of a training whose recipe asks for it; None if it does not, or its learner keeps no
    chains.
    """
    recipe = inputs.recipe
    if equilibrium_gap.name not in (recipe.measures or ()) or not info_of(recipe.learner).keeps_chains:
        return None
    for record in reversed(inputs.snapshot.records):
        if (verdict := verdict_in(record.values)) is not None:
            unit = recipe.schedule.unit
            when = f"{unit.removesuffix('s').capitalize()} {measurements.at(record, unit)}"
            return Light(KINDS[verdict.word], verdict.word, verdict.sentence, ABOUT, when)
    return Light("dark", DARK, SOON, ABOUT)
