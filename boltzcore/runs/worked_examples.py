"""Worked examples: one update of each learner, out of a small training, in which what the learner does is well seen."""

from collections.abc import Mapping

from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.corruption import Corruption
from boltzcore.data.patterns import BarsAndStripes
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.data.source import Source
from boltzcore.learners import (
    BSLM,
    CD,
    CSDCP,
    LSSVM,
    MSSVM,
    PCD,
    SDCP,
    SSD,
    BeliefPropagationMLE,
    CDPercLoss,
    CenteredGradient,
    ConditionalCD,
    ConditionalLR,
    FrankWolfe,
    GradientAscent,
    GreedyMDL,
    MeanFieldMLE,
    PairwiseExact,
    PairwisePCD,
    PseudoLikelihoodLBFGS,
    TemperedPCD,
    TrajectoryTempering,
)
from boltzcore.learners.base import Learner
from boltzcore.models import CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, RBMSetup, Setup
from boltzcore.registry import entry
from boltzcore.runs.recipe import NOISE, Recipe
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.worked_step import Pair, WorkedStep

SIDES = ("first", "second")


def _training(model: Setup, data: Source | str, learner: Learner, seed: int, corruption: Corruption = NOISE) -> Recipe:
    schedule = Schedule(seed=seed, length=2_000, unit="updates", every=20)
    return Recipe(model, data, learner, schedule, corruption=corruption)


_IMAGES, _LARGER = BarsAndStripes(), BarsAndStripes(D=4)
_FOUR = RBMSetup(hidden=4, sigma=0.5)
_DAMAGE = Corruption(rate=0.15)
_RESTORING = CRBMSetup(hidden=6, sigma=0.3, input_weight=2.0, hidden_bias=0.0)


def _restoring(learner: Learner, seed: int) -> Recipe:
    return _training(_RESTORING, _LARGER, learner, seed, corruption=_DAMAGE)


def _sweeping(data: Source | str, learner: Learner, seed: int, start: float = 0.5) -> Recipe:
    schedule = Schedule(seed=seed, length=200, unit="updates")
    return Recipe(FVBMSetup(variance=start), data, learner, schedule)


def _inserting(data: Source | str, learner: Learner, seed: int) -> Recipe:
    return Recipe(InfiniteRBMSetup(), data, learner, Schedule(seed=seed, length=30, unit="updates"))


