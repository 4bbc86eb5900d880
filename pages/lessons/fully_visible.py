"""The lesson on the fully visible Boltzmann machine."""

from dataclasses import dataclass, replace
from itertools import pairwise

from boltzcore.data import Parity
from boltzcore.data.ising import Ising
from boltzcore.data.random_fvbm import RandomFVBM
from boltzcore.learners import BSLM, GradientAscent
from boltzcore.models import FVBM, FVBMSetup
from boltzcore.runs.comparison import Comparison
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.rbm import medians
from pages.lessons.scenes import ModelScene, RaceScene, Records, TrainingScene, values

_PSEUDO, _EXACT = "train_log_pseudo_likelihood", "train_log_likelihood"
_SIDE = 3  # of the grid
_ROUNDING = 1e-9  # nats: a fall by less is none
_SHORT = Schedule(length=60, unit="updates", every=1)


@dataclass(frozen=True)
class Couplings:
    """Those of neighbours in the grid, and those of all other pairs."""

    neighbours: tuple[float, ...]
    others: tuple[float, ...]


def _couplings(model: FVBM) -> Couplings:
    neighbours, others = [], []
    for i in range(_SIDE**2):
        for j in range(i + 1, _SIDE**2):
            near = j - i == _SIDE or (j - i == 1 and i % _SIDE + 1 < _SIDE)
            (neighbours if near else others).append(float(model.M[i, j]))
    return Couplings(tuple(neighbours), tuple(others))


def _grid(coupling: float) -> ModelScene:
    data = Ising(rows=_SIDE, columns=_SIDE, coupling=coupling, n=2_000)
    recipe = Recipe(FVBMSetup(), data, BSLM(), _SHORT)
    return ModelScene(TrainingScene(recipe, ("couplings",), pace=10), _couplings)


def _ascent(mu: float) -> TrainingScene:
    data = RandomFVBM(d=8, n=2_000, variance=0.02)
    return TrainingScene(Recipe(FVBMSetup(), data, GradientAscent(mu=mu), _SHORT), ("couplings",), pace=10)


def _falls(records: Records) -> int:
    """How often the log-pseudo-likelihood fell from one sweep to the next."""
    curve = values(records, _PSEUDO)
    return sum(after < before - _ROUNDING for before, after in pairwise(curve))


def _positive(found: Couplings) -> int:
    return sum(each > 0 for each in found.neighbours)


def _few_some_all(count: int, of: int) -> int:
    return 0 if not count else 2 if count == of else 1


def _sweeps() -> Comparison:
    base = Recipe(FVBMSetup(), RandomFVBM(d=10), BSLM(tau=1e-9), replace(_SHORT, length=40))
    half = replace(base, learner=GradientAscent(mu=0.5, tau=1e-9))
    return Comparison(base, {"BSLM": base, "GA, mu 0.5": half}, trials=4, axis="updates")


