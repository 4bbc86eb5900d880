"""Presets: trainings worth watching first, each with what to look for."""

from dataclasses import dataclass, replace
from functools import cache

from boltzcore.data.clusters import Clusters
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset
from boltzcore.data.ising import Ising
from boltzcore.data.patterns import Parity
from boltzcore.data.senate import PARTIES
from boltzcore.data.source import Source
from boltzcore.inference import Annealing
from boltzcore.learners import BSLM, CD, PCD, SDCP, BeliefPropagationMLE, FrankWolfe, GreedyMDL
from boltzcore.models import CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, RBMSetup
from boltzcore.registry import MODELS, learners_of, suited, takes
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.starts import start_for


@dataclass(frozen=True)
class Preset:
    """A training worth watching, with what to look for.

    group : of `GROUPS`, where it is offered
    title, about : the question that it answers, and what one will see, in words that need no explanation
    look_for : what to watch and what to do then, beside the training itself
    pace : updates a second at which it is shown, where it would be over too soon to be watched; None as fast as it can
    """

    group: str
    title: str
    about: str
    look_for: str
    recipe: Recipe
    pace: float | None = None


GROUPS = {  # in the order in which a newcomer meets them
    "begin": "Begin here",
    "dream": "How does a machine learn to dream up images?",
    "size": "How large should a model be?",
    "rules": "Can it find rules of three and more?",
}

# Records of full effort, which are few, measure the equilibrium gap.
WITH_EQUILIBRIUM = (*MODELS["rbm"].measures, "equilibrium_gap")