# One row makes an update wherever that can be, so that a weight's change is the arithmetic of the row that is shown.
STEPS: dict[str, WorkedStep] = {
    "cd": WorkedStep(
        "Why does this weight grow, and that one shrink?",
        "The chain leaves the row: pixels go out, others light up. Weights to pixels that were on in the row and are "
        "off in the dream grow, those to pixels that the dream has lit shrink.",
        _training(_FOUR, _IMAGES, CD(rate=0.2, batch_size=1), 36),
        282,
        "contrastive",
        choose={"hidden": 0, "visible": 8},
    ),
    "cd-digits": WorkedStep(
        "What does one step do to a larger machine?",
        "The same on a digit: 64 pixels and 12 hidden units. Choose another hidden unit and see which pixels it would "
        "like to have on.",
        _training(RBMSetup(hidden=12, sigma=0.2), "digits", CD(rate=0.2, batch_size=1), 11),
        297,
        "contrastive",
        choose={"hidden": 10, "visible": 3},
    ),
    "pcd": WorkedStep(
        "What if the chain is never begun anew?",
        "The chain does not start at the row but where the last update left it: at another picture, which the machine "
        "holds for about as likely.",
        _training(_FOUR, _IMAGES, PCD(rate=0.1, batch_size=1), 22),
        230,
        "contrastive",
        choose={"hidden": 3, "visible": 1},
    ),
    "cg": WorkedStep(
        "What changes if units are measured from their means?",
        "The offsets slide towards how often each unit is on. What is on anyway then counts little, and what is "
        "unusual counts much: compare the plain difference with the centred one.",
        _training(_FOUR, _IMAGES, CenteredGradient(rate=0.2, nu_mu=0.2, nu_lambda=0.2, batch_size=1), 13),
        202,
        "contrastive",
        choose={"hidden": 2, "visible": 1},
    ),
    "s-dcp": WorkedStep(
        "Can one look at the data serve several steps?",
        "What the data say is worked out once and stays; the chain goes on, under weights that have moved meanwhile. "
        "The chosen weight goes one way, then back.",
        _training(_FOUR, _IMAGES, SDCP(rate=0.15, d=3, K_prime=2, batch_size=1), 8),
        252,
        "contrastive",
        choose={"hidden": 2, "visible": 3},
    ),
    "cs-dcp": WorkedStep(
        "And if those steps are centred, too?",
        "As S-DCP, with units measured from their means: the data's offsets stay as they are at the first of the three "
        "inner steps, those of the dream slide on.",
        _training(_FOUR, _IMAGES, CSDCP(rate=0.15, d=3, K_prime=2, nu_mu=0.2, nu_lambda=0.2, batch_size=1), 1),
        266,
        "contrastive",
        choose={"hidden": 1, "visible": 1},
    ),
    "ssd": WorkedStep(
        "What if all directions get the same stride?",
        "Seven rows make this gradient, and a few of its directions are far longer than the others. Then all are made "
        "equally long: the small ones move the weights as far as the great ones.",
        _training(RBMSetup(hidden=5, sigma=0.5), _IMAGES, SSD(rate=0.1, batch_size=7), 0),
        30,
        "contrastive",
        row=2,
        choose={"hidden": 0, "visible": 1},
    ),
    "pt": WorkedStep(
        "How does a chain get out of a corner?",
        "Each chain has companions at higher temperatures, where pixels hardly depend on each other. Neighbours change "
        "places if that suits both. At the end follow the chosen picture up and down the rungs.",
        _training(_FOUR, _LARGER, TemperedPCD(rate=0.2, batch_size=30, chains=20, temperatures=6), 3),
        500,
        "tempering",
        row=4,
        choose={"state": 5},
    ),
    "ptt": WorkedStep(
        "Can the past of a training help its chains?",
        "The other rung is an earlier model of this very training. The chain is offered one of its samples, and takes "
        "it if that suits both models; then the weights move.",
        _training(_FOUR, _LARGER, TrajectoryTempering(rate=0.2, batch_size=30, chains=20), 3),
        500,
        "tempering",
        row=2,
        choose={"state": 1},
    ),
    "mle-bp": WorkedStep(
        "How do pixels and hidden units come to agree?",
        "The input has wrong pixels. Round by round pixels and hidden units tell each other what they think, until "
        "their beliefs settle; these are then set against the clean image.",
        _restoring(BeliefPropagationMLE(rate=0.2, batch_size=1), 12),
        465,
        "conditional",
        choose={"hidden": 4, "visible": 5},
    ),
    "mle-mf": WorkedStep(
        "What if each unit looks only at the others' averages?",
        "Mean field: each unit uses the means of the others in place of their values. Round by round that settles, "
        "too.",
        _restoring(MeanFieldMLE(rate=0.2, batch_size=1), 14),
        279,
        "conditional",
        choose={"hidden": 0, "visible": 7},
    ),
    "conditional-cd": WorkedStep(
        "What does the damaged image do to the dream?",
        "The damaged image moves the bias of every unit, and stays there while the chain, which starts at the clean "
        "image, walks away from it.",
        _restoring(ConditionalCD(rate=0.2, batch_size=1), 15),
        124,
        "conditional",
        choose={"hidden": 4, "visible": 3},
    ),
    "cd-percloss": WorkedStep(
        "Which wrong picture is the most tempting?",
        "The chain looks for a picture that the machine finds likelier than the clean one. The likeliest on its way, "
        "the one of lowest free energy, is what the clean image is set against.",
        _restoring(CDPercLoss(rate=0.1, K=6, batch_size=1), 12),
        21,
        "conditional",
        choose={"hidden": 5, "visible": 14},
    ),
    "lr": WorkedStep(
        "How far does one get without hidden units?",
        "Each pixel is guessed from the damaged image alone. Some damage is put right, and the chosen pixel is guessed "
        "wrong: its weights move the most.",
        _restoring(ConditionalLR(rate=0.2, batch_size=1), 0),
        119,
        "conditional",
        choose={"visible": 6},
    ),
    "lssvm": WorkedStep(
        "Why is a wrong pixel paid for?",
        "Every pixel that differs from the clean image gains 1, so the decoder looks for an image that is likely and "
        "wrong at once. The chosen pixel would be right without that bonus.",
        _restoring(LSSVM(rate=0.1, batch_size=1), 1),
        51,
        "conditional",
        choose={"hidden": 1, "visible": 13},
    ),
    "mssvm": WorkedStep(
        "And if hidden units need not make up their mind?",
        "As LSSVM, but the hidden units are summed out: they stay in doubt, while the pixels are decided. The chosen "
        "pixel is wrong for the sake of the bonus only.",
        _restoring(MSSVM(rate=0.1, batch_size=1), 18),
        119,
        "conditional",
        choose={"hidden": 2, "visible": 0},
    ),
    "bslm": WorkedStep(
        "Why does this climb never fall?",
        "One parameter after another goes to the top of a parabola that touches the curve from below. At the chosen "
        "coupling the curve rises by more than the parabola promised.",
        _sweeping(RandomFVBM(d=4), BSLM(), 0),
        1,
        "coordinate",
        choose={"j": 1, "k": 3},
    ),
    "bslm-senate": WorkedStep(
        "When do two parties begin to go together?",
        "The first sweep over the votes of eight parties (on: a yes), from nothing: each bias, then each pair. "
        "Watch the chosen pair: rows in which both vote alike pull it up, the others pull it down.",
        _sweeping("senate", BSLM(tau=1e-9), 0, start=0.0),
        0,
        "coordinate",
        choose={"j": 2, "k": 6},
    ),
    "ga": WorkedStep(
        "How can a step uphill lead down?",
        "Steps two and a half times as long as the parabola's: the chosen one goes over the top and comes down lower "
        "than it began, though others of the same sweep rise.",
        _sweeping(RandomFVBM(d=4, seed=6), GradientAscent(mu=2.5), 6),
        0,
        "coordinate",
        choose={"j": 0},
    ),
    "l-bfgs": WorkedStep(
        "How does one get to the top in a few strides?",
        "All parameters move at once, and each stride remembers how the slopes changed on those before. Most of the "
        "climb is made at once; then the slopes die down.",
        _sweeping(RandomFVBM(d=4), PseudoLikelihoodLBFGS(), 0),
        0,
        "newton",
        choose={"parameter": 8},
    ),
    "greedy": WorkedStep(
        "Which rule is worth its price?",
        "Many terms are skipped at a glance. Of the rest one gains more than the one that is bought, but a term of "
        "more variables costs more: the shortest description decides.",
        Recipe(LogLinearSetup(), BayesNet(nodes=6, n=300, seed=5), GreedyMDL(), Schedule(length=200, unit="updates")),
        2,
        "greedy",
    ),
    "bm-di": WorkedStep(
        "What can pairs alone explain?",
        "Every pair of columns has a term, and all of them move at once, until the model has each pair as often as the "
        "data have. Most of the way is made by the first strides.",
        Recipe(LogLinearSetup(), BayesNet(nodes=6, n=300), PairwiseExact(), Schedule(length=20, unit="updates")),
        0,
        "newton",
        choose={"parameter": 18},
    ),
    "bm-pcd": WorkedStep(
        "What if nobody can sum over all states?",
        "Ten chains stand in for the model. One of them is drawn anew, pixel by pixel, each from what the others are "
        "by then. Far more chains than rows have both pixels of the chosen parameter on: it falls.",
        Recipe(
            LogLinearSetup(),
            _IMAGES,
            PairwisePCD(rate=0.5, chains=10),
            Schedule(seed=33, length=2_000, unit="updates", every=20),
        ),
        129,
        "sampled",
        choose={"parameter": 18},
    ),
    "fw": WorkedStep(
        "Which unit helps most, and which is not needed any more?",
        "Noise sharpens to a unit that is on where the data are and the model's dreams are not. Then all counts move, "
        "and that of the chosen unit falls to 0: it leaves.",
        _inserting(_IMAGES, FrankWolfe(lambda_=0.02, restarts=4), 13),
        10,
        "insertion",
        choose={"unit": 3},
    ),
    "fw-digits": WorkedStep(
        "How does a picture come out of noise?",
        "The search begins at noise. What the data pull at, and what the dreams do not have, grows; the price of large "
        "weights holds it. What comes out is a stroke.",
        _inserting("digits", FrankWolfe(correction="none", lambda_=0.025, samples=200, restarts=3), 0),
        2,
        "insertion",
        choose={"unit": 2},
    ),
}