_SIGN = Step(
    "What the sign of a coupling means",
    "In a **fully visible** machine every unit is a column of the data, here at −1 or +1, and every two units have a "
    "**coupling**. The data are grids of three by three little magnets: each mostly points the same way as its "
    "neighbours.",
    Question(
        "What will the couplings of the 12 pairs of neighbours be?",
        ("All negative", "Some positive, some negative", "All positive"),
    ),
    2,
    _grid(0.5),
    "Run it and look at the map of couplings: blue is above 0, red below.",
    Question("How many of the 12 couplings of neighbours are above 0?", ("None", "Some", "All")),
    lambda found: _few_some_all(_positive(found), len(found.neighbours)),
    lambda found: _positive(found) == len(found.neighbours),
    "A positive coupling lowers the energy where two units agree, a negative one where they differ. Neighbours "
    "agree in "
    "the data, so their couplings rise until they agree as often in the model.",
)
_DIRECT = Step(
    "Agreement is not coupling",
    "In the same data two opposite corners of the grid agree, too, in some 60 of 100 rows, though they are no "
    "neighbours.",
    Question(
        "What will the couplings of pairs be that are no neighbours?",
        ("Near 0", "Positive, about as large as those of neighbours", "Negative"),
    ),
    0,
    replace(_grid(0.5), training=replace(_grid(0.5).training, shows=("couplings", "estimates"))),
    "Run it and compare neighbours with all other pairs in the map.",
    Question(
        "How does the largest coupling of the other pairs compare with the smallest of neighbours?",
        ("It is smaller", "It is larger"),
    ),
    lambda found: int(max(found.others) > min(found.neighbours)),
    lambda found: max(found.others) < min(found.neighbours) / 2,
    "Corners agree because each agrees with those between them. A coupling says what is left between two units once "
    "all others are known: nothing, here. That is why couplings, and not correlations, show who acts on whom.",
)
_SWEEPS = Step(
    "Two ways up the same hill",
    "The likelihood of large tables is out of reach, so these learners climb the **pseudo-likelihood**: how well each "
    "column is told by all others. It has a single summit. **BSLM** goes along one parameter at a time, each by a step "
    "that is proved never to lead down; **gradient ascent** (GA) does the same with its step times mu.",
    Question(
        "GA with mu = 0.5 takes half the steps of BSLM. Which stands higher after 40 sweeps?",
        ("GA, mu 0.5: careful steps pay", "BSLM", "Both the same"),
    ),
    1,
    RaceScene(_sweeps()),
    "Run the race.",
    Question("Whose median is higher at the end? (It stands beside its name.)", ("GA, mu 0.5", "BSLM")),
    lambda result: int(medians(result)["BSLM"] > medians(result)["GA, mu 0.5"]),
    lambda result: medians(result)["BSLM"] > medians(result)["GA, mu 0.5"],
    "BSLM is gradient ascent with mu = 1. Both come to the same summit in the end; with half the step it takes about "
    "twice the sweeps.",
)
_PAST = Step(
    "Past the line",
    "For mu up to 1 it is proved that the curve never falls, and in truth it does not up to 2: a step may come down on "
    "the other side of the hill as long as it ends no lower. Here mu is 2.5.",
    Question(
        "What will the log-pseudo-likelihood do?",
        ("Rise at each sweep, only faster", "Rise at first, then fall at many sweeps", "Fall from the first sweep on"),
    ),
    1,
    _ascent(2.5),
    "Run it and watch the curve, close to its top. Fit brings it close.",
    Question("Does the curve fall at some sweeps?", ("No", "Yes")),
    lambda records: int(_falls(records) > 0),
    lambda records: _falls(records) > 0,
    "Near the summit each step is so long that it comes down on the other side, lower than before. On tables with "
    "strong couplings the hill is flatter than the proof has to expect, and a mu of 2.5 may do no harm: this is no "
    "law, but nothing protects you past 2.",
)
_PAIRS = Step(
    "What pairs cannot say",
    "The data are the four triples with an even number of ones: 000, 011, 101, 110. Any two units are on together just "
    "as often as if they were independent. A perfect machine has a log-likelihood of −1.39 nats, which is −2 ln 2.",
    Question(
        "How far will a machine come that couples all pairs?",
        ("To −1.39", "Not above −2.08, which is −3 ln 2", "Somewhere between"),
    ),
    1,
    TrainingScene(
        Recipe(FVBMSetup(), Parity(n=3), BSLM(), replace(_SHORT, length=20)), ("couplings", "likelihood"), pace=4
    ),
    "Run it and look at the exact log-likelihood, below the curve.",
    Question("Where does the exact log-likelihood end?", ("At −2.08", "At −1.39", "Somewhere else")),
    lambda records: (
        0 if abs(values(records, _EXACT)[-1] + 2.0794) < 0.01 else 1 if values(records, _EXACT)[-1] > -1.4 else 2
    ),
    lambda records: max(values(records, _EXACT)) < -2.079 and values(records, _EXACT)[-1] > -2.1,
    "All couplings go to 0, for no two units tell anything of each other, and three fair coins have −3 ln 2. What ties "
    "the three together is seen by no pair. Hidden units can say it, and so can a term of three: the next lessons.",
)
_AGAIN_SIGN = Step(
    "Again: neighbours that differ",
    "The first step once more, with magnets that mostly point the other way than their neighbours.",
    Question("What will the couplings of neighbours be?", ("All negative", "All positive", "Near 0")),
    0,
    _grid(-0.5),
    "Run it.",
    Question("How many of the 12 couplings of neighbours are above 0?", ("None", "Some", "All")),
    lambda found: _few_some_all(_positive(found), len(found.neighbours)),
    lambda found: _positive(found) == 0,
    "Neighbours differ, so their couplings are negative. Corners agree all the same, being the neighbours of "
    "neighbours.",
    again=True,
)
_AGAIN_MU = Step(
    "Again: just below the line",
    "The step past the line once more, with mu = 1.9 in place of 2.5.",
    Question("Will the log-pseudo-likelihood fall at some sweeps?", ("Yes", "No")),
    1,
    _ascent(1.9),
    "Run it.",
    Question("Does the curve fall at some sweeps?", ("No", "Yes")),
    lambda records: int(_falls(records) > 0),
    lambda records: _falls(records) == 0,
    "Up to 2 a step ends no lower than it began, though the proof of the paper covers mu up to 1 alone.",
    again=True,
)

FULLY_VISIBLE = Lesson(
    "The fully visible machine",
    "What a coupling says and what it does not, how to climb the pseudo-likelihood, and what no pair can tell.",
    "10 minutes",
    (_SIGN, _DIRECT, _SWEEPS, _PAST, _PAIRS, _AGAIN_SIGN, _AGAIN_MU),
)
