"""Whether a learner's chains are where its model is, as a light."""

from boltzcore.inference.equilibrium import AT, NOT, UNSURE
from boltzcore.measures.equilibrium import equilibrium_gap, verdict_in
from boltzcore.registry import info_of
from pages.figures import measurements
from pages.figures.frame import Light, ViewInputs

KINDS = {AT.word: "good", NOT.word: "bad", UNSURE.word: "unsure"}
DARK = "not looked at yet"
SOON = "Convergence is checked at the next full measurement."
ABOUT = (
    "The gradient is taken from chains that go on from update to update, and the fantasy particles of a model that "
    "has strayed from them say little of what it has learnt. Two signs are looked at: the equilibrium gap, log Z by "
    "annealing back from the chains minus log Z by annealing towards the model, and how far the means of the hidden "
    "units over the chains are from those over the annealed particles, compared with chance. Green circle: both near. "
    "Orange triangle: one is not. Orange diamond: neither can be told. Chains that take small steps may look right all "
    "the time, and so may those that start at the data: neither the drift of their free energy nor that tells."
)


def light_of(inputs: ViewInputs) -> Light | None:
    """The last verdict of a training whose recipe asks for it; None where it does not, or its learner keeps no
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
