"""Presets: instructive trainings, each with advice on what to look for."""

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
    """An instructive training, with advice on what to look for.

    title, about : the question that it answers, and what can be seen, in words that need no explanation
    look_for : what to watch and what to do next, shown next to the training
    pace : updates per second if it would otherwise end too soon to be watched; None for the maximum
    """

    title: str
    about: str
    look_for: str
    recipe: Recipe
    pace: float | None = None


# Only records in full, which are few, measure the equilibrium gap.
WITH_EQUILIBRIUM = (*MODELS["rbm"].measures, "equilibrium_gap")

PRESETS: dict[str, Preset] = {
    "handwriting": Preset(
        "Can it generate handwriting?",
        "Strokes emerge from noise, and within seconds new handwritten digits. A curve shows how well it predicts "
        "digits that it has never seen.",
        "Watch the fantasy particles: grey blurs at first, digits within seconds. Each update makes real digits more "
        "probable and the model's own samples less, so the curve, the estimated probability of unseen digits, rises. "
        "The equilibrium indicator shows that the chains used for learning lag behind the model.",
        Recipe(
            RBMSetup(hidden=200),
            "mnist-small",
            PCD(rate=0.02, batch_size=300),
            Schedule(length=200, every=100, between=20),
            WITH_EQUILIBRIUM,
            annealing=Annealing(temperatures=3000),
        ),
    ),
    "hidden-patch": Preset(
        "Can it fill in what is hidden?",
        "A quarter of each digit is covered. Watch the model learn to restore it, and how many pixels are still wrong.",
        "A patch of 4 × 4 hides a quarter of each digit, which leaves 11 % of pixels wrong. The error falls to half of "
        "that. Then pin the curve, choose logistic regression, which predicts each pixel on its own, and play: it ends "
        "a whole percentage point higher.",
        Recipe(
            CRBMSetup(hidden=64),
            "digits",
            BeliefPropagationMLE(rate=0.2),
            Schedule(length=60),
            corruption=Corruption(kind="patch", size=4),
        ),
    ),
    "senate": Preset(
        "Who votes with whom?",
        "147 votes of eight parties of the Australian Senate become a map: blue pairs vote together more often than "
        "the other parties' votes explain, red pairs less often.",
        "Watch the map of couplings settle: blue pairs vote together more often than the other parties' votes explain, "
        "red pairs less often. At the end, the table lists the couplings that the votes support: those whose 95 % "
        f"interval excludes 0. {PARTIES.partition('; ')[2]}.",
        Recipe(FVBMSetup(variance=0.0), "senate", BSLM(tau=1e-9), Schedule(length=2_000, unit="updates")),
        pace=20.0,
    ),
    "real-digits": Preset(
        "How well does it know digits?",
        "Digits so small that it can be computed exactly how well the model knows them. The curve climbs for unseen "
        "digits, too.",
        "Watch the test curve climb above the base rate while strokes appear in the receptive fields and the fantasy "
        "particles turn into digits.",
        Recipe(
            RBMSetup(hidden=20),
            "digits",
            PCD(rate=0.02, K=5),
            Schedule(length=1000, every=250, between=2),
            WITH_EQUILIBRIUM,
        ),
    ),
    "too-fast": Preset(
        "What if it learns too fast?",
        "Steps 25 times too large: the curve rises, falls, and training pauses with an explanation.",
        "A learning rate 25 times too high and a single Gibbs step: the curve rises, then falls below the base rate, "
        "and training pauses.",
        Recipe(RBMSetup(hidden=20), "digits", PCD(rate=0.5), Schedule(length=60, every=5, between=1), WITH_EQUILIBRIUM),
    ),
    "bars-and-stripes": Preset(
        "Why does it get worse again?",
        "A tiny model sees all its images 50,000 times in about a second. It gets better, then worse, because its "
        "estimate of the best direction is slightly wrong.",
        "Four hidden units and 50,000 epochs, as in the paper: the curve peaks early, then falls as the weights grow, "
        "and stays far from the upper bound.",
        Recipe(
            RBMSetup(hidden=4),
            "bars-and-stripes",
            CD(rate=0.3, K=12, batch_size=0),
            Schedule(length=50_000, every=100),
        ),
    ),
    "plateau": Preset(
        "Which learns faster at the same cost?",
        "Of two algorithms with the same cost, one leaves the flat start of the curve thousands of rounds earlier.",
        "After 5,000 epochs S-DCP has left the plateau, which is no better than the base rate. Pin the curve, choose "
        "CD (its K becomes d K' = 12, the same cost), and play: it stays there for thousands of epochs more.",
        Recipe(
            RBMSetup(hidden=4),
            "shifting-bar",
            SDCP(rate=0.3, d=3, K_prime=4, batch_size=0),
            Schedule(length=15_000, every=50),
        ),
    ),
    "everything-looks-right": Preset(
        "Can samples look right while the model is wrong?",
        "Five kinds of images. The samples drawn during training show each at the right frequency, but the model has "
        "learnt only one or two at a time.",
        "Bars show the share of each of five clusters in the data, in the chains of PCD, and (hatched) in the model "
        "itself, by enumeration. Chains and data soon agree, while the model swings from cluster to cluster; the "
        "equilibrium indicator shows it. A deep fall of the curve pauses the training; Play continues. Pin the curve, "
        "choose PTT, whose chains swap with samples of earlier models, and play: its model has all five clusters.",
        Recipe(
            RBMSetup(hidden=12),
            Clusters(),
            PCD(rate=0.02, batch_size=100),
            Schedule(length=4_000, unit="updates", every=500, between=100),
            WITH_EQUILIBRIUM,
        ),
        pace=400.0,
    ),
    "units-arrive": Preset(
        "How many units does it need?",
        "Units are added one by one, each where it helps most, until the model starts to learn its images by heart.",
        "Each update inserts the hidden unit that helps most, and the gallery fills. The test curve rises steeply, "
        "then slowly. The training stops once the free-energy gap has risen above its line, after more than 100 units, "
        "and the ring on the dotted validation curve marks the chosen size.",
        Recipe(
            InfiniteRBMSetup(),
            "digits",
            FrankWolfe(correction="none", lambda_=0.025, steps=200, rate=0.2),
            Schedule(length=150, unit="updates", every=5, gap_limit=0.5),
        ),
    ),
    "corrected-counts": Preset(
        "What if units count just enough?",
        "Units are added one by one. After each, the model adjusts how much every unit counts: the curve never falls, "
        "and units that do not help are removed.",
        "After each insertion all counts and biases are optimised again: likelihood less penalty (J) never falls. "
        "Units whose count falls to 0 are removed and stay in the gallery as ghosts. Pin the curve, set Correction to "
        "none under All settings, which is the paper's step of whole units, and play: the curve rises for six units, "
        "then falls.",
        Recipe(
            InfiniteRBMSetup(),
            "bars-and-stripes",
            FrankWolfe(correction="full", lambda_=0.01, restarts=10),
            Schedule(length=30, unit="updates"),
        ),
    ),
    "ising-terms": Preset(
        "Can it find a hidden grid?",
        "1,000 rows of 20 coins that tend to agree with their neighbours on a hidden grid. Among a million rules the "
        "search finds the 31 pairs of neighbours, and no others.",
        "1,000 rows of 5 × 4 coupled spins, and 1,048,575 terms to choose from. Watch the list: it grows to 31 terms, "
        "the 31 pairs of neighbours of the grid. Then give a spin or two a value in the question box to compare model, "
        "data and truth.",
        Recipe(LogLinearSetup(), Ising(), GreedyMDL(), Schedule(length=10_000, unit="updates", every=2)),
    ),
    "parity-term": Preset(
        "Can it see what pairs cannot?",
        "Three bits, always an even number of them on, which no model of pairs can represent. The search finds the "
        "rule at once.",
        "An even number of three bits is on, and any two of them are independent. The first step adds the one term of "
        "all three, and nothing is left. Give two bits a value in the question box, and the third is certain.",
        Recipe(LogLinearSetup(), Parity(copies=25), GreedyMDL(), Schedule(length=1_000, unit="updates")),
    ),
}


def preset_of(recipe: Recipe) -> str | None:
    """Return the name of the preset with this recipe, ignoring its seed and live changes; None if there is none."""
    return _names().get(unseeded(recipe))


@cache
def _names() -> dict[Recipe, str]:
    return {unseeded(preset.recipe): name for name, preset in PRESETS.items()}


def unseeded(recipe: Recipe) -> Recipe:
    """Return a recipe with seed 0 and no live changes."""
    return replace(recipe, changes=(), schedule=recipe.schedule.changed(seed=0))


def first_on(source: Source, dataset: Dataset) -> Recipe:
    """Return the first training to try on a data set: a preset for such data, with the model that suits such rows if
    possible; otherwise a start with that model and its first learner.
    """
    model = suited(dataset)
    on_data = [preset.recipe for preset in PRESETS.values() if preset.recipe.data.name == source.name]
    fit = [recipe for recipe in on_data if takes(recipe.model, dataset)]
    if not fit:
        return start_for(model, source, next(iter(learners_of(model))))

    def off(recipe: Recipe) -> tuple[bool, ...]:
        return recipe.model.name != model, recipe.needs("annealing", dataset.train.n_visible)

    return replace(min(fit, key=off), data=source, changes=(), before=None)
