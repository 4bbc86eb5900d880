"""Worked examples: single updates of small trainings that show a learner's steps well."""

from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.corruption import Corruption
from boltzcore.data.drawn import Patterns
from boltzcore.data.patterns import BarsAndStripes
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.data.source import Source
from boltzcore.learners import (
    BSLM,
    CD,
    PCD,
    SDCP,
    BeliefPropagationMLE,
    CDPercLoss,
    FrankWolfe,
    GreedyMDL,
    Hebbian,
    PairwisePCD,
    TemperedPCD,
)
from boltzcore.learners.base import Learner
from boltzcore.models import CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, RBMSetup
from boltzcore.models.base import Setup
from boltzcore.registry import entry
from boltzcore.training.recipe import NOISE, Recipe
from boltzcore.training.schedule import Schedule
from pages.inside.worked_step import WorkedStep


def _training(model: Setup, data: Source | str, learner: Learner, seed: int, corruption: Corruption = NOISE) -> Recipe:
    schedule = Schedule(seed=seed, length=2_000, unit="updates", every=20)
    return Recipe(model, data, learner, schedule, corruption=corruption)


_IMAGES, _LARGER = BarsAndStripes(), BarsAndStripes(D=4)
_FOUR = RBMSetup(hidden=4, sigma=0.5)
_DAMAGE = Corruption(rate=0.15)
_RESTORING = CRBMSetup(hidden=6, sigma=0.3, input_weight=2.0, hidden_bias=0.0)


def _inserting(data: Source | str, learner: Learner, seed: int) -> Recipe:
    return Recipe(InfiniteRBMSetup(), data, learner, Schedule(seed=seed, length=30, unit="updates"))


# If possible one row makes an update, so that a weight's change is the arithmetic of the row that is shown.
STEPS: dict[str, WorkedStep] = {
    "cd": WorkedStep(
        "Why does this weight grow, and that one shrink?",
        "The chain leaves the row: some pixels go off, others come on. Weights of pixels that are on only in the row "
        "grow; those of pixels that are on only in the sample shrink.",
        _training(_FOUR, _IMAGES, CD(rate=0.2, batch_size=1), 36),
        282,
        choose={"pick": "w", "index": 32},
    ),
    "pcd": WorkedStep(
        "What if the chain never restarts?",
        "The chain does not start at the row but where the last update left it: at another image, which the model "
        "finds about as likely.",
        _training(_FOUR, _IMAGES, PCD(rate=0.1, batch_size=1), 22),
        230,
        choose={"pick": "w", "index": 7},
    ),
    "s-dcp": WorkedStep(
        "Can one pass over the data serve several steps?",
        "The data term is computed once and stays; the chain continues under weights that have moved meanwhile. The "
        "chosen weight moves one way, then back.",
        _training(_FOUR, _IMAGES, SDCP(rate=0.15, d=3, K_prime=2, batch_size=1), 8),
        252,
        choose={"pick": "w", "index": 14},
    ),
    "pt": WorkedStep(
        "How does a chain escape from a corner?",
        "Each chain has replicas at higher temperatures, where pixels hardly depend on each other. Neighbours may "
        "swap: the more this raises the product of both probabilities, the likelier. Follow the letter of an image "
        "from one rung to the next.",
        _training(_FOUR, _LARGER, TemperedPCD(rate=0.2, batch_size=30, chains=20, temperatures=6), 3),
        500,
        row=4,
    ),
    "mle-bp": WorkedStep(
        "How do pixels and hidden units come to agree?",
        "The input has wrong pixels. Pixels and hidden units exchange messages until their beliefs settle; these are "
        "then compared with the clean image.",
        _training(_RESTORING, _LARGER, BeliefPropagationMLE(rate=0.2, batch_size=1), 12, _DAMAGE),
        465,
        choose={"pick": "w", "index": 34},
    ),
    "cd-percloss": WorkedStep(
        "Which wrong image is the most tempting?",
        "The chain looks for an image that the model finds more probable than the clean one. The most probable on its "
        "way, that of lowest free energy, is compared with the clean image.",
        _training(_RESTORING, _LARGER, CDPercLoss(rate=0.1, K=6, batch_size=1), 12, _DAMAGE),
        21,
        choose={"pick": "w", "index": 89},
    ),
    "bslm": WorkedStep(
        "Why does this curve never fall?",
        "One parameter after another moves to the top of a parabola that touches the curve from below. At the chosen "
        "coupling the curve rises by more than the parabola.",
        Recipe(FVBMSetup(variance=0.5), RandomFVBM(d=4), BSLM(), Schedule(length=200, unit="updates")),
        1,
        choose={"pick": "p", "index": 8},
    ),
    "hebbian": WorkedStep(
        "How does a network remember a picture?",
        "The coupling of two pixels rises if they agree in the picture and falls if they differ. One look is enough: "
        "nothing is sampled, and no step is repeated.",
        Recipe(FVBMSetup(variance=0.0), Patterns(), Hebbian(), Schedule(length=10, unit="updates")),
        1,
    ),
    "greedy": WorkedStep(
        "Which rule is worth its price?",
        "A bound rules out many terms at once. One of the rest gains more than the term that is bought, but it has "
        "more variables and so a higher price: the shortest description decides.",
        Recipe(LogLinearSetup(), BayesNet(nodes=6, n=300, seed=5), GreedyMDL(), Schedule(length=200, unit="updates")),
        2,
    ),
    "bm-pcd": WorkedStep(
        "What if no one can sum over all states?",
        "Ten chains stand in for the model. One of them is redrawn, pixel by pixel, each given the current others. "
        "Both pixels of the chosen parameter are on in a larger share of the chains than of the rows: it falls.",
        _training(LogLinearSetup(), _IMAGES, PairwisePCD(rate=0.5, chains=10), 33),
        129,
        choose={"pick": "p", "index": 18},
    ),
    "fw": WorkedStep(
        "Which unit helps most, and which is no longer needed?",
        "Noise turns into the unit along which the likelihood rises fastest. Then all counts move, and that of h4 "
        "falls to 0: it is removed.",
        _inserting(_IMAGES, FrankWolfe(lambda_=0.02, restarts=4), 13),
        10,
    ),
    "fw-digits": WorkedStep(
        "How does an image emerge from noise?",
        "The search starts from noise. Patterns that are in the data and not yet in the model grow; the penalty on "
        "large weights holds them back. The result is a stroke.",
        _inserting("digits", FrankWolfe(correction="none", lambda_=0.025, samples=200, restarts=3), 0),
        2,
    ),
}


def step_named(name: str) -> WorkedStep:
    """Return the step of that name. Raises Refusal if there is none."""
    return entry(STEPS, "example", name)
