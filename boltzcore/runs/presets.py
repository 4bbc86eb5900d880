"""Trainings worth watching first, each with what to look for."""

from dataclasses import dataclass, replace
from functools import cache

from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.corruption import Corruption
from boltzcore.data.examples import Dataset
from boltzcore.data.ising import Ising
from boltzcore.data.mnist import MNIST
from boltzcore.data.patterns import Parity
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.data.senate import PARTIES
from boltzcore.data.source import Source
from boltzcore.inference import Annealing
from boltzcore.learners import BSLM, CD, PCD, SDCP, SSD, BeliefPropagationMLE, FrankWolfe, GradientAscent, GreedyMDL
from boltzcore.models import CRBMSetup, FVBMSetup, InfiniteRBMSetup, LogLinearSetup, RBMSetup
from boltzcore.registry import learners_of, suited, takes
from boltzcore.runs.recipe import Recipe, Schedule
from boltzcore.runs.starts import start_for


@dataclass(frozen=True)
class Preset:
    """A recipe worth watching.

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
    "restore": "How are damaged images restored?",
    "size": "How large should a model be?",
    "tables": "Which columns of a table go together?",
    "rules": "Can it find rules of three and more?",
}


_INSERTING = Recipe(
    model=InfiniteRBMSetup(),
    data="digits",
    learner=FrankWolfe(correction="none", lambda_=0.025, steps=200, rate=0.2),
    schedule=Schedule(length=150, unit="updates", every=5, gap_limit=0.5),
)
_WHOLE_UNITS = Recipe(
    model=InfiniteRBMSetup(),
    data="bars-and-stripes",
    learner=FrankWolfe(correction="none", lambda_=0.01, restarts=10),
    schedule=Schedule(length=30, unit="updates"),
)
_AFTER_INSERTING = Recipe(
    model=RBMSetup(hidden=60),
    data="digits",
    learner=CD(rate=0.05, K=10, batch_size=50),
    schedule=Schedule(length=2_000, unit="updates", every=50),
    before=replace(_INSERTING, schedule=Schedule(length=60, unit="updates", every=5)),
)

PRESETS: dict[str, Preset] = {
    "handwriting": Preset(
        "begin",
        "Can it dream up handwriting?",
        "Out of noise come strokes, and within seconds handwritten digits that nobody has written. A curve tells how "
        "well the machine knows digits that it has never seen.",
        "Watch the fantasy particles, what the model dreams up: grey blurs at first, within seconds digits that nobody "
        "has written. Each update makes real digits more probable and the model's dreams less, so the curve rises: it "
        "estimates how probable digits are to the model that it has never seen.",
        Recipe(
            model=RBMSetup(hidden=200),
            data="mnist-small",
            learner=PCD(rate=0.02, batch_size=300),
            schedule=Schedule(length=200, every=100, between=20),
            annealing=Annealing(temperatures=3000, tolerance=0.05),
        ),
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
            schedule=Schedule(length=1000, every=2),
        ),
    ),
    "too-fast": Preset(
        "dream",
        "What if it learns too fast?",
        "Steps 25 times too large: the curve climbs, falls, and the training pauses itself and says why.",
        "A learning rate 25 times too high and a single Gibbs step: the curve climbs, then falls under the base "
        "rate, and the training pauses itself.",
        Recipe(model=RBMSetup(hidden=20), data="digits", learner=PCD(rate=0.5), schedule=Schedule(length=60)),
    ),
    "bars-and-stripes": Preset(
        "dream",
        "Why does it get worse again?",
        "A tiny model, 50,000 times through all its images in about a second. It gets better, then worse, because "
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
    "every-state": Preset(
        "dream",
        "What does it think of every image?",
        "Nine pixels make 512 images, few enough to show all of them while 14 are learnt. Turn pixels on and off, and "
        "see what speaks for each image.",
        "Scroll down to Every state, the map of all 512 images: 14 of them, in frames, are bars or stripes. At first "
        "all are filled alike; then the frames fill, and what was between them fades. Pause, click a frame, flip one "
        "of its pixels: F rises, and the image is less probable. Press Downhill until it rests in a valley: mostly at "
        "a bar or a stripe.",
        Recipe(
            model=RBMSetup(hidden=8, sigma=0.1),
            data="bars-and-stripes",
            learner=CD(rate=0.3, K=12, batch_size=0),
            schedule=Schedule(length=4_000, every=20),
        ),
        pace=100.0,
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
    "spectral": Preset(
        "dream",
        "When do great strides pay?",
        "One way to learn is at the top within 100 steps if each of them looks at 500 images, and blows up if it "
        "looks at 20.",
        "With 500 images in a batch spectral descent is up within 100 updates. Pin the curve, set the batch size to "
        "20 under More settings, and play: steps of one size in all directions blow the noise of small batches up, "
        "and the training is halted as diverged. Or choose CD: it needs 2,000 updates.",
        Recipe(
            model=RBMSetup(hidden=20),
            data="digits",
            learner=SSD(rate=0.1, K=5, batch_size=500),
            schedule=Schedule(length=1000, unit="updates", every=20),
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
    "mnist-noise": Preset(
        "restore",
        "Which cleans up noise better?",
        "One pixel in ten is flipped. Belief propagation, the careful way, brings that down to one in fifty; a "
        "quicker way stays a little behind.",
        "One pixel in ten is flipped, and belief propagation brings that down to about 2 % (60,000 images are "
        "fetched once). Pin the curve, choose contrastive divergence and play: its epochs take a fifth of the time, "
        "but after each its error is a little higher.",
        Recipe(
            model=CRBMSetup(hidden=256),
            data=MNIST(rows=10_000, binarise="threshold", split="50000/10000/10000"),
            learner=BeliefPropagationMLE(),
            schedule=Schedule(length=6),
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
    "bslm-five": Preset(
        "tables",
        "Do all starts lead to one summit?",
        "The curve only ever rises, by less and less. Begin it five times from other places: all end at the same "
        "height.",
        "Paper 1, figure 1, with five columns: each sweep raises the log-pseudo-likelihood, by less and less. Pin "
        "the curve, press New seed and Play, up to five times: all starts end at the same height, for there is one "
        "summit.",
        Recipe(
            model=FVBMSetup(),
            data=RandomFVBM(d=5, seed=6),
            learner=BSLM(),
            schedule=Schedule(length=1_000, unit="updates"),
        ),
    ),
    "bslm-ten": Preset(
        "tables",
        "How long is the last stretch?",
        "Ten columns: most of the way is made in the first rounds, and hundreds are left for the rest. Another way "
        "to climb is there after a few.",
        "The same with ten columns. Watch the lower chart: most of the way is made in the first sweeps, and "
        "hundreds are left for the rest. Pin the curve, choose L-BFGS and play: it is there after a few updates.",
        Recipe(
            model=FVBMSetup(),
            data=RandomFVBM(d=10, seed=14),
            learner=BSLM(),
            schedule=Schedule(length=2_000, unit="updates"),
        ),
    ),
    "too-large-a-step": Preset(
        "tables",
        "How large may a step be?",
        "Five fair coins. With a step of 2.5 the curve turns and falls for good, with 1.9 it finds the top. What is "
        "proved ends at 1, what is true at 2.",
        "Five fair coins, and a step of 2.5, beyond what the paper proves (1) and beyond what is true (2): the "
        "curve climbs, turns, and falls far below the base rate for good. Then set the step to 1.9 and train on: no "
        "sweep falls any more, and the summit, 5 log 1/2, is found. At 2 none falls either, but it only creeps.",
        Recipe(
            model=FVBMSetup(),
            data=RandomFVBM(d=5, variance=0.0),
            learner=GradientAscent(mu=2.5),
            schedule=Schedule(length=60, unit="updates"),
        ),
    ),
    "parity": Preset(
        "tables",
        "What do pairs not see?",
        "Three bits, always an even number of them on. Any two look like coin flips, so a model of pairs learns "
        "nothing, though two of them tell the third.",
        "Three bits, an even number of them on: each two of them are independent, and yet the third follows from "
        "them. The couplings go to 0 and the curve to 3 log 1/2, chance; the four states of the data stay as likely "
        "as the four that never occur. It takes a term of three bits.",
        Recipe(
            model=FVBMSetup(),
            data="parity",
            learner=BSLM(),
            schedule=Schedule(length=500, unit="updates"),
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
    "bayes-terms": Preset(
        "rules",
        "How near to the truth does it come?",
        "Rows of a network in which each thing depends on two others. Rules are bought one by one, and a dotted "
        "line tells how far the model still is from the truth.",
        "1,000 rows of a Bayesian network that is drawn at random, each node with two parents. Watch terms of one "
        "to four variables being bought, and the dotted line, how far the model is from the truth: it falls with "
        "the others, and is all but level when the search ends.",
        Recipe(
            model=LogLinearSetup(),
            data=BayesNet(),
            learner=GreedyMDL(),
            schedule=Schedule(length=10_000, unit="updates", every=2),
        ),
    ),
    "more-data-more-terms": Preset(
        "rules",
        "What do more data buy?",
        "The same network and a hundred times the rows: more than twice as many rules pay, and the model comes "
        "seven times as near to the truth.",
        "The same network and 100,000 rows: a term costs little more than a hundredth of what it did, so more than "
        "twice as many pay, of up to six variables, and the model comes seven times as near to the truth. Nobody "
        "chose its size.",
        Recipe(
            model=LogLinearSetup(),
            data=BayesNet(n=100_000),
            learner=GreedyMDL(),
            schedule=Schedule(length=10_000, unit="updates", every=5),
        ),
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
        _INSERTING,
    ),
    "whole-units": Preset(
        "size",
        "Is a whole unit too much?",
        "Each new unit comes in whole. Six of them help; then each one spoils what was there.",
        "The paper's step: each unit comes in whole, and counts once. The curve rises for six units, then falls, and "
        "the training pauses itself; press Play and it goes on, far below the base rate. Pin the curve, choose the "
        "preset “What if units count just enough?”, and play: both are drawn together.",
        _WHOLE_UNITS,
    ),
    "corrected-counts": Preset(
        "size",
        "What if units count just enough?",
        "The same search, but how much each unit counts is worked out anew each time. What it climbs never falls, "
        "and units that are no use leave.",
        "The same data, penalty and search as in “Is a whole unit too much?”, but after each insertion how often each "
        "unit counts, and all biases, are optimised anew: likelihood less penalty (J) never falls. Watch ghosts in "
        "the gallery: units whose count falls to 0 leave by themselves. Pin the curve, choose that preset, and play "
        "to see both.",
        replace(_WHOLE_UNITS, learner=_WHOLE_UNITS.learner.changed(correction="full")),
    ),
    "fw-then-cd": Preset(
        "size",
        "Does a good start pay?",
        "60 units found one by one, then trained on together: far ahead step by step, and behind by the clock.",
        "Frank-Wolfe inserts 60 units, and CD takes them over where they are. Pin the curve, choose the preset “What "
        "if it starts at random?”, and play: as many units, drawn at random. Per update the first is far ahead; "
        "choose Curves over: Seconds of training, and it is behind, for an insertion takes as long as hundreds of "
        "CD's updates.",
        _AFTER_INSERTING,
    ),
    "cd-from-random": Preset(
        "size",
        "What if it starts at random?",
        "60 units drawn at random and trained together, to be compared with “Does a good start pay?”.",
        "60 hidden units whose weights are drawn at random, and the same CD as in “Does a good start pay?”. Pin the "
        "curve, choose that preset, and play.",
        replace(_AFTER_INSERTING, before=None),
    ),
    "mnist-units": Preset(
        "size",
        "Which strokes make up a digit?",
        "Units for large digits arrive, two or three a second: first blots as large as a digit, then finer and "
        "finer strokes.",
        "Each unit is found by 10,000 images of 28 × 28 pixels, two or three a second (60,000 images are fetched "
        "once). Watch the newest unit: first come blots as large as a digit, then finer ones; and the fantasy "
        "particles, which turn from dust into strokes.",
        Recipe(
            model=InfiniteRBMSetup(),
            data=MNIST(rows=10_000, binarise="threshold", split="50000/10000/10000"),
            learner=FrankWolfe(correction="none", lambda_=0.05, steps=300, M=100, rate=0.05),
            schedule=Schedule(length=100, unit="updates", every=10, between=10),
            annealing=Annealing(temperatures=10_000, tolerance=0.05),
        ),
    ),
    "mnist": Preset(
        "dream",
        "How good does it get at full size?",
        "500 hidden units and 60,000 handwritten digits, as in the papers. How good it is nobody can compute: it is "
        "estimated, and you are told how surely.",
        "The size of the papers: an exact likelihood is out of reach, so annealing estimates it every half epoch, "
        "with an interval (seconds each; 60,000 images are fetched once). Pin the curve after an epoch or two, "
        "choose S-DCP, of equal cost, and see how far ahead it is after half an epoch.",
        Recipe(
            model=RBMSetup(hidden=500),
            data="mnist",
            learner=CD(rate=0.01, K=24, batch_size=200),
            schedule=Schedule(length=3_000, unit="updates", every=150, between=150),
            annealing=Annealing(temperatures=3000, tolerance=0.05),
        ),
    ),
}


def preset_of(recipe: Recipe) -> str | None:
    """The name of the preset that a recipe is, whatever its seed and what was changed under way; None where it is
    none.
    """
    return _names().get(_unseeded(recipe))


@cache
def _names() -> dict[Recipe, str]:
    return {_unseeded(preset.recipe): name for name, preset in reversed(PRESETS.items())}


def _unseeded(recipe: Recipe) -> Recipe:
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