def _pair(title: str, look_for: str, recipe: Recipe, update: int, choose: Mapping[str, int], *sides: Learner) -> Pair:
    return Pair(
        title,
        look_for,
        *(WorkedStep(title, look_for, recipe, update, "contrastive", 0, choose, side) for side in sides),
    )


PAIRS: dict[str, Pair] = {
    "cd-1-and-cd-10": _pair(
        "What do nine more Gibbs steps bring?",
        "The same weights, the same row, the same numbers drawn: the first step is the same. Nine steps later the "
        "chain is elsewhere, and the chosen weight goes the other way.",
        _training(_FOUR, _IMAGES, CD(rate=0.2, batch_size=1), 21),
        226,
        {"hidden": 0, "visible": 0},
        CD(rate=0.2, batch_size=1),
        CD(rate=0.2, K=10, batch_size=1),
    ),
    "cd-and-pcd": _pair(
        "Does it matter where the chain begins?",
        "The same weights, learnt by PCD so far, the same row and the same numbers drawn. CD begins at the row, PCD "
        "where its chain was left. The chosen weight goes up by the one and down by the other.",
        _training(_FOUR, _IMAGES, PCD(rate=0.15, batch_size=1), 11),
        406,
        {"hidden": 2, "visible": 4},
        CD(rate=0.15, batch_size=1),
        PCD(rate=0.15, batch_size=1),
    ),
    "cd-and-s-dcp": _pair(
        "One long chain, or three short ones with a step after each?",
        "The same weights, the same row, the same numbers drawn, six Gibbs steps each: the first two are the same. "
        "Then S-DCP moves its weights, and its chain goes another way.",
        _training(_FOUR, _IMAGES, CD(rate=0.2, K=6, batch_size=1), 11),
        330,
        {"hidden": 0, "visible": 8},
        CD(rate=0.2, K=6, batch_size=1),
        SDCP(rate=0.2, d=3, K_prime=2, batch_size=1),
    ),
}


Example = WorkedStep | Pair
EXAMPLES: dict[str, Example] = {**STEPS, **PAIRS}


def step_named(name: str) -> WorkedStep:
    """The step of that name; those of a pair are "name.first" and "name.second". Raises Refusal where there is none."""
    pair, _, side = name.rpartition(".")
    if pair in PAIRS and side in SIDES:
        return PAIRS[pair].first if side == "first" else PAIRS[pair].second
    return entry(STEPS, "example", name)
