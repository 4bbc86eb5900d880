"""Presets of machines that learn from the columns of a table."""

from boltzcore.data.bayes_net import BayesNet
from boltzcore.data.ising import Ising
from boltzcore.data.patterns import Parity
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.data.senate import PARTIES
from boltzcore.learners import BSLM, GradientAscent, GreedyMDL
from boltzcore.models import FVBMSetup, LogLinearSetup
from boltzcore.runs.presets.preset import Preset
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule

PRESETS: dict[str, Preset] = {
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
        "Five fair coins. With a step of 2.5 the curve turns and falls for good, with 1.9 it finds the top. A rise "
        "is proved up to 1, and true up to 2.",
        "Five fair coins, and a step of 2.5; that the curve never falls is proved up to 1 and true up to 2. Here the "
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
        "Three bits, an even number of them on: any two of them are independent, and yet the third follows from "
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
}