PRESETS: dict[str, Preset] = {
    "handwriting": Preset(
        "begin",
        "Can it dream up handwriting?",
        "Out of noise come strokes, and within seconds handwritten digits that nobody has written. A curve tells how "
        "well the machine knows digits that it has never seen.",
        "Watch the fantasy particles, what the model dreams up: grey blurs at first, within seconds digits that nobody "
        "has written. Each update makes real digits more probable and the model's dreams less, so the curve rises: it "
        "estimates how probable digits are to the model that it has never seen. A light tells now and then whether the "
        "chains that it learns by are where the model is: here they lag behind.",
        Recipe(
            model=RBMSetup(hidden=200),
            data="mnist-small",
            learner=PCD(rate=0.02, batch_size=300),
            schedule=Schedule(length=200, every=100, between=20),
            measures=WITH_EQUILIBRIUM,
            annealing=Annealing(temperatures=3000, tolerance=0.05),
        ),
    ),
    "hidden-patch": Preset(
        "begin",
        "Can it fill in what is hidden?",
        "A quarter of each digit is covered. Watch the model learn to paint in what was there, and how many pixels "
        "it still gets wrong.",
        "A patch of 4 × 4 hides a quarter of each digit, which leaves 11 % of pixels wrong. Watch the error fall to "
        "half of that while the gaps fill in. Then pin the curve, choose logistic regression, which guesses each "
        "pixel on its own, and play: it stops a whole percent short.",
        Recipe(
            model=CRBMSetup(hidden=64),
            data="digits",
            learner=BeliefPropagationMLE(rate=0.2),
            schedule=Schedule(length=60),
            corruption=Corruption(kind="patch", size=4),
        ),
    ),
    "senate": Preset(
        "begin",
        "Who votes with whom?",
        "147 votes of eight parties of the Australian Senate become a map: blue pairs vote together more than all "
        "others explain, red ones against each other.",
        "147 votes of eight parties of the Australian Senate. Watch the map of couplings settle: blue pairs vote "
        "together more often than all others explain, red ones against each other. Once it has ended, the table "
        "tells which couplings the votes can vouch for: those whose 95 % interval leaves 0 out. "
        f"{PARTIES.partition('; ')[2]}.",
        Recipe(
            model=FVBMSetup(variance=0.0),
            data="senate",
            learner=BSLM(tau=1e-9),
            schedule=Schedule(length=2_000, unit="updates"),
        ),
        pace=20.0,
    ),
    "real-digits": Preset(
        "dream",
        "How well does it know digits?",
        "Digits so small that how well the machine knows them can be computed exactly. The curve climbs for digits "
        "that it has never seen, too.",
        "Watch the test curve climb away from the base rate while strokes appear in the receptive fields and the "
        "fantasy particles turn into digits.",
        Recipe(
            model=RBMSetup(hidden=20),
            data="digits",
            learner=PCD(rate=0.02, K=5),
            schedule=Schedule(length=1000, every=250, between=2),
            measures=WITH_EQUILIBRIUM,
        ),
    ),
    "too-fast": Preset(
        "dream",
        "What if it learns too fast?",
        "Steps 25 times too large: the curve climbs, falls, and the training pauses itself and says why.",
        "A learning rate 25 times too high and a single Gibbs step: the curve climbs, then falls under the base "
        "rate, and the training pauses itself.",
        Recipe(
            model=RBMSetup(hidden=20),
            data="digits",
            learner=PCD(rate=0.5),
            schedule=Schedule(length=60, every=5, between=1),
            measures=WITH_EQUILIBRIUM,
        ),
    ),
    "bars-and-stripes": Preset(
        "dream",
        "Why does it get worse again?",
        "A tiny model goes through all its images 50,000 times in about a second. It gets better, then worse, because "
        "the way it learns is a little off.",
        "Four hidden units, 50,000 epochs in about a second, as in the paper: the curve peaks early, then falls as "
        "the weights grow, and never comes near the upper bound.",
        Recipe(
            model=RBMSetup(hidden=4),
            data="bars-and-stripes",
            learner=CD(rate=0.3, K=12, batch_size=0),
            schedule=Schedule(length=50_000, every=100),
        ),
    ),
    "plateau": Preset(
        "dream",
        "Which learns faster at the same price?",
        "Two ways to learn that cost the same: one leaves the flat stretch at the beginning thousands of rounds "
        "earlier. Draw both on one chart.",
        "After 5,000 epochs S-DCP has left the plateau, which is no better than the base rate. Pin the curve, "
        "choose CD (its K becomes d K' = 12, the same cost), and play: it sits on the plateau thousands of epochs "
        "longer.",
        Recipe(
            model=RBMSetup(hidden=4),
            data="shifting-bar",
            learner=SDCP(rate=0.3, d=3, K_prime=4, batch_size=0),
            schedule=Schedule(length=15_000, every=50),
        ),
    ),
    "everything-looks-right": Preset(
        "dream",
        "Can everything look right and be wrong?",
        "Five kinds of images. The pictures it draws while it learns show each as often as they should; it has learnt "
        "only one kind or two at a time, and not always the same.",
        "Bars tell how frequent each of five clusters is: in the data, in the chains that PCD learns by, and "
        "(hatched) in the model itself, by enumeration. Chains and data soon agree, while the model swings from "
        "cluster to cluster, and the likelihood with it; the light says that the chains are not where the model "
        "is. Where the curve falls far the training pauses itself; Play goes on. Pin the curve, choose PTT, whose "
        "chains change places with samples of earlier models, and play: its model has all five, and the curve ends"
        " some nats higher.",
        Recipe(
            model=RBMSetup(hidden=12),
            data=Clusters(),
            learner=PCD(rate=0.02, batch_size=100),
            schedule=Schedule(length=4_000, unit="updates", every=500, between=100),
            measures=WITH_EQUILIBRIUM,
        ),
        pace=400.0,
    ),
    "units-arrive": Preset(
        "size",
        "How many units does it need?",
        "Nobody says how many. They come one by one while you watch, each where it helps most, until the model "
        "begins to learn its images by heart.",
        "Nobody says how many hidden units: each update inserts the one that helps most, and the gallery fills as "
        "you watch. The test curve rises steeply, then by less and less. Once new images fall too far behind those "
        "that it learns (the free-energy gap has risen above its line) the training stops itself, after more than "
        "100 units, and the ring on the dotted validation curve marks the size that it chooses.",
        Recipe(
            model=InfiniteRBMSetup(),
            data="digits",
            learner=FrankWolfe(correction="none", lambda_=0.025, steps=200, rate=0.2),
            schedule=Schedule(length=150, unit="updates", every=5, gap_limit=0.5),
        ),
    ),
    "corrected-counts": Preset(
        "size",
        "What if units count just enough?",
        "Units come one by one. After each, the machine works out anew how much every unit counts: the curve "
        "never falls, and units that do not help leave.",
        "After each insertion the counts of all units, and all biases, are optimised anew: likelihood less penalty (J) "
        "never falls. Units whose count falls to 0 leave by themselves and stay in the gallery as ghosts. Pin the "
        "curve, set Correction to none under More settings, which is the paper's step of whole units, and play: the "
        "curve rises for six units, then falls.",
        Recipe(
            model=InfiniteRBMSetup(),
            data="bars-and-stripes",
            learner=FrankWolfe(correction="full", lambda_=0.01, restarts=10),
            schedule=Schedule(length=30, unit="updates"),
        ),
    ),
    "ising-terms": Preset(
        "rules",
        "Can it find a hidden grid?",
        "1,000 rows of 20 coins that like to agree with their neighbours on a grid. Nobody tells it the grid: among "
        "a million rules it finds the 31 pairs of neighbours, and no others.",
        "1,000 rows of 5 × 4 coupled spins, and 1,048,575 terms to choose from. Watch the list: 31 terms are "
        "bought, each of two spins that agree, and they are the 31 pairs of neighbours of the grid, and no others. "
        "Then give a spin or two a value in the question box: model, data and truth stand side by side.",
        Recipe(
            model=LogLinearSetup(),
            data=Ising(),
            learner=GreedyMDL(),
            schedule=Schedule(length=10_000, unit="updates", every=2),
        ),
    ),
    "parity-term": Preset(
        "rules",
        "Can it see what pairs cannot?",
        "Three bits, always an even number of them on, which no model of pairs can see. The search sees it at once, "
        "buys one rule, and is done.",
        "What no pairwise model can see: an even number of three bits is on. Any two of them tell nothing, and the "
        "search sees it at once: the first step buys the one term of all three, and nothing is left. Give two bits "
        "a value in the question box, and the third is certain.",
        Recipe(
            model=LogLinearSetup(),
            data=Parity(copies=25),
            learner=GreedyMDL(),
            schedule=Schedule(length=1_000, unit="updates"),
        ),
    ),
}


def preset_of(recipe: Recipe) -> str | None:
    """Return the name of the preset that a recipe is, whatever its seed and live changes; None if it is none."""
    return _names().get(unseeded(recipe))


@cache
def _names() -> dict[Recipe, str]:
    return {unseeded(preset.recipe): name for name, preset in PRESETS.items()}


def unseeded(recipe: Recipe) -> Recipe:
    """A recipe with the seed 0 and no change under way."""
    return replace(recipe, changes=(), schedule=recipe.schedule.changed(seed=0))


def first_on(source: Source, dataset: Dataset) -> Recipe:
    """What to try first on a data set: the settings of a preset that learns from such data, by the model that is made
    for such rows or by any that takes them; else a start with that model and its first learner.
    """
    model = suited(dataset)
    fit = [
        recipe
        for recipe in (preset.recipe for preset in PRESETS.values())
        if recipe.data.name == source.name and takes(recipe.model, dataset)
    ]
    if not fit:
        return start_for(model, source, next(iter(learners_of(model))))

    def off(recipe: Recipe) -> tuple[bool, ...]:
        return recipe.model.name != model, recipe.needs("annealing", dataset.train.n_visible)

    return replace(min(fit, key=off), data=source, changes=(), before=None)
